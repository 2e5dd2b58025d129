//! C99 in double precision, bit for bit what bitloop computes.

use std::fmt::Write as _;

use bitloop_net::Activation;

use super::{channels, code_type, comment_block, constants, self_test};
use crate::error::ExportError;
use crate::files::{Export, ExportFile};
use crate::head;
use crate::network_text::{
    LayerCall, check_size, layer_calls, n_layer_memory, n_window, uses, widest,
};
use crate::portable::{Portable, Weights};
use crate::text::{number, wrapped};

const PROMISE: &str = "Double precision: bit for bit what bitloop itself computes, wherever double is IEEE in hardware.";

/// The files of `portable` under the name `name`.
pub(crate) fn exact(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    check_size(portable)?;
    let (constants, mut notes) = constants(portable, name, None);
    let weights_bytes = match &portable.weights {
        Weights::Codes(codes) => {
            let size = match codes.bits {
                0..=8 => 1,
                9..=16 => 2,
                _ => 4,
            };
            codes.codes.len() * size
        }
        Weights::Real(values) => 8 * values.len(),
    };
    notes.push(format!(
        "{weights_bytes} bytes of weights, {} bytes of memory from step to step",
        8 * n_memory(portable).max(1)
    ));
    let include = format!("{name}.h");
    let vectors = self_test::exact_vectors(portable);
    let files = vec![
        ExportFile::text(include, header(portable, name, &constants)),
        ExportFile::text(format!("{name}.c"), source(portable, name)),
        ExportFile::text("test_vectors.h", vectors),
        ExportFile::text("self_test.c", self_test::program(name, "double", "uint64_t")),
    ];
    let self_test = format!("cc -std=c99 -O2 -o self_test {name}.c self_test.c && ./self_test");
    Ok(Export { files, self_test, notes })
}

/// Numbers of the state: the inputs of a window, the present ones included, and the memory of the layers.
fn n_memory(portable: &Portable) -> usize {
    n_window(&portable.network) + n_layer_memory(&portable.network)
}

fn header(portable: &Portable, name: &str, constants: &str) -> String {
    let upper = name.to_ascii_uppercase();
    let mut lines = head::lines(portable, PROMISE);
    lines.push(String::new());
    lines.push(
        "Compile with -std=c99, and without -ffast-math. No libm, no allocation; re-entrant:"
            .to_owned(),
    );
    lines.push("all that it remembers is in the state.".to_owned());
    let n_memory = n_memory(portable);
    let memory = match n_memory {
        0 => "    double unused; /* it remembers nothing */\n".to_owned(),
        n => format!("    double memory[{n}];\n"),
    };
    format!(
        "{}#ifndef {upper}_H\n#define {upper}_H\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         {constants}\n/* What it remembers from step to step. */\ntypedef struct {{\n{memory}}} {name}_state;\n\n\
         /* To be called before the first step, and wherever an episode begins anew. */\n\
         void {name}_reset({name}_state *state);\n\n\
         /* One step: reads {upper}_N_INPUTS inputs, writes {upper}_N_OUTPUTS outputs, all in their units. */\n\
         void {name}_step({name}_state *state, const double *inputs, double *outputs);\n\n\
         #ifdef __cplusplus\n}}\n#endif\n#endif\n",
        comment_block(&lines)
    )
}

fn source(portable: &Portable, name: &str) -> String {
    let network = &portable.network;
    let mut text = comment_block(&head::lines(portable, PROMISE));
    let _ = write!(text, "#include <stdint.h>\n#include <string.h>\n\n#include \"{name}.h\"\n");
    text += include_str!("guard.c");
    text.push('\n');
    text += &weights(portable);
    text.push('\n');
    let is_curved = uses(network, Activation::Tanh) || uses(network, Activation::Logistic);
    // Without curves only the emulated product looks at bits.
    let (bits, fused) = (include_str!("bits.c"), include_str!("fused.c"));
    if is_curved {
        text.extend([bits, "\n", fused]);
    } else {
        text += &fused.replacen("#else\n", &format!("#else\n{bits}\n"), 1);
    }
    for (needed, part) in [
        (channels::rounds_products(portable), include_str!("rounded.c")),
        (is_curved, include_str!("exponential.c")),
        (uses(network, Activation::Tanh), include_str!("tanh.c")),
        (uses(network, Activation::Logistic), include_str!("logistic.c")),
        (true, include_str!("layer.c")),
    ] {
        if needed {
            text.push('\n');
            text += part;
        }
    }
    let _ = write!(
        text,
        "\nvoid {name}_reset({name}_state *state)\n{{\n    memset(state, 0, sizeof *state);\n}}\n\n{}",
        step(portable, name)
    );
    text
}

