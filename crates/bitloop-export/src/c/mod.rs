//! C99: what the targets in C share. The arithmetic itself is C text beside this file.

mod channels;
mod exact;
mod fixed;
mod self_test;

use std::fmt::Write as _;

pub(crate) use exact::exact;
pub(crate) use fixed::fixed;

use crate::fixed::Fixed;
use crate::portable::Portable;
use crate::signal_constants::SignalConstants;
use crate::text::number;

/// Constants for sizes, positions, words and classes, with `fixed` also for units, and what a user should know of their
/// names.
fn constants(portable: &Portable, name: &str, fixed: Option<&Fixed>) -> (String, Vec<String>) {
    let upper = name.to_ascii_uppercase();
    let constants = SignalConstants::new(portable, &format!("{upper}_"), fixed);
    let mut text = format!(
        "#define {upper}_N_INPUTS {}\n#define {upper}_N_OUTPUTS {}\n",
        portable.inputs.len(),
        portable.outputs.len()
    );
    if let Some(sample_time_s) = portable.origin.sample_time_s {
        let _ = writeln!(text, "#define {upper}_SAMPLE_TIME_S {}", number(sample_time_s));
    }
    for group in &constants.positions {
        let items = group.iter().enumerate().map(|(at, constant)| format!("{constant} = {at}"));
        let items: Vec<_> = items.collect();
        let _ = write!(text, "\nenum {{\n    {}\n}};\n", items.join(",\n    "));
    }
    if !constants.bits.is_empty() {
        text += "\n/* Inputs and outputs are in units of 2^-BITS. */\n";
    }
    for (constant, bits) in &constants.bits {
        let _ = writeln!(text, "#define {constant} {bits}");
    }
    (text, constants.notes)
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
