//! Trainings that go on after they have reached their target.

use std::cell::{Cell, RefCell};
use std::sync::atomic::{AtomicBool, Ordering};

use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{Event, Outcome, Reached, StopReason, Training, TrainingState};

use crate::small_trainings::{missing_until, run, run_from, training};
use crate::support::essence;

const TARGET: f64 = 0.1;

fn refining(trainer: &str, stop: &str) -> ScenarioFile {
    missing_until(trainer, stop, "")
}

fn n_to_target(outcome: &Outcome) -> u64 {
    outcome.reached.map(|Reached { n_evaluations, .. }| n_evaluations).expect("reached")
}

#[test]
fn the_run_goes_on_after_the_target_and_lowers_the_error() {
    for trainer in ["TelescopicBlm()", "CmaEs(validate_every: 1)"] {
        let [plain, refined] = ["", "refine: 400, "].map(|refine| {
            let stop = format!("target: {TARGET}, {refine}evaluations: 3000");
            run(&training(&refining(trainer, &stop)), Isa::best(), 2)
        });
        assert_eq!(n_to_target(&plain), plain.n_evaluations);
        assert_eq!((n_to_target(&refined), refined.n_runs), (plain.n_evaluations, plain.n_runs));
        assert_eq!(refined.n_evaluations, plain.n_evaluations + 400, "{trainer}");
        assert_eq!(refined.stop_reason, StopReason::Target);
        let [before, after] = [&plain.best, &refined.best].map(bitloop_train::Candidate::merit);
        assert!(after < 0.8 * before && before <= TARGET, "{trainer}: {before} {after}");
        let spent = refined.reached.expect("reached").spent;
        assert!(0 < spent.plant_steps && spent.plant_steps < refined.plant_steps);
    }
}

#[test]
fn weights_that_replace_the_best_are_better_in_validation_and_no_worse_than_that_in_confirmation() {
    let stop = format!("target: {TARGET}, refine: 400, evaluations: 3000");
    let (merits, n_draws) = (RefCell::new(Vec::<f64>::new()), Cell::new(0));
    let watch = |state: &TrainingState, _| {
        let best = state.best_of_run.as_ref().filter(|_| state.reached.is_some());
        if let Some(best) = best {
            assert!(best.confirmation_error.is_some());
            merits.borrow_mut().push(best.merit());
        }
        n_draws.set(n_draws.get().max(state.draw));
    };
    let training = training(&refining("TelescopicBlm()", &stop));
    run_from(&training, TrainingState::new(), Isa::best(), 1, watch, &AtomicBool::new(false));
    let mut merits = merits.into_inner();
    assert!(merits.is_sorted_by(|before, after| before >= after));
    merits.dedup();
    // Each validation has new training episodes follow, so that no set is fitted.
    assert!(merits.len() >= 2 && n_draws.get() >= 5, "{merits:?} {n_draws:?}");
}

#[test]
fn the_training_ends_where_the_run_does() {
    let with = |stop: &str| run(&training(&refining("TelescopicBlm()", stop)), Isa::best(), 1);
    let target = format!("target: {TARGET}, refine: 100000");
    let patient = with(&format!("{target}, evaluations: 100000, patience: (evaluations: 150)"));
    assert_eq!(patient.stop_reason, StopReason::Target);
    assert!(n_to_target(&patient) + 150 <= patient.n_evaluations && patient.n_evaluations < 50_000);
    // Of budgets that end while the target is reached, the target counts.
    let n = n_to_target(&with(&format!("{target}, evaluations: 3000")));
    let short = with(&format!("{target}, evaluations: {}", n + 20));
    assert_eq!((short.stop_reason, short.n_evaluations), (StopReason::Target, n + 20));
}

#[test]
fn an_interrupted_refinement_is_resumed_with_the_same_end() {
    let stop = format!("target: {TARGET}, refine: 400, evaluations: 3000");
    let training = training(&refining("TelescopicBlm()", &stop));
    let whole = run(&training, Isa::best(), 1);
    let (interrupt, last) = (AtomicBool::new(false), RefCell::new(TrainingState::new()));
    let watch = |state: &TrainingState, event| {
        let n_more = state.reached.map(|reached| state.n_evaluations() - reached.n_evaluations);
        let is_due = event == Event::Probing && n_more.is_some_and(|n| n > 150);
        if is_due && !interrupt.swap(true, Ordering::Relaxed) {
            last.replace(state.clone());
        }
    };
    let cut = run_from(&training, TrainingState::new(), Isa::best(), 1, watch, &interrupt);
    assert_eq!(
        (cut.stop_reason, n_to_target(&cut)),
        (StopReason::Interrupted, n_to_target(&whole))
    );
    let state = last.into_inner();
    assert!(training.check_state(&state).is_ok());
    let resumed = run_from(&training, state, Isa::best(), 2, |_, _| {}, &AtomicBool::new(false));
    assert_eq!(essence(resumed), essence(whole));
}

#[test]
fn a_state_whose_target_was_reached_by_nothing_is_refused() {
    let stop = format!("target: {TARGET}, refine: 400, evaluations: 3000");
    let training = training(&refining("TelescopicBlm()", &stop));
    let mut state = TrainingState::new();
    state.reached = Some(Reached { n_evaluations: 0, spent: state.spent });
    let refused = training.check_state(&state).unwrap_err().to_string();
    assert!(refused.contains("reached by nothing"), "{refused}");
}
