//! Rust without the standard library: one source file that needs nothing but `core`.

mod exact;
mod fixed;

use std::fmt::Write as _;

pub(crate) use exact::exact;
pub(crate) use fixed::fixed;

use crate::export::{Export, ExportFile};
use crate::names::constants;
use crate::portable::{Decoding, Encoding, Portable};
use crate::text::wrapped;

/// The export of one file, with the command that runs the tests in it.
fn export_of(name: &str, text: String, notes: Vec<String>) -> Export {
    let self_test = format!("rustc --edition 2021 --test -O -o self_test {name}.rs && ./self_test");
    Export { files: vec![ExportFile::text(format!("{name}.rs"), text)], self_test, notes }
}

/// The head as the module's documentation.
fn head_comment(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + format!("//! {line}").trim_end() + "\n")
}

/// Constants for sizes, positions, words and classes, and what a user should know of their names.
fn positions(portable: &Portable) -> (String, Vec<String>) {
    let (inputs, mut notes) = constants(portable.inputs.iter().map(|i| i.name.as_str()), "input");
    let (outputs, more) = constants(portable.outputs.iter().map(|o| o.name.as_str()), "output");
    notes.extend(more);
    let mut text = format!(
        "pub const N_INPUTS: usize = {};\npub const N_OUTPUTS: usize = {};\n",
        inputs.len(),
        outputs.len()
    );
    if let Some(sample_time_s) = portable.origin.sample_time_s {
        let _ = writeln!(text, "pub const SAMPLE_TIME_S: f64 = {sample_time_s:?};");
    }
    let mut list = |prefix: &str, names: &[String]| {
        for (at, name) in names.iter().enumerate() {
            let _ = writeln!(text, "pub const {prefix}_{name}: usize = {at};");
        }
    };
    list("IN", &inputs);
    list("OUT", &outputs);
    for (input, constant) in portable.inputs.iter().zip(&inputs) {
        if let Encoding::Words(words) = &input.encoding {
            let (names, more) = constants(words.iter().map(String::as_str), "word");
            notes.extend(more);
            list(&format!("IN_{constant}_IS"), &names);
        }
    }
    for (output, constant) in portable.outputs.iter().zip(&outputs) {
        if let Decoding::Classes(classes) = &output.decoding {
            let (names, more) = constants(classes.iter().map(String::as_str), "class");
            notes.extend(more);
            list(&format!("OUT_{constant}_IS"), &names);
        }
    }
    (text, notes)
}

/// The tests at the end of the file. `from` and `to` turn the numbers of the vectors into signals and back.
fn tests(
    inputs: &[Vec<String>],
    outputs: &[Vec<String>],
    reset_at: usize,
    [word, from, to]: [&str; 3],
) -> String {
    let mut text = include_str!("text/tests.rs").replace("@FROM@", from).replace("@TO@", to);
    let _ = writeln!(text, "    const RESET_AT: usize = {reset_at};");
    for (name, rows, size) in [("INPUTS", inputs, "N_INPUTS"), ("OUTPUTS", outputs, "N_OUTPUTS")] {
        let _ = writeln!(text, "    const {name}: [[{word}; {size}]; {}] = [", rows.len());
        for row in rows {
            let numbers = wrapped(row.iter().cloned(), "            ");
            let _ = write!(text, "        [\n{numbers}        ],\n");
        }
        text += "    ];\n";
    }
    text + "}\n"
}

/// The state and its functions around the body of a step.
fn controller(number: &str, n_memory: usize, zero: &str, step: &str) -> String {
    format!(
        "\n/// A controller with what it remembers from step to step.\n\
         #[derive(Clone, Debug)]\npub struct Controller {{\n    memory: [{number}; {n_memory}],\n}}\n\n\
         impl Default for Controller {{\n    fn default() -> Self {{\n        Self::new()\n    }}\n}}\n\n\
         impl Controller {{\n    /// A controller at its start.\n    pub const fn new() -> Self {{\n        Self {{ memory: [{zero}; {n_memory}] }}\n    }}\n\n    \
         /// Forgets all past steps, as where an episode begins anew.\n    pub fn reset(&mut self) {{\n        *self = Self::new();\n    }}\n\n    \
         /// One step.\n    pub fn step(&mut self, inputs: &[{number}; N_INPUTS]) -> [{number}; N_OUTPUTS] {{\n{step}    }}\n}}\n"
    )
}
