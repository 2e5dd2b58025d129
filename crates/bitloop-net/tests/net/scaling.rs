//! Powers of two of layers, and outputs fitted by least squares.

use std::sync::Arc;

use bitloop_net::{
    Activation, DeltaError, DeltaEvaluation, DeltaScaling, Layer, LayerScaling, LayerScalingError,
    Loss, Network, Samples, TargetKind, WeightSteps, fit_outputs, report_fitted,
};
use bitloop_plant::Isa;

const STEPS: WeightSteps = WeightSteps { step: 0.5, most: 8 };

fn network(output: Activation) -> Network {
    Network::new(2, 1, vec![Layer::new(3, Activation::Tanh), Layer::new(1, output)]).unwrap()
}

fn samples() -> Samples {
    let x: Vec<f64> = (0..50).map(|k| f64::from(k) / 25.0 - 1.0).collect();
    let y: Vec<f64> = x.iter().map(|x| x * x - 0.3).collect();
    // Far from what the outputs can be, and not of their size.
    let target = x.iter().map(|x| 1000.0 + 70.0 * x).collect();
    Samples::new(&[x, y], &[target]).unwrap()
}

const WEIGHTS: [f64; 13] = [0.5, 1.0, -1.0, 0.0, 2.0, 0.5, -0.5, 1.5, 1.0, 0.5, -1.0, 1.0, 2.0];

#[test]
fn powers_of_two_are_the_same_network_with_larger_weights() {
    let network = network(Activation::Linear);
    let layers = LayerScaling::new(&network, &[-1, 3]).unwrap();
    let scaled = layers.weights(&network, &WEIGHTS);
    let expected: Vec<f64> =
        WEIGHTS.iter().enumerate().map(|(k, w)| w * if k < 9 { 0.5 } else { 8.0 }).collect();
    assert_eq!(scaled, expected);
    let samples = Arc::new(samples());
    let scaling = DeltaScaling { layers, fits_outputs: false };
    let loss = Loss::SquaredError;
    let cost = |steps, scaling: &DeltaScaling, weights: &[f64]| {
        let (network, samples) = (network.clone(), Arc::clone(&samples));
        DeltaEvaluation::scaled(network, samples, loss, steps, 0.0, scaling).unwrap().set(weights)
    };
    let fine = WeightSteps { step: 0.25, most: 64 };
    let plain = cost(fine, &DeltaScaling::default(), &scaled);
    // Signals are rounded to quanta that depend on the steps.
    assert!((cost(STEPS, &scaling, &WEIGHTS) / plain - 1.0).abs() < 1e-9);
}

#[test]
fn fitted_outputs_have_the_size_of_the_targets_whatever_the_weights() {
    let network = network(Activation::Linear);
    let samples = samples();
    let fits = fit_outputs(Isa::best(), &network, &WEIGHTS, &samples).unwrap();
    let kind = TargetKind::Numbers;
    let with = |fits: &[_]| {
        let network = (&network, WEIGHTS.as_slice(), fits);
        report_fitted(Isa::best(), network, &samples, Loss::SquaredError, kind).unwrap()
    };
    let (fitted, plain) = (with(&fits), with(&[]));
    assert!(plain.rmse.unwrap() > 990.0 && fitted.rmse.unwrap() < 40.0, "{fitted:?} {plain:?}");
    // What the search sees is what the report of the fitted network says.
    let scaling = DeltaScaling { fits_outputs: true, ..DeltaScaling::default() };
    let samples = Arc::new(samples);
    let loss = Loss::SquaredError;
    let mut seen = DeltaEvaluation::scaled(network, samples, loss, STEPS, 0.0, &scaling).unwrap();
    let cost = seen.set(&WEIGHTS);
    assert!((cost / fitted.loss - 1.0).abs() < 1e-6, "{cost} {}", fitted.loss);
}

#[test]
fn outputs_that_say_nothing_become_the_mean() {
    let network = network(Activation::Linear);
    let fits = fit_outputs(Isa::best(), &network, &[0.0; 13], &samples()).unwrap();
    assert_eq!(fits[0].scale, 0.0);
    assert!((fits[0].offset - 1000.0 + 70.0 / 50.0).abs() < 1e-9, "{fits:?}");
}

#[test]
fn what_cannot_be_scaled_or_fitted_is_refused() {
    let linear = network(Activation::Linear);
    let refused = LayerScaling::new(&linear, &[1]);
    assert_eq!(refused, Err(LayerScalingError::Count { expected: 2, found: 1 }));
    let refused = LayerScaling::new(&linear, &[i32::MIN, 0]);
    assert_eq!(refused, Err(LayerScalingError::Range { found: i32::MIN }));
    let scaling = DeltaScaling { fits_outputs: true, ..DeltaScaling::default() };
    let of = |network, loss| {
        let samples = Arc::new(samples());
        DeltaEvaluation::scaled(network, samples, loss, STEPS, 0.0, &scaling).map(drop)
    };
    assert_eq!(of(network(Activation::Logistic), Loss::SquaredError), Err(DeltaError::Fit));
    assert_eq!(of(linear, Loss::SquaredError), Ok(()));
}
