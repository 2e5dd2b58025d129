//! Early abort changes no accepted move.

use bitloop_blm::{LocalSearch, Objective, SearchOptions, Sequential, Step};
use bitloop_plant::Isa;
use bitloop_train::{Task, WorkCounter};

use crate::in_full::InFull;
use crate::small_trainings::{kinds, training};
use crate::support::search_options;

/// Every accepted move of a run of some 2000 evaluations.
fn moves<O: Objective>(options: SearchOptions, objective: O) -> Vec<(Vec<i32>, u64, u64)> {
    let mut explorer = Sequential::new(objective);
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
    accepted
}

#[test]
fn whole_runs_with_and_without_early_abort_accept_the_same_moves() {
    for scenario in kinds() {
        let training = training(&scenario);
        let (aborting, in_full) = (WorkCounter::default(), WorkCounter::default());
        let objective =
            |work| training.task.objective(Isa::best(), work, &|| false).expect("it fits");
        let options = search_options(&scenario);
        let with = moves(options, objective(&aborting));
        let without = moves(options, InFull(objective(&in_full)));
        let (fewer, all) = (aborting.plant_steps(), in_full.plant_steps());
        assert!(with.len() > 5);
        assert_eq!(with, without);
        assert!(fewer < all, "abort saved nothing: {fewer} of {all} plant steps");
    }
}