fn weights(portable: &Portable) -> String {
    match &portable.weights {
        Weights::Codes(codes) => format!(
            "/* weight = code * step; the order is that of bitloop: layer by layer, neuron by neuron, of each its bias, its\n   \
             inputs, its past. */\ntypedef {} weight_code;\n#define WEIGHT(code) ((double)(code) * {})\n\
             static const weight_code weights[{}] = {{\n{}}};\n",
            code_type(codes.bits),
            number(codes.step),
            codes.codes.len(),
            wrapped(codes.codes.iter().map(ToString::to_string), "    "),
        ),
        Weights::Real(values) => format!(
            "typedef double weight_code;\n#define WEIGHT(code) (code)\nstatic const weight_code weights[{}] = {{\n{}}};\n",
            values.len(),
            wrapped(values.iter().map(|&value| number(value)), "    "),
        ),
    }
}

fn step(portable: &Portable, name: &str) -> String {
    let network = &portable.network;
    let n_inputs = network.n_inputs();
    let n_window = n_window(network);
    let calls = layer_calls(network);
    let is_curved = calls.iter().any(|call| call.activation != Activation::Linear);
    let mut text = format!(
        "void {name}_step({name}_state *state, const double *inputs, double *outputs)\n{{\n"
    );
    if n_window > 0 {
        text += "    double *const x = state->memory; /* the last inputs, newest first */\n";
    } else {
        let _ = writeln!(text, "    double x[{n_inputs}];");
    }
    let _ = writeln!(text, "    double a[{0}], b[{0}], *y;", widest(network));
    if is_curved || channels::needs_counter(portable) {
        text += "    int i;\n";
    }
    // Nothing is read where all inputs are constant columns.
    text += "    (void)state, (void)inputs;\n";
    if n_window > 0 {
        let kept = n_window - n_inputs;
        let _ = writeln!(text, "    memmove(x + {n_inputs}, x, {kept} * sizeof *x);");
    }
    text += &channels::encode(portable);
    for (index, call) in calls.iter().enumerate() {
        text += &layer_text(index, call, n_window);
    }
    let last = if calls.len().is_multiple_of(2) { "b" } else { "a" };
    let _ = writeln!(text, "    y = {last};");
    text += &channels::decode(portable);
    // With one layer the second buffer is not needed.
    text += "    (void)a, (void)b;\n}\n";
    text
}

/// Layers write to `a` and `b` in turn.
fn layer_text(index: usize, call: &LayerCall, n_window: usize) -> String {
    let (from, to) = match index {
        0 => ("x", "a"),
        _ if index.is_multiple_of(2) => ("b", "a"),
        _ => ("a", "b"),
    };
    let past =
        call.memory.map_or("0".to_owned(), |at| format!("state->memory + {}", n_window + at));
    let n = call.n_neurons;
    let mut text = String::new();
    if call.n_direct > 0 {
        let n_before = call.n_fed - call.n_direct;
        let _ = writeln!(
            text,
            "    memcpy({from} + {n_before}, x, {} * sizeof *x); /* the direct path */",
            call.n_direct
        );
    }
    let _ = writeln!(
        text,
        "    layer(weights + {}, {}, {from}, {}, {}, {past}, {n}, {to});",
        call.first_weight,
        call.n_fed,
        call.n_back,
        i32::from(call.own),
    );
    let function = match call.activation {
        Activation::Tanh => Some("hyperbolic_tangent"),
        Activation::Logistic => Some("logistic"),
        Activation::Linear => None,
    };
    if let Some(function) = function {
        let _ =
            writeln!(text, "    for (i = 0; i < {n}; ++i)\n        {to}[i] = {function}({to}[i]);");
    }
    if call.memory.is_some() {
        let _ = writeln!(text, "    memcpy({past}, {to}, {n} * sizeof *{to});");
    }
    text
}
