//! C99 in fixed point, for processors without double precision in hardware.

use std::fmt::Write as _;

use bitloop_net::Activation;

use super::{code_type, comment_block, constants, self_test};
use crate::error::ExportError;
use crate::files::{Export, ExportFile};
use crate::fixed::{Factor, Fixed, FixedInput, FixedLayer, FixedOutput, Plan, nodes, packed};
use crate::head;
use crate::network_text::{check_size, uses};
use crate::portable::Portable;
use crate::text::wrapped;

const PROMISE: &str =
    "Fixed point: bit for bit what `bitloop replay --fixed` computes, on any processor.";

/// The files of `portable` under the name `name`.
pub(crate) fn fixed(portable: &Portable, name: &str) -> Result<Export, ExportError> {
    check_size(portable)?;
    let fixed = Fixed::new(portable)?;
    let (constants, mut notes) = constants(portable, name, Some(&fixed));
    notes.extend(fixed.notes().iter().cloned());
    let plan = fixed.plan();
    notes.push(format!(
        "{} bytes of weights, {} bytes of memory from step to step",
        weight_bytes(plan),
        4 * plan.n_memory.max(1)
    ));
    let files = vec![
        ExportFile::text(format!("{name}.h"), header(portable, &fixed, name, &constants)),
        ExportFile::text(format!("{name}.c"), source(portable, plan, name)),
        ExportFile::text("test_vectors.h", self_test::fixed_vectors(portable, &fixed)),
        ExportFile::text("self_test.c", self_test::program(name, "int32_t", "int32_t")),
    ];
    let self_test = format!("cc -std=c99 -O2 -o self_test {name}.c self_test.c && ./self_test");
    Ok(Export { files, self_test, notes })
}

fn is_packed(bits: u32) -> bool {
    bits != 8 && bits != 16
}

/// Zeros behind packed codes.
const N_BYTES_BEYOND: usize = 3;

fn weight_bytes(plan: &Plan) -> usize {
    let bytes = (plan.codes.codes.len() * plan.codes.bits as usize).div_ceil(8);
    if is_packed(plan.codes.bits) { bytes + N_BYTES_BEYOND } else { bytes }
}

fn header(portable: &Portable, fixed: &Fixed, name: &str, constants: &str) -> String {
    let upper = name.to_ascii_uppercase();
    let mut lines = head::lines(portable, PROMISE);
    lines.push(String::new());
    lines.push("Inputs and outputs are integers in units of 2^-BITS, in the units above: value * 2^BITS goes in,".to_owned());
    lines.push("and comes out. Needs 64-bit integers, no floating point, no libm, no allocation; re-entrant.".to_owned());
    lines.extend(fixed.notes().iter().map(|note| crate::text::comment(note)));
    let memory = match fixed.n_memory() {
        0 => "    int32_t unused; /* it remembers nothing */\n".to_owned(),
        n => format!("    int32_t memory[{n}];\n"),
    };
    format!(
        "{}#ifndef {upper}_H\n#define {upper}_H\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n\
         {constants}\n\
         /* What it remembers from step to step. */\ntypedef struct {{\n{memory}}} {name}_state;\n\n\
         /* To be called before the first step, and wherever an episode begins anew. */\n\
         void {name}_reset({name}_state *state);\n\n\
         /* One step: reads {upper}_N_INPUTS inputs, writes {upper}_N_OUTPUTS outputs. */\n\
         void {name}_step({name}_state *state, const int32_t *inputs, int32_t *outputs);\n\n\
         #ifdef __cplusplus\n}}\n#endif\n#endif\n",
        comment_block(&lines)
    )
}

fn source(portable: &Portable, plan: &Plan, name: &str) -> String {
    let network = &portable.network;
    let mut text = comment_block(&head::lines(portable, PROMISE));
    let _ = write!(text, "#include <string.h>\n\n#include \"{name}.h\"\n\n");
    // An int may have 16 bits.
    text += "#define ONE ((int32_t)1 << 24)\n\n";
    text += include_str!("fixed_arithmetic.c");
    text.push('\n');
    text += &weights(plan);
    text.push('\n');
    text += include_str!("fixed_sum.c");
    if uses(network, Activation::Tanh) || uses(network, Activation::Logistic) {
        let nodes = wrapped(nodes().iter().map(ToString::to_string), "    ");
        let _ = write!(
            text,
            "\n/* tanh at 0, 1/8, ... 8, in units of 2^-30. */\nstatic const int32_t tanh_nodes[65] = {{\n{nodes}}};\n\n{}",
            include_str!("fixed_tanh.c")
        );
    }
    let _ = write!(
        text,
        "\nvoid {name}_reset({name}_state *state)\n{{\n    memset(state, 0, sizeof *state);\n}}\n\n{}",
        step(portable, plan, name)
    );
    text
}

