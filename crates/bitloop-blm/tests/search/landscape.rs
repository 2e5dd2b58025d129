//! Small objectives, and the options to search them with.

use bitloop_blm::{
    Candidates, Change, Coding, Explorer, Freezing, Growth, Initialization, Kicks, LocalSearch,
    MoveRule, Objective, Probe, ProbeControl, SearchOptions, SearchState, Sparsity, Step,
    WeightGrid,
};
use std::num::NonZeroUsize;

/// Any function of the weights, as an objective.
pub struct Landscape<F> {
    pub weights: Vec<f64>,
    pub cost: F,
}

impl<F: Fn(&[f64]) -> f64 + Send + Sync> Landscape<F> {
    pub fn new(n_weights: usize, cost: F) -> Self {
        Self { weights: vec![0.0; n_weights], cost }
    }
}

impl<F: Fn(&[f64]) -> f64 + Send + Sync> Objective for Landscape<F> {
    type Scratch = Vec<f64>;

    fn n_weights(&self) -> usize {
        self.weights.len()
    }

    fn scratch(&self) -> Vec<f64> {
        self.weights.clone()
    }

    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        self.weights.copy_from_slice(weights);
        Some((self.cost)(weights))
    }

    fn probe(&self, tried: &mut Vec<f64>, changes: &[Change], control: ProbeControl<'_>) -> Probe {
        tried.copy_from_slice(&self.weights);
        for change in changes {
            tried[change.weight_index] = change.value;
        }
        Probe::from_cost((self.cost)(tried), control.bound())
    }

    fn commit(&mut self, changes: &[Change], cost: f64) {
        for change in changes {
            self.weights[change.weight_index] = change.value;
        }
        let recomputed = (self.cost)(&self.weights);
        assert_eq!(recomputed.to_bits(), cost.to_bits(), "the search commits what it probed");
    }
}

/// A word that any change of a weight scrambles.
pub fn scramble(weights: &[f64]) -> u64 {
    weights.iter().fold(0x9e37_79b9_7f4a_7c15, |hash, weight| {
        let mixed = (hash ^ weight.to_bits()).wrapping_mul(0xff51_afd7_ed55_8ccd);
        mixed ^ (mixed >> 29)
    })
}

/// A bowl with 16 levels of noise on top, so that there are local minima and ties.
pub fn rugged(weights: &[f64]) -> f64 {
    let bowl: f64 = weights.iter().map(|w| (w - 0.3) * (w - 0.3)).sum();
    let noise = (scramble(weights) >> 60) as f64 / 8.0;
    (8.0 * bowl).round() / 8.0 + noise
}

/// Gray code, number frozen, first improving, unlocked at local minima, on a grid of [-1, 1].
pub fn options(bits_per_weight: u32, start_bits: u32) -> SearchOptions {
    SearchOptions {
        grid: WeightGrid::new(bits_per_weight, 1.0).expect("valid"),
        coding: Coding::Gray,
        freezing: Freezing::CoarseGrid,
        move_rule: MoveRule::FirstImproving,
        growth: Growth::AtLocalMinimum,
        start_bits,
        initialization: Initialization::Full,
        candidates: Candidates::SingleFlips,
        kicks: None,
        sparsity: None,
    }
}

pub fn best_of(n_probes: usize) -> MoveRule {
    MoveRule::BestOf(NonZeroUsize::new(n_probes).expect("not zero"))
}

/// All kinds of searches of one grid.
pub fn all_options(bits_per_weight: u32, start_bits: u32) -> Vec<SearchOptions> {
    let base = options(bits_per_weight, start_bits);
    let mut all = Vec::new();
    for coding in [Coding::Gray, Coding::Binary] {
        for freezing in [Freezing::CoarseGrid, Freezing::GrayBits] {
            for growth in [
                Growth::Fixed,
                Growth::AtLocalMinimum,
                Growth::Threshold { phi: 0.2, eta: 0.5 },
                Growth::Threshold { phi: 0.01, eta: 0.9 },
            ] {
                for move_rule in [
                    MoveRule::FirstImproving,
                    MoveRule::BestImproving,
                    best_of(2),
                    best_of(5),
                    best_of(usize::MAX),
                ] {
                    all.push(SearchOptions { coding, freezing, growth, move_rule, ..base });
                }
            }
        }
    }
    all
}

/// Searches that keep weights at zero, with each move rule.
pub fn all_sparse_options(bits_per_weight: u32, start_bits: u32) -> Vec<SearchOptions> {
    let base = options(bits_per_weight, start_bits);
    let mut all = Vec::new();
    for zero_share in [0.0, 0.5, 0.9] {
        for move_rule in [MoveRule::FirstImproving, MoveRule::BestImproving, best_of(4)] {
            for freezing in [Freezing::CoarseGrid, Freezing::GrayBits] {
                let sparsity = Some(Sparsity { zero_share, is_held: false });
                all.push(SearchOptions { move_rule, freezing, sparsity, ..base });
            }
        }
    }
    all
}

/// Searches that kick, single flips and several, with each move rule.
pub fn all_kicking_options(bits_per_weight: u32, start_bits: u32) -> Vec<SearchOptions> {
    let kicks = Some(Kicks { count: 5, flips: 2 });
    let mut all = Vec::new();
    for candidates in [Candidates::SingleFlips, Candidates::SeveralFlips { extra: 0.5 }] {
        for move_rule in [MoveRule::FirstImproving, MoveRule::BestImproving, best_of(4)] {
            let base = options(bits_per_weight, start_bits);
            all.push(SearchOptions { candidates, move_rule, kicks, ..base });
        }
    }
    all
}

/// Steps to the end; gives all events but pauses, and the state after each.
pub fn run_to_end<E: Explorer>(
    search: &mut LocalSearch,
    explorer: &mut E,
    probe_limit: u64,
) -> Vec<(Step, SearchState)> {
    let mut events = Vec::new();
    loop {
        match search.step(explorer, probe_limit) {
            Step::Paused => {}
            step => {
                events.push((step, search.state().clone()));
                if step == Step::LocalMinimum {
                    return events;
                }
            }
        }
    }
}
