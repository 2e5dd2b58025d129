//! Rust in double precision, bit for bit what bitloop computes.

use std::fmt::Write as _;

use bitloop_net::Activation;

use super::{constants, controller, export_of, head_comment, tests};
use crate::error::ExportError;
use crate::files::Export;
use crate::head;
use crate::network_text::{check_size, layer_calls, n_layer_memory, n_window, uses};
use crate::portable::{Decoding, Encoding, Fit, Portable, Weights};
use crate::text::{number, wrapped};
use crate::vectors::TestVectors;

const PROMISE: &str =
    "Double precision: bit for bit what bitloop itself computes. Needs nothing but `core`.";

/// One source file.
pub(crate) fn exact(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    check_size(portable)?;
    let network = &portable.network;
    let (constants, notes) = constants(portable, None);
    let mut text = head_comment(&head::lines(portable, PROMISE));
    text += "\n#![allow(clippy::all, clippy::pedantic, unused)]\n\n";
    // The x87 unit rounds to other bits.
    text += "#[cfg(all(target_arch = \"x86\", not(target_feature = \"sse2\")))]\ncompile_error!(\"double arithmetic is done in another precision here; compile with SSE2\");\n\n";
    text += &constants;
    text.push('\n');
    text += &weights(portable);
    text += &controller("f64", n_window(network) + n_layer_memory(network), "0.0", &step(portable));
    let is_curved = uses(network, Activation::Tanh) || uses(network, Activation::Logistic);
    for (needed, part) in [
        (true, include_str!("text/layer.rs")),
        (uses(network, Activation::Tanh), include_str!("text/tanh.rs")),
        (uses(network, Activation::Logistic), include_str!("text/logistic.rs")),
        (is_curved, include_str!("text/exponential.rs")),
        (true, include_str!("text/fused.rs")),
    ] {
        if needed {
            text.push('\n');
            text += part;
        }
    }
    let vectors = TestVectors::of(portable);
    let bits = |rows: &[Vec<f64>]| -> Vec<Vec<String>> {
        let written = |value: &f64| format!("0x{:016x}", value.to_bits());
        rows.iter().map(|row| row.iter().map(written).collect()).collect()
    };
    text += &tests(
        &bits(&vectors.inputs),
        &bits(&vectors.outputs),
        vectors.reset_at,
        ["u64", "f64::from_bits", "f64::to_bits"],
    );
    Ok(export_of(name, text, notes))
}

fn weights(portable: &Portable) -> String {
    match &portable.weights {
        Weights::Codes(codes) => {
            let code = match codes.bits {
                0..=8 => "i8",
                9..=16 => "i16",
                _ => "i32",
            };
            format!(
                "/// Layer by layer, neuron by neuron, of each its bias, its inputs, its past.\n\
                 static WEIGHTS: [{code}; {}] = [\n{}];\n\ntype Code = {code};\n\nfn weight(code: Code) -> f64 {{\n    code as f64 * {}\n}}\n",
                codes.codes.len(),
                wrapped(codes.codes.iter().map(ToString::to_string), "    "),
                number(codes.step),
            )
        }
        Weights::Real(values) => format!(
            "static WEIGHTS: [f64; {}] = [\n{}];\n\ntype Code = f64;\n\nfn weight(code: Code) -> f64 {{\n    code\n}}\n",
            values.len(),
            wrapped(values.iter().map(|&value| number(value)), "    "),
        ),
    }
}