fn weights(plan: &Plan) -> String {
    let codes = &plan.codes;
    let order = "/* The order is that of bitloop: layer by layer, neuron by neuron, of each its bias, its inputs, its past. */\n";
    if !is_packed(codes.bits) {
        return format!(
            "{order}static const {} weights[{}] = {{\n{}}};\n\n{}",
            code_type(codes.bits),
            codes.codes.len(),
            wrapped(codes.codes.iter().map(ToString::to_string), "    "),
            include_str!("plain_codes.c"),
        );
    }
    let mut bytes = packed(codes);
    // A code is read from as many bytes as it can touch.
    bytes.resize(bytes.len() + N_BYTES_BEYOND, 0);
    format!(
        "#define CODE_BITS {}\n{order}static const uint8_t weights[{}] = {{\n{}}};\n\n{}",
        codes.bits,
        bytes.len(),
        wrapped(bytes.iter().map(|byte| format!("0x{byte:02x}")), "    "),
        include_str!("packed_codes.c"),
    )
}

fn step(portable: &Portable, plan: &Plan, name: &str) -> String {
    let mut text = format!(
        "void {name}_step({name}_state *state, const int32_t *inputs, int32_t *outputs)\n{{\n"
    );
    let n_inputs = portable.network.n_inputs();
    if plan.n_window > 0 {
        text += "    int32_t *const x = state->memory; /* the last inputs, newest first */\n";
    } else {
        let _ = writeln!(text, "    int32_t x[{n_inputs}];");
    }
    // Hidden layers write to buffers in turn; the last one goes to the outputs at once.
    let hidden = &plan.layers[..plan.layers.len() - 1];
    for (buffer, first) in [("a", 0), ("b", 1)] {
        let widest = hidden.iter().skip(first).step_by(2).map(|layer| layer.call.n_neurons).max();
        if let Some(widest) = widest {
            let _ = writeln!(text, "    int32_t {buffer}[{widest}];");
        }
    }
    let counts = !hidden.is_empty()
        || plan.inputs.iter().any(|input| matches!(input, FixedInput::Words(_)))
        || plan.outputs.iter().any(|output| matches!(output, FixedOutput::Largest { .. }));
    if counts {
        text += "    int i;\n";
    }
    text += "    (void)state, (void)inputs;\n";
    if plan.n_window > 0 {
        let n_kept = plan.n_window - n_inputs;
        let _ = writeln!(text, "    memmove(x + {n_inputs}, x, {n_kept} * sizeof *x);");
    }
    text += &encode(plan);
    let mut from = "x";
    for (index, layer) in hidden.iter().enumerate() {
        let to = if index.is_multiple_of(2) { "a" } else { "b" };
        text += &layer_text(layer, from, to, plan.n_window);
        from = to;
    }
    text += &decode(plan, from);
    text += "}\n";
    text
}

fn encode(plan: &Plan) -> String {
    let mut text = String::new();
    let mut row = 0;
    for (position, input) in plan.inputs.iter().enumerate() {
        match *input {
            FixedInput::Scaled { center, factor, .. } => {
                let (before, multiplier, after) = (factor.before, factor.multiplier, factor.after);
                let _ = writeln!(
                    text,
                    "    x[{row}] = scaled((int64_t)inputs[{position}] - ({}), {before}, {multiplier}, {after});",
                    int32(center)
                );
                row += 1;
            }
            FixedInput::Constant(signal) => {
                let _ = writeln!(text, "    x[{row}] = {};", int32(signal));
                row += 1;
            }
            FixedInput::Words(n) => {
                let _ = writeln!(
                    text,
                    "    for (i = 0; i < {n}; ++i)\n        x[{row} + i] = inputs[{position}] == i ? ONE : -ONE;"
                );
                row += n;
            }
        }
    }
    text
}

