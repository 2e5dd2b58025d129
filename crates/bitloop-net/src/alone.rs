//! The forward pass at a single lane, with neurons side by side in the place of lanes.
//!
//! Each sum keeps its order of terms, so that the bits are those of [`Network::forward`], which computes four lanes of one neuron
//! after the other, of which three would be padding.

use std::ops::ControlFlow;

use bitloop_plant::{Isa, Kernel, LANE_STEP, LANE_UNIT, LaneWork, Real, dispatch, for_each_block};

use crate::activation::Activation;
use crate::shape::{Feedback, Network};
use crate::signals::{Alone, SignalLanes, Unit};

impl Network {
    /// Prepares buffers for [`forward_alone`](Self::forward_alone) with these weights, `[n_weights]` as [`Network`] lays them out.
    ///
    /// # Panics
    /// If there are other numbers of weights than the network has.
    pub fn prepare_alone(&self, weights: &[f64], lanes: &mut SignalLanes) {
        assert_eq!(weights.len(), self.n_weights(), "weights of another network");
        let Alone { weights: prepared, outputs } = &mut lanes.alone;
        prepared.clear();
        outputs.clear();
        if !self.is_plain() {
            return;
        }
        let mut rest = weights;
        for (n_fed, layer) in self.fed_layers() {
            let per_neuron = 1 + n_fed;
            let (of_layer, others) = rest.split_at(layer.n_neurons * per_neuron);
            rest = others;
            for of_unit in of_layer.chunks(LANE_UNIT * per_neuron) {
                for position in 0..per_neuron {
                    let mut unit = Unit::default();
                    let of_neurons = of_unit.iter().skip(position).step_by(per_neuron);
                    unit.iter_mut().zip(of_neurons).for_each(|(place, &weight)| *place = weight);
                    prepared.push(unit);
                }
                outputs.push(Unit::default());
            }
        }
    }

    /// Answers one query in the first lane, as [`forward`](Self::forward) does, by the weights that the buffers were
    /// [prepared](Self::prepare_alone) with; the lanes that are computed beside it get the same answer. False, and no
    /// answer, for a network that has memory or a direct path.
    ///
    /// # Panics
    /// If the buffers were prepared for another network.
    pub fn forward_alone(&self, isa: Isa, lanes: &mut SignalLanes) -> bool {
        let is_plain = !lanes.alone.weights.is_empty();
        if is_plain {
            dispatch(isa, ForwardAlone { network: self, lanes });
        }
        is_plain
    }

    /// Whether each layer is fed the outputs of the layer before it and nothing else.
    fn is_plain(&self) -> bool {
        let has_memory = self.layers().iter().any(|layer| layer.feedback != Feedback::None);
        self.window() == 1 && self.n_direct() == 0 && !has_memory
    }
}

struct ForwardAlone<'a> {
    network: &'a Network,
    lanes: &'a mut SignalLanes,
}

impl Kernel for ForwardAlone<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(self) {
        let SignalLanes { input, output, alone: Alone { weights, outputs }, .. } = self.lanes;
        let stride = input.n_lanes();
        let (mut weights_rest, mut outputs_rest) = (&weights[..], &mut outputs[..]);
        // The first layer is fed the first lane of each row.
        let (mut fed, mut apart) = (input.as_slice(), stride);
        let mut n_fed = self.network.n_inputs();
        for layer in self.network.layers() {
            let (of_layer, others) = outputs_rest.split_at_mut(layer.n_neurons.div_ceil(LANE_UNIT));
            outputs_rest = others;
            for outputs in of_layer.iter_mut() {
                let (weights, others) = weights_rest.split_at(1 + n_fed);
                weights_rest = others;
                let activation = layer.activation;
                let mut neurons = Neurons { weights, fed, apart, activation, outputs };
                let _ = for_each_block::<R>(&mut neurons, 0..LANE_UNIT);
            }
            (fed, apart, n_fed) = (of_layer.as_flattened(), 1, layer.n_neurons);
        }
        let mut rows = output.as_mut_slice();
        for &answer in &fed[..n_fed] {
            let (row, others) = rows.split_at_mut(stride);
            for lane in (0..LANE_STEP).step_by(R::Half::LANES) {
                R::Half::splat(answer).store(&mut row[lane..]);
            }
            rows = others;
        }
    }
}

