//! CMA-ES and random search: the budgets of telescopic BLM, kept to the last evaluation.

use std::cell::RefCell;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::{ScenarioFile, SupervisedFile};
use bitloop_train::{
    ClosedLoopTask, ClosedLoopTraining, Event, ExamplesTask, Execution, Outcome, Prepared,
    StopReason, TrainError, Training, TrainingState,
};

use crate::small_trainings::{run, run_from, test_score, training};
use crate::support::essence;

const CMA_ES: &str = "CmaEs(validate_every: 2)";
const RANDOM: &str = "RandomSearch()";

/// The pendulum in few and short episodes.
fn scenario(search: &str, stop: &str, more: &str) -> ScenarioFile {
    let text = format!(
        r#"Scenario(
            plant: "inverted-pendulum",
            initial: {{"theta": Uniform(-0.4, 0.4)}},
            controller: FeedForward(hidden: [2]),
            episodes: (
                training: (count: 9, horizon_s: 5, transient_s: 1),
                confirmation: (count: 8, horizon_s: 10),
                test: (count: 8, horizon_s: 10),
            ),
            training: {search},
            stop: ({stop}),
            {more}
        )"#
    );
    ScenarioFile::parse(&text, "small.ron").unwrap_or_else(|error| panic!("{error}"))
}

fn trained(search: &str, stop: &str, n_threads: usize) -> Outcome {
    run(&training(&scenario(search, stop, "")), Isa::best(), n_threads)
}

#[test]
fn a_budget_in_evaluations_is_kept_to_the_last_one() {
    for search in [CMA_ES, RANDOM] {
        for evaluations in [1, 2, 63, 64, 65, 500] {
            let stop = format!("evaluations: {evaluations}");
            let outcome = trained(search, &stop, 2);
            assert_eq!(outcome.n_evaluations, evaluations, "{search}");
            assert_eq!(outcome.stop_reason, StopReason::Evaluations);
        }
    }
    // With BIPOP, every other run has a budget of its own.
    for search in ["CmaEs(restarts: None)", RANDOM] {
        let outcome = trained(search, "runs: 3, run_evaluations: 101", 1);
        assert_eq!((outcome.n_runs, outcome.n_evaluations), (3, 303), "{search}");
        assert_eq!(outcome.stop_reason, StopReason::Runs);
    }
}

#[test]
fn any_number_of_threads_gives_the_same_training() {
    for search in [CMA_ES, RANDOM] {
        let one = essence(trained(search, "evaluations: 1500", 1));
        assert!(one.n_moves > 1, "{one:?}");
        for n_threads in [1, 2, 3] {
            let again = essence(trained(search, "evaluations: 1500", n_threads));
            assert_eq!(again, one, "{search}, {n_threads} threads");
        }
    }
}

#[test]
fn another_seed_gives_another_training() {
    for search in [CMA_ES, RANDOM] {
        let mut other = scenario(search, "evaluations: 300", "");
        other.value.seed = 2;
        let other = run(&training(&other), Isa::best(), 1);
        assert_ne!(other.best.codes, trained(search, "evaluations: 300", 1).best.codes);
    }
}

/// The best error of a run at each check of the clock.
fn course(training: &ClosedLoopTraining) -> (Vec<f64>, Outcome) {
    let errors = RefCell::new(Vec::new());
    let watch = |state: &TrainingState, event: Event| {
        if event == Event::Probing
            && let Some(best) = state.sampling.as_ref().and_then(|sampling| sampling.best.as_ref())
        {
            errors.borrow_mut().push(best.cost);
        }
    };
    let interrupt = AtomicBool::new(false);
    let outcome = run_from(training, TrainingState::new(), Isa::best(), 2, watch, &interrupt);
    (errors.into_inner(), outcome)
}

#[test]
fn cma_es_balances_the_pole_and_reports_both_errors() {
    let stop = "target: 0.1, evaluations: 20000";
    let training = training(&scenario(CMA_ES, stop, ""));
    let (errors, outcome) = course(&training);
    let training_error = outcome.best.training_error.expect("known at the end");
    assert!(errors[0] > 0.5 && training_error < 0.1, "{errors:?}");
    assert!(errors.is_sorted_by(|before, after| before >= after), "the best never worsens");
    assert_eq!(outcome.stop_reason, StopReason::Target);
    assert_eq!(test_score(&outcome).n_failed(), 0);
    // Rounding to 16 bits changes little, but not nothing.
    let unrounded = outcome.best.unrounded_training_error.expect("real weights");
    assert_ne!(unrounded, training_error);
    assert!((unrounded - training_error).abs() < 1e-3);
}