fn layer_text(layer: &FixedLayer, from: &str, to: &str, n_window: usize) -> String {
    let call = &layer.call;
    let memory = call.memory.map(|at| format!("state->memory + {}", n_window + at));
    let (n, per_neuron) = (call.n_neurons, 1 + call.n_fed + call.n_back);
    let weight = |at: usize| format!("{} + i * {per_neuron}", call.first_weight + at);
    let mut sum = format!("bias_at({}) + sum_of({}, {}, {from})", weight(0), weight(1), call.n_fed);
    if let Some(memory) = &memory {
        let past = if call.own { format!("{memory} + i") } else { memory.clone() };
        let _ = write!(sum, " + sum_of({}, {}, {past})", weight(1 + call.n_fed), call.n_back);
    }
    let mut text =
        format!("    for (i = 0; i < {n}; ++i)\n        {to}[i] = {};\n", signal(layer, &sum));
    if let Some(memory) = memory {
        let _ = writeln!(text, "    memcpy({memory}, {to}, {n} * sizeof *{to});");
    }
    text
}

/// A sum through the transfer function of its layer.
fn signal(layer: &FixedLayer, sum: &str) -> String {
    let factor = layer.factor;
    let argument =
        format!("scaled({sum}, {}, {}, {})", factor.before, factor.multiplier, factor.after);
    match layer.call.activation {
        Activation::Linear => argument,
        Activation::Tanh => format!("(int32_t)moved_right(hyperbolic_tangent({argument}), 6)"),
        Activation::Logistic => {
            format!("(int32_t)moved_right(((int64_t)1 << 30) + hyperbolic_tangent({argument}), 7)")
        }
    }
}

fn decode(plan: &Plan, from: &str) -> String {
    let last = &plan.layers[plan.layers.len() - 1];
    let (first, n_fed, n_direct) = (last.call.first_weight, last.call.n_fed, last.call.n_direct);
    let n_before = n_fed - n_direct;
    let mut row = 0;
    let mut text = String::new();
    for (position, output) in plan.outputs.iter().enumerate() {
        let n_rows = match *output {
            FixedOutput::Largest { n_classes, .. } => n_classes,
            _ => 1,
        };
        let each = if n_rows > 1 { format!(" + i * {}", 1 + n_fed) } else { String::new() };
        let weight = first + row * (1 + n_fed);
        row += n_rows;
        let mut sum =
            format!("bias_at({weight}{each}) + sum_of({}{each}, {n_before}, {from})", weight + 1);
        if n_direct > 0 {
            let direct = weight + 1 + n_before;
            let _ = write!(sum, " + sum_of({direct}{each}, {n_direct}, x)");
        }
        let neuron = match last.call.activation {
            Activation::Linear => sum,
            _ => signal(last, &sum),
        };
        let applied = |factor: Factor| {
            format!("scaled({neuron}, {}, {}, {})", factor.before, factor.multiplier, factor.after)
        };
        let to = format!("outputs[{position}]");
        match *output {
            FixedOutput::Value { center, factor, min, max, .. } => {
                let value = applied(factor);
                if center == 0 {
                    let _ = writeln!(text, "    {to} = {value};");
                } else {
                    let center = int32(center);
                    let _ = writeln!(text, "    {to} = saturated((int64_t){value} + ({center}));");
                }
                if min > i32::MIN {
                    let _ = writeln!(text, "    {to} = {to} < {min} ? {min} : {to};");
                }
                if max < i32::MAX {
                    let _ = writeln!(text, "    {to} = {to} > {max} ? {max} : {to};");
                }
            }
            FixedOutput::Constant { value, .. } => {
                // Its weights do not matter, but no function may be left without a use.
                let tanh = match last.call.activation {
                    Activation::Linear => "",
                    _ => ", (void)hyperbolic_tangent",
                };
                let used = format!("(void)bias_at, (void)sum_of, (void)scaled{tanh}");
                let _ = writeln!(text, "    {used};\n    {to} = {};", int32(value));
            }
            FixedOutput::OneOfTwo { factor, half } => {
                let _ = writeln!(text, "    {to} = {} >= {half};", applied(factor));
            }
            FixedOutput::Largest { factor, n_classes } => {
                let value = applied(factor);
                let _ = writeln!(
                    text,
                    "    {{\n        int32_t largest = INT32_MIN;\n        {to} = 0;\n        for (i = 0; i < {n_classes}; ++i) {{\n            const int32_t value = {value};\n            if (value > largest) {{\n                largest = value;\n                {to} = i;\n            }}\n        }}\n    }}"
                );
            }
        }
    }
    text
}

/// A constant of type `int32_t`; its least has no literal.
pub(super) fn int32(value: i32) -> String {
    if value == i32::MIN { "INT32_MIN".to_owned() } else { value.to_string() }
}
