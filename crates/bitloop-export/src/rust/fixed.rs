//! Rust in fixed point.

use std::fmt::Write as _;

use bitloop_net::Activation;

use super::{constants, controller, export_of, head_comment, tests};
use crate::error::ExportError;
use crate::files::Export;
use crate::fixed::{
    ARITHMETIC, Factor, Fixed, FixedInput, FixedLayer, FixedOutput, Plan, nodes, packed,
};
use crate::head;
use crate::network_text::check_size;
use crate::portable::Portable;
use crate::text::wrapped;
use crate::vectors::{RESET_AT, TestVectors};

const PROMISE: &str = "Fixed point: bit for bit what `bitloop replay --fixed` computes. Needs nothing but `core`, and no floating point.";

/// One source file.
pub(crate) fn fixed(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    check_size(portable)?;
    let fixed = Fixed::new(portable)?;
    let plan = fixed.plan();
    let (constants, mut notes) = constants(portable, Some(&fixed));
    notes.extend(fixed.notes().iter().cloned());
    let mut lines = head::lines(portable, PROMISE);
    lines.push(String::new());
    lines.push(
        "Inputs and outputs are integers in units of 2^-BITS, in the units above.".to_owned(),
    );
    lines.extend(fixed.notes().iter().map(|note| crate::text::comment(note)));
    let mut text = head_comment(&lines);
    text += "\n#![allow(clippy::all, clippy::pedantic, unused)]\n\nuse arithmetic::{moved_right, saturated, scaled, tanh};\n\n";
    text += &constants;
    text += &weights(plan);
    text += &controller("i32", plan.n_memory, "0", &step(portable, plan));
    let _ = write!(text, "\n{}\nmod arithmetic {{\n", include_str!("text/sum.rs"));
    for line in ARITHMETIC.lines() {
        text += format!("    {line}").trim_end();
        text.push('\n');
    }
    text += "}\n";
    let (inputs, outputs) = TestVectors::of(portable).in_fixed_point(&fixed);
    let written = |rows: &[Vec<i32>]| -> Vec<Vec<String>> {
        rows.iter().map(|row| row.iter().map(ToString::to_string).collect()).collect()
    };
    text +=
        &tests(&written(&inputs), &written(&outputs), RESET_AT, ["i32", "i32::from", "i32::from"]);
    Ok(export_of(name, text, notes))
}

fn weights(plan: &Plan) -> String {
    let bytes = packed(&plan.codes);
    format!(
        "\nconst CODE_BITS: u32 = {};\n/// Codes layer by layer, neuron by neuron, of each its bias, its inputs, its past.\n\
         static WEIGHTS: [u8; {}] = [\n{}];\n\n/// tanh at 0, 1/8, ... 8, in units of 2^-30.\nstatic NODES: [i32; 65] = [\n{}];\n",
        plan.codes.bits,
        bytes.len(),
        wrapped(bytes.iter().map(|byte| format!("0x{byte:02x}")), "    "),
        wrapped(nodes().iter().map(ToString::to_string), "    "),
    )
}

fn step(portable: &Portable, plan: &Plan) -> String {
    let n_inputs = portable.network.n_inputs();
    let mut text = String::from("        let mut reader = Reader { at: 0, bits: 0, n_bits: 0 };\n");
    if plan.n_window > 0 {
        let n_kept = plan.n_window - n_inputs;
        let _ = writeln!(
            text,
            "        let (x, memory) = self.memory.split_at_mut({}); // the last inputs, newest first\n        x.copy_within(..{n_kept}, {n_inputs});",
            plan.n_window
        );
    } else {
        let _ = writeln!(
            text,
            "        let mut x = [0; {n_inputs}];\n        let memory = &mut self.memory;"
        );
    }
    text += &encode(plan);
    let hidden = &plan.layers[..plan.layers.len() - 1];
    let mut from = "x".to_owned();
    for (index, layer) in hidden.iter().enumerate() {
        let call = &layer.call;
        let n = call.n_neurons;
        let past = match call.memory {
            None => "&[]".to_owned(),
            Some(at) if call.own => format!("&memory[{at} + i..{at} + i + 1]"),
            Some(at) => format!("&memory[{at}..{}]", at + n),
        };
        let signal = signal(layer, &format!("reader.sum(&{from}, {past})"));
        let _ = writeln!(
            text,
            "        let mut y{index} = [0; {n}];\n        for i in 0..{n} {{\n            y{index}[i] = {signal};\n        }}"
        );
        if let Some(at) = call.memory {
            let _ = writeln!(text, "        memory[{at}..{}].copy_from_slice(&y{index});", at + n);
        }
        from = format!("y{index}");
    }
    text += "        let _ = memory;\n";
    text + &decode(plan, &from)
}

