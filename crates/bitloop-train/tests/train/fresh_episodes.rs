//! Training episodes that are drawn anew: when, and what of it stays the same.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use bitloop_blm::{Probe, ProbeControl};
use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{
    ClosedLoopTraining, Event, SetName, StopReason, Task, Training, TrainingState, Trial,
    WorkCounter,
};

use crate::small_trainings::{missing, run, run_from, scenario, training};
use crate::support::scoring;

const EVERY: u64 = 100;

fn fresh(more: &str) -> ScenarioFile {
    let more = format!("fresh_every: {EVERY}, {more}");
    scenario("FeedForward(hidden: [3])", "validate_every: 10", "evaluations: 450", &more)
}

#[test]
fn the_current_weights_are_evaluated_on_each_draw_and_nothing_else_moves() {
    let training = training(&fresh(""));
    let states = RefCell::new(Vec::new());
    let interrupt = AtomicBool::new(false);
    let keep = |state: &TrainingState, event| {
        if event == Event::Probing {
            states.borrow_mut().push(state.clone());
        }
    };
    let outcome = run_from(&training, TrainingState::new(), Isa::best(), 2, keep, &interrupt);
    assert_eq!(outcome.n_evaluations, 450);
    let states = states.into_inner();
    let mut draws = BTreeSet::new();
    for state in &states {
        // What the state says is the cost on the episodes of its draw.
        let (found, said) = cost(&training, state);
        assert_eq!(found, said);
        let n = state.search.as_ref().expect("in a run").n_evaluations;
        assert!(state.draw * EVERY <= n && n <= (state.draw + 1) * EVERY, "{} {n}", state.draw);
        draws.insert(state.draw);
    }
    assert_eq!(draws, BTreeSet::from([0, 1, 2, 3, 4]));
    // The error that is reported is that of the first training episodes.
    let weights = outcome.weights.values();
    let work = WorkCounter::default();
    let score = training.task.score(&weights, SetName::Training, scoring(&work)).expect("sound");
    assert_eq!(outcome.best.training_error, score.map(|score| score.error));
}

/// The cost of the current weights on the episodes of the state's draw, of one stage, and what the state says of it.
fn cost(training: &ClosedLoopTraining, state: &TrainingState) -> (Probe, Probe) {
    let search = state.search.as_ref().expect("in a run");
    let grid = training.grid().expect("a grid");
    let weights: Vec<f64> = search.codes.iter().map(|&code| grid.weight(code)).collect();
    let stage = usize::try_from(state.draw).expect("a few");
    let control = ProbeControl::alone(f64::INFINITY);
    let trial = Trial { isa: Isa::best(), stage, weights: &weights, control };
    let mut scratch = training.task.scratch().expect("it fits");
    let found = training.task.cost(&trial, &mut scratch, &WorkCounter::default());
    (found.expect("sound"), Probe::Below(search.current_cost))
}

#[test]
fn episodes_are_drawn_anew_after_each_miss_and_after_nothing_else() {
    let training = training(&missing("TelescopicBlm()", ""));
    let (draws, misses) = (Cell::new(0), Cell::new(0));
    let is_validated = Cell::new(false);
    let watch = |state: &TrainingState, event| match event {
        // The miss is known after the validation, and the draw comes before the next probe.
        Event::Validated { .. } => is_validated.set(true),
        Event::Moved => {
            let error = state.search.as_ref().expect("in a run").current_cost;
            let is_met = state.best_of_run.as_ref().is_some_and(|best| {
                let confirmed = best.confirmation_error.is_some_and(|error| error <= 0.1);
                best.validation_error <= 0.1 && confirmed
            });
            let is_miss = is_validated.take() && error <= 0.1 && !is_met;
            assert_eq!(state.was_validated_at_target, is_miss);
            misses.set(misses.get() + u64::from(is_miss));
        }
        Event::Probing => {
            is_validated.set(false);
            // A draw that is due has not been made yet, and none is made otherwise.
            assert_eq!(state.draw + u64::from(state.was_validated_at_target), misses.get());
            draws.set(state.draw);
            let (found, said) = cost(&training, state);
            assert_eq!(found, said);
        }
        _ => {}
    };
    let interrupt = AtomicBool::new(false);
    let outcome = run_from(&training, TrainingState::new(), Isa::best(), 2, watch, &interrupt);
    assert_eq!((outcome.stop_reason, outcome.n_runs), (StopReason::Target, 1));
    assert!(draws.get() >= 3, "{draws:?}");
    // It may be left out: the search then goes on to fit the two episodes.
    let same = missing("TelescopicBlm()", "fresh_after_miss: false,");
    let no_draw = |state: &TrainingState, _| assert_eq!(state.draw, 0);
    let state = TrainingState::new();
    run_from(&self::training(&same), state, Isa::best(), 1, no_draw, &interrupt);
}

#[test]
fn cma_es_draws_anew_after_a_miss() {
    let interrupt = AtomicBool::new(false);
    let n_draws = |more: &str| {
        let training = training(&missing("CmaEs(validate_every: 1)", more));
        let n_draws = Cell::new(0);
        let watch = |state: &TrainingState, _| n_draws.set(n_draws.get().max(state.draw));
        let state = TrainingState::new();
        let outcome = run_from(&training, state, Isa::best(), 1, watch, &interrupt);
        let again = run(&training, Isa::best(), 2);
        assert_eq!(outcome.best, again.best);
        n_draws.get()
    };
    assert!(n_draws("") >= 1);
    assert_eq!(n_draws("fresh_after_miss: false,"), 0);
}

#[test]
fn fresh_episodes_change_the_training() {
    let common = scenario("FeedForward(hidden: [3])", "validate_every: 10", "evaluations: 450", "");
    let [common, other] = [&common, &fresh("")].map(|file| run(&training(file), Isa::best(), 1));
    assert_ne!(common.best.codes, other.best.codes);
}

#[test]
fn a_state_with_draws_that_were_never_made_is_refused() {
    let training = training(&fresh(""));
    let mut state = TrainingState::new();
    assert!(training.check_state(&state).is_ok());
    state.draw = 1;
    assert!(training.check_state(&state).unwrap_err().to_string().contains("draw 1 of 0"));
    (state.draw, state.was_validated_at_target) = (0, true);
    assert!(training.check_state(&state).unwrap_err().to_string().contains("must stay"));
}

#[test]
fn trainers_that_compare_with_the_best_of_all_refuse_them() {
    for trainer in ["CmaEs()", "RandomSearch()"] {
        let text = fresh("").source.text().replace("TelescopicBlm(validate_every: 10)", trainer);
        let error = ScenarioFile::parse(&text, "a.ron").unwrap_err();
        assert!(error.message.contains("only TelescopicBlm") && error.place.is_some(), "{error}");
    }
    let none = fresh("").source.text().replace("fresh_every: 100", "fresh_every: 0");
    assert!(ScenarioFile::parse(&none, "a.ron").is_err());
}
