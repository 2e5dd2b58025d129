//! What delta evaluation refuses: networks, losses, penalties, steps and samples that do not fit each other.

use std::sync::Arc;

use bitloop_net::{
    Activation, DeltaError, DeltaEvaluation, Layer, Loss, Network, Samples, WeightSteps,
};

use crate::delta::steps;

#[test]
fn misfits_are_refused_with_what_was_expected() {
    let network = |n_inputs, n_outputs, activation| {
        Network::new(n_inputs, 1, vec![Layer::new(n_outputs, activation)]).unwrap()
    };
    let samples = Arc::new(Samples::new(&[vec![0.0, 1.0]], &[vec![0.0, 2.0]]).unwrap());
    let refused = |network, loss, penalty| {
        DeltaEvaluation::new(network, Arc::clone(&samples), loss, steps(0), penalty)
            .unwrap_err()
            .to_string()
    };
    let linear = Activation::Linear;
    let logistic = Activation::Logistic;
    for (network, loss, penalty, expected) in [
        (
            network(2, 1, linear),
            Loss::SquaredError,
            0.0,
            "the samples have 1 inputs, the network has 2",
        ),
        (
            network(1, 3, linear),
            Loss::SquaredError,
            0.0,
            "the samples have 1 outputs, the network has 3",
        ),
        (
            network(1, 1, linear),
            Loss::LogisticCrossEntropy,
            0.0,
            "needs Logistic outputs, the network's are Linear",
        ),
        (network(1, 1, logistic), Loss::SoftmaxCrossEntropy, 0.0, "needs Linear outputs"),
        (
            network(1, 1, logistic),
            Loss::LogisticCrossEntropy,
            0.0,
            "targets in [0, 1], found 2 in sample 1",
        ),
        (network(1, 1, linear), Loss::SquaredError, -1.0, "found -1"),
        (network(1, 1, linear), Loss::SquaredError, f64::NAN, "found NaN"),
        (
            Network::new(1, 2, vec![Layer::new(1, linear)]).unwrap(),
            Loss::SquaredError,
            0.0,
            "window of 1",
        ),
    ] {
        let message = refused(network, loss, penalty);
        assert!(message.contains(expected), "{message}");
    }
    let shares = Samples::new(&[vec![0.0]], &[vec![0.5], vec![0.25]]).unwrap();
    let refused = DeltaEvaluation::new(
        network(1, 2, linear),
        Arc::new(shares),
        Loss::SoftmaxCrossEntropy,
        steps(0),
        0.0,
    );
    assert!(matches!(refused, Err(DeltaError::Target { found: 0.75, .. })));
    let huge = Arc::new(Samples::new(&[vec![1e308]], &[vec![0.0]]).unwrap());
    for (steps, expected) in [
        (steps(0), "signals of up to 1e308 cannot be summed"),
        (WeightSteps { step: 0.0, most: 1 }, "found 1 of 0"),
        (WeightSteps { step: 1.0, most: 0 }, "found 0 of 1"),
        (WeightSteps { step: 1.0, most: (1 << 23) + 1 }, "found 8388609 of 1"),
    ] {
        let network = network(1, 1, linear);
        let samples = Arc::clone(&huge);
        let refused = DeltaEvaluation::new(network, samples, Loss::SquaredError, steps, 0.0);
        let message = refused.unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
}

#[test]
fn samples_that_are_not_numbers_are_refused_with_their_place() {
    let refused = |inputs: &[Vec<f64>], targets: &[Vec<f64>]| {
        Samples::new(inputs, targets).unwrap_err().to_string()
    };
    let two = vec![0.0, 1.0];
    assert!(refused(&[], std::slice::from_ref(&two)).contains("at least one input"));
    assert!(refused(&[vec![]], &[vec![]]).contains("at least one sample"));
    assert!(refused(std::slice::from_ref(&two), &[]).contains("at least one target"));
    let ragged = refused(std::slice::from_ref(&two), &[two.clone(), vec![0.0]]);
    assert!(ragged.contains("target 1 has 1 samples, where the first has 2"), "{ragged}");
    let nan = refused(&[two.clone(), vec![0.0, f64::NAN]], &[two]);
    assert!(nan.contains("input 1 of sample 1 must be a finite number, found NaN"), "{nan}");
    let samples = Samples::new(&[vec![0.0, 1.0]], &[vec![0.0, 1.0]]).unwrap();
    for (weights, message) in [
        (vec![1.0], "weight 0 has 1 samples, where the first has 2"),
        (vec![-1.0, 2.0], "must be 0 or positive numbers"),
        (vec![0.0, 0.0], "found a sum of 0"),
        (vec![f64::NAN, 1.0], "found a sum of NaN"),
    ] {
        let refused = samples.clone().weighted(&weights).unwrap_err().to_string();
        assert!(refused.contains(message), "{refused}");
    }
}
