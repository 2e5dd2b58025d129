//! The self-test in C: test vectors as bits, and a program that compares.

use std::fmt::Write as _;

use crate::fixed::Fixed;
use crate::portable::Portable;
use crate::text::wrapped;
use crate::vectors::{RESET_AT, TestVectors};

use super::fixed::int32;

/// Test vectors of doubles, as their bits.
pub(super) fn exact_vectors(portable: &Portable) -> String {
    let vectors = TestVectors::of(portable);
    let bits = |rows: &[Vec<f64>]| {
        rows.iter()
            .map(|row| row.iter().map(|v| format!("0x{:016x}u", v.to_bits())).collect())
            .collect()
    };
    table(&bits(&vectors.inputs), &bits(&vectors.outputs), vectors.reset_at, "uint64_t")
}

/// Test vectors of 32-bit integers.
pub(super) fn fixed_vectors(portable: &Portable, fixed: &Fixed) -> String {
    let (inputs, outputs) = TestVectors::of(portable).in_fixed_point(fixed);
    let written = |rows: &[Vec<i32>]| {
        rows.iter().map(|row| row.iter().map(|&number| int32(number)).collect()).collect()
    };
    table(&written(&inputs), &written(&outputs), RESET_AT, "int32_t")
}

/// A header with vectors whose numbers are written down already.
pub(super) fn table(
    inputs: &Vec<Vec<String>>,
    outputs: &Vec<Vec<String>>,
    reset_at: usize,
    word: &str,
) -> String {
    let mut text = format!(
        "/* Inputs, step after step, and the outputs that they must give. The memory is reset before step {reset_at}. */\n\
         #include <stdint.h>\n\n#define N_STEPS {}\n#define RESET_AT {reset_at}\n",
        inputs.len()
    );
    for (name, rows) in [("test_inputs", inputs), ("test_outputs", outputs)] {
        let _ = writeln!(text, "\nstatic const {word} {name}[N_STEPS][{}] = {{", rows[0].len());
        for row in rows {
            let _ = write!(text, "    {{\n{}    }},\n", wrapped(row.iter().cloned(), "        "));
        }
        text += "};\n";
    }
    text
}

/// The program. `number` is the type of a signal, `word` that of its bits.
pub(super) fn program(name: &str, number: &str, word: &str) -> String {
    let upper = name.to_ascii_uppercase();
    include_str!("self_test.c")
        .replace("@NAME@", name)
        .replace("@UPPER@", &upper)
        .replace("@NUMBER@", number)
        .replace("@WORD@", word)
}
