//! Threads that help each other change nothing, and none waits for one that is gone.

use crate::landscape::{Landscape, all_options, descend, options, rugged, scramble};
use bitloop_blm::{
    Cancel, Change, Idle, LocalSearch, Objective, Probe, SearchOptions, SearchState, Sequential,
    Step, speculate,
};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

type Cost<'a> = Box<dyn Fn(&[f64]) -> f64 + Send + Sync + 'a>;

/// Has an idle thread compute a cost wherever there is one, and takes a time that depends on the candidate.
struct Sociable<'a> {
    landscape: Landscape<Cost<'a>>,
    /// What a helper computes.
    helped_cost: Cost<'a>,
    desk: Mutex<Desk>,
    n_idle: AtomicUsize,
    n_posted: AtomicU64,
    n_helped: AtomicU64,
}

/// A request by its number.
enum Desk {
    Posted(u64, Vec<f64>),
    Taken(u64),
    Done(u64, f64),
    Empty,
}

impl<'a> Sociable<'a> {
    fn new(
        n_weights: usize,
        cost: impl Fn(&[f64]) -> f64 + Send + Sync + 'a,
        helped_cost: impl Fn(&[f64]) -> f64 + Send + Sync + 'a,
    ) -> Self {
        Self {
            landscape: Landscape::new(n_weights, Box::new(cost)),
            helped_cost: Box::new(helped_cost),
            desk: Mutex::new(Desk::Empty),
            n_idle: AtomicUsize::new(0),
            n_posted: AtomicU64::new(0),
            n_helped: AtomicU64::new(0),
        }
    }

    fn desk(&self) -> MutexGuard<'_, Desk> {
        self.desk.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What a helper makes of a candidate; `None` if there is none, or it is gone, or the probe is canceled.
    fn ask(&self, tried: &[f64], cancel: Cancel<'_>) -> Option<f64> {
        if self.n_idle.load(Ordering::Relaxed) == 0 || !cancel.is_oldest() {
            return None;
        }
        let number = self.n_posted.fetch_add(1, Ordering::Relaxed);
        {
            let mut desk = self.desk();
            if matches!(*desk, Desk::Posted(..) | Desk::Taken(_)) {
                return None;
            }
            *desk = Desk::Posted(number, tried.to_vec());
        }
        let mut n_looks = 0;
        loop {
            let mut desk = self.desk();
            match *desk {
                Desk::Done(done, cost) if done == number => return Some(cost),
                Desk::Posted(posted, _) if posted == number => {
                    if n_looks > 50 || cancel.is_canceled() {
                        *desk = Desk::Empty;
                        return None;
                    }
                }
                Desk::Taken(taken) if taken == number && !cancel.is_canceled() => {}
                _ => return None,
            }
            drop(desk);
            n_looks += 1;
            thread::yield_now();
        }
    }
}

impl Objective for Sociable<'_> {
    type Scratch = Vec<f64>;
    fn n_weights(&self) -> usize {
        self.landscape.n_weights()
    }
    fn scratch(&self) -> Vec<f64> {
        self.landscape.scratch()
    }
    fn set(&mut self, weights: &[f64]) -> f64 {
        self.landscape.set(weights)
    }
    fn probe(
        &self,
        tried: &mut Vec<f64>,
        changes: &[Change],
        bound: f64,
        cancel: Cancel<'_>,
    ) -> Probe {
        tried.copy_from_slice(&self.landscape.weights);
        for change in changes {
            tried[change.weight_index] = change.value;
        }
        for _ in 0..scramble(tried) % 16 {
            thread::yield_now();
            if let Some(cost) = self.ask(tried, cancel) {
                return Probe::from_cost(cost, cancel.bound(bound));
            }
        }
        Probe::from_cost((self.landscape.cost)(tried), cancel.bound(bound))
    }
    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.landscape.commit(changes, cost);
    }
    fn help(&self, _: &mut Vec<f64>, idle: Idle<'_>) {
        self.n_idle.fetch_add(1, Ordering::Relaxed);
        while !idle.is_over() {
            let mut desk = self.desk();
            let Desk::Posted(number, tried) = &*desk else {
                drop(desk);
                thread::yield_now();
                continue;
            };
            let (number, tried) = (*number, tried.clone());
            *desk = Desk::Taken(number);
            drop(desk);
            let cost = catch_unwind(AssertUnwindSafe(|| (self.helped_cost)(&tried)));
            *self.desk() = cost.as_ref().map_or(Desk::Empty, |&cost| Desk::Done(number, cost));
            self.n_helped.fetch_add(1, Ordering::Relaxed);
            if let Err(panic) = cost {
                self.n_idle.fetch_sub(1, Ordering::Relaxed);
                std::panic::resume_unwind(panic);
            }
        }
        self.n_idle.fetch_sub(1, Ordering::Relaxed);
    }
}

fn with_threads(
    options: SearchOptions,
    objective: &mut Sociable<'_>,
    n_threads: usize,
) -> Vec<(Step, SearchState)> {
    let n_threads = NonZeroUsize::new(n_threads).expect("not zero");
    speculate(objective, n_threads, |explorer| {
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        descend(&mut search, explorer, 7)
    })
}

#[test]
fn helped_probes_take_the_path_of_one_thread() {
    let mut n_helped = 0;
    for options in all_options(5, 2).into_iter().step_by(4) {
        let explorer = &mut Sequential::new(Landscape::new(4, rugged));
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        let sequential = descend(&mut search, explorer, u64::MAX);
        for n_threads in [1, 2, 3, 8] {
            let mut sociable = Sociable::new(4, rugged, rugged);
            let path = with_threads(options, &mut sociable, n_threads);
            assert_eq!(path, sequential, "{n_threads} threads, {options:?}");
            n_helped += sociable.n_helped.into_inner();
        }
    }
    assert!(n_helped > 0, "the test must see help");
}

#[test]
fn a_helper_or_a_helped_probe_that_panics_leaves_nobody_waiting() {
    let (mut n_helpers, mut n_helped) = (0, 0);
    for n_threads in [2, 3, 8] {
        for call in 1..12 {
            let n_calls = AtomicU64::new(0);
            let falls = |w: &[f64]| {
                assert!(n_calls.fetch_add(1, Ordering::Relaxed) < call, "fell apart");
                w.len() as f64
            };
            // Flat, so that all moves are probed.
            let sound = |w: &[f64]| w.len() as f64;
            for helper_falls in [true, false] {
                n_calls.store(0, Ordering::Relaxed);
                let mut objective = if helper_falls {
                    Sociable::new(6, sound, falls)
                } else {
                    Sociable::new(6, falls, sound)
                };
                let caught = catch_unwind(AssertUnwindSafe(|| {
                    with_threads(options(12, 12), &mut objective, n_threads)
                }));
                if let Err(panic) = caught {
                    assert_eq!(panic.downcast_ref(), Some(&"fell apart"));
                    n_helpers += u32::from(helper_falls);
                    n_helped += u32::from(!helper_falls);
                }
            }
        }
    }
    assert!(n_helpers > 0 && n_helped > 0, "{n_helpers} helpers and {n_helped} helped panicked");
}
