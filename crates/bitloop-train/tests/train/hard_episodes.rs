//! Hard episodes are training episodes, with the bits that a test of them alone has, and are in no other set.

use bitloop_scenario::ScenarioFile;
use bitloop_train::{ClosedLoopTraining, Score, SetName, Task, WorkCounter};

use crate::small_trainings::{scenario, training};
use crate::support::scoring;

const UNCERTAIN: &str = r#"uncertainty: (
    sensors: {"theta": (noise: Normal(0.01), bias: Uniform(-0.01, 0.01))},
    disturbances: {"force": [Step(at_s: Uniform(1, 3), to: Uniform(-1, 1))]},
),"#;

const HARD: &str = r#"Scenario(
    plant: "inverted-pendulum",
    initial: {"theta": 0.3, "x_dot": -0.5},
    parameters: {"length": 1.25},
    uncertainty: (
        sensors: {"theta": (noise: Normal(0.01), bias: 0.004)},
        disturbances: {"force": [Step(at_s: 2, to: 0.7)]},
    ),
    episodes: (test: (count: 1, horizon_s: 6, transient_s: 0.5)),
    seed: 77,
)"#;

fn score(training: &ClosedLoopTraining, set: SetName) -> Score {
    let work = WorkCounter::default();
    let weights = vec![0.125; training.task.network().n_weights()];
    training.task.score(&weights, set, scoring(&work)).expect("sound").expect("not called off")
}

#[test]
fn the_training_set_has_them_and_no_other_set() {
    let without = scenario("FeedForward(hidden: [3])", "", "evaluations: 100", UNCERTAIN);
    let mut with = without.clone();
    let hard = ScenarioFile::parse(HARD, "hard.ron").expect("sound");
    with.add_hard_episode(&hard).expect("it fits");
    // As it is kept.
    let with = ScenarioFile::parse(&bitloop_scenario::ScenarioKind::to_text(&with.value), "r.ron")
        .expect("sound");
    let [before, after] = [&without, &with].map(training);
    for set in [SetName::Validation, SetName::Confirmation, SetName::Test] {
        assert_eq!(score(&before, set).episodes, score(&after, set).episodes, "{set:?}");
    }
    let [old, new] = [&before, &after].map(|one| score(one, SetName::Training).episodes);
    assert_eq!((new.len(), &new[..old.len()]), (old.len() + 1, &old[..]));
    // The same episode, as the test of its file draws it.
    let text = HARD.replace("episodes:", "controller: FeedForward(hidden: [3]), training: TelescopicBlm(), stop: (evaluations: 1), episodes:");
    let text = text.replace("test: (", "training: (horizon_s: 6), test: (");
    let alone = training(&ScenarioFile::parse(&text, "alone.ron").expect("sound"));
    let test = score(&alone, SetName::Test).episodes;
    assert_eq!(test[0].error.to_bits(), new[old.len()].error.to_bits());
}

#[test]
fn what_the_plant_does_not_have_is_refused_at_its_place() {
    for (hard, message) in [
        (r#"initial: {"thetta": 0.1}"#, "has no state `thetta`"),
        (r#"parameters: {"length": 0}"#, "leaves the bounds of the plant"),
        (
            r#"uncertainty: (sensors: {"theta": (noise: Normal(0.02))})"#,
            "are others than those of the scenario",
        ),
    ] {
        let more = format!("against: [(seed: 1, {hard})],");
        let file = scenario("FeedForward(hidden: [3])", "", "evaluations: 100", &more);
        let registry = bitloop_host::Registry::built_in();
        let error =
            bitloop_train::ClosedLoopTask::prepare(&file, &registry).expect_err(hard).to_string();
        assert!(error.contains(message) && error.contains("small.ron:"), "{error}");
    }
    let drawn = "Scenario(plant: \"p\", against: [(initial: {\"x\": Uniform(0, 1)})])";
    let error = ScenarioFile::parse(drawn, "a.ron").unwrap_err();
    assert!(error.message.contains("is drawn") && error.place.is_some(), "{error}");
}
