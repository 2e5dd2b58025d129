//! Early abort changes no accepted move.

use bitloop_blm::{Explorer, LocalSearch, Objective, Sequential, Step};
use bitloop_plant::Isa;
use bitloop_train::{ClosedLoopObjective, Training};

use crate::in_full::InFull;
use crate::stand::{kinds, training};

/// Every accepted move of a descent of some 2000 evaluations, and the plant steps that it took.
fn moves<O: Objective>(
    training: &Training,
    objective: O,
    plant_steps: impl Fn(&O) -> u64,
) -> (Vec<(Vec<i32>, u64, u64)>, u64) {
    let mut explorer = Sequential::new(objective);
    let options = *training.blm().expect("telescopic BLM");
    let mut search = LocalSearch::begin(options, 7, 0, &mut explorer).expect("valid");
    let mut accepted = Vec::new();
    while search.state().n_evaluations < 2000 {
        match search.step(&mut explorer, 100) {
            Step::LocalMinimum => break,
            Step::Moved { cost, .. } => {
                let state = search.state();
                accepted.push((state.codes.clone(), state.n_evaluations, cost.to_bits()));
            }
            _ => {}
        }
    }
    let steps = explorer.with_objective(|objective| plant_steps(objective));
    (accepted, steps)
}

#[test]
fn whole_descents_with_and_without_early_abort_accept_the_same_moves() {
    for scenario in kinds() {
        let training = training(&scenario);
        let objective = || ClosedLoopObjective::of(&training, Isa::best());
        let (with, fewer) = moves(&training, objective(), ClosedLoopObjective::plant_steps);
        let (without, all) = moves(&training, InFull(objective()), |full| full.0.plant_steps());
        assert!(with.len() > 5);
        assert_eq!(with, without);
        assert!(fewer < all, "abort saved nothing: {fewer} of {all} plant steps");
    }
}
