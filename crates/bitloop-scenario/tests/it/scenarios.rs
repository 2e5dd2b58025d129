//! Scenarios that work: the shipped ones, defaults, digests.

use std::path::PathBuf;

use bitloop_scenario::{
    Activation, ControllerSpec, Distribution, Feedback, Freezing, Growth, Initialization,
    Integrator, LayerActivations, ScenarioFile, ScenarioKind as _, Training, TrainingPlan,
};

use crate::bad_scenarios::GOOD;

fn shipped(name: &str) -> ScenarioFile {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../scenarios").join(name);
    ScenarioFile::read(path).unwrap_or_else(|error| panic!("{error}"))
}

fn parse(text: &str) -> ScenarioFile {
    ScenarioFile::parse(text, "a.ron").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn the_paper_s_run_with_16_bits_is_shipped() {
    let file = shipped("pendulum-full-16bit.ron");
    let TrainingPlan { controller, training, training_episodes, test_episodes, .. } =
        file.require_training().unwrap();
    let ControllerSpec::FeedForward(network) = controller else { unreachable!() };
    assert_eq!(network.hidden, [5]);
    assert_eq!(network.hidden_activation, LayerActivations::Same(Activation::Tanh));
    let Training::TelescopicBlm(blm) = training else { unreachable!() };
    assert_eq!((blm.bits, blm.max_weight, blm.freezing), (16, 10.0, Freezing::CoarseGrid));
    assert_eq!(blm.grid().unwrap().epsilon(), 10.0 / 32767.0);
    assert_eq!(training_episodes.horizon_s, 100.0);
    assert_eq!((test_episodes.count, test_episodes.horizon_s), (50, 1000.0));
    assert_eq!(test_episodes.transient_s, 1.0);
    assert_eq!(file.value.simulation.integrator, Some(Integrator::Euler));
    let theta = Distribution::Uniform { low: -0.4, high: 0.4 };
    assert_eq!(file.value.initial["theta"], theta);
}

#[test]
fn the_paper_s_run_with_2_bits_is_shipped() {
    let file = shipped("pendulum-full-2bit.ron");
    let plan = file.require_training().unwrap();
    let Training::TelescopicBlm(blm) = plan.training else { unreachable!() };
    assert_eq!((blm.bits, blm.start_bits, blm.max_weight), (2, 2, 10.0));
    assert_eq!(blm.initialization, Initialization::Full);
    // Spelled out there, by default here.
    let other = shipped("pendulum-full-16bit.ron").value;
    assert_eq!(file.value.episodes.test, other.episodes.test);
}

#[test]
fn the_paper_s_run_without_velocities_is_shipped() {
    let file = shipped("pendulum-positions-paper.ron");
    assert_eq!(file.value.observations.as_deref().unwrap(), ["x", "theta"]);
    let plan = file.require_training().unwrap();
    let ControllerSpec::Recurrent(network) = plan.controller else { unreachable!() };
    assert_eq!((network.hidden.as_slice(), network.feedback), ([20].as_slice(), Feedback::Full));
    assert_eq!((plan.stop.target, plan.stop.runs), (None, Some(1)));
    // The paper's search, which is also the preset.
    let Training::TelescopicBlm(blm) = plan.training else { unreachable!() };
    assert_eq!((blm.bits, blm.start_bits, blm.max_weight), (16, 2, 10.0));
    assert_eq!(blm.initialization, Initialization::Bounded(0.01));
    assert_eq!(blm.growth, Growth::Threshold { phi: 0.1, eta: 0.95 });
    let named =
        parse("Scenario(plant: \"p\", training: TelescopicBlm(preset: Paper, freezing: GrayBits))")
            .value;
    assert_eq!(named.training.as_ref(), Some(plan.training));
    // What it leaves open is read as nearest to its figures.
    assert_eq!((file.value.failure_cost, file.value.parameters.len()), (Some(3.0), 1));
    assert_eq!((plan.test_episodes.count, plan.test_episodes.horizon_s), (50, 1000.0));
    assert_eq!(file.value.curriculum, None);
}

#[test]
fn a_search_that_gets_there_without_velocities_is_shipped() {
    let file = shipped("pendulum-positions.ron");
    let paper = shipped("pendulum-positions-paper.ron").value;
    assert_eq!(file.value.observations, paper.observations);
    assert_eq!(file.value.initial, paper.initial);
    assert_eq!(file.value.episodes.test, paper.episodes.test);
    let plan = file.require_training().unwrap();
    assert!(matches!(plan.controller, ControllerSpec::Recurrent(_)));
    assert!(matches!(plan.training, Training::TelescopicBlm(_)));
    assert!(plan.stop.target.is_some_and(|target| target <= 2.28e-2));
}

#[test]
fn the_long_test_is_shipped_without_training_or_observations() {
    let file = shipped("pendulum-long.ron");
    assert!(file.value.controller.is_none() && file.value.observations.is_none());
    let test = file.require_test().unwrap();
    assert_eq!((test.count, test.horizon_s, test.transient_s), (50, 1000.0, 1.0));
    assert!(file.require_training().is_err());
}

#[test]
fn settings_left_out_have_defaults() {
    let file = parse(
        "Scenario(plant: \"p\", controller: FeedForward(hidden: []), training: TelescopicBlm(), \
         episodes: (training: (horizon_s: 20)))",
    );
    let plan = file.require_training().unwrap();
    assert_eq!(plan.stop.runs, Some(1));
    assert_eq!(plan.validation_episodes, plan.training_episodes);
    assert_eq!((plan.training_episodes.count, plan.training_episodes.transient_s), (50, 0.0));
    assert_eq!(plan.test_episodes.horizon_s, 200.0);
    assert_eq!(file.value.seed, 1);

    let fixed = parse("Scenario(plant: \"p\", training: TelescopicBlm(bits: 12, growth: Fixed))");
    let Some(Training::TelescopicBlm(blm)) = &fixed.value.training else { unreachable!() };
    assert_eq!(blm.start_bits, 12);
}

#[test]
fn a_confirmation_follows_the_test() {
    let file = parse(
        "Scenario(plant: \"p\", episodes: (training: (count: 7, horizon_s: 20, transient_s: 2), \
         test: (count: 9, horizon_s: 300)))",
    );
    let episodes = &file.value.episodes;
    let confirmation = episodes.confirmation.unwrap();
    assert_eq!(
        (confirmation.count, confirmation.horizon_s, confirmation.transient_s),
        (200, 300.0, 2.0)
    );
    assert_eq!(episodes.validation.unwrap().count, 7);
}

#[test]
fn the_digest_follows_the_meaning_and_not_the_spelling() {
    let digest = |text: &str| parse(text).value.digest();
    let spelled_out = GOOD
        .replace("// A scenario.\n", "")
        .replace("bits: 16,", "bits: 16, start_bits: 2, coding: Gray, /* same */")
        .replace("max_weight: 10,", "max_weight: 1e1,")
        .replace("seconds: 25", "seconds: Some(25.0)")
        .replace(
            ": {\"l\": 1.0, \"m\": Uniform(0.9, 1.1),",
            ": {\"m\": Uniform(0.9, 1.1), \"l\": 1,",
        );
    assert_ne!(spelled_out, GOOD);
    assert_eq!(digest(&spelled_out), digest(GOOD));
    assert_ne!(digest(&GOOD.replace("bits: 16", "bits: 15")), digest(GOOD));
    // Golden: a digest names a run in controllers that are shipped, so it must not move.
    insta::assert_snapshot!(digest(GOOD));
}