fn apply(factor: Factor, value: &str) -> String {
    format!("scaled({value}, {}, {}, {})", factor.before, factor.multiplier, factor.after)
}

fn encode(plan: &Plan) -> String {
    let mut text = String::new();
    let mut row = 0;
    for (position, input) in plan.inputs.iter().enumerate() {
        match *input {
            FixedInput::Scaled { center, factor, .. } => {
                let value = format!("inputs[{position}] as i64 - ({center})");
                let _ = writeln!(text, "        x[{row}] = {};", apply(factor, &value));
                row += 1;
            }
            FixedInput::Constant(signal) => {
                let _ = writeln!(text, "        x[{row}] = {signal};");
                row += 1;
            }
            FixedInput::Words(n) => {
                let _ = writeln!(
                    text,
                    "        for word in 0..{n} {{\n            x[{row} + word] = if inputs[{position}] as i64 == word as i64 {{ ONE }} else {{ -ONE }};\n        }}"
                );
                row += n;
            }
        }
    }
    text
}

/// A sum through the transfer function of its layer.
fn signal(layer: &FixedLayer, sum: &str) -> String {
    let argument = apply(layer.factor, sum);
    match layer.call.activation {
        Activation::Linear => argument,
        Activation::Tanh => format!("moved_right(tanh(&NODES, {argument}) as i64, 6) as i32"),
        Activation::Logistic => {
            format!("moved_right((1 << 30) + tanh(&NODES, {argument}) as i64, 7) as i32")
        }
    }
}

fn decode(plan: &Plan, from: &str) -> String {
    let last = &plan.layers[plan.layers.len() - 1];
    let sum = match last.call.n_direct {
        0 => format!("reader.sum(&{from}, &[])"),
        n => format!("reader.sum(&{from}, &x[..{n}])"),
    };
    let neuron = match last.call.activation {
        Activation::Linear => sum,
        _ => format!("i64::from({})", signal(last, &sum)),
    };
    let mut text = String::from("        let mut outputs = [0; N_OUTPUTS];\n");
    for (position, output) in plan.outputs.iter().enumerate() {
        let to = format!("outputs[{position}]");
        match *output {
            FixedOutput::Value { center, factor, min, max, .. } => {
                let value = apply(factor, &neuron);
                let _ = writeln!(
                    text,
                    "        {to} = saturated({value} as i64 + ({center})).clamp({min}, {max});"
                );
            }
            FixedOutput::Constant { value, .. } => {
                // Its weights are passed over.
                let _ = writeln!(text, "        let _ = {neuron};\n        {to} = {value};");
            }
            FixedOutput::OneOfTwo { factor, half } => {
                let value = apply(factor, &neuron);
                let _ = writeln!(text, "        {to} = ({value} >= {half}) as i32;");
            }
            FixedOutput::Largest { factor, n_classes } => {
                let value = apply(factor, &neuron);
                let _ = writeln!(
                    text,
                    "        let mut largest = i32::MIN;\n        for class in 0..{n_classes} {{\n            let value = {value};\n            if value > largest {{\n                largest = value;\n                {to} = class;\n            }}\n        }}"
                );
            }
        }
    }
    text + "        outputs\n"
}