/// A unit of neurons.
struct Neurons<'a> {
    /// `[1 + n_fed]`
    weights: &'a [Unit],
    /// Signals, so many numbers `apart`.
    fed: &'a [f64],
    apart: usize,
    activation: Activation,
    outputs: &'a mut Unit,
}

impl LaneWork for Neurons<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, first: usize) -> ControlFlow<()> {
        let Some((biases, weights)) = self.weights.split_first() else {
            return ControlFlow::Continue(());
        };
        let mut sum = R::load(&biases[first..]);
        for (weights, &signal) in weights.iter().zip(self.fed.iter().step_by(self.apart)) {
            sum = R::splat(signal).mul_add(R::load(&weights[first..]), sum);
        }
        let answers = match self.activation {
            Activation::Tanh => Activation::Tanh.apply(sum),
            Activation::Logistic => Activation::Logistic.apply(sum),
            Activation::Linear => sum,
        };
        answers.store(&mut self.outputs[first..]);
        ControlFlow::Continue(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::shape::Layer;

    fn bits(row: &[f64]) -> Vec<u64> {
        row.iter().map(|value| value.to_bits()).collect()
    }

    #[test]
    fn a_single_lane_is_answered_with_the_bits_of_many() {
        let layer = Layer::new;
        for layers in [
            vec![layer(5, Activation::Tanh), layer(1, Activation::Linear)],
            vec![
                layer(8, Activation::Logistic),
                layer(17, Activation::Tanh),
                layer(3, Activation::Tanh),
            ],
            vec![layer(2, Activation::Linear)],
        ] {
            let network = Network::new(4, 1, layers).expect("a valid shape");
            // Some units are saturated, some are not.
            let weight = |index: usize| ((index * 37 % 101) as f64 - 50.0) * 0.03;
            let weights: Vec<f64> = (0..network.n_weights()).map(weight).collect();
            for isa in Isa::available() {
                let mut lanes = network.signals(1);
                network.prepare_alone(&weights, &mut lanes);
                for query in 0..50 {
                    for input in 0..4 {
                        let value = f64::from(query - 25) * [0.01, -0.2, 1.7, 1e-9][input];
                        lanes.input.row_mut(input).fill(value);
                    }
                    network.forward(isa, &weights, 1, &mut lanes);
                    let expected: Vec<_> =
                        (0..network.n_outputs()).map(|row| bits(lanes.output.row(row))).collect();
                    lanes.output.fill(f64::NAN);
                    assert!(network.forward_alone(isa, &mut lanes));
                    for (row, expected) in expected.iter().enumerate() {
                        assert_eq!(
                            bits(&lanes.output.row(row)[..LANE_STEP]),
                            expected[..LANE_STEP]
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_has_memory_or_a_direct_path_is_left_to_the_other_pass() {
        let hidden = Layer { feedback: Feedback::SelfOnly, ..Layer::new(3, Activation::Tanh) };
        let output = Layer::new(1, Activation::Linear);
        let plain = vec![Layer::new(3, Activation::Tanh), output];
        for network in [
            Network::new(2, 1, vec![hidden, output]),
            Network::new(2, 2, plain.clone()),
            Network::new(2, 1, plain).and_then(Network::with_direct_path),
        ] {
            let network = network.expect("a valid shape");
            let mut lanes = network.signals(1);
            network.prepare_alone(&vec![0.5; network.n_weights()], &mut lanes);
            assert!(!network.forward_alone(Isa::best(), &mut lanes));
        }
    }
}
