//! Shapes: what is refused, and how many weights and memories there are.

use bitloop_net::{Activation, Feedback, Layer, MAX_WEIGHTS, Network, ShapeError};

fn tanh(n_neurons: usize) -> Layer {
    Layer::new(n_neurons, Activation::Tanh)
}

#[test]
fn weights_are_counted_with_biases_and_feedback() {
    let feedback = |n_neurons, feedback| Layer { feedback, ..tanh(n_neurons) };
    let output = Layer::new(1, Activation::Linear);
    for (n_inputs, window, layers, n_weights, n_memory) in [
        // The paper's controllers: 4-5-1, and 2-20-1 with full feedback among its hidden units.
        (4, 1, vec![tanh(5), output], 5 * 5 + 6, 0),
        (2, 1, vec![feedback(20, Feedback::Full), output], 20 * 23 + 21, 20),
        // And its two spirals, 2-20-20-1.
        (2, 1, vec![tanh(20), tanh(20), output], 20 * 3 + 20 * 21 + 21, 0),
        (2, 1, vec![feedback(20, Feedback::SelfOnly), output], 20 * 4 + 21, 20),
        (3, 4, vec![tanh(5), output], 5 * 13 + 6, 9),
    ] {
        let network = Network::new(n_inputs, window, layers).unwrap();
        assert_eq!((network.n_weights(), network.n_memory()), (n_weights, n_memory));
        assert_eq!((network.n_inputs(), network.n_outputs()), (n_inputs, 1));
    }
}

#[test]
fn outputs_have_bounds_where_the_last_layer_is_fed_bounded_numbers() {
    let linear = |n_neurons| Layer::new(n_neurons, Activation::Linear);
    let bounds = |layers| Network::new(4, 1, layers).unwrap().output_bounds(0.5);
    assert_eq!(bounds(vec![tanh(5), linear(1)]), Some((-3.0, 3.0)));
    assert_eq!(bounds(vec![tanh(5), tanh(1)]), Some((-1.0, 1.0)));
    assert_eq!(bounds(vec![linear(5), linear(1)]), None);
    assert_eq!(bounds(vec![linear(1)]), None);
}

#[test]
fn a_direct_path_feeds_the_inputs_to_the_outputs_too() {
    let linear = |n_neurons| Layer::new(n_neurons, Activation::Linear);
    let network = |layers| Network::new(3, 2, layers).unwrap();
    let direct = network(vec![tanh(5), linear(2)]).with_direct_path().unwrap();
    assert_eq!((direct.n_seen(), direct.n_direct()), (6, 6));
    assert_eq!(direct.n_weights(), 5 * 7 + 2 * (1 + 5 + 6));
    // What is fed to the outputs has no bounds now, unless they have their own.
    assert_eq!(direct.output_bounds(1.0), None);
    let bent = network(vec![tanh(5), tanh(1)]).with_direct_path().unwrap();
    assert_eq!(bent.output_bounds(1.0), Some((-1.0, 1.0)));
    let alone = network(vec![linear(2)]).with_direct_path();
    assert_eq!(alone, Err(ShapeError::NothingBeside));
    let wide = Network::new(MAX_WEIGHTS / 4, 1, vec![tanh(1), tanh(4)]).unwrap();
    assert_eq!(wide.with_direct_path(), Err(ShapeError::TooLarge));
}

#[test]
fn empty_shapes_are_refused() {
    for (n_inputs, window, layers, what) in [
        (0, 1, vec![tanh(1)], "input"),
        (1, 0, vec![tanh(1)], "observation in its window"),
        (1, 1, vec![], "layer"),
        (1, 1, vec![tanh(1), tanh(0)], "neuron in each layer"),
    ] {
        let error = Network::new(n_inputs, window, layers).unwrap_err();
        assert_eq!(error, ShapeError::Empty(what));
        assert_eq!(error.to_string(), format!("a network needs at least one {what}"));
    }
}

#[test]
fn shapes_are_refused_before_they_are_allocated_or_overflow() {
    for (n_inputs, window, layers) in [
        (MAX_WEIGHTS, 1, vec![tanh(1)]),
        (1, MAX_WEIGHTS, vec![tanh(1)]),
        (usize::MAX, 1, vec![tanh(1)]),
        (usize::MAX, usize::MAX, vec![tanh(1)]),
        (1, 1, vec![tanh(usize::MAX)]),
        (1, 1, vec![Layer { feedback: Feedback::Full, ..tanh(1 << 40) }]),
        (1, 1, vec![tanh(2048), tanh(2048)]),
    ] {
        let error = Network::new(n_inputs, window, layers).unwrap_err();
        assert_eq!(error, ShapeError::TooLarge);
        assert_eq!(error.to_string(), "a network may have at most 4194304 weights");
    }
    let largest = Network::new(MAX_WEIGHTS - 1, 1, vec![tanh(1)]).unwrap();
    assert_eq!(largest.n_weights(), MAX_WEIGHTS);
}