#[test]
fn cma_es_goes_through_a_curriculum() {
    let more = "curriculum: (horizon_s: 2.5, initial_scale: 0.25, advance_below: 0.3),";
    let scenario = scenario(CMA_ES, "target: 0.1, evaluations: 20000", more);
    let training = training(&scenario);
    let stages = RefCell::new(Vec::new());
    let interrupt = AtomicBool::new(false);
    let watch = |state: &TrainingState, _| stages.borrow_mut().push(state.stage);
    let outcome = run_from(&training, TrainingState::new(), Isa::best(), 1, watch, &interrupt);
    let mut stages = stages.into_inner();
    stages.dedup();
    assert!(stages.starts_with(&[0, 1, 2]), "{stages:?}");
    assert_eq!(outcome.stop_reason, StopReason::Target);
}

#[test]
fn a_run_of_cma_es_that_has_not_finished_its_curriculum_still_gives_a_controller() {
    let more = "curriculum: (horizon_s: 2.5, advance_below: 1e-9),";
    let outcome = run(&training(&scenario(CMA_ES, "evaluations: 100", more)), Isa::best(), 1);
    assert_eq!(outcome.best.unrounded_training_error, None);
    assert!(outcome.best.training_error.is_some_and(f64::is_finite));
}

#[test]
fn runs_of_cma_es_that_have_converged_are_followed_by_others() {
    let search = "CmaEs(restarts: Bipop, population: 4, sigma: 0.1)";
    let outcome = trained(search, "runs: 4, evaluations: 100000", 2);
    assert_eq!((outcome.n_runs, outcome.stop_reason), (4, StopReason::Runs));
}

#[test]
fn a_search_interrupted_before_it_began_gives_a_controller() {
    for search in [CMA_ES, RANDOM] {
        let training = training(&scenario(search, "evaluations: 1000", ""));
        let interrupt = AtomicBool::new(true);
        let outcome =
            run_from(&training, TrainingState::new(), Isa::best(), 2, |_, _| {}, &interrupt);
        assert_eq!(outcome.stop_reason, StopReason::Interrupted);
        assert!(outcome.n_evaluations <= 1);
        assert_eq!(outcome.best.codes.len(), training.network().n_weights());
    }
}

#[test]
fn a_training_resumed_from_any_saved_state_is_the_one_that_was_never_stopped() {
    for search in [CMA_ES, RANDOM] {
        let training = training(&scenario(search, "evaluations: 900, run_evaluations: 250", ""));
        let mut saved = Vec::new();
        let interrupt = AtomicBool::new(false);
        let n_threads = NonZeroUsize::MIN;
        let execution = Execution::new(Isa::best(), n_threads, &interrupt);
        let whole = training.train(TrainingState::new(), execution, &mut |progress| {
            if progress.is_resumable {
                saved.push(progress.state.clone());
            }
        });
        let whole = essence(whole.unwrap().expect("weights are found"));
        for state in saved.into_iter().step_by(3) {
            let n_run = state.run;
            let resumed = run_from(&training, state, Isa::best(), 2, |_, _| {}, &interrupt);
            assert_eq!(essence(resumed), whole, "{search}, from run {n_run}");
        }
    }
}

#[test]
fn a_random_search_without_a_budget_is_refused() {
    let scenario = scenario(RANDOM, "runs: 1", "");
    let error = ClosedLoopTask::prepare(&scenario, &Registry::built_in()).expect_err("endless");
    assert!(error.to_string().contains("never ends by itself"), "{error}");
}

/// Two spirals, a small network.
fn examples(search: &str, stop: &str) -> Result<Prepared<ExamplesTask>, TrainError> {
    let text = format!(
        "Supervised(data: Spirals(Halves193), split: (training: 193), network: (hidden: [4]), \
         training: {search}, stop: ({stop}))"
    );
    let file = SupervisedFile::parse(&text, "spirals.ron").unwrap_or_else(|e| panic!("{e}"));
    ExamplesTask::prepare(&file)
}

#[test]
fn examples_are_trained_by_the_baselines_of_closed_loops_too() {
    for search in [CMA_ES, "RandomSearch(max_weight: 1)"] {
        let training = examples(search, "evaluations: 600").unwrap_or_else(|e| panic!("{e}"));
        let outcome = |n_threads: usize| {
            let interrupt = AtomicBool::new(false);
            let n_threads = NonZeroUsize::new(n_threads).expect("at least one");
            let execution = Execution::new(Isa::best(), n_threads, &interrupt);
            let outcome = training.train(TrainingState::new(), execution, &mut |_| {});
            essence(outcome.expect("trains").expect("weights are found"))
        };
        let one = outcome(1);
        assert_eq!((one.n_evaluations, one.stop_reason), (600, StopReason::Evaluations));
        // Better than the same answer everywhere, whose error is half of the distance of the classes.
        let error = one.best.training_error.expect("known at the end");
        assert!(error < 0.5, "{search}: {error}");
        assert_eq!(outcome(3), one, "{search}");
    }
    let error = examples(RANDOM, "runs: 1").expect_err("endless");
    assert!(error.to_string().contains("never ends by itself"), "{error}");
}
