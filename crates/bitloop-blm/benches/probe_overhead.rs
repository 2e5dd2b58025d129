//! What the search adds to a probe: an objective that does nothing, explored to the end.

use bitloop_blm::{
    Candidates, Change, Coding, Freezing, Growth, Initialization, LocalSearch, MoveRule, Objective,
    Probe, ProbeControl, SearchOptions, Sequential, WeightGrid, speculate,
};
use divan::Bencher;
use divan::counter::ItemsCount;
use std::num::NonZeroUsize;

const N_WEIGHTS: usize = 1000;
const N_BITS: u32 = 12;

fn main() {
    divan::main();
}

/// Nothing improves; a probe burns `n_spins` rounds of arithmetic.
struct Flat {
    n_spins: u32,
}

impl Objective for Flat {
    type Scratch = f64;
    fn n_weights(&self) -> usize {
        N_WEIGHTS
    }
    fn scratch(&self) -> f64 {
        1.0
    }
    fn set(&mut self, _: &[f64]) -> Option<f64> {
        Some(0.0)
    }
    fn probe(&self, scratch: &mut f64, changes: &[Change], control: ProbeControl<'_>) -> Probe {
        for change in changes {
            for _ in 0..self.n_spins {
                *scratch = divan::black_box(*scratch * 0.5 + change.value);
            }
        }
        Probe::from_cost(1.0, control.bound())
    }
    fn commit(&mut self, _: &[Change], _: f64) {}
}

fn options() -> SearchOptions {
    SearchOptions {
        grid: WeightGrid::new(N_BITS, 1.0).expect("valid"),
        coding: Coding::Gray,
        freezing: Freezing::CoarseGrid,
        move_rule: MoveRule::FirstImproving,
        growth: Growth::Fixed,
        start_bits: N_BITS,
        initialization: Initialization::Full,
        candidates: Candidates::SingleFlips,
        kicks: None,
        sparsity: None,
    }
}

/// One whole neighborhood of an objective that costs next to nothing.
#[divan::bench]
fn sequential_overhead(bencher: Bencher) {
    let mut explorer = Sequential::new(Flat { n_spins: 1 });
    let mut begun = Sequential::new(Flat { n_spins: 1 });
    let mut run = 0;
    bencher
        .counter(ItemsCount::new(N_WEIGHTS * N_BITS as usize))
        .with_inputs(|| {
            // Another run, lest the permutation be known already.
            run += 1;
            LocalSearch::begin(options(), 1, run, &mut begun).expect("valid")
        })
        .bench_local_values(|mut search| search.step(&mut explorer, u64::MAX));
}

/// One whole neighborhood of probes of about a microsecond.
#[divan::bench(args = [1, 2])]
fn microsecond_probes(bencher: Bencher, n_threads: usize) {
    let n_threads = NonZeroUsize::new(n_threads).expect("not zero");
    speculate(Flat { n_spins: 300 }, n_threads, |explorer| {
        let search = LocalSearch::begin(options(), 1, 0, explorer).expect("valid");
        bencher
            .counter(ItemsCount::new(N_WEIGHTS * N_BITS as usize))
            .with_inputs(|| search.clone())
            .bench_local_values(|mut search| search.step(explorer, u64::MAX));
    });
}

/// Rounds of 50 probes of about a microsecond: what opening and closing a round costs.
#[divan::bench(args = [1, 2])]
fn short_rounds(bencher: Bencher, n_threads: usize) {
    let n_threads = NonZeroUsize::new(n_threads).expect("not zero");
    speculate(Flat { n_spins: 300 }, n_threads, |explorer| {
        let search = LocalSearch::begin(options(), 1, 0, explorer).expect("valid");
        bencher
            .counter(ItemsCount::new(5000_usize))
            .with_inputs(|| search.clone())
            .bench_local_values(|mut search| {
                for _ in 0..100 {
                    let _ = search.step(explorer, 50);
                }
            });
    });
}
