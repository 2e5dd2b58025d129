//! Training episodes that are drawn anew: when, and what of it stays the same.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;

use bitloop_blm::{Probe, ProbeControl};
use bitloop_plant::Isa;
use bitloop_scenario::ScenarioFile;
use bitloop_train::{Event, SetName, Task, Training, TrainingState, Trial, WorkCounter};

use crate::small_trainings::{run, run_from, scenario, training};
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
    let cost = |state: &TrainingState| {
        let search = state.search.as_ref().expect("in a run");
        let grid = training.grid().expect("a grid");
        let weights: Vec<f64> = search.codes.iter().map(|&code| grid.weight(code)).collect();
        let stage = usize::try_from(state.draw).expect("a few");
        let control = ProbeControl::alone(f64::INFINITY);
        let trial = Trial { isa: Isa::best(), stage, weights: &weights, control };
        let mut scratch = training.task.scratch().expect("it fits");
        let found = training.task.cost(&trial, &mut scratch, &WorkCounter::default());
        (found.expect("sound"), Probe::Below(search.current_cost))
    };
    let mut draws = BTreeSet::new();
    for state in &states {
        // What the state says is the cost on the episodes of its draw.
        let (found, said) = cost(state);
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