fn step(portable: &Portable) -> String {
    let network = &portable.network;
    let n_window = n_window(network);
    let mut text = String::new();
    if n_window > 0 {
        let n_kept = n_window - network.n_inputs();
        let _ = writeln!(
            text,
            "        let (x, memory) = self.memory.split_at_mut({n_window}); // the last inputs, newest first\n        x.copy_within(..{n_kept}, {});",
            network.n_inputs()
        );
    } else {
        let _ = writeln!(
            text,
            "        let mut x = [0.0; {}];\n        let memory = &mut self.memory;",
            network.n_inputs()
        );
    }
    text += &encode(portable);
    let mut from = "x".to_owned();
    for (index, call) in layer_calls(network).iter().enumerate() {
        let n = call.n_neurons;
        let n_weights = n * (1 + call.n_fed + call.n_back);
        let past = call.memory.map(|at| format!("memory[{at}..{}]", at + n));
        let seen = past.as_ref().map_or("&[]".to_owned(), |past| format!("&{past}"));
        if call.n_direct > 0 {
            let (n_fed, n_before) = (call.n_fed, call.n_fed - call.n_direct);
            let _ = writeln!(
                text,
                "        // The direct path: inputs beside the outputs of the layer before.\n        let mut fed = [0.0; {n_fed}];\n        fed[..{n_before}].copy_from_slice(&{from});\n        fed[{n_before}..].copy_from_slice(&x[..{}]);",
                call.n_direct
            );
            "fed".clone_into(&mut from);
        }
        let _ = writeln!(
            text,
            "        let mut y{index} = [0.0; {n}];\n        layer(&WEIGHTS[{}..{}], &{from}, {seen}, {}, &mut y{index});",
            call.first_weight,
            call.first_weight + n_weights,
            call.own,
        );
        match call.activation {
            Activation::Tanh => {
                let _ = writeln!(text, "        let y{index} = y{index}.map(tanh);");
            }
            Activation::Logistic => {
                let _ = writeln!(text, "        let y{index} = y{index}.map(logistic);");
            }
            Activation::Linear => {}
        }
        if let Some(past) = past {
            let _ = writeln!(text, "        {past}.copy_from_slice(&y{index});");
        }
        from = format!("y{index}");
    }
    let _ = writeln!(text, "        let _ = memory;\n        let y = {from};");
    text += &decode(portable);
    text
}

fn encode(portable: &Portable) -> String {
    let mut text = String::new();
    let mut row = 0;
    for (position, input) in portable.inputs.iter().enumerate() {
        let from = format!("inputs[{position}]");
        match &input.encoding {
            Encoding::Scaled { center: 0.0, scale: 1.0 } => {
                let _ = writeln!(text, "        x[{row}] = {from};");
            }
            Encoding::Scaled { center, scale } => {
                let (center, scale) = (number(*center), number(*scale));
                let _ = writeln!(text, "        x[{row}] = ({from} - {center}) / {scale};");
            }
            &Encoding::Range { min, max, low, high } => {
                let width = max - min;
                let position = if width > 0.0 {
                    format!("(({from} - {}) / {})", number(min), number(width))
                } else {
                    "0.5".to_owned()
                };
                let (low, range) = (number(low), number(high - low));
                let _ = writeln!(text, "        x[{row}] = {low} + {range} * {position};");
            }
            Encoding::Words(words) => {
                let _ = writeln!(
                    text,
                    "        for word in 0..{} {{\n            x[{row} + word] = if {from} == word as f64 {{ 1.0 }} else {{ -1.0 }};\n        }}",
                    words.len()
                );
            }
        }
        row += input.encoding.n_variables();
    }
    text
}

fn decode(portable: &Portable) -> String {
    let mut text = String::from("        let mut outputs = [0.0; N_OUTPUTS];\n");
    let mut row = 0;
    for (position, output) in portable.outputs.iter().enumerate() {
        let to = format!("outputs[{position}]");
        let from = match output.fit {
            Some(Fit { scale, offset }) => {
                format!("({} + {} * y[{row}])", number(offset), number(scale))
            }
            None => format!("y[{row}]"),
        };
        match &output.decoding {
            &Decoding::Scaled { center, scale, min, max } => {
                let value = if center == 0.0 && scale == 1.0 {
                    from
                } else {
                    format!("{} + {} * {from}", number(center), number(scale))
                };
                let _ = writeln!(text, "        {to} = {value};");
                for (bound, sign) in [(min, '<'), (max, '>')] {
                    if bound.is_finite() {
                        let bound = number(bound);
                        let _ = writeln!(
                            text,
                            "        {to} = if {to} {sign} {bound} {{ {bound} }} else {{ {to} }};"
                        );
                    }
                }
            }
            &Decoding::Range { min, max, low, high } => {
                let (min, width) = (number(min), number(max - min));
                let (low, range) = (number(low), number(high - low));
                let _ = writeln!(
                    text,
                    "        {to} = {min} + {width} * (({from} - {low}) / {range});"
                );
            }
            Decoding::Classes(classes) if classes.len() == 2 => {
                let _ = writeln!(text, "        {to} = if {from} >= 0.5 {{ 1.0 }} else {{ 0.0 }};");
            }
            Decoding::Classes(classes) => {
                let _ = writeln!(
                    text,
                    "        let mut largest = 0;\n        for class in 1..{} {{\n            if y[{row} + class] > y[{row} + largest] {{\n                largest = class;\n            }}\n        }}\n        {to} = largest as f64;",
                    classes.len()
                );
            }
        }
        row += output.decoding.n_variables();
    }
    text + "        outputs\n"
}
