//! The search over examples: same moves whatever is saved on the way, and the saved network fits as the search says.

use std::num::NonZeroUsize;
use std::sync::Arc;

use bitloop_blm::{
    Candidates, Coding, Explorer, Freezing, Growth, Initialization, Kicks, LocalSearch, MoveRule,
    SearchOptions, SearchState, Sequential, Sparsity, Step, WeightGrid, speculate,
};
use bitloop_data::{Spirals, Supervised};
use bitloop_net::{Activation, Layer, Loss, Network, Samples, TargetKind, report};
use bitloop_plant::Isa;

use crate::spirals::load;

fn network() -> Network {
    let layers = vec![
        Layer::new(6, Activation::Tanh),
        Layer::new(5, Activation::Tanh),
        Layer::new(1, Activation::Logistic),
    ];
    Network::new(2, 1, layers).unwrap()
}

fn samples() -> Arc<Samples> {
    Arc::new(Samples::try_from(&load(Spirals::Halves193).training).unwrap())
}

fn grid() -> WeightGrid {
    WeightGrid::new(12, 6.0).unwrap()
}

fn objective(loss: Loss) -> Supervised {
    Supervised::new(network(), samples(), loss, grid(), 0.5).unwrap()
}

fn options(move_rule: MoveRule) -> SearchOptions {
    let grid = grid();
    SearchOptions {
        grid,
        coding: Coding::Gray,
        freezing: Freezing::CoarseGrid,
        move_rule,
        growth: Growth::AtLocalMinimum,
        start_bits: 2,
        initialization: Initialization::Bounded(grid.epsilon()),
        candidates: Candidates::SingleFlips,
        kicks: None,
        sparsity: None,
    }
}

fn all_options() -> Vec<SearchOptions> {
    let best_of = MoveRule::BestOf(NonZeroUsize::new(20).unwrap());
    let first = options(MoveRule::FirstImproving);
    vec![
        first,
        options(best_of),
        SearchOptions { candidates: Candidates::SeveralFlips { extra: 0.5 }, ..options(best_of) },
        SearchOptions { sparsity: Some(Sparsity { zero_share: 0.5, is_held: false }), ..first },
        SearchOptions { kicks: Some(Kicks { count: 3, flips: 4 }), ..first },
    ]
}

/// So many events, and the state at the end.
fn descend(
    options: SearchOptions,
    explorer: &mut impl Explorer<Objective = Supervised>,
) -> (Vec<Step>, SearchState) {
    let mut search = LocalSearch::begin(options, 3, 0, explorer).unwrap();
    let events = (0..250).map(|_| search.step(explorer, u64::MAX)).collect();
    (events, search.state().clone())
}

#[test]
fn threads_instruction_sets_and_early_abort_change_no_move() {
    for loss in [Loss::SquaredError, Loss::LogisticCrossEntropy] {
        for options in all_options() {
            let plain = objective(loss).map(|e| e.on(Isa::PORTABLE).with_early_abort(false));
            let expected = descend(options, &mut Sequential::new(plain));
            assert!(expected.1.n_moves > 100, "{options:?}");
            for isa in Isa::available() {
                let found =
                    descend(options, &mut Sequential::new(objective(loss).map(|e| e.on(isa))));
                assert!(found == expected, "{} {options:?}", isa.name());
            }
            let three = NonZeroUsize::new(3).unwrap();
            let found = speculate(objective(loss), three, |explorer| descend(options, explorer));
            assert!(found == expected, "three threads, {options:?}");
        }
    }
}

#[test]
fn a_resumed_search_is_the_one_that_was_never_stopped() {
    let options = options(MoveRule::FirstImproving);
    let (events, expected) = descend(options, &mut Sequential::new(objective(Loss::SquaredError)));
    let explorer = &mut Sequential::new(objective(Loss::SquaredError));
    let mut state = LocalSearch::begin(options, 3, 0, explorer).unwrap().state().clone();
    for event in events {
        // A new objective knows nothing but the weights.
        let explorer = &mut Sequential::new(objective(Loss::SquaredError));
        let mut search = LocalSearch::resume(options, state, explorer).unwrap();
        assert_eq!(search.step(explorer, u64::MAX), event);
        state = search.state().clone();
    }
    assert_eq!(state, expected);
}

#[test]
fn the_search_s_cost_is_the_error_that_a_report_tells() {
    let samples = samples();
    let unregularized =
        Supervised::new(network(), Arc::clone(&samples), Loss::SquaredError, grid(), 0.0).unwrap();
    let explorer = &mut Sequential::new(unregularized);
    let (_, state) = descend(options(MoveRule::FirstImproving), explorer);
    let weights = explorer.with_objective(|objective| objective.evaluation().weights().to_vec());
    let (loss, kind) = (Loss::SquaredError, TargetKind::Classes);
    let fit = report(Isa::best(), &network(), &weights, &samples, loss, kind).unwrap();
    // The search rounds signals to 35 binary places.
    assert!((fit.loss - state.current_cost).abs() < 1e-9, "{fit:?}");
    assert!(fit.classified.unwrap() > 0.5);

    // The penalty on weights is the mean of their squares, beside the sum of losses.
    let mut regularized =
        Supervised::new(network(), samples, Loss::SquaredError, grid(), 2.0).unwrap();
    let cost = bitloop_blm::Objective::set(&mut regularized, &weights).unwrap();
    let mean_square = weights.iter().map(|w| w * w).sum::<f64>() / weights.len() as f64;
    let expected = state.current_cost + 2.0 * mean_square / 193.0;
    assert!((cost - expected).abs() < 1e-12, "{cost} {expected}");
}
