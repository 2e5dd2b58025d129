//! Same scenario and seed, same bits.

use std::sync::atomic::AtomicBool;

use bitloop_plant::Isa;
use bitloop_train::{Event, Outcome, TrainingState};

use crate::support::{essence, kinds, run, run_from, scenario, training};

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
            assert_eq!(Outcome { wall_s: best.wall_s, ..outcome }, best, "{}", isa.name());
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

#[test]
fn seeds_give_different_trainings() {
    let [mut scenario, ..] = kinds();
    let first = run(&training(&scenario), Isa::best(), 1);
    scenario.value.seed += 1;
    let second = run(&training(&scenario), Isa::best(), 1);
    assert_ne!(first.best.codes, second.best.codes);
}
