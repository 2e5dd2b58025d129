//! Weights at zero are left alone as long as others improve.

use crate::landscape::{Landscape, all_sparse_options, options, rugged};
use bitloop_blm::{
    Candidates, Kicks, LocalSearch, MoveRule, SearchOptions, SearchState, Sequential, Sparsity,
    Step, WeightCode,
};

/// The costs of all moves of the weights for which `is_meant` holds, as (weight, cost).
fn candidates(
    options: &SearchOptions,
    state: &SearchState,
    is_meant: impl Fn(i32) -> bool,
) -> Vec<(usize, f64)> {
    let code = WeightCode::new(options.grid.bits_per_weight(), options.coding, options.freezing);
    let mut found = Vec::new();
    for (weight_index, &own) in state.codes.iter().enumerate().filter(|(_, code)| is_meant(**code))
    {
        for bit in 0..state.unlocked_bits {
            let mut codes = state.codes.clone();
            codes[weight_index] = code.flip(own, bit, state.unlocked_bits);
            let weights: Vec<f64> = codes.iter().map(|&code| options.grid.weight(code)).collect();
            found.push((weight_index, rugged(&weights)));
        }
    }
    found
}

#[test]
fn zeros_move_only_when_nothing_else_improves() {
    let (mut n_of_zeros, mut n_of_others) = (0, 0);
    for options in all_sparse_options(5, 2) {
        for seed in 0..20 {
            let explorer = &mut Sequential::new(Landscape::new(5, rugged));
            let mut search = LocalSearch::begin(options, seed, 0, explorer).expect("valid");
            loop {
                let before = search.state().clone();
                let step = search.step(explorer, u64::MAX);
                let cost = before.current_cost;
                match step {
                    Step::LocalMinimum => break,
                    Step::Moved { .. } => {}
                    _ => continue,
                }
                let after = &search.state().codes;
                let moved = (0..5).find(|&i| after[i] != before.codes[i]).expect("one moved");
                let of_others = candidates(&options, &before, |code| code != 0);
                let lowest = of_others.iter().map(|c| c.1).fold(f64::INFINITY, f64::min);
                if before.codes[moved] == 0 {
                    n_of_zeros += 1;
                    assert!(lowest >= cost, "others improve, {options:?}");
                } else {
                    n_of_others += 1;
                    // Best improving means the best of the others.
                    if options.move_rule == MoveRule::BestImproving {
                        assert_eq!(search.state().current_cost, lowest, "{options:?}");
                    }
                }
            }
            let all = candidates(&options, search.state(), |_| true);
            let minimum = search.state().current_cost;
            assert!(all.iter().all(|candidate| candidate.1 >= minimum), "a local minimum");
        }
    }
    assert!(n_of_zeros > 100 && n_of_others > 100, "{n_of_zeros} and {n_of_others}");
}

#[test]
fn the_share_of_zeros_is_reported() {
    let sparsity = Some(Sparsity { zero_share: 0.5, is_held: false });
    let explorer = &mut Sequential::new(Landscape::new(10, rugged));
    let search = LocalSearch::begin(SearchOptions { sparsity, ..options(6, 2) }, 1, 0, explorer);
    assert_eq!(search.expect("valid").state().zero_share(), 0.5);
}

#[test]
fn no_weight_at_zero_is_the_plain_order() {
    // From codes without zeros, up to the first step, the same move is taken.
    let explorer = &mut Sequential::new(Landscape::new(3, rugged));
    let step = |sparsity, explorer: &mut Sequential<_>| {
        let options = SearchOptions { sparsity, ..options(6, 2) };
        let codes = vec![5, -7, 11];
        let mut search = LocalSearch::begin_at(options, codes, 4, 0, explorer).expect("valid");
        (search.step(explorer, u64::MAX), search.state().clone())
    };
    let plain = step(None, explorer);
    assert_eq!(step(Some(Sparsity { zero_share: 0.5, is_held: false }), explorer), plain);
}

#[test]
fn zeros_that_are_held_stay_and_others_move() {
    let mut n_moves = 0;
    for options in all_sparse_options(6, 2) {
        let Some(sparsity) = options.sparsity else { continue };
        let held = Some(Sparsity { is_held: true, ..sparsity });
        let kicks = Some(Kicks { count: 3, flips: 4 });
        for candidates in [Candidates::SingleFlips, Candidates::SeveralFlips { extra: 0.5 }] {
            let options = SearchOptions { sparsity: held, kicks, candidates, ..options };
            let n_zeros = (1..=6).filter(|&n| f64::from(n) <= sparsity.zero_share * 6.0).count();
            for seed in 0..5 {
                let explorer = &mut Sequential::new(Landscape::new(6, rugged));
                let mut search = LocalSearch::begin(options, seed, 0, explorer).expect("valid");
                loop {
                    let step = search.step(explorer, u64::MAX);
                    let codes = &search.state().codes;
                    let found = codes.iter().filter(|&&code| code == 0).count();
                    assert!(found >= n_zeros, "{found} of {n_zeros}, {options:?}");
                    n_moves += usize::from(matches!(step, Step::Moved { .. }));
                    if step == Step::LocalMinimum {
                        break;
                    }
                }
            }
        }
    }
    assert!(n_moves > 100, "{n_moves}");
}
