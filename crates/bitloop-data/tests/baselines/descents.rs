//! Backpropagation and OSS on examples that are known to be learnable.

use bitloop_data::{
    Backpropagation, BackpropagationOptions, Descent, DescentStep, ErrorFunction, Examples,
    OneStepSecant, initial_weights,
};
use bitloop_net::{Activation, Loss};

use crate::sets::{network, random, two_spirals};

/// The error function of a linear network, a parabola, whose minimum is 0 at a known place.
fn parabola() -> (ErrorFunction, Vec<f64>) {
    let mut examples: Examples = random(40, 3, 1);
    let weights = vec![0.5, -1.0, 2.0, 0.25];
    for k in 0..examples.n_samples {
        let x = |i: usize| examples.inputs[i][k];
        examples.targets[0][k] = 0.5 - x(0) + 2.0 * x(1) + 0.25 * x(2);
    }
    let network = network(3, &[], 1, Activation::Linear);
    (ErrorFunction::new(&network, &examples, Loss::SquaredError, 0.0).unwrap(), weights)
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

#[test]
fn oss_finds_the_bottom_of_a_parabola_and_stops_there() {
    let (function, expected) = parabola();
    let mut oss = OneStepSecant::new(function, vec![0.0; 4]);
    let (mut n_steps, mut cost) = (0, oss.cost());
    while oss.step() == DescentStep::Moved {
        assert!(oss.cost() <= cost, "the cost rises in step {n_steps}");
        (cost, n_steps) = (oss.cost(), n_steps + 1);
        assert!(n_steps < 1000, "no end");
    }
    assert!(distance(oss.weights(), &expected) < 1e-6, "{:?}", oss.weights());
    // One gradient a step, and one at the start.
    assert_eq!(oss.counts().n_gradients, n_steps + 1);
}

#[test]
fn backpropagation_finds_it_too_with_and_without_momentum() {
    for momentum in [0.0, 0.8] {
        let (function, expected) = parabola();
        let options = BackpropagationOptions { learning_rate: 0.3, momentum };
        let mut descent = Backpropagation::new(function, options, vec![0.0; 4]).unwrap();
        for _ in 0..500 {
            let _ = descent.step();
        }
        assert!(distance(descent.weights(), &expected) < 1e-6, "momentum {momentum}");
    }
}

#[test]
fn a_learning_rate_too_large_ends_as_diverged_with_finite_weights() {
    let (function, _) = parabola();
    let options = BackpropagationOptions { learning_rate: 1e3, momentum: 0.0 };
    let mut descent = Backpropagation::new(function, options, vec![0.0; 4]).unwrap();
    let end = (0..1000).map(|_| descent.step()).find(|&step| step != DescentStep::Moved);
    assert_eq!(end, Some(DescentStep::Diverged));
    assert!(descent.cost().is_finite() && descent.weights().iter().all(|w| w.is_finite()));
}

#[test]
fn options_out_of_range_are_refused() {
    for (learning_rate, momentum) in [(0.0, 0.0), (f64::NAN, 0.0), (0.1, 1.0), (0.1, -0.1)] {
        let options = BackpropagationOptions { learning_rate, momentum };
        assert!(Backpropagation::new(parabola().0, options, vec![0.0; 4]).is_err());
    }
}

/// Steps of OSS on the 193 training points, 2-20-20-1, until the RMS is below `goal`; `None` after `n_max`.
fn n_steps_on_two_spirals(seed: u64, goal: f64, n_max: usize) -> Option<usize> {
    let network = network(2, &[20, 20], 1, Activation::Logistic);
    let function = ErrorFunction::new(&network, &two_spirals(), Loss::SquaredError, 0.0).unwrap();
    let weights = initial_weights(network.n_weights(), 0.5, seed, 0);
    let mut oss = OneStepSecant::new(function, weights);
    (1..=n_max).find(|_| oss.step() == DescentStep::Moved && oss.cost() < goal * goal)
}

#[test]
fn oss_learns_the_two_spirals() {
    assert!(n_steps_on_two_spirals(1, 0.02, 20_000).is_some());
}

#[test]
#[ignore = "takes a minute: cargo test --release -p bitloop-data --test baselines -- --ignored"]
fn oss_learns_the_two_spirals_from_most_of_ten_starts() {
    let found: Vec<Option<usize>> =
        (1..=10).map(|seed| n_steps_on_two_spirals(seed, 0.02, 20_000)).collect();
    assert!(found.iter().flatten().count() >= 6, "steps to RMS 0.02: {found:?}");
    eprintln!("steps to RMS 0.02: {found:?}");
}
