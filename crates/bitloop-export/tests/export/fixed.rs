//! Fixed point against double precision, and what it refuses.

use bitloop_export::{Codes, Decoding, Encoding, Fit, Fixed, Portable, Reference, Weights};
use bitloop_net::{Activation, Layer, Network};
use bitloop_plant::Isa;
use bitloop_replay::ReplayExecution;
use proptest::prelude::*;

use crate::episodes::{files, replay};
use crate::networks::{controller, direct_controller};

/// The error of each shipped controller in closed loop, in double precision and in fixed point, over the same episodes.
#[test]
fn shipped_controllers_lose_little_in_closed_loop() {
    for path in files() {
        let replay = replay(&path, 20);
        let exact = replay.run(Isa::best(), 1).unwrap();
        let fixed = Fixed::new(&bitloop_export::read(&path).unwrap()).unwrap();
        let execution =
            ReplayExecution { controller: Some(&fixed), ..ReplayExecution::new(Isa::best(), 1) };
        let fixed = replay.run_watched(execution, &mut |_| {}).unwrap();
        // It is another arithmetic that was run.
        assert_ne!(fixed.trajectory_digest, exact.trajectory_digest, "{}", path.display());
        let (exact, fixed) = (exact.evaluation, fixed.evaluation);
        assert_eq!(fixed.n_failed(), 0, "{}", path.display());
        // The acrobot's swings part after some seconds; one step more to the goal is 1 %.
        assert!(
            (fixed.error / exact.error - 1.0).abs() < 0.02,
            "{}: {:e}",
            path.display(),
            fixed.error
        );
    }
}

proptest! {
    /// Without memory, whose differences may grow, and within the range of signals.
    #[test]
    fn random_networks_stay_near_to_double_precision(
        portable in prop_oneof![controller(), direct_controller()].prop_filter("no memory", |it| it.network.n_memory() == 0),
        shares in prop::collection::vec(-1.0..1.0_f64, 4),
    ) {
        let Ok(fixed) = Fixed::new(&portable) else { return Ok(()) };
        let values: Vec<f64> = portable.inputs.iter().zip(&shares).map(|(input, share)| {
            let Encoding::Scaled { center, scale } = input.encoding else { unreachable!() };
            center + scale * share
        }).collect();
        let exact = Reference::new(&portable).step(&values);
        let mut numbers = vec![0; exact.len()];
        fixed.step(&mut vec![0; fixed.n_memory()], &fixed.inputs(&values), &mut numbers);
        // The table is off by 3e-6, inputs by up to 2^-13; each layer may multiply that by its weights.
        let gain: f64 = gains(&portable);
        for (output, (exact, found)) in portable.outputs.iter().zip(exact.iter().zip(fixed.outputs(&numbers))) {
            let Decoding::Scaled { scale, center, .. } = output.decoding else { unreachable!() };
            let allowed = scale * (1e-6 + gain * 1.3e-4) + center.abs() * 1e-7;
            prop_assert!((exact - found).abs() <= allowed, "{} is {found}, not {exact} +- {allowed:e}", output.name);
        }
    }
}

/// How much a difference at the inputs or in a table can grow up to the outputs; infinite where hidden linear layers can
/// saturate.
fn gains(portable: &Portable) -> f64 {
    let values = portable.weights.values();
    let (mut n_fed, mut first, mut gain, mut sum) = (portable.network.n_inputs(), 0, 1.0, 1.0);
    let layers = portable.network.layers();
    for (index, layer) in layers.iter().enumerate() {
        let rows = values[first..first + layer.n_neurons * (n_fed + 1)].chunks(n_fed + 1);
        let most =
            rows.map(|row| row.iter().map(|weight| weight.abs()).sum::<f64>()).fold(0.0, f64::max);
        gain *= most.max(1.0);
        sum += gain;
        if layer.activation == Activation::Linear && index + 1 < layers.len() && gain > 100.0 {
            return f64::INFINITY;
        }
        first += layer.n_neurons * (n_fed + 1);
        let n_direct = if index + 2 == layers.len() { portable.network.n_direct() } else { 0 };
        n_fed = layer.n_neurons + n_direct;
    }
    sum * gain
}

fn one_layer(n_inputs: usize, codes: Codes) -> Portable {
    let mut portable = crate::networks::sample(&controller(), 1).remove(0);
    let input = portable.inputs[0].clone();
    portable.inputs = vec![input; n_inputs];
    portable.outputs.truncate(1);
    portable.network = Network::new(n_inputs, 1, vec![Layer::new(1, Activation::Tanh)]).unwrap();
    portable.weights = Weights::Codes(codes);
    portable
}

#[test]
fn fitted_outputs_stay_near_to_double_precision_whatever_the_sign_of_their_scale() {
    let mut portable = one_layer(1, Codes::new(8, 2.0, vec![20, -90]).unwrap());
    portable.inputs[0].encoding = Encoding::Scaled { center: 0.0, scale: 1.0 };
    for scale in [3.5, -3.5, 0.0] {
        portable.outputs[0].fit = Some(Fit { scale, offset: 0.25 });
        portable.outputs[0].decoding =
            Decoding::Range { min: 2.0, max: 12.0, low: -1.0, high: 1.0 };
        let fixed = Fixed::new(&portable).unwrap();
        for value in [-1.5, -0.2, 0.0, 0.7] {
            let exact = Reference::new(&portable).step(&[value])[0];
            let mut numbers = [0];
            fixed.step(&mut [], &fixed.inputs(&[value]), &mut numbers);
            let found = fixed.outputs(&numbers)[0];
            assert!((exact - found).abs() < 1e-3, "{found}, not {exact}");
        }
    }
    portable.outputs[0].decoding = Decoding::Classes(vec!["a".to_owned(), "b".to_owned()]);
    let refused = Fixed::new(&portable).unwrap_err().to_string();
    assert!(refused.contains("have a scale and an offset"), "{refused}");
}

#[test]
fn what_fixed_point_cannot_hold_is_refused() {
    let codes = |n: usize| Codes::new(24, 1.0, vec![(1 << 23) - 1; n]).unwrap();
    let wide = Fixed::new(&one_layer(300, codes(301))).unwrap_err().to_string();
    assert!(wide.contains("301 weights of 24 bits in layer 1 could overflow"), "{wide}");
    assert!(Fixed::new(&one_layer(100, codes(101))).is_ok());

    let mut far = one_layer(1, codes(2));
    far.inputs[0].encoding = Encoding::Scaled { center: 1e6, scale: 1e-4 };
    let far = Fixed::new(&far).unwrap_err().to_string();
    assert!(far.contains("32 bits do not hold both"), "{far}");

    let mut huge = one_layer(1, codes(2));
    huge.inputs[0].encoding = Encoding::Scaled { center: 0.0, scale: 1e30 };
    let huge = Fixed::new(&huge).unwrap_err().to_string();
    assert!(huge.contains("beyond what fixed point holds"), "{huge}");

    let mut real = one_layer(1, codes(2));
    real.weights = Weights::Real(vec![0.1, 0.2]);
    assert!(Fixed::new(&real).unwrap_err().to_string().contains("integer weights"));
}
