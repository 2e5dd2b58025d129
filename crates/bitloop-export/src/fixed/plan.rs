//! [`Plan`]: all constants of a controller in fixed point, and the checks that nothing in it overflows.

use bitloop_net::{Activation, Feedback};

use super::factor::{Factor, floor_log2, scaled};
use crate::error::ExportError;
use crate::network_text::{LayerCall, layer_calls, n_layer_memory};
use crate::portable::{Codes, Decoding, Encoding, Fit, Input, Output, Portable, Weights};

/// Signals inside the network are in units of 2^-24; they reach to 128.
pub const SIGNAL_BITS: i32 = 24;
/// The largest signal.
const MAX_SIGNAL: f64 = 128.0;
/// The least that sums may reach to, so that rounding cannot overflow them.
const MAX_SUM: u128 = 1 << 61;
/// The coarsest unit of an input, as a share of its scale.
const COARSEST: f64 = 1.0 / 4096.0;

const NO_RANGE: &str = "train with a center and a scale nearer to the values that occur";

/// An input in fixed point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FixedInput {
    /// (value - center) * factor; the value in units of 2^-`bits`.
    Scaled { bits: i32, center: i32, factor: Factor },
    /// The same signal for any value.
    Constant(i32),
    /// The position of a word among so many.
    Words(usize),
}

/// An output in fixed point, from the sums or signals of its neurons.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FixedOutput {
    /// center + factor * sum, held to the bounds, in units of 2^-`bits`.
    Value { bits: i32, center: i32, factor: Factor, min: i32, max: i32 },
    /// The same value for any sum, in units of 2^-`bits`.
    Constant { bits: i32, value: i32 },
    /// The second of two classes where factor * sum is `half` or more.
    OneOfTwo { factor: Factor, half: i32 },
    /// The class of the largest factor * sum among so many.
    Largest { factor: Factor, n_classes: usize },
}

/// A layer in fixed point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FixedLayer {
    /// Where its weights and signals lie.
    pub call: LayerCall,
    /// From a sum to the argument of the transfer function: in units of 2^-28 for tanh and the logistic function, of half
    /// its sum there, and in those of a signal for a linear layer.
    pub factor: Factor,
}

/// All constants of a controller or model in fixed point.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    pub inputs: Vec<FixedInput>,
    pub layers: Vec<FixedLayer>,
    pub outputs: Vec<FixedOutput>,
    pub codes: Codes,
    /// Signals that the first layer is fed.
    pub n_fed: usize,
    /// Numbers of a window of inputs, those of the present included; 0 without one.
    pub n_window: usize,
    /// Numbers of the state.
    pub n_memory: usize,
    /// What a user should know.
    pub notes: Vec<String>,
}

impl Plan {
    /// The constants for `portable`.
    ///
    /// # Errors
    /// Real weights, sums that could overflow, and scales that 32 bits do not hold.
    pub fn new(portable: &Portable) -> Result<Self, ExportError> {
        let network = &portable.network;
        let Weights::Codes(codes) = &portable.weights else {
            let hint = "train with bits, or export to c";
            return Err(ExportError::refused(
                "fixed point needs integer weights, not real ones",
                hint,
            ));
        };
        let calls = layer_calls(network);
        check_sums(codes, &calls)?;
        let mut notes = Vec::new();
        let mut inputs = Vec::new();
        for input in &portable.inputs {
            inputs.push(plan_input(input, &mut notes)?);
        }
        let factor = |activation, step: f64| {
            Factor::of(match activation {
                Activation::Tanh => scaled(step, 28 - SIGNAL_BITS),
                Activation::Logistic => scaled(step, 27 - SIGNAL_BITS),
                Activation::Linear => step,
            })
            .ok_or_else(|| {
                let message = format!("a weight step of {step:e} is beyond what 64 bits apply");
                ExportError::refused(message, "train with another largest weight")
            })
        };
        let mut layers = Vec::new();
        for call in calls {
            layers.push(FixedLayer { call, factor: factor(call.activation, codes.step)? });
        }
        if network.layers().last().is_some_and(|last| last.feedback != Feedback::None) {
            let message = "an output layer with feedback is not for fixed point";
            return Err(ExportError::refused(message, "export to c"));
        }
        for (index, layer) in layers.iter().enumerate().take(layers.len() - 1) {
            if layer.call.activation == Activation::Linear {
                notes.push(format!("outputs of the linear layer {} saturate at 128", index + 1));
            }
        }
        let outputs = plan_outputs(portable, codes, &layers, &mut notes)?;
        let n_fed = network.n_inputs() * network.window();
        let n_window = if network.window() > 1 { n_fed } else { 0 };
        let n_memory = n_window + n_layer_memory(network);
        Ok(Self { inputs, layers, outputs, codes: codes.clone(), n_fed, n_window, n_memory, notes })
    }
}

