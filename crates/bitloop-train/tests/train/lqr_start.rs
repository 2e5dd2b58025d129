//! Trainings that start from the gains of a linear-quadratic regulator.

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_train::{ClosedLoopTask, StopReason};

use crate::small_trainings::{run, scenario, training};

const BLM: &str = "max_weight: 100";
const START: &str = "start: FromLqr, scaling: {\"theta\": (center: 0.1, scale: 0.5), \"force\": (center: 1, scale: 2)},";

#[test]
fn the_first_weights_are_the_gains_whatever_the_scaling_and_beside_hidden_units_too() {
    for controller in
        ["Linear", "FeedForward(hidden: [])", "FeedForward(hidden: [4], direct: true)"]
    {
        let file = scenario(controller, BLM, "evaluations: 1", START);
        let outcome = run(&training(&file), Isa::best(), 1);
        // It balances from the first evaluation on; random weights let all fall, at an error above 1.
        let test = outcome.scores.test.as_ref().unwrap();
        assert!(test.episodes.iter().all(|episode| episode.error < 0.1), "{controller}");
        let same = scenario("Linear", BLM, "evaluations: 1", "start: FromLqr, ");
        let plain = run(&training(&same), Isa::best(), 1);
        // The same law, but for the rounding of its weights to the grid.
        let (a, b) = (test.error, plain.scores.test.as_ref().unwrap().error);
        assert!((a / b - 1.0).abs() < 0.02, "{controller}: {a} and {b}");
    }
}

#[test]
fn a_start_at_the_target_ends_the_training_with_its_first_look() {
    let stop = "target: 0.05, evaluations: 10000";
    let outcome = run(&training(&scenario("Linear", BLM, stop, "start: FromLqr")), Isa::best(), 1);
    assert_eq!(outcome.stop_reason, StopReason::Target);
    assert!(outcome.n_evaluations < 100, "{}", outcome.n_evaluations);
}

#[test]
fn what_cannot_hold_the_gains_is_refused_with_the_reason() {
    for (controller, search, more, fragment) in [
        ("FeedForward(hidden: [4])", BLM, "", "between which there are hidden units"),
        ("TappedDelay(window: 2, hidden: [])", BLM, "", "present observations"),
        ("FeedForward(hidden: [], output_activation: Tanh)", BLM, "", "linear outputs"),
        ("Linear", "max_weight: 1", "", "beyond max_weight"),
        ("Linear", BLM, "observations: [\"x\", \"theta\"]", "need the observation `"),
    ] {
        let more = format!("start: FromLqr, {more}");
        let file = scenario(controller, search, "evaluations: 1", &more);
        let error = ClosedLoopTask::prepare(&file, &Registry::built_in()).unwrap_err().to_string();
        assert!(error.contains(fragment), "{controller}: {error}");
    }
}
