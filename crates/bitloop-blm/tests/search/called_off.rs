//! Evaluations that are called off from outside leave a state that continues as if nothing had happened, and faults are counted
//! the same for any number of threads.

use crate::landscape::{Landscape, all_kicking_options, all_options, options, rugged, scramble};
use bitloop_blm::{
    BlmError, Change, Explorer, LocalSearch, Objective, Probe, ProbeControl, SearchOptions,
    SearchState, Sequential, Step, speculate,
};
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicU64, Ordering};

/// Calls off every evaluation after the first so many, until it is allowed more; some candidates are faulty.
struct Stopped {
    landscape: Landscape<fn(&[f64]) -> f64>,
    n_left: AtomicU64,
}

impl Stopped {
    fn new(n_weights: usize, n_left: u64) -> Self {
        Self { landscape: Landscape::new(n_weights, rugged), n_left: AtomicU64::new(n_left) }
    }

    fn is_stopped(&self) -> bool {
        let take_one = |n_left: u64| n_left.checked_sub(1);
        self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take_one).is_err()
    }
}

impl Objective for Stopped {
    type Scratch = Vec<f64>;
    fn n_weights(&self) -> usize {
        self.landscape.n_weights()
    }
    fn scratch(&self) -> Vec<f64> {
        self.landscape.scratch()
    }
    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        if self.is_stopped() { None } else { self.landscape.set(weights) }
    }
    fn probe(&self, tried: &mut Vec<f64>, changes: &[Change], control: ProbeControl<'_>) -> Probe {
        if self.is_stopped() {
            return Probe::CalledOff;
        }
        let probe = self.landscape.probe(tried, changes, control);
        if scramble(tried).is_multiple_of(5) { Probe::Faulty } else { probe }
    }
    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.landscape.commit(changes, cost);
    }
}

/// The events of a run and the states after them, pauses and calls-off left out, and how often it was called off. Each time it
/// is, `n_more` evaluations more are allowed.
fn run<E: Explorer<Objective = Stopped>>(
    options: SearchOptions,
    explorer: &mut E,
    n_more: u64,
) -> (Vec<(Step, SearchState)>, u64) {
    let mut n_called_off = 0;
    let mut go_on = |explorer: &mut E| {
        n_called_off += 1;
        explorer.with_objective(|objective| objective.n_left.store(n_more, Ordering::Relaxed));
    };
    let mut search = loop {
        match LocalSearch::begin(options, 9, 0, explorer) {
            Ok(search) => break search,
            Err(error) => assert_eq!(error, BlmError::CalledOff),
        }
        go_on(explorer);
    };
    let mut path = Vec::new();
    loop {
        match search.step(explorer, 7) {
            Step::Paused => {}
            Step::CalledOff => go_on(explorer),
            step => {
                path.push((step, search.state().clone()));
                if step == Step::LocalMinimum {
                    return (path, n_called_off);
                }
            }
        }
    }
}

#[test]
fn a_run_that_is_called_off_again_and_again_takes_the_same_path() {
    let mut n_in_all = 0;
    for options in all_options(5, 2)
        .into_iter()
        .step_by(3)
        .chain(all_kicking_options(5, 2).into_iter().step_by(2))
    {
        let (whole, n_called_off) =
            run(options, &mut Sequential::new(Stopped::new(4, u64::MAX)), 0);
        assert_eq!(n_called_off, 0);
        let n_faulty = whole.last().expect("a local minimum").1.n_faulty;
        assert!(n_faulty > 0, "the test must see faults, {options:?}");
        let (stopped, n_called_off) = run(options, &mut Sequential::new(Stopped::new(4, 0)), 1);
        assert_eq!(stopped, whole, "one evaluation at a time, {options:?}");
        n_in_all += n_called_off;
        for n_threads in [2, 3, 8] {
            let n_threads = NonZeroUsize::new(n_threads).expect("not zero");
            let (free, _) = speculate(Stopped::new(4, u64::MAX), n_threads, |explorer| {
                run(options, explorer, 0)
            });
            assert_eq!(free, whole, "{n_threads} threads, {options:?}");
            let (stopped, n_called_off) =
                speculate(Stopped::new(4, 0), n_threads, |explorer| run(options, explorer, 40));
            assert_eq!(stopped, whole, "called off on {n_threads} threads, {options:?}");
            n_in_all += n_called_off;
        }
    }
    assert!(n_in_all > 1000, "called off only {n_in_all} times");
}

#[test]
fn a_new_evaluation_of_a_changed_objective_can_be_called_off() {
    let explorer = &mut Sequential::new(Stopped::new(4, 1));
    let mut search = LocalSearch::begin(options(5, 2), 9, 0, explorer).expect("one evaluation");
    let before = search.state().clone();
    assert_eq!(search.reevaluate(explorer), None);
    assert_eq!(search.state(), &before);
    explorer.with_objective(|objective| objective.n_left.store(1, Ordering::Relaxed));
    assert_eq!(search.reevaluate(explorer), Some(before.current_cost));
    assert_eq!(search.state().n_evaluations, 2);
    // And so can the first one of a resumed search.
    let saved = search.state().clone();
    let resumed = LocalSearch::resume(options(5, 2), saved, explorer);
    assert_eq!(resumed.err(), Some(BlmError::CalledOff));
}
