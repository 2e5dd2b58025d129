//! ELM: the normal equations solved, regularization chosen, options checked.

use bitloop_data::{
    Examples, ExtremeLearning, ExtremeLearningFit, ExtremeLearningOptions, ExtremeLearningStep,
    FitError,
};
use bitloop_net::{Activation, Loss, Samples, TargetKind, report};
use bitloop_plant::Isa;

use crate::sets::random;

fn options(n_hidden: usize, ridges: &[f64]) -> ExtremeLearningOptions {
    ExtremeLearningOptions {
        n_hidden,
        activation: Activation::Tanh,
        hidden_range: 1.0,
        ridges: ridges.to_vec(),
    }
}

fn fit(
    examples: &Examples,
    validation: &Examples,
    options: &ExtremeLearningOptions,
) -> (ExtremeLearningFit, Vec<Vec<f64>>) {
    let mut elm = ExtremeLearning::new(examples, validation, options, 1, 0).unwrap();
    while elm.step() == ExtremeLearningStep::Working {}
    let fit = elm.best().expect("a fit").clone();
    let network = elm.network();
    let mut lanes = network.signals(examples.n_samples.next_multiple_of(8));
    for (i, input) in examples.inputs.iter().enumerate() {
        lanes.input.row_mut(i)[..examples.n_samples].copy_from_slice(input);
    }
    network.forward(Isa::best(), &fit.weights, examples.n_samples, &mut lanes);
    let row = |o: usize| lanes.output.row(o)[..examples.n_samples].to_vec();
    let outputs = (0..examples.n_outputs()).map(row).collect();
    (fit, outputs)
}

/// Hidden outputs of sample k, from the saved weights.
fn hidden(examples: &Examples, weights: &[f64], n_hidden: usize, k: usize) -> Vec<f64> {
    let n = 1 + examples.n_inputs();
    let sum = |j: usize| {
        let of_neuron = &weights[j * n..][..n];
        let fed = (1..n).map(|i| of_neuron[i] * examples.inputs[i - 1][k]);
        of_neuron[0] + fed.sum::<f64>()
    };
    (0..n_hidden).map(|j| bitloop_plant::Real::tanh(sum(j))).collect()
}

/// The worst slope of the ridge cost by an output weight, H'(H beta - t) + ridge beta.
fn worst_slope(n_hidden: usize, n_samples: usize) -> f64 {
    let ridge = 0.1;
    let examples = random(n_samples, 4, 2);
    let (fit, outputs) = fit(&examples, &Examples::default(), &options(n_hidden, &[ridge]));
    assert_eq!((fit.ridge, fit.validation_rmse), (ridge, None));
    let output_weights = &fit.weights[n_hidden * 5..];
    let mut worst = 0.0_f64;
    for o in 0..2 {
        let beta = &output_weights[o * (1 + n_hidden)..][..=n_hidden];
        assert_eq!(beta[0], 0.0, "no bias");
        let mut slopes: Vec<f64> = beta[1..].iter().map(|b| ridge * b).collect();
        for (k, (output, target)) in outputs[o].iter().zip(&examples.targets[o]).enumerate() {
            let error = output - target;
            let hidden = hidden(&examples, &fit.weights, n_hidden, k);
            slopes.iter_mut().zip(hidden).for_each(|(sum, h)| *sum += h * error);
        }
        worst = slopes.iter().fold(worst, |worst, slope| worst.max(slope.abs()));
    }
    worst
}

#[test]
fn output_weights_are_where_the_ridge_cost_is_flat() {
    // More units than a panel, more samples than a block, no multiples of anything. Sums of about a thousand terms near 1,
    // each rounded, behind equations of condition 1e5.
    let worst = worst_slope(139, 1037);
    assert!(worst < 1e-8, "{worst}");
}

#[test]
fn any_small_number_of_units_or_samples_will_do() {
    // Blocks have 512 samples, tiles 256 units: what is left over may be as small.
    for n_hidden in (1..=9).chain([258]) {
        for n_samples in [1, 2, 5, 6, 9, 515] {
            let worst = worst_slope(n_hidden, n_samples);
            assert!(worst < 1e-8, "{n_hidden} units, {n_samples} samples: {worst}");
        }
    }
}

#[test]
fn enough_units_interpolate() {
    let examples = random(30, 3, 1);
    let (_, outputs) = fit(&examples, &Examples::default(), &options(300, &[1e-9]));
    for (found, expected) in outputs[0].iter().zip(&examples.targets[0]) {
        assert!((found - expected).abs() < 1e-4, "{found} {expected}");
    }
}

#[test]
fn the_ridge_of_the_lowest_validation_error_is_kept() {
    let all = random(200, 3, 1);
    let rows: Vec<usize> = (0..200).collect();
    let (training, validation) = (all.subset(&rows[..100]), all.subset(&rows[100..]));
    let ridges = [1e-9, 1e3, 10.0];
    let (best, _) = fit(&training, &validation, &options(80, &ridges));
    let alone = ridges.map(|ridge| fit(&training, &validation, &options(80, &[ridge])).0);
    let lowest = alone
        .iter()
        .min_by(|a, b| a.validation_rmse.partial_cmp(&b.validation_rmse).unwrap())
        .unwrap();
    assert_eq!(&best, lowest);
    // The targets are noise, which little regularization learns by heart.
    assert!(best.ridge > 1e-9);

    let mut elm =
        ExtremeLearning::new(&training, &validation, &options(80, &ridges), 1, 0).unwrap();
    while elm.step() == ExtremeLearningStep::Working {}
    let samples = Samples::new(&validation.inputs, &validation.targets).unwrap();
    let (loss, kind) = (Loss::SquaredError, TargetKind::Numbers);
    let fit = report(Isa::best(), elm.network(), &best.weights, &samples, loss, kind).unwrap();
    assert!(fit.rmse.is_some());
    assert_eq!(best.validation_rmse, fit.rmse);
}

#[test]
fn options_out_of_range_are_refused() {
    let (examples, none) = (random(10, 3, 1), Examples::default());
    let refused = |validation: &Examples, options: &ExtremeLearningOptions| {
        ExtremeLearning::new(&examples, validation, options, 1, 0).expect_err("a refusal")
    };
    for bad in [
        options(0, &[1.0]),
        options(1 << 20, &[1.0]),
        options(5, &[]),
        options(5, &[0.0]),
        options(5, &[f64::NAN]),
        ExtremeLearningOptions { hidden_range: 0.0, ..options(5, &[1.0]) },
    ] {
        assert!(matches!(refused(&none, &bad), FitError::Option { .. }), "{bad:?}");
    }
    let two = options(5, &[1.0, 2.0]);
    assert!(refused(&none, &two).to_string().contains("without validation rows"));
    let other = random(10, 4, 1);
    assert_eq!(refused(&other, &two), FitError::Sizes { expected: [3, 1], found: [4, 1] });
}
