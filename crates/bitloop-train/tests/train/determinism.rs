//! Same scenario and seed, same bits.

use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bitloop_plant::Isa;
use bitloop_train::{Event, TrainingState};

use crate::small_trainings::{kinds, run, run_from, scenario, training};
use crate::support::essence;

#[test]
fn any_number_of_threads_gives_the_same_training() {
    for scenario in kinds() {
        let training = training(&scenario);
        let one = essence(run(&training, Isa::best(), 1));
        assert!(one.n_moves > 5, "{one:?}");
        for n_threads in [1, 2, 3, 8] {
            assert_eq!(essence(run(&training, Isa::best(), n_threads)), one, "{n_threads} threads");
        }
    }
}

#[test]
fn probes_that_idle_threads_help_with_give_the_same_training() {
    for aggregate in ["Mean", "Worst", "CVaR(0.2)"] {
        // Enough episodes to be divided, and local minima, where all moves are probed, so that threads become idle.
        let mut scenario = scenario(
            "Recurrent(hidden: [3])",
            "start_bits: 4, moves: BestOf(9), validate_every: 5",
            "evaluations: 400",
            &format!("aggregate: {aggregate},"),
        );
        scenario.value.episodes.training.as_mut().expect("given").count = 40;
        let training = training(&scenario);
        let one = essence(run(&training, Isa::best(), 1));
        assert!(one.n_moves > 5, "{one:?}");
        for n_threads in [2, 3, 8] {
            let other = essence(run(&training, Isa::best(), n_threads));
            assert_eq!(other, one, "{aggregate}, {n_threads} threads");
        }
    }
}

#[test]
fn every_instruction_set_gives_the_same_training() {
    for scenario in kinds() {
        let training = training(&scenario);
        let best = run(&training, Isa::best(), 1);
        for isa in Isa::available() {
            let outcome = run(&training, isa, 1);
            // One thread does no speculative work, so that even the steps agree.
            assert_eq!(outcome.plant_steps, best.plant_steps, "{}", isa.name());
            assert_eq!(essence(outcome), essence(best.clone()), "{}", isa.name());
        }
    }
}

#[test]
fn a_training_resumed_from_any_saved_state_is_the_one_that_was_never_stopped() {
    for scenario in kinds() {
        let training = training(&scenario);
        let mut saved: Vec<TrainingState> = Vec::new();
        let interrupt = AtomicBool::new(false);
        let keep = |state: &TrainingState, event| {
            if event == Event::Probing {
                saved.push(state.clone());
            }
        };
        let whole = run_from(&training, TrainingState::new(), Isa::best(), 1, keep, &interrupt);
        assert!(saved.len() > 5, "{} states", saved.len());
        let whole = essence(whole);
        for state in saved.into_iter().step_by(3) {
            let (isa, n_run) = (Isa::best(), state.run);
            let resumed = run_from(&training, state, isa, 2, |_, _| {}, &interrupt);
            assert_eq!(essence(resumed), whole, "from run {n_run}");
        }
    }
}

/// The time that evaluations take decides how often a training looks at the clock, and nothing else.
#[test]
fn a_training_that_is_slowed_down_ends_its_runs_after_the_same_evaluations() {
    let scenario = scenario(
        "FeedForward(hidden: [4])",
        "preset: Paper, start_bits: 3",
        "evaluations: 500, patience: (evaluations: 150, improvement: 0.3)",
        "",
    );
    let training = training(&scenario);
    let ends = |delay: Duration| {
        let mut ends = Vec::new();
        let watch = |state: &TrainingState, event| match event {
            Event::Moved => std::thread::sleep(delay),
            Event::RunEnded => ends.push(state.n_evaluations()),
            _ => {}
        };
        let interrupt = AtomicBool::new(false);
        run_from(&training, TrainingState::new(), Isa::best(), 1, watch, &interrupt);
        ends
    };
    let undelayed = ends(Duration::ZERO);
    assert!(undelayed.len() > 1, "{undelayed:?}");
    // Longer than it should be between two looks.
    assert_eq!(ends(Duration::from_millis(101)), undelayed);
}

#[test]
fn seeds_give_different_trainings() {
    let [mut scenario, ..] = kinds();
    let first = run(&training(&scenario), Isa::best(), 1);
    scenario.value.seed += 1;
    let second = run(&training(&scenario), Isa::best(), 1);
    assert_ne!(first.best.codes, second.best.codes);
}
