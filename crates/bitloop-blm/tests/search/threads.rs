//! Any number of threads takes the same path, and panics come through.

use crate::landscape::{
    Landscape, all_kicking_options, all_options, all_sparse_options, options, rugged, run_to_end,
    scramble,
};
use bitloop_blm::{
    Change, Explorer, LocalSearch, Objective, Probe, ProbeControl, SearchOptions, SearchState,
    Sequential, Step, speculate,
};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).expect("not zero")
}

fn with_threads<O: Objective>(
    options: SearchOptions,
    objective: O,
    n_threads: usize,
    probe_limit: u64,
) -> Vec<(Step, SearchState)> {
    speculate(objective, threads(n_threads), |explorer| {
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        run_to_end(&mut search, explorer, probe_limit)
    })
}

#[test]
fn every_number_of_threads_takes_the_path_of_one() {
    for options in all_options(5, 2)
        .into_iter()
        .chain(all_kicking_options(5, 2))
        .chain(all_sparse_options(5, 2))
    {
        let explorer = &mut Sequential::new(Landscape::new(4, rugged));
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        let sequential = run_to_end(&mut search, explorer, u64::MAX);
        for n_threads in [1, 2, 3, 8] {
            let path = with_threads(options, Landscape::new(4, rugged), n_threads, u64::MAX);
            assert_eq!(path, sequential, "{n_threads} threads, {options:?}");
        }
        let paused = with_threads(options, &mut Landscape::new(4, rugged), 3, 4);
        assert_eq!(paused, sequential, "pauses, {options:?}");
    }
}

/// Takes a time that depends on the candidate, stops when it is called off, and then gives wrong answers.
struct Uneven {
    landscape: Landscape<fn(&[f64]) -> f64>,
    n_called_off: AtomicU64,
}

impl Objective for Uneven {
    type Scratch = Vec<f64>;
    fn n_weights(&self) -> usize {
        self.landscape.n_weights()
    }
    fn scratch(&self) -> Vec<f64> {
        self.landscape.scratch()
    }
    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        self.landscape.set(weights)
    }
    fn probe(&self, tried: &mut Vec<f64>, changes: &[Change], control: ProbeControl<'_>) -> Probe {
        let outcome = self.landscape.probe(tried, changes, control);
        for _ in 0..scramble(tried) % 64 {
            if control.is_called_off() {
                let n_before = self.n_called_off.fetch_add(1, Ordering::Relaxed);
                return match n_before % 4 {
                    0 => Probe::Below(-1.0),
                    1 => Probe::NotBelow,
                    2 => Probe::Faulty,
                    _ => Probe::CalledOff,
                };
            }
            thread::yield_now();
        }
        outcome
    }
    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.landscape.commit(changes, cost);
    }
}

#[test]
fn uneven_probes_and_called_off_ones_change_nothing() {
    let mut n_called_off = 0;
    for mut options in all_options(6, 2).into_iter().step_by(3) {
        options.start_bits = 3;
        let explorer = &mut Sequential::new(Landscape::new(4, rugged));
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        let sequential = run_to_end(&mut search, explorer, u64::MAX);
        for n_threads in [2, 8] {
            let landscape = Landscape::new(4, rugged as fn(&[f64]) -> f64);
            let mut uneven = Uneven { landscape, n_called_off: AtomicU64::new(0) };
            assert_eq!(with_threads(options, &mut uneven, n_threads, u64::MAX), sequential);
            n_called_off += uneven.n_called_off.into_inner();
        }
    }
    assert!(n_called_off > 0, "the test must see probes that are called off");
}

/// A panic on any thread reaches the caller, and all threads end.
#[test]
fn a_panic_in_a_probe_is_passed_on() {
    let n_calls = AtomicU64::new(0);
    for n_threads in [1, 2, 3, 8] {
        for call in [1, 2, 5, 20, 40] {
            n_calls.store(0, Ordering::Relaxed);
            let fails = |w: &[f64]| {
                let is_due = n_calls.fetch_add(1, Ordering::Relaxed) == call;
                assert!(!is_due, "probe {call} failed");
                // Flat, so that all moves are probed.
                w.len() as f64
            };
            let objective = Landscape::new(6, fails);
            let caught = catch_unwind(AssertUnwindSafe(|| {
                with_threads(options(12, 12), objective, n_threads, u64::MAX)
            }));
            let panic = caught.expect_err("must panic");
            let message = panic.downcast_ref::<String>().expect("the objective's own message");
            assert_eq!(message, &format!("probe {call} failed"));
        }
    }
}

#[test]
fn a_panic_in_commit_or_in_the_callers_code_ends_all_threads() {
    struct NoCommit;
    impl Objective for NoCommit {
        type Scratch = ();
        fn n_weights(&self) -> usize {
            2
        }
        fn scratch(&self) {}
        fn set(&mut self, _: &[f64]) -> Option<f64> {
            Some(1.0)
        }
        fn probe(&self, (): &mut (), _: &[Change], control: ProbeControl<'_>) -> Probe {
            Probe::from_cost(0.5, control.bound())
        }
        fn commit(&mut self, _: &[Change], _: f64) {
            panic!("no commit");
        }
    }
    let caught = catch_unwind(|| with_threads(options(8, 8), NoCommit, 3, u64::MAX));
    assert!(caught.is_err());
    let caught = catch_unwind(|| {
        speculate(NoCommit, threads(3), |explorer| {
            explorer.with_objective(|objective| objective.set(&[0.0]));
            panic!("the caller's own");
        })
    });
    assert!(caught.is_err());
}

#[test]
fn the_objective_can_be_lent_between_steps() {
    let mut landscape = Landscape::new(3, rugged);
    let current = speculate(&mut landscape, threads(2), |explorer| {
        let mut search = LocalSearch::begin(options(4, 2), 1, 0, explorer).expect("valid");
        run_to_end(&mut search, explorer, u64::MAX);
        let current = explorer.with_objective(|objective| objective.weights.clone());
        assert_eq!(current, search.weights());
        current
    });
    assert_eq!(current, landscape.weights);
}
