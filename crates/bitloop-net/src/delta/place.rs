//! Where the weights and the rows of each layer lie, and how fine its signals are.

use bitloop_plant::LaneMatrix;

use super::error::DeltaError;
use super::loss::Loss;
use super::samples::Samples;
use crate::activation::Activation;
use crate::layer_scaling::LayerScaling;
use crate::shape::Network;

/// The weights that a network can have: whole multiples of a step.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct WeightSteps {
    /// The step between neighboring weights.
    pub step: f64,
    /// The largest multiple, in magnitude.
    pub most: u32,
}

impl WeightSteps {
    const MOST: u32 = 1 << 23;

    /// # Errors
    /// A step that is not a positive normal number; no multiple but 0, or too many.
    pub(super) fn check(self) -> Result<(), DeltaError> {
        let fits =
            self.step.is_normal() && self.step > 0.0 && (1..=Self::MOST).contains(&self.most);
        if fits { Ok(()) } else { Err(DeltaError::Steps { step: self.step, most: self.most }) }
    }

    /// A weight in steps.
    ///
    /// # Panics
    /// If it is no whole number of them, or too many.
    pub(super) fn code(self, weight: f64) -> f64 {
        let code = (weight / self.step).round();
        assert!(
            code * self.step == weight && code.abs() <= f64::from(self.most),
            "a weight of {weight} is not on the grid"
        );
        code
    }
}

/// How large a sum may be, in quanta: 2^51, since on the way from one network to another it may hold old terms and new
/// ones, and a `f64` holds whole numbers up to 2^53.
const LARGEST_SUM: f64 = 0.5 / f64::EPSILON;

/// A layer without feedback, and where its numbers are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub n_fed: usize,
    pub n_neurons: usize,
    /// That of the values that the next layer, or the loss, is computed from.
    pub activation: Activation,
    /// What rounds an output to its quantum when it is added and taken away; 0 in the last layer, whose outputs are not
    /// rounded.
    pub rounder: f64,
    /// What a sum in steps is multiplied by: the real weight of a whole step, and the power of two of the layer.
    pub step: f64,
    /// The bias of its first neuron, among all weights.
    pub first_weight: usize,
    /// Its first neuron, among the neurons of all layers.
    pub first_row: usize,
}

impl Place {
    /// Weights of one neuron.
    #[inline(always)]
    pub const fn per_neuron(&self) -> usize {
        self.n_fed + 1
    }

    /// The bias and the weights of one neuron.
    #[inline(always)]
    pub fn weights<'a>(&self, all: &'a [f64], neuron: usize) -> &'a [f64] {
        &all[self.first_weight + neuron * self.per_neuron()..][..self.per_neuron()]
    }
}

/// The rounder of the inputs, and the layers of a network whose outputs go to a loss.
///
/// # Errors
/// Signals so large that no quantum is finite.
pub(super) fn places(
    network: &Network,
    loss: Loss,
    steps: WeightSteps,
    scaling: &LayerScaling,
    samples: &Samples,
) -> Result<(f64, Vec<Place>), DeltaError> {
    let n_layers = network.layers().len();
    let (mut first_weight, mut first_row) = (0, 0);
    // Whatever the weights, no signal that a layer is fed is larger; nor is the 1 that its bias multiplies.
    let inputs = samples.inputs().as_slice();
    let mut largest = inputs.iter().fold(1.0, |largest: f64, input| largest.max(input.abs()));
    let mut rounders = Vec::with_capacity(n_layers);
    let mut places = Vec::with_capacity(n_layers);
    for (index, (n_fed, layer)) in network.fed_layers().enumerate() {
        rounders.push(rounder(largest, n_fed, steps)?);
        let is_last = index + 1 == n_layers;
        let activation = if is_last { loss.output(layer.activation) } else { layer.activation };
        let n_neurons = layer.n_neurons;
        let step = steps.step * scaling.factor(index);
        let place =
            Place { n_fed, n_neurons, activation, rounder: 0.0, step, first_weight, first_row };
        first_weight += n_neurons * place.per_neuron();
        first_row += n_neurons;
        places.push(place);
        largest = match activation {
            Activation::Tanh | Activation::Logistic => 1.0,
            Activation::Linear => {
                let sum = place.per_neuron() as f64 * f64::from(steps.most) * largest;
                (sum * step).max(1.0)
            }
        };
    }
    for (place, rounder) in places.iter_mut().zip(&rounders[1..]) {
        place.rounder = *rounder;
    }
    Ok((rounders[0], places))
}

/// What rounds signals of up to `largest`, fed to a layer, so finely that every sum of them is exact: to quanta of
/// 2^(e + m + f) / [`LARGEST_SUM`], where signals are up to 2^e, weights up to 2^m steps, and the terms of a sum up to 2^f.
fn rounder(largest: f64, n_fed: usize, steps: WeightSteps) -> Result<f64, DeltaError> {
    let factors = [largest, f64::from(steps.most), n_fed as f64 + 1.0];
    let quantum = factors.map(power_of_two_from).iter().product::<f64>() / LARGEST_SUM;
    // Numbers around it are a quantum apart, on both sides.
    let rounder = 1.5 / f64::EPSILON * quantum;
    if rounder.is_finite() { Ok(rounder) } else { Err(DeltaError::TooLarge { found: largest }) }
}

/// The smallest power of two that is not below a number of 1 or more.
fn power_of_two_from(number: f64) -> f64 {
    let exponent_bits = number.to_bits() & !((1 << (f64::MANTISSA_DIGITS - 1)) - 1);
    let below = f64::from_bits(exponent_bits);
    if below < number { 2.0 * below } else { below }
}

/// Signals rounded to their quantum.
pub(super) fn rounded(signals: &LaneMatrix, rounder: f64) -> LaneMatrix {
    let mut rounded = signals.clone();
    for signal in rounded.as_mut_slice() {
        *signal = (*signal + rounder) - rounder;
    }
    rounded
}

/// A changed weight, and the neuron and input that it belongs to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedChange {
    pub layer: usize,
    pub neuron: usize,
    /// The input that the weight multiplies; `None` for the bias.
    pub input: Option<usize>,
    pub weight_index: usize,
    pub value: f64,
    /// The value in steps.
    pub code: f64,
    /// By how many steps the weight grows.
    pub difference: f64,
}

impl PlacedChange {
    pub fn new(
        places: &[Place],
        weight_index: usize,
        value: f64,
        code: f64,
        current_code: f64,
    ) -> Self {
        let layer = places.partition_point(|place| place.first_weight <= weight_index) - 1;
        let place = &places[layer];
        let within = weight_index - place.first_weight;
        Self {
            layer,
            neuron: within / place.per_neuron(),
            input: (within % place.per_neuron()).checked_sub(1),
            weight_index,
            value,
            code,
            difference: code - current_code,
        }
    }
}