/// Refuses sums that could overflow: the magnitudes of a neuron's codes, each at the largest signal.
fn check_sums(codes: &Codes, calls: &[LayerCall]) -> Result<(), ExportError> {
    for (index, call) in calls.iter().enumerate() {
        let per_neuron = 1 + call.n_fed + call.n_back;
        let own = &codes.codes[call.first_weight..][..call.n_neurons * per_neuron];
        for neuron in own.chunks(per_neuron) {
            let sum: u128 = neuron.iter().map(|code| u128::from(code.unsigned_abs())).sum();
            if sum << 31 > MAX_SUM {
                let message = format!(
                    "a sum of {per_neuron} weights of {} bits in layer {} could overflow 64 bits",
                    codes.bits,
                    index + 1
                );
                return Err(ExportError::refused(message, "train with fewer bits, or export to c"));
            }
        }
    }
    Ok(())
}

/// The bits after the point so that values up to `largest` fit in 32 bits.
fn bits_for(largest: f64, name: &str) -> Result<i32, ExportError> {
    let refused = || {
        let message =
            format!("values of `{name}` up to {largest:e} are beyond what fixed point holds");
        ExportError::refused(message, NO_RANGE)
    };
    if !(largest.is_normal() && largest > 0.0) {
        return Err(refused());
    }
    let is_power = largest.to_bits() & ((1 << 52) - 1) == 0;
    let bits = 31 - floor_log2(largest) - i32::from(!is_power);
    if (-30..=60).contains(&bits) { Ok(bits) } else { Err(refused()) }
}

/// `value` in units of 2^-`bits`, held to 32 bits; 0 for NaN.
#[expect(clippy::cast_possible_truncation, reason = "saturates, and NaN becomes 0")]
pub(super) fn in_units(value: f64, bits: i32) -> i32 {
    scaled(value, bits).round_ties_even() as i32
}

fn plan_input(input: &Input, notes: &mut Vec<String>) -> Result<FixedInput, ExportError> {
    let (center, scale) = match input.encoding {
        Encoding::Scaled { center, scale } => (center, scale),
        Encoding::Range { min, max, low, high } => {
            let scale = (max - min) / (high - low);
            if scale == 0.0 {
                return Ok(FixedInput::Constant(in_units(low + (high - low) * 0.5, SIGNAL_BITS)));
            }
            (min - low * scale, scale)
        }
        Encoding::Words(ref words) => return Ok(FixedInput::Words(words.len())),
    };
    let bits = bits_for(center.abs() + MAX_SIGNAL * scale, &input.name)?;
    let unit = scaled(1.0, -bits);
    if unit > COARSEST * scale {
        let message = format!(
            "`{}` has a center of {center:e} and a scale of {scale:e}: 32 bits do not hold both",
            input.name
        );
        return Err(ExportError::refused(message, NO_RANGE));
    }
    let factor = Factor::of(scaled(1.0 / scale, SIGNAL_BITS - bits)).ok_or_else(|| {
        let message = format!("a scale of {scale:e} is beyond what fixed point holds");
        ExportError::refused(message, NO_RANGE)
    })?;
    notes.push(format!(
        "input `{}` in units of 2^{} (about {unit:.1e}); it saturates at {:e} and {:e}",
        input.name,
        -bits,
        center - MAX_SIGNAL * scale,
        center + MAX_SIGNAL * scale,
    ));
    Ok(FixedInput::Scaled { bits, center: in_units(center, bits), factor })
}

