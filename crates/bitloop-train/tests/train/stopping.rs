//! Rules that end a training, to the exact evaluation.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use bitloop_plant::Isa;
use bitloop_train::{Event, Execution, StopReason, Training, TrainingState};

use crate::small_trainings::{run, run_from, scenario, test_score, training};

const NETWORK: &str = "FeedForward(hidden: [5])";
const QUICK: &str = "start_bits: 4, initialization: Bounded(0.5), moves: BestOf(20), \
                     candidates: SeveralFlips(extra: 0.5), validate_every: 5";

#[test]
fn a_budget_in_evaluations_is_kept_to_the_last_one() {
    for evaluations in [1, 2, 77, 500] {
        let stop = format!("evaluations: {evaluations}");
        let outcome = run(&training(&scenario(NETWORK, QUICK, &stop, "")), Isa::best(), 2);
        assert_eq!(outcome.n_evaluations, evaluations);
        assert_eq!(outcome.stop_reason, StopReason::Evaluations);
    }
}

#[test]
fn runs_are_counted_and_end_after_their_own_budget() {
    let stop = "runs: 3, run_evaluations: 50";
    let outcome = run(&training(&scenario(NETWORK, QUICK, stop, "")), Isa::best(), 1);
    assert_eq!((outcome.n_runs, outcome.n_evaluations), (3, 150));
    assert_eq!(outcome.stop_reason, StopReason::Runs);
}

#[test]
fn a_run_without_progress_ends() {
    let stop = "evaluations: 2000, patience: (evaluations: 100, improvement: 0.5)";
    let impatient = run(&training(&scenario(NETWORK, QUICK, stop, "")), Isa::best(), 1);
    let stop = "evaluations: 2000, patience: None";
    let patient = run(&training(&scenario(NETWORK, QUICK, stop, "")), Isa::best(), 1);
    assert!(impatient.n_runs > patient.n_runs);
}

#[test]
fn a_target_is_met_in_validation_and_confirmation() {
    let stop = "target: 0.05, evaluations: 100000";
    let outcome = run(&training(&scenario(NETWORK, QUICK, stop, "")), Isa::best(), 2);
    assert_eq!(outcome.stop_reason, StopReason::Target);
    assert!(outcome.best.validation_error <= 0.05);
    assert!(outcome.best.confirmation_error.is_some_and(|error| error <= 0.05));
}

#[test]
fn a_target_is_noticed_as_soon_as_the_training_error_is_there() {
    let n_evaluations = |validation: &str| {
        // No bit is unlocked on the way, after which weights are validated too.
        let validation = format!("growth: AtLocalMinimum, {validation}");
        let search = QUICK.replace("validate_every: 5", &validation);
        let stop = "target: 0.05, evaluations: 100000";
        let outcome = run(&training(&scenario(NETWORK, &search, stop, "")), Isa::best(), 2);
        assert_eq!(outcome.stop_reason, StopReason::Target);
        outcome.n_evaluations
    };
    let at_once = n_evaluations("validate_every: 1");
    let rarely = n_evaluations("validate_every: 1000");
    let at_target = n_evaluations("validate_every: 1000, validate_at_target: true");
    // Weights with a training error above the target may meet it in validation and confirmation; they are rare.
    assert!(at_once <= at_target && at_target < rarely, "{at_once}, {at_target}, {rarely}");
}

#[test]
fn a_target_that_is_out_of_reach_gives_the_best_found() {
    let stop = "target: 1e-30, evaluations: 600, run_evaluations: 200";
    let outcome = run(&training(&scenario(NETWORK, QUICK, stop, "")), Isa::best(), 1);
    assert_eq!(outcome.stop_reason, StopReason::Evaluations);
    assert!(outcome.best.confirmation_error.is_some());
    assert!(test_score(&outcome).error.is_finite());
}

#[test]
fn seconds_end_a_training_too() {
    let stop = "seconds: 0.5";
    let outcome = run(&training(&scenario(NETWORK, QUICK, stop, "")), Isa::best(), 1);
    assert_eq!(outcome.stop_reason, StopReason::Seconds);
    // The count at which it fired reproduces the run.
    let stop = format!("evaluations: {}", outcome.n_evaluations);
    let again = run(&training(&scenario(NETWORK, QUICK, &stop, "")), Isa::best(), 1);
    assert_eq!(again.best, outcome.best);
}

#[test]
fn an_interrupt_gives_the_best_so_far() {
    let interrupt = AtomicBool::new(false);
    let training = training(&scenario(NETWORK, QUICK, "evaluations: 1000000", ""));
    let mut n_looks = 0;
    let look = |_: &TrainingState, event| {
        n_looks += 1;
        if n_looks > 20 && event == Event::Probing {
            interrupt.store(true, Ordering::Relaxed);
        }
    };
    let outcome = run_from(&training, TrainingState::new(), Isa::best(), 1, look, &interrupt);
    assert_eq!(outcome.stop_reason, StopReason::Interrupted);
    assert!(test_score(&outcome).error.is_finite());
}

