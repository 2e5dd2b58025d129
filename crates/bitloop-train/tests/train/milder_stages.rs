//! A curriculum may begin with less uncertainty, or with none.

use bitloop_train::Task;

use crate::small_trainings::{scenario, training};

const UNCERTAIN: &str = r#"uncertainty: (
    sensors: {"theta": (noise: Normal(0.1))},
    disturbances: {"force": [Step(at_s: 1, to: Uniform(-3, 3))]},
),"#;

fn n_stages(curriculum: &str) -> usize {
    let more = format!("{UNCERTAIN} curriculum: ({curriculum}),");
    training(&scenario("FeedForward(hidden: [2])", "", "evaluations: 10", &more)).task.n_stages()
}

#[test]
fn uncertainty_doubles_up_to_all_of_it_beside_horizon_and_starts() {
    assert_eq!(n_stages("uncertainty_scale: 0.5"), 2);
    assert_eq!(n_stages("uncertainty_scale: 0.3"), 3);
    // None, a quarter, a half, all.
    assert_eq!(n_stages("uncertainty_scale: 0"), 4);
    assert_eq!(n_stages("uncertainty_scale: 0.5, horizon_s: 1"), 4);
}

/// The first stage without uncertainty has the costs of a scenario that has none.
#[test]
fn the_first_stage_from_none_on_is_that_of_a_scenario_without() {
    use bitloop_blm::ProbeControl;
    use bitloop_plant::Isa;
    use bitloop_train::{Trial, WorkCounter};

    let cost = |more: &str, stage: usize| {
        let training = training(&scenario("FeedForward(hidden: [2])", "", "evaluations: 10", more));
        let weights = vec![0.25; training.task.network().n_weights()];
        let control = ProbeControl::alone(f64::INFINITY);
        let trial = Trial { isa: Isa::best(), stage, weights: &weights, control };
        let mut scratch = training.task.scratch().expect("it fits");
        let cost = training.task.cost(&trial, &mut scratch, &WorkCounter::default());
        cost.expect("sound")
    };
    let milder = format!("{UNCERTAIN} curriculum: (uncertainty_scale: 0),");
    let without = cost("", 0);
    assert_eq!(cost(&milder, 0), without);
    assert_ne!(cost(&milder, 1), without);
    assert_eq!(cost(&milder, 3), cost(UNCERTAIN, 0));
}
