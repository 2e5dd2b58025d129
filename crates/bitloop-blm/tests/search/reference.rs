//! The search against a naive one, written from the paper: all moves listed, probed in full.

use crate::landscape::{Landscape, all_options, rugged, run_to_end};
use bitloop_blm::{
    Growth, LocalSearch, MoveRule, Permutation, PermutationKey, SearchOptions, Sequential, Step,
    WeightCode, expected_failures,
};

const SEED: u64 = 3;

/// (events, codes, cost, evaluations) at the end of the naive search.
fn naive_run(options: &SearchOptions, mut codes: Vec<i32>) -> (Vec<Step>, Vec<i32>, f64, u64) {
    let n_bits = options.grid.bits_per_weight();
    let code = WeightCode::new(n_bits, options.coding, options.freezing);
    let cost_of =
        |codes: &[i32]| rugged(&codes.iter().map(|&h| options.grid.weight(h)).collect::<Vec<_>>());
    let (mut events, mut cost, mut n_evaluations) = (Vec::new(), cost_of(&codes), 1);
    let (mut unlocked, mut mean, mut neighborhood_index) = (options.start_bits, 0.0, 0);
    loop {
        let bits = unlocked as usize;
        let n_moves = codes.len() * bits;
        let key = PermutationKey { seed: SEED, run: 0, neighborhood_index, n_moves };
        let mut order = Permutation::new(key);
        let candidates: Vec<(f64, usize, Vec<i32>)> = (0..n_moves)
            .map(|position| {
                let move_index = order.get(position);
                let mut candidate = codes.clone();
                let bit = u32::try_from(move_index % bits).expect("small");
                let h = &mut candidate[move_index / bits];
                *h = code.flip(*h, bit, unlocked);
                (cost_of(&candidate), move_index, candidate)
            })
            .collect();
        let first = candidates.iter().position(|candidate| candidate.0 < cost);
        let min_probes = match options.move_rule {
            MoveRule::FirstImproving => 1,
            MoveRule::BestImproving => n_moves,
            MoveRule::BestOf(m) => m.get().min(n_moves),
        };
        let is_full = unlocked == options.final_bits();
        if let Some(first) = first {
            let n_probed = min_probes.max(first + 1);
            n_evaluations += n_probed as u64;
            let taken = candidates[..n_probed]
                .iter()
                .min_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)))
                .expect("not empty");
            (cost, codes) = (taken.0, taken.2.clone());
            neighborhood_index += 1;
            events.push(Step::Moved { cost, n_failed: first });
            if let Growth::Threshold { phi, eta } = options.growth {
                mean = eta * mean + (1.0 - eta) * first as f64;
                let few = (1..=n_moves).rev().find(|&k| k as f64 <= phi * n_moves as f64);
                if is_full || mean < expected_failures(few.unwrap_or(1), n_moves) {
                    continue;
                }
            } else {
                continue;
            }
        } else {
            n_evaluations += n_moves as u64;
            if is_full {
                events.push(Step::LocalMinimum);
                return (events, codes, cost, n_evaluations);
            }
        }
        unlocked += 1;
        neighborhood_index += 1;
        mean = 0.0;
        events.push(Step::BitUnlocked { unlocked_bits: unlocked });
    }
}

#[test]
fn every_kind_of_search_does_what_the_naive_one_does_and_ends_in_a_local_minimum() {
    for (n_weights, bits, start_bits) in [(2, 5, 2), (3, 4, 1), (4, 3, 3), (2, 2, 2)] {
        for options in all_options(bits, start_bits) {
            let explorer = &mut Sequential::new(Landscape::new(n_weights, rugged));
            let mut search = LocalSearch::begin(options, SEED, 0, explorer).expect("valid");
            let start = search.state().codes.clone();
            let mut incumbent = search.state().current_cost;
            let events = run_to_end(&mut search, explorer, u64::MAX);
            for (step, state) in &events {
                match step {
                    Step::Moved { .. } => assert!(state.current_cost < incumbent, "{options:?}"),
                    _ => assert_eq!(state.current_cost, incumbent),
                }
                incumbent = state.current_cost;
            }
            let (steps, codes, cost, n_evaluations) = naive_run(&options, start);
            assert!(events.iter().map(|event| event.0).eq(steps), "{options:?}");
            let state = search.state();
            assert_eq!((&state.codes, state.current_cost), (&codes, cost), "{options:?}");
            assert_eq!(state.n_evaluations, n_evaluations, "{options:?}");
            assert_eq!(search.step(explorer, 9), Step::LocalMinimum);
        }
    }
}
