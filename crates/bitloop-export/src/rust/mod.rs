//! Rust without the standard library: one source file that needs nothing but `core`.

mod exact;
mod fixed;

use std::fmt::Write as _;

pub(crate) use exact::exact;
pub(crate) use fixed::fixed;

use crate::files::{Export, ExportFile};
use crate::fixed::Fixed;
use crate::portable::Portable;
use crate::signal_constants::SignalConstants;
use crate::text::{number, wrapped};

/// The export of one file, with the command that runs the tests in it.
fn export_of(name: &str, text: String, notes: Vec<String>) -> Export {
    let self_test = format!("rustc --edition 2021 --test -O -o self_test {name}.rs && ./self_test");
    Export { files: vec![ExportFile::text(format!("{name}.rs"), text)], self_test, notes }
}

/// The head as the module's documentation.
fn head_comment(lines: &[String]) -> String {
    lines.iter().fold(String::new(), |text, line| text + format!("//! {line}").trim_end() + "\n")
}

/// Constants for sizes, positions, words and classes, with `fixed` also for units, and what a user should know of their
/// names.
fn constants(portable: &Portable, fixed: Option<&Fixed>) -> (String, Vec<String>) {
    let constants = SignalConstants::new(portable, "", fixed);
    let mut text = format!(
        "pub const N_INPUTS: usize = {};\npub const N_OUTPUTS: usize = {};\n",
        portable.inputs.len(),
        portable.outputs.len()
    );
    if let Some(sample_time_s) = portable.origin.sample_time_s {
        let _ = writeln!(text, "pub const SAMPLE_TIME_S: f64 = {};", number(sample_time_s));
    }
    for (at, constant) in constants.positions.iter().flat_map(|group| group.iter().enumerate()) {
        let _ = writeln!(text, "pub const {constant}: usize = {at};");
    }
    for (constant, bits) in &constants.bits {
        let _ =
            writeln!(text, "/// The unit is 2^-`{constant}`.\npub const {constant}: i32 = {bits};");
    }
    (text, constants.notes)
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
