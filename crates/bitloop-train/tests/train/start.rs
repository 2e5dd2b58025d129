//! Trainings that start from a saved controller.

use std::path::Path;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_train::{ClosedLoopTask, Outcome, SaveInfo, Training};

use crate::small_trainings::{run, scenario, training};

const NETWORK: &str = "FeedForward(hidden: [5])";
const BLM: &str = "start_bits: 4, initialization: Bounded(0.5)";

/// A trained controller, saved in a folder.
fn saved(folder: &Path) -> (Outcome, String) {
    let training = training(&scenario(NETWORK, BLM, "evaluations: 300", ""));
    let outcome = run(&training, Isa::best(), 1);
    let product = training.product(&outcome, SaveInfo::default()).unwrap();
    let path = folder.join("saved.ron");
    std::fs::write(&path, product.text).unwrap();
    (outcome, format!("start: FromController(\"{}\")", path.display()))
}

/// Why a scenario that starts there is refused.
fn refused(controller: &str, more: &str) -> String {
    let file = scenario(controller, BLM, "evaluations: 300", more);
    let error = ClosedLoopTask::prepare(&file, &Registry::built_in()).unwrap_err();
    error.to_string()
}

#[test]
fn the_first_weights_of_each_trainer_are_those_of_the_controller() {
    let folder = tempfile::tempdir().unwrap();
    let (outcome, start) = saved(folder.path());
    let blm = scenario(NETWORK, BLM, "evaluations: 1", &start);
    let others = ["RandomSearch(bits: 16)", "CmaEs(bits: 16, sigma: 1e-9, population: 4)"];
    let text = blm.source.text();
    let texts = others.map(|trainer| text.replace(&format!("TelescopicBlm({BLM})"), trainer));
    for text in [text.to_owned(), texts[0].clone(), texts[1].clone()] {
        let file = bitloop_scenario::ScenarioFile::parse(&text, "s.ron").unwrap();
        let again = run(&training(&file), Isa::best(), 1);
        assert_eq!(again.best.codes, outcome.best.codes, "{text}");
        assert_eq!(again.best.validation_error, outcome.best.validation_error);
    }
}

#[test]
fn later_runs_start_from_random_weights() {
    let folder = tempfile::tempdir().unwrap();
    let (outcome, start) = saved(folder.path());
    let runs = "runs: 2, run_evaluations: 1";
    let second = run(&training(&scenario(NETWORK, BLM, runs, &start)), Isa::best(), 1);
    assert_eq!((second.n_runs, second.best.run), (2, 0), "the controller is better than chance");
    assert_eq!(second.best.codes, outcome.best.codes);
}

#[test]
fn a_controller_that_does_not_fit_is_refused_with_the_difference() {
    let folder = tempfile::tempdir().unwrap();
    let (_, start) = saved(folder.path());
    let fragments = [
        ("FeedForward(hidden: [4])", start.clone(), "another shape"),
        (NETWORK, format!("{start}, scaling: {{\"x\": (scale: 2)}}"), "it scales `x` by"),
        (NETWORK, start.replace("saved.ron", "none.ron"), "none.ron"),
        ("FeedForward(hidden: [5], output_activation: Tanh)", start.clone(), "another shape"),
    ];
    for (network, more, fragment) in fragments {
        let error = refused(network, &more);
        assert!(error.contains(fragment), "{error}");
    }
    let fewer = format!("{start}, observations: [\"theta\", \"x\", \"theta_dot\", \"x_dot\"]");
    let error = refused(NETWORK, &fewer);
    assert!(error.contains("its observations are"), "{error}");
}
