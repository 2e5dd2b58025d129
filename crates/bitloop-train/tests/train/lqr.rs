//! The LQR baseline on the test of a scenario.

use std::num::NonZeroUsize;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::LqrBaseline;

#[test]
fn the_pole_stays_up_for_a_thousand_seconds() {
    let text = r#"Scenario(
        plant: "inverted-pendulum",
        initial: {"theta": Uniform(-0.4, 0.4)},
        episodes: (test: (count: 50, horizon_s: 1000, transient_s: 1)),
    )"#;
    let scenario = ScenarioFile::parse(text, "lqr.ron").unwrap_or_else(|e| panic!("{e}"));
    let n_threads = NonZeroUsize::new(2).expect("two");
    let plants = Registry::built_in();
    let baseline = LqrBaseline::new(&scenario, &plants, Some(1e-3), Isa::best(), n_threads);
    let baseline = baseline.expect("gains");
    assert_eq!(baseline.test.n_failed(), 0);
    // 9.1e-6; the best networks of five units reach about 1e-5 in training.
    let error = baseline.test.error;
    assert!(error < 2e-5, "{error:e}, gains {:?}", baseline.lqr.gains);
}

#[test]
fn the_weight_of_the_control_is_the_best_of_those_tried_on_the_training_episodes() {
    // Large gains let the pole fall from such starts.
    let text = r#"Scenario(
        plant: "inverted-pendulum",
        initial: {"theta": Uniform(-1.0, 1.0)},
        episodes: (training: (count: 50, horizon_s: 20)),
    )"#;
    let scenario = ScenarioFile::parse(text, "lqr.ron").unwrap_or_else(|e| panic!("{e}"));
    let n_threads = NonZeroUsize::new(2).expect("two");
    let plants = Registry::built_in();
    let baseline = LqrBaseline::new(&scenario, &plants, None, Isa::best(), n_threads);
    let LqrBaseline { control_weight, trials, .. } = baseline.expect("gains");
    assert!(trials.len() > 3);
    let best = trials.iter().find(|trial| trial.control_weight == control_weight).expect("tried");
    // The largest of those within a hundredth of the lowest error.
    let lowest = trials.iter().fold(f64::INFINITY, |lowest, trial| lowest.min(trial.error));
    assert!(best.error <= 1.01 * lowest, "{trials:?}");
    for trial in trials.iter().filter(|trial| trial.control_weight > control_weight) {
        assert!(trial.error > 1.01 * lowest, "{trials:?}");
    }
    // They are tried on the training episodes, not on those of the test.
    let errors: Vec<f64> = trials.iter().map(|trial| trial.error).collect();
    assert!(errors.iter().any(|&error| error != best.error), "{errors:?}");
}

#[test]
fn weights_beyond_the_last_are_tried_while_that_is_the_best() {
    let plants = Registry::built_in();
    let baseline = |initial: &str| {
        let text = format!(
            r#"Scenario(plant: "inverted-pendulum", initial: {{{initial}}}, episodes: (training: (count: 20, horizon_s: 20)))"#
        );
        let scenario = ScenarioFile::parse(&text, "lqr.ron").unwrap_or_else(|e| panic!("{e}"));
        let baseline = LqrBaseline::new(&scenario, &plants, None, Isa::best(), NonZeroUsize::MIN);
        baseline.expect("gains")
    };
    // The force is free in the stage cost, and near the equilibrium no gains are too large.
    let near = baseline(r#""theta": Uniform(-0.1, 0.1)"#);
    assert!(near.control_weight < 1e-4, "{:?}", near.trials);
    assert!(near.trials.len() > 7 && near.trials[0].control_weight >= 1e-8, "{:?}", near.trials);
    let [least, next, ..] = near.trials[..] else { panic!("{:?}", near.trials) };
    // It ended where the least is no longer ahead, or at the last of all.
    assert!(1.01 * least.error >= next.error || least.control_weight == 1e-8, "{:?}", near.trials);
    // From starts where the best is within, there are no others.
    let far = baseline(r#""theta": Uniform(-1.0, 1.0)"#);
    assert_eq!(far.trials.len(), 7, "{:?}", far.trials);
    assert_eq!(far.refused, None);
}