#[test]
fn a_run_that_is_interrupted_in_its_first_evaluation_does_not_count_as_done() {
    let stop = "runs: 3, run_evaluations: 50";
    let training = training(&scenario(NETWORK, QUICK, stop, ""));
    let mut finished_runs = Vec::new();
    let keep = |state: &TrainingState, event| {
        if matches!(event, Event::RunFinished { .. }) {
            finished_runs.push(TrainingState { run: state.run + 1, ..state.clone() });
        }
    };
    let never = AtomicBool::new(false);
    let whole = run_from(&training, TrainingState::new(), Isa::best(), 1, keep, &never);

    let before_the_last_run = finished_runs[1].clone();
    let at_once = AtomicBool::new(true);
    let mut paused = None;
    let keep = |state: &TrainingState, event| {
        if matches!(event, Event::Pausing(_)) {
            paused = Some(state.clone());
        }
    };
    let outcome = run_from(&training, before_the_last_run, Isa::best(), 1, keep, &at_once);
    assert_eq!(outcome.stop_reason, StopReason::Interrupted);
    let resumed = run_from(&training, paused.unwrap(), Isa::best(), 1, |_, _| {}, &never);
    assert_eq!((resumed.best, resumed.stop_reason), (whole.best, StopReason::Runs));

    let execution = Execution::new(Isa::best(), NonZeroUsize::MIN, &at_once);
    let nothing = training.train(TrainingState::new(), execution, &mut |_| {}).unwrap();
    assert!(nothing.is_none_or(|outcome| outcome.stop_reason == StopReason::Interrupted));
}

#[test]
fn scores_are_called_off_and_the_training_resumed_to_the_same_bits() {
    let settings = QUICK.replace("validate_every: 5", "validate_every: 1");
    let training = training(&scenario(NETWORK, &settings, "evaluations: 600", ""));
    let whole = run(&training, Isa::best(), 1);
    let never = AtomicBool::new(false);
    let mut n_without_test = 0;
    for n_looks in [1, 2, 5, 12] {
        let interrupt = AtomicBool::new(false);
        let execution = Execution {
            patience: Duration::ZERO,
            ..Execution::new(Isa::best(), NonZeroUsize::MIN, &interrupt)
        };
        let (mut n_probings, mut resumable, mut is_paused) = (0, None, false);
        let end = training.train(TrainingState::new(), execution, &mut |progress| {
            n_probings += u32::from(progress.event == Event::Probing);
            // Within a step of the search, so that the validation of its move is called off.
            interrupt.fetch_or(n_probings >= n_looks, Ordering::Relaxed);
            if progress.is_resumable {
                resumable = Some(progress.state.clone());
            }
            is_paused |= progress.event == Event::Pausing(StopReason::Interrupted);
        });
        let end = end.unwrap();
        assert!(is_paused);
        if let Some(outcome) = end {
            assert_eq!(outcome.stop_reason, StopReason::Interrupted);
            n_without_test += u32::from(outcome.scores.test.is_none());
        }
        let resumed = run_from(&training, resumable.unwrap(), Isa::best(), 1, |_, _| {}, &never);
        assert_eq!(resumed.best, whole.best);
        assert_eq!(resumed.n_evaluations, whole.n_evaluations);
    }
    assert!(n_without_test > 0);
}

#[test]
fn a_test_that_is_called_off_leaves_a_training_that_can_be_finished() {
    let training = training(&scenario(NETWORK, QUICK, "evaluations: 50", ""));
    let whole = run(&training, Isa::best(), 2);
    let interrupt = AtomicBool::new(false);
    let execution = Execution {
        patience: Duration::ZERO,
        ..Execution::new(Isa::best(), NonZeroUsize::MIN, &interrupt)
    };
    let mut resumable = None;
    let outcome = training.train(TrainingState::new(), execution, &mut |progress| {
        // All that is left is the test.
        let is_over = matches!(progress.event, Event::RunFinished { .. });
        interrupt.fetch_or(is_over, Ordering::Relaxed);
        if progress.is_resumable {
            resumable = Some(progress.state.clone());
        }
    });
    let outcome = outcome.unwrap().expect("weights are found");
    assert_eq!(outcome.stop_reason, StopReason::Interrupted);
    assert_eq!((outcome.best, outcome.scores.test), (whole.best.clone(), None));
    let never = AtomicBool::new(false);
    let resumed = run_from(&training, resumable.unwrap(), Isa::best(), 1, |_, _| {}, &never);
    assert_eq!((&resumed.best, resumed.stop_reason), (&whole.best, StopReason::Evaluations));
    assert_eq!(test_score(&resumed), test_score(&whole));
}
