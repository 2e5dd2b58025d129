//! A faulty evaluation is run once more to say what went wrong first.

use std::sync::atomic::{AtomicU64, Ordering};

use bitloop_blm::ProbeControl;
use bitloop_net::{Activation, Layer, Network};
use bitloop_plant::{Integrator, Isa};
use bitloop_sim::{
    ClosedLoop, Controller, Distribution, EpisodeRanges, EpisodeSet, FaultCause, LinearFeedback,
    NetworkController, PlantFault,
};

use crate::plants::{Ramp, Spoiled, mischief};
use crate::support::{WHOLE, draw, linear, loop_around, pendulum, tilted, with_values};

fn diagnose(
    closed_loop: &ClosedLoop,
    controller: &dyn Controller,
    set: &EpisodeSet,
) -> Option<PlantFault> {
    let control = ProbeControl::alone(f64::INFINITY);
    closed_loop.diagnose(Isa::best(), controller, set, control)
}

fn spoiled(what: &[u64]) -> (ClosedLoop, EpisodeSet) {
    let closed_loop = loop_around::<Spoiled>(Integrator::PlantStep);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.25)],
        parameters: vec![WHOLE],
        horizon_s: 10.0,
        transient_s: 2.0,
    };
    let set = with_values(&closed_loop, &ranges, what);
    (closed_loop, set)
}

#[test]
fn each_fault_is_named_with_its_time_and_state() {
    let controller = &LinearFeedback::new(1, vec![1.0]);
    for (what, time_s, function, quantity, value) in [
        (mischief::NAN_COST, 6.0, "advance", "stage cost", f64::NAN),
        (mischief::NEGATIVE_COST, 6.0, "advance", "stage cost", -1e-300),
        (mischief::NEGATIVE_INFINITE_COST, 6.0, "advance", "stage cost", f64::NEG_INFINITY),
        (mischief::INFINITE_COST, 6.0, "advance", "sum of stage costs", f64::INFINITY),
        (mischief::NAN_STATE, 5.99, "advance", "state `x`", f64::NAN),
        (mischief::INFINITE_STATE, 5.99, "advance", "state `x`", f64::INFINITY),
        (mischief::NAN_TERMINAL_COST, 10.0, "terminal_cost", "terminal cost", f64::NAN),
    ] {
        let mut all = [0; 20];
        (all[13], all[17]) = (what, what);
        let (closed_loop, set) = spoiled(&all);
        let fault = diagnose(&closed_loop, controller, &set).expect("faulty");
        assert_eq!((fault.episode, fault.time_s), (13, time_s), "{what}: {fault}");
        assert_eq!(fault.state, [("x".to_owned(), 0.25)], "{what}: {fault}");
        let FaultCause::Value { function: f, quantity: q, value: v } = &fault.cause else {
            panic!("{fault}")
        };
        assert_eq!((*f, q.as_str(), v.to_string()), (function, quantity, value.to_string()));
    }
}

#[test]
fn a_plant_that_panics_is_named_with_its_episode_and_words() {
    let mut all = [0; 20];
    all[7] = mischief::PANIC;
    let (closed_loop, set) = spoiled(&all);
    let fault = diagnose(&closed_loop, &LinearFeedback::new(1, vec![1.0]), &set).expect("faulty");
    assert_eq!(
        fault.to_string(),
        "episode 7, at 5.99 s: plant `spoiled` broke in `advance` (status 2): the plant fell apart at 5.99 s; state: x = 0.25"
    );
}

#[test]
fn sound_evaluations_and_plain_failures_have_no_fault() {
    let (closed_loop, set) = spoiled(&[0, mischief::FAILS, 0, mischief::NEGATIVE_ZERO_COST]);
    assert_eq!(diagnose(&closed_loop, &LinearFeedback::new(1, vec![1.0]), &set), None);
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(8.0, 0.7), 11);
    assert_eq!(diagnose(&closed_loop, &linear(), &set), None);
}

#[test]
fn weights_that_are_no_numbers_are_found_at_the_controller() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 3, &tilted(8.0, 0.1), 11);
    let network = Network::new(4, 1, vec![Layer::new(1, Activation::Linear)]).unwrap();
    let weights = vec![f64::NAN; network.n_weights()];
    let controller = &NetworkController { network: &network, weights: &weights };
    let fault = diagnose(&closed_loop, controller, &set).expect("faulty");
    assert_eq!((fault.episode, fault.tick), (0, 0));
    let FaultCause::Value { function, quantity, .. } = &fault.cause else { panic!("{fault}") };
    assert_eq!((*function, quantity.as_str()), ("controller", "control `force`"));
}

#[test]
fn a_mean_that_overflows_is_the_fault_of_no_value() {
    let closed_loop = loop_around::<Ramp>(Integrator::Euler);
    let fixed = Distribution::Fixed;
    let ranges = EpisodeRanges {
        initial: vec![fixed(1e308)],
        parameters: vec![fixed(f64::MAX), fixed(0.0), fixed(0.0)],
        horizon_s: 0.01,
        transient_s: 0.0,
    };
    let set = draw(&closed_loop, 4, &ranges, 5);
    let fault = diagnose(&closed_loop, &LinearFeedback::new(1, vec![1.0]), &set).expect("faulty");
    assert_eq!(fault.cause, FaultCause::MeanOverflow);
}

#[test]
fn a_diagnosis_can_be_called_off() {
    let (closed_loop, set) = spoiled(&[mischief::NAN_TERMINAL_COST; 9]);
    let controller = LinearFeedback::new(1, vec![1.0]);
    let n_looks = AtomicU64::new(0);
    for n_allowed in [0, 3, 150] {
        n_looks.store(0, Ordering::Relaxed);
        let stop = || n_looks.fetch_add(1, Ordering::Relaxed) >= n_allowed;
        let control = ProbeControl::alone(f64::INFINITY).stopped_by(&stop);
        assert_eq!(closed_loop.diagnose(Isa::best(), &controller, &set, control), None);
    }
}
