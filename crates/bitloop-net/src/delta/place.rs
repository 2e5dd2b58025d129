//! Where the weights and the rows of each layer lie.

use super::loss::Loss;
use crate::activation::Activation;
use crate::shape::Network;

/// A layer without feedback, and where its numbers are.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    pub n_fed: usize,
    pub n_neurons: usize,
    /// That of the values that the next layer, or the loss, is computed from.
    pub activation: Activation,
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

/// The layers of a network whose outputs go to a loss.
pub(super) fn places(network: &Network, loss: Loss) -> Vec<Place> {
    let n_layers = network.layers().len();
    let (mut first_weight, mut first_row) = (0, 0);
    let places = network.fed_layers().enumerate().map(|(index, (n_fed, layer))| {
        let is_last = index + 1 == n_layers;
        let activation = if is_last { loss.output(layer.activation) } else { layer.activation };
        let n_neurons = layer.n_neurons;
        let place = Place { n_fed, n_neurons, activation, first_weight, first_row };
        first_weight += n_neurons * place.per_neuron();
        first_row += n_neurons;
        place
    });
    places.collect()
}

/// A changed weight, and whom it reaches.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct PlacedChange {
    pub layer: usize,
    pub neuron: usize,
    /// The input that the weight multiplies; `None` for the bias.
    pub input: Option<usize>,
    pub weight_index: usize,
    pub value: f64,
    /// By how much the weight grows.
    pub difference: f64,
}

impl PlacedChange {
    pub fn new(places: &[Place], weights: &[f64], weight_index: usize, value: f64) -> Self {
        let layer = places.partition_point(|place| place.first_weight <= weight_index) - 1;
        let place = &places[layer];
        let within = weight_index - place.first_weight;
        Self {
            layer,
            neuron: within / place.per_neuron(),
            input: (within % place.per_neuron()).checked_sub(1),
            weight_index,
            value,
            difference: value - weights[weight_index],
        }
    }
}
