//! Python text: the target `NumPy`, and the self-tests of targets that are run from Python.

mod numpy;

use std::fmt::Write as _;

pub(crate) use numpy::numpy;

use crate::portable::{Decoding, Portable};
use crate::text::{number, wrapped};
use crate::vectors::TestVectors;

/// Test vectors as lists, with the largest difference that is allowed at each output: 1e-12 of the output's scale, and of
/// its value.
pub(crate) fn vectors(portable: &Portable) -> String {
    let TestVectors { inputs, outputs, reset_at } = TestVectors::of(portable);
    let mut text = format!("RESET_AT = {reset_at}  # the memory is reset before this step\n");
    let scales = portable.outputs.iter().map(|output| {
        let scale = match output.decoding {
            Decoding::Scaled { scale, .. } => scale,
            Decoding::Range { min, max, .. } => max - min,
            Decoding::Classes(_) => 0.0,
        };
        // An output of 1 becomes that much larger.
        scale * output.fit.map_or(1.0, |fit| 1.0 + fit.scale.abs())
    });
    let scales: Vec<f64> = scales.collect();
    let _ = write!(text, "SCALES = {}", list(&scales, ""));
    for (name, rows) in [("INPUTS", &inputs), ("OUTPUTS", &outputs)] {
        let _ = writeln!(text, "{name} = [");
        for row in rows {
            let _ = write!(text, "    {}", list(row, "    ").trim_end());
            text += ",\n";
        }
        text += "]\n";
    }
    text
}

/// Numbers as a list in several lines.
pub(crate) fn list(values: &[f64], indent: &str) -> String {
    let inner = format!("{indent}    ");
    format!("[\n{}{indent}]\n", wrapped(values.iter().map(|&value| number(value)), &inner))
}

/// Names as a list of strings.
pub(crate) fn names<'a>(names: impl Iterator<Item = &'a str>) -> String {
    let quoted: Vec<String> = names.map(string).collect();
    format!("[{}]", quoted.join(", "))
}

/// A string that Python reads as the same text.
pub(crate) fn string(text: &str) -> String {
    let mut quoted = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => {
                quoted.push('\\');
                quoted.push(c);
            }
            c if c.is_ascii_graphic() || c == ' ' => quoted.push(c),
            c => {
                let _ = write!(quoted, "\\U{:08x}", u32::from(c));
            }
        }
    }
    quoted + "\""
}

/// The head as a comment.
pub(crate) fn head_comment(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + format!("# {line}").trim_end() + "\n")
}
