//! How well networks fit samples, against figures found by hand.

use bitloop_net::{Activation, FitReport, Layer, Loss, Network, Samples, TargetKind, report};
use bitloop_plant::{Isa, Real};

/// How a linear network with these weights fits samples, by the squared error.
fn fit(network: &Network, weights: &[f64], samples: &Samples, kind: TargetKind) -> FitReport {
    report(Isa::best(), network, weights, samples, Loss::SquaredError, kind).unwrap()
}

#[test]
fn reports_tell_rmse_and_classification_rate() {
    // The network answers its input.
    let network = Network::new(1, 1, vec![Layer::new(1, Activation::Linear)]).unwrap();
    let outputs: Vec<f64> = (0..600).map(|i| f64::from(i % 4) / 3.0).collect();
    let targets: Vec<f64> = (0..600).map(|i| f64::from(i % 4 / 2)).collect();
    let samples = Samples::new(std::slice::from_ref(&outputs), &[targets]).unwrap();
    let found = fit(&network, &[0.0, 1.0], &samples, TargetKind::Classes);
    // Errors 0, 1/3, -1/3, 0; sums of 600 terms.
    assert!((found.rmse.unwrap() - (0.5_f64 / 9.0).sqrt()).abs() < 1e-14, "{found:?}");
    assert!((found.loss - 0.5 / 9.0).abs() < 1e-14, "{found:?}");
    assert_eq!(found.classified, Some(1.0));
    let raised = fit(&network, &[0.2, 1.0], &samples, TargetKind::Classes);
    assert_eq!(raised.classified, Some(0.75));
    // Two values do not make classes of numbers.
    let numbers = fit(&network, &[0.2, 1.0], &samples, TargetKind::Numbers);
    assert_eq!((numbers.rmse, numbers.classified), (raised.rmse, None));
    // Rows of one class are still of a class.
    let ones = Samples::new(&[vec![0.4, 0.6]], &[vec![1.0, 1.0]]).unwrap();
    assert_eq!(fit(&network, &[0.0, 1.0], &ones, TargetKind::Classes).classified, Some(0.5));
}

#[test]
fn weights_count_in_losses_and_the_threshold_in_classes() {
    let network = Network::new(1, 1, vec![Layer::new(1, Activation::Linear)]).unwrap();
    let (outputs, targets) = (vec![0.2, 0.4, 0.9], vec![0.0, 1.0, 1.0]);
    let samples = Samples::new(&[outputs], &[targets]).unwrap();
    let weighted = samples.clone().weighted(&[1.0, 3.0, 0.0]).unwrap();
    let at = |samples, threshold| {
        fit(&network, &[0.0, 1.0], samples, TargetKind::TwoClasses { threshold })
    };
    let found = at(&weighted, 0.5);
    // Squares 0.04 and 0.36, the second one three times.
    assert!((found.loss - 1.12 / 4.0).abs() < 1e-15, "{found:?}");
    assert!((found.rmse.unwrap() - (1.12_f64 / 4.0).sqrt()).abs() < 1e-15, "{found:?}");
    assert_eq!(found.classified, Some(2.0 / 3.0), "rows are counted, whatever their weights");
    assert_eq!(at(&samples, 0.4).classified, Some(1.0));
    assert_eq!(at(&samples, 0.1).classified, Some(2.0 / 3.0));
    let alike = samples.clone().weighted(&[1.0; 3]).unwrap();
    assert_eq!(at(&alike, 0.5), at(&samples, 0.5));
}

#[test]
fn reports_of_several_outputs_take_the_largest() {
    let network = Network::new(2, 1, vec![Layer::new(2, Activation::Linear)]).unwrap();
    let weights = [0.0, 1.0, 0.0, 0.0, 0.0, 1.0];
    let inputs = [vec![0.9, 0.4, 0.2], vec![0.1, 0.6, 0.1]];
    let targets = [vec![1.0, 0.0, 0.0], vec![0.0, 1.0, 1.0]];
    let samples = Samples::new(&inputs, &targets).unwrap();
    let found = fit(&network, &weights, &samples, TargetKind::Classes);
    assert_eq!(found.classified, Some(2.0 / 3.0));
}

#[test]
fn reports_of_cross_entropies_have_the_loss_and_an_rmse_where_outputs_are_probabilities() {
    let inputs = [vec![0.5, -1.0, 2.0], vec![1.0, 0.0, -3.0]];
    let weights = [0.1, 1.0, 0.0, -0.2, 0.0, 1.0];
    let targets = [vec![1.0, 0.0, 1.0], vec![0.0, 1.0, 0.0]];
    let samples = Samples::new(&inputs, &targets).unwrap();
    let sums = [[0.6, 0.8], [-0.9, -0.2], [2.1, -3.2]];
    let kind = TargetKind::Classes;
    let network = |activation| Network::new(2, 1, vec![Layer::new(2, activation)]).unwrap();

    let softmax = network(Activation::Linear);
    let loss = Loss::SoftmaxCrossEntropy;
    let found = report(Isa::best(), &softmax, &weights, &samples, loss, kind).unwrap();
    let right = [0, 1, 0];
    let expected: f64 = sums
        .iter()
        .zip(right)
        .map(|(z, class)| Real::ln(Real::exp(z[0]) + Real::exp(z[1])) - z[class])
        .sum::<f64>()
        / 3.0;
    assert!((found.loss - expected).abs() < 1e-14, "{found:?}, not {expected}");
    assert_eq!((found.rmse, found.classified), (None, Some(2.0 / 3.0)));

    let logistic = network(Activation::Logistic);
    let loss = Loss::LogisticCrossEntropy;
    let found = report(Isa::best(), &logistic, &weights, &samples, loss, kind).unwrap();
    let (mut entropy, mut squares) = (0.0, 0.0);
    for (sample, z) in sums.iter().enumerate() {
        for (output, z) in z.iter().enumerate() {
            let (o, t) = (1.0 / (1.0 + Real::exp(-z)), targets[output][sample]);
            entropy -= t * Real::ln(o) + (1.0 - t) * Real::ln(1.0 - o);
            squares += (o - t) * (o - t);
        }
    }
    assert!((found.loss - entropy / 3.0).abs() < 1e-14, "{found:?}, not {entropy}");
    assert!((found.rmse.unwrap() - (squares / 6.0).sqrt()).abs() < 1e-14, "{found:?}");
    // It is that of the squared error, too.
    let squared = Loss::SquaredError;
    let plain = report(Isa::best(), &logistic, &weights, &samples, squared, kind).unwrap();
    assert_eq!(plain.rmse, found.rmse);
}
