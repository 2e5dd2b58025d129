//! The batched forward pass against one lane at a time in plain `f64`, bit for bit.

use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::{Isa, Real};

/// Numbers in [-1, 1) from a linear congruence.
fn numbers(seed: u64) -> impl FnMut() -> f64 {
    let mut state = seed;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// One lane, by the docs of [`Network`]: every input ever given is kept, and every output of every layer.
#[derive(Default)]
struct Plain {
    /// Newest first.
    inputs: Vec<Vec<f64>>,
    /// Layer by layer, at the last query.
    past: Vec<Vec<f64>>,
}

impl Plain {
    fn answer(&mut self, network: &Network, weights: &[f64], input: &[f64]) -> Vec<f64> {
        self.inputs.insert(0, input.to_vec());
        let nothing = vec![0.0; input.len()];
        let mut fed: Vec<f64> = (0..network.window())
            .flat_map(|age| self.inputs.get(age).unwrap_or(&nothing).clone())
            .collect();
        let mut weights = weights.iter().copied();
        let mut present = Vec::new();
        let seen_first = fed.clone();
        for (index, layer) in network.layers().iter().enumerate() {
            if index > 0 && index + 1 == network.layers().len() {
                fed.extend_from_slice(&seen_first[..network.n_direct()]);
            }
            let past = self.past.get(index).cloned().unwrap_or(vec![0.0; layer.n_neurons]);
            let mut outputs = Vec::new();
            for neuron in 0..layer.n_neurons {
                let seen: &[f64] = match layer.feedback {
                    Feedback::None => &[],
                    Feedback::Full => &past,
                    Feedback::SelfOnly => &past[neuron..=neuron],
                };
                let mut sum = weights.next().unwrap();
                for signal in fed.iter().chain(seen) {
                    sum = signal.mul_add(weights.next().unwrap(), sum);
                }
                outputs.push(match layer.activation {
                    Activation::Tanh => Real::tanh(sum),
                    Activation::Logistic => Real::logistic(sum),
                    Activation::Linear => sum,
                });
            }
            fed.clone_from(&outputs);
            present.push(outputs);
        }
        assert_eq!(weights.next(), None, "every weight is used");
        self.past = present;
        fed
    }
}

fn layer(n_neurons: usize, activation: Activation, feedback: Feedback) -> Layer {
    Layer { n_neurons, activation, feedback }
}

fn shapes() -> Vec<Network> {
    use Activation::{Linear, Logistic, Tanh};
    use Feedback::{Full, None, SelfOnly};
    let shapes = [
        (4, 1, vec![layer(5, Tanh, None), layer(1, Linear, None)]),
        (1, 1, vec![layer(1, Linear, None)]),
        (2, 1, vec![layer(20, Tanh, Full), layer(1, Linear, None)]),
        (2, 3, vec![layer(7, Tanh, None), layer(2, Logistic, None)]),
        (3, 2, vec![layer(6, Logistic, SelfOnly), layer(3, Tanh, None), layer(2, Linear, None)]),
        (5, 1, vec![layer(9, Tanh, Full), layer(10, Tanh, SelfOnly), layer(3, Tanh, Full)]),
        (1, 4, vec![layer(4, Tanh, Full), layer(8, Logistic, Full), layer(1, Linear, SelfOnly)]),
        (3, 2, vec![layer(2, Linear, Full)]),
    ];
    let networks = shapes
        .into_iter()
        .map(|(n_inputs, window, layers)| Network::new(n_inputs, window, layers).unwrap());
    let networks: Vec<Network> = networks.collect();
    // Those with a layer to go around once more, with a direct path.
    let direct = networks.iter().filter_map(|network| network.clone().with_direct_path().ok());
    networks.iter().cloned().chain(direct).collect()
}

#[test]
fn every_lane_answers_as_if_alone() {
    for (index, network) in shapes().iter().enumerate() {
        let mut number = numbers(index as u64);
        let weights: Vec<f64> = (0..network.n_weights()).map(|_| 2.0 * number()).collect();
        // Every way to cut lanes into blocks.
        for n_lanes in [4, 8, 12, 16, 20, 24, 36, 52, 56] {
            let queries: Vec<Vec<f64>> = (0..6)
                .map(|_| (0..network.n_inputs() * n_lanes).map(|_| 3.0 * number()).collect())
                .collect();
            let mut plain: Vec<Plain> = (0..n_lanes).map(|_| Plain::default()).collect();
            let expected: Vec<Vec<Vec<f64>>> = queries
                .iter()
                .map(|query| {
                    let lanes = plain.iter_mut().enumerate();
                    let answers = lanes.map(|(lane, plain)| {
                        let input: Vec<f64> =
                            query.chunks_exact(n_lanes).map(|row| row[lane]).collect();
                        plain.answer(network, &weights, &input)
                    });
                    answers.collect()
                })
                .collect();
            for isa in Isa::available() {
                let mut lanes = network.signals(n_lanes);
                // What scratch holds does not matter.
                lanes.scratch.fill(f64::NAN);
                for (query, expected) in queries.iter().zip(&expected) {
                    for (row, query) in query.chunks_exact(n_lanes).enumerate() {
                        lanes.input.row_mut(row)[..n_lanes].copy_from_slice(query);
                    }
                    network.forward(isa, &weights, n_lanes, &mut lanes);
                    for (lane, expected) in expected.iter().enumerate() {
                        for (row, expected) in expected.iter().enumerate() {
                            let found = lanes.output.row(row)[lane];
                            assert_eq!(
                                found.to_bits(),
                                expected.to_bits(),
                                "network {index}, lane {lane} of {n_lanes}, output {row} on {}",
                                isa.name()
                            );
                        }
                    }
                }
            }
        }
    }
}

#[test]
fn lanes_beyond_those_asked_for_are_left_alone() {
    let network = &shapes()[2];
    let weights = vec![0.5; network.n_weights()];
    for isa in Isa::available() {
        let mut lanes = network.signals(24);
        lanes.input.fill(1.0);
        lanes.output.fill(7.0);
        lanes.memory.fill(0.25);
        network.forward(isa, &weights, 16, &mut lanes);
        assert!(lanes.output.row(0)[..16].iter().all(|&y| y != 7.0));
        assert!(lanes.output.row(0)[16..].iter().all(|&y| y == 7.0));
        assert!((0..20).all(|row| lanes.memory.row(row)[16..].iter().all(|&m| m == 0.25)));
    }
}

#[test]
fn a_copied_lane_goes_on_as_the_other() {
    let network = &shapes()[6];
    let mut number = numbers(4);
    let weights: Vec<f64> = (0..network.n_weights()).map(|_| number()).collect();
    let mut lanes = network.signals(8);
    for _ in 0..3 {
        lanes.input.as_mut_slice().fill_with(&mut number);
        network.forward(Isa::best(), &weights, 8, &mut lanes);
    }
    lanes.copy_lane(6, 1);
    lanes.input.fill(0.5);
    network.forward(Isa::best(), &weights, 8, &mut lanes);
    let row = lanes.output.row(0);
    assert_eq!(row[6].to_bits(), row[1].to_bits());
    assert_ne!(row[6].to_bits(), row[0].to_bits());
}

#[test]
#[should_panic(expected = "weights of another network")]
fn weights_of_another_network_are_reported() {
    let network = &shapes()[0];
    network.forward(Isa::best(), &[0.0; 30], 8, &mut network.signals(8));
}

#[test]
#[should_panic(expected = "buffers of another network")]
fn buffers_of_another_network_are_reported() {
    let shapes = shapes();
    let weights = vec![0.0; shapes[0].n_weights()];
    shapes[0].forward(Isa::best(), &weights, 8, &mut shapes[1].signals(8));
}

#[test]
#[should_panic(expected = "buffers of another network")]
fn more_lanes_than_there_are_is_reported() {
    let network = &shapes()[0];
    let weights = vec![0.0; network.n_weights()];
    network.forward(Isa::best(), &weights, 16, &mut network.signals(8));
}
