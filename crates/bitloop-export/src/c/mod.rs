//! C99: what the targets in C share. The arithmetic itself is C text beside this file.

mod channels;
mod exact;
mod fixed;
mod self_test;

use std::fmt::Write as _;

pub(crate) use exact::exact;
pub(crate) use fixed::fixed;

use crate::names::constants;
use crate::portable::{Decoding, Encoding, Portable};

/// Constants for the positions of signals, words and classes, and what a user should know of their names.
fn positions(portable: &Portable, name: &str) -> (String, Vec<String>) {
    let upper = name.to_ascii_uppercase();
    let (inputs, mut notes) = constants(portable.inputs.iter().map(|i| i.name.as_str()), "input");
    let (outputs, more) = constants(portable.outputs.iter().map(|o| o.name.as_str()), "output");
    notes.extend(more);
    let mut text = format!(
        "#define {upper}_N_INPUTS {}\n#define {upper}_N_OUTPUTS {}\n",
        inputs.len(),
        outputs.len()
    );
    if let Some(sample_time_s) = portable.origin.sample_time_s {
        let _ = writeln!(text, "#define {upper}_SAMPLE_TIME_S {sample_time_s:?}");
    }
    let mut list = |prefix: &str, names: &[String]| {
        let items = names.iter().enumerate().map(|(at, one)| format!("{prefix}_{one} = {at}"));
        let items: Vec<_> = items.collect();
        let _ = write!(text, "\nenum {{\n    {}\n}};\n", items.join(",\n    "));
    };
    list(&format!("{upper}_IN"), &inputs);
    list(&format!("{upper}_OUT"), &outputs);
    let worded = portable.inputs.iter().zip(&inputs).filter_map(|(input, constant)| {
        let Encoding::Words(words) = &input.encoding else { return None };
        Some((format!("{upper}_{constant}_IS"), words, "word"))
    });
    let classed = portable.outputs.iter().zip(&outputs).filter_map(|(output, constant)| {
        let Decoding::Classes(classes) = &output.decoding else { return None };
        Some((format!("{upper}_{constant}_IS"), classes, "class"))
    });
    for (prefix, words, what) in worded.chain(classed) {
        let (names, more) = constants(words.iter().map(String::as_str), what);
        notes.extend(more);
        list(&prefix, &names);
    }
    (text, notes)
}

/// A comment of these lines.
fn comment_block(lines: &[String]) -> String {
    let mut text = String::from("/*\n");
    for line in lines {
        let _ = writeln!(text, "{}", format!(" * {line}").trim_end());
    }
    text + " */\n"
}

/// The smallest type that holds codes of so many bits.
const fn code_type(bits: u32) -> &'static str {
    match bits {
        0..=8 => "int8_t",
        9..=16 => "int16_t",
        _ => "int32_t",
    }
}
