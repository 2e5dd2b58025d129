//! Cost and gradient of networks on examples.

use std::sync::Arc;

use bitloop_data::{ErrorFunction, Examples, FitError, initial_weights};
use bitloop_net::{
    Activation, DeltaEvaluation, Feedback, Layer, Loss, Network, Samples, WeightSteps,
};

use crate::sets::{network, random};

const PENALTY: f64 = 0.003;

/// Shapes with wide and narrow layers, and each loss.
fn cases() -> Vec<(Network, Loss)> {
    let logistic = Activation::Logistic;
    vec![
        (network(3, &[7], 1, Activation::Linear), Loss::SquaredError),
        (network(9, &[8, 3, 10], 4, logistic), Loss::SquaredError),
        (network(2, &[], 1, Activation::Tanh), Loss::SquaredError),
        (network(6, &[6, 6], 1, logistic), Loss::LogisticCrossEntropy),
        (network(6, &[9], 8, logistic), Loss::LogisticCrossEntropy),
        (network(7, &[12], 7, Activation::Linear), Loss::SoftmaxCrossEntropy),
    ]
}

fn examples_of(network: &Network, n_samples: usize) -> Examples {
    let examples = random(n_samples, network.n_inputs(), network.n_outputs());
    // Some samples count for more, and some not at all.
    let weights = (0..n_samples).map(|k| [1.0, 0.0, 2.5][k % 3]).collect();
    Examples { weights: Some(weights), ..examples }
}

#[test]
fn gradients_are_central_differences() {
    for (network, loss) in cases() {
        // One block that is not full, and several with a rest.
        for n_samples in [13, 600] {
            let examples = examples_of(&network, n_samples);
            let mut function = ErrorFunction::new(&network, &examples, loss, PENALTY).unwrap();
            let weights = initial_weights(network.n_weights(), 0.9, 1, 0);
            let mut gradient = vec![f64::NAN; weights.len()];
            let cost = function.gradient(&weights, &mut gradient);
            assert_eq!(cost, function.value(&weights));
            // An error of h^2 from the third derivative, one of 1e-16 / h from rounding, both near 1e-10.
            let h = 1e-5;
            for (i, slope) in gradient.iter().enumerate() {
                let mut at = |step| {
                    let mut moved = weights.clone();
                    moved[i] += step;
                    function.value(&moved)
                };
                let difference = (at(h) - at(-h)) / (2.0 * h);
                assert!(
                    (difference - slope).abs() < 1e-8,
                    "{loss:?}, {n_samples} samples, weight {i}: {slope} {difference}"
                );
            }
        }
    }
}

#[test]
fn the_cost_is_that_of_the_search() {
    for (network, loss) in cases() {
        let examples = examples_of(&network, 300);
        let steps = WeightSteps { step: 0.125, most: 16 };
        let weights: Vec<f64> = initial_weights(network.n_weights(), 2.0, 1, 0)
            .iter()
            .map(|weight| (weight / steps.step).round() * steps.step)
            .collect();
        let mut function = ErrorFunction::new(&network, &examples, loss, PENALTY).unwrap();
        let samples = Samples::try_from(&examples).unwrap();
        let mut search =
            DeltaEvaluation::new(network, Arc::new(samples), loss, steps, PENALTY).unwrap();
        let (ours, theirs) = (function.value(&weights), search.set(&weights));
        // The search rounds signals, to some 40 binary places here.
        assert!((ours - theirs).abs() < 1e-10 * theirs, "{loss:?}: {ours} {theirs}");
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let examples = random(5, 3, 2);
    let refused = |network: &Network, examples: &Examples, loss, penalty| {
        ErrorFunction::new(network, examples, loss, penalty).expect_err("a refusal")
    };
    let fits = network(3, &[4], 2, Activation::Linear);
    let squared = Loss::SquaredError;
    let other = network(4, &[4], 2, Activation::Linear);
    assert_eq!(
        refused(&other, &examples, squared, 0.0),
        FitError::Sizes { expected: [3, 2], found: [4, 2] }
    );
    assert_eq!(refused(&fits, &Examples::default(), squared, 0.0), FitError::NoSamples);
    let error = refused(&fits, &examples, Loss::LogisticCrossEntropy, 0.0);
    assert_eq!(error.to_string(), "logistic cross-entropy needs Logistic outputs, found Linear");
    assert!(refused(&fits, &examples, squared, -1.0).to_string().contains("penalty"));
    let memory = Layer { feedback: Feedback::Full, ..Layer::new(2, Activation::Tanh) };
    let recurrent = Network::new(3, 1, vec![memory]).unwrap();
    assert_eq!(refused(&recurrent, &examples, squared, 0.0), FitError::Memory);
}