fn plan_outputs(
    portable: &Portable,
    codes: &Codes,
    layers: &[FixedLayer],
    notes: &mut Vec<String>,
) -> Result<Vec<FixedOutput>, ExportError> {
    let last = layers[layers.len() - 1].call;
    let before = (layers.len() > 1).then(|| layers[layers.len() - 2].call.activation);
    let is_linear = last.activation == Activation::Linear;
    // What a neuron of the last layer can reach.
    let fed = if before.is_some_and(|it| it != Activation::Linear) { 1.0 } else { MAX_SIGNAL };
    let per_neuron = 1 + last.n_fed;
    let reach = |neuron: usize| {
        let own = &codes.codes[last.first_weight + neuron * per_neuron..][..per_neuron];
        let magnitude = |codes: &[i32]| -> f64 {
            codes.iter().map(|code| f64::from(code.unsigned_abs())).sum()
        };
        let (before, direct) = own[1..].split_at(last.n_fed - last.n_direct);
        let sum = magnitude(before) * fed + magnitude(direct) * MAX_SIGNAL;
        let reach = codes.step * (sum + magnitude(&own[..1]));
        if is_linear { reach } else { 1.0 }
    };
    let mut outputs = Vec::new();
    let mut neuron = 0;
    for output in &portable.outputs {
        let n = output.decoding.n_variables();
        let reach = (neuron..neuron + n).map(reach).fold(codes.step, f64::max);
        outputs.push(plan_output(output, reach, is_linear.then_some(codes.step), notes)?);
        neuron += n;
    }
    Ok(outputs)
}

/// `step`: the unit of a sum over 2^24 signals in a linear layer; else signals come in.
fn plan_output(
    output: &Output,
    reach: f64,
    step: Option<f64>,
    notes: &mut Vec<String>,
) -> Result<FixedOutput, ExportError> {
    let name = &output.name;
    let factor = |scale: f64, bits: i32| {
        Factor::signed(scaled(step.unwrap_or(1.0) * scale, bits - SIGNAL_BITS)).ok_or_else(|| {
            let message =
                format!("`{name}` has a scale of {scale:e}, which fixed point does not hold");
            ExportError::refused(message, NO_RANGE)
        })
    };
    let (center, scale, low, high) = match output.decoding {
        Decoding::Scaled { center, scale, min, max } => (center, scale, min, max),
        Decoding::Range { min, max, low, high } => {
            let scale = (max - min) / (high - low);
            (min - low * scale, scale, f64::NEG_INFINITY, f64::INFINITY)
        }
        Decoding::Classes(ref classes) => {
            let bits = bits_for(reach.max(1.0), name)?;
            let factor = factor(1.0, bits)?;
            return Ok(match classes.len() {
                2 => FixedOutput::OneOfTwo { factor, half: in_units(0.5, bits) },
                n_classes => FixedOutput::Largest { factor, n_classes },
            });
        }
    };
    // In one step, since fixed point has its own bits.
    let Fit { scale: by, offset } = output.fit.unwrap_or(Fit { scale: 1.0, offset: 0.0 });
    let (center, scale) = (center + scale * offset, scale * by);
    if scale == 0.0 && !(low.is_finite() || high.is_finite()) {
        let bits = if center == 0.0 { 0 } else { bits_for(center.abs(), name)? };
        return Ok(FixedOutput::Constant { bits, value: in_units(center, bits) });
    }
    // What a value can be: as far as the network reaches, or a bound that cuts that short; or else what lies between two
    // bounds, with the way there from the center.
    let reach = scale.abs() * reach;
    let (lowest, highest) = (center - reach, center + reach);
    let mut largest = center.abs() + reach;
    if low > lowest {
        largest = largest.max(low.abs());
    }
    if high < highest {
        largest = largest.max(high.abs());
    }
    let between = [low, high, low - center, high - center, center];
    let between = between.into_iter().map(f64::abs).fold(f64::MIN_POSITIVE, f64::max);
    let bits = bits_for(largest.min(between), name)?;
    // Bounds are met from inside.
    let min = in_units(scaled(low, bits).ceil(), 0);
    let max = in_units(scaled(high, bits).floor(), 0);
    if min > max {
        let message = format!("no value of `{name}` between {low} and {high} is held in 32 bits");
        return Err(ExportError::refused(message, NO_RANGE));
    }
    notes.push(format!(
        "output `{name}` in units of 2^{} (about {:.1e})",
        -bits,
        scaled(1.0, -bits)
    ));
    Ok(FixedOutput::Value {
        bits,
        center: in_units(center, bits),
        factor: factor(scale, bits)?,
        min,
        max,
    })
}
