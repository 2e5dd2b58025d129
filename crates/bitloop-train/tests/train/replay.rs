//! A saved controller behaves as it did in training.

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::{ControllerFile, ScenarioFile};
use bitloop_train::{Replay, ReplayOptions, SaveInfo, Training};

use crate::support::{kinds, run, test_score, training};

fn saved(scenario: &ScenarioFile) -> (ControllerFile, f64) {
    let training = training(scenario);
    let outcome = run(&training, Isa::best(), 1);
    let info = SaveInfo {
        command: "bitloop train small.ron".to_owned(),
        scenario_name: "small.ron".to_owned(),
        bitloop_version: "0.1.0".to_owned(),
    };
    let text = training.product(&outcome, info).expect("writes").text;
    let file = ControllerFile::parse(&text, "controller.ron").unwrap_or_else(|e| panic!("{e}"));
    (file, test_score(&outcome).error)
}

fn replay(
    file: &ControllerFile,
    scenario: Option<&ScenarioFile>,
    options: ReplayOptions,
) -> Replay {
    Replay::new(file, scenario, options, &Registry::built_in()).unwrap_or_else(|e| panic!("{e}"))
}

#[test]
fn a_replay_gives_the_test_error_to_the_last_bit() {
    for mut scenario in kinds() {
        scenario.value.seed = 5;
        let (file, test_error) = saved(&scenario);
        let alone = replay(&file, None, ReplayOptions::default());
        let outcome = alone.run(Isa::best(), None).expect("runs");
        assert_eq!(outcome.evaluation.error, test_error);
        // The scenario's own file has another seed; it is still the same scenario.
        scenario.value.seed = 1;
        let again = replay(&file, Some(&scenario), ReplayOptions::default());
        let again = again.run(Isa::PORTABLE, None).expect("runs");
        assert_eq!(again.evaluation, outcome.evaluation);
        assert_eq!(again.trajectory_digest, outcome.trajectory_digest);
    }
}

#[test]
fn episodes_horizon_and_seed_can_be_chosen() {
    let [scenario, ..] = kinds();
    let (file, test_error) = saved(&scenario);
    let options = ReplayOptions {
        n_episodes: Some(3),
        horizon_s: Some(2.0),
        seed: Some(9),
        ..ReplayOptions::default()
    };
    let outcome = replay(&file, None, options).run(Isa::best(), None).expect("runs");
    assert_eq!((outcome.evaluation.episodes.len(), outcome.horizon_s, outcome.seed), (3, 2.0, 9));
    assert_ne!(outcome.evaluation.error, test_error);
}

#[test]
fn a_controller_for_another_plant_is_refused_at_its_place() {
    let [scenario, ..] = kinds();
    let (file, _) = saved(&scenario);
    let mut other = scenario.clone();
    other.value.plant = "acrobot".into();
    let error = Replay::new(&file, Some(&other), ReplayOptions::default(), &Registry::built_in())
        .unwrap_err();
    let message = error.to_string();
    assert!(message.contains("this controller is for plant `inverted-pendulum`"), "{message}");
    assert!(message.contains("controller.ron:"), "{message}");
}

#[test]
fn an_observation_that_the_plant_lacks_is_refused_at_its_place() {
    let [scenario, ..] = kinds();
    let (mut file, _) = saved(&scenario);
    file.value.inputs[1].name = "thta".to_owned();
    let error =
        Replay::new(&file, None, ReplayOptions::default(), &Registry::built_in()).unwrap_err();
    assert!(error.to_string().contains("did you mean `theta`?"), "{error}");
}
