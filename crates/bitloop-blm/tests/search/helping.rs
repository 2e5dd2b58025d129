//! Threads that help each other change no result, and none waits for one that has panicked.

use crate::landscape::{Landscape, all_options, options, rugged, run_to_end, scramble};
use bitloop_blm::{
    Change, LocalSearch, Objective, Probe, ProbeControl, SearchOptions, SearchState, Sequential,
    Step, speculate,
};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;

type Cost<'a> = Box<dyn Fn(&[f64]) -> f64 + Send + Sync + 'a>;

/// Has an idle thread compute a cost wherever there is one, and takes a time that depends on the candidate.
struct Divisible<'a> {
    landscape: Landscape<Cost<'a>>,
    /// What a helper computes.
    helped_cost: Cost<'a>,
    request: Mutex<Request>,
    n_posted: AtomicU64,
    n_helped: AtomicU64,
}

/// A request by its number.
enum Request {
    Posted(u64, Vec<f64>),
    Taken(u64),
    Done(u64, f64),
    Empty,
}

impl<'a> Divisible<'a> {
    fn new(
        n_weights: usize,
        cost: impl Fn(&[f64]) -> f64 + Send + Sync + 'a,
        helped_cost: impl Fn(&[f64]) -> f64 + Send + Sync + 'a,
    ) -> Self {
        Self {
            landscape: Landscape::new(n_weights, Box::new(cost)),
            helped_cost: Box::new(helped_cost),
            request: Mutex::new(Request::Empty),
            n_posted: AtomicU64::new(0),
            n_helped: AtomicU64::new(0),
        }
    }

    fn request(&self) -> MutexGuard<'_, Request> {
        self.request.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The cost that a helper computes; `None` if there is no helper, or it panicked, or the probe is called off.
    fn ask(&self, tried: &[f64], control: ProbeControl<'_>) -> Option<f64> {
        if !control.wants_help() {
            return None;
        }
        let number = self.n_posted.fetch_add(1, Ordering::Relaxed);
        {
            let mut request = self.request();
            if matches!(*request, Request::Posted(..) | Request::Taken(_)) {
                return None;
            }
            *request = Request::Posted(number, tried.to_vec());
        }
        let mut n_looks = 0;
        loop {
            let mut request = self.request();
            match *request {
                Request::Done(done, cost) if done == number => return Some(cost),
                Request::Posted(posted, _) if posted == number => {
                    if n_looks > 50 || control.is_called_off() {
                        *request = Request::Empty;
                        return None;
                    }
                }
                Request::Taken(taken) if taken == number && !control.is_called_off() => {}
                _ => return None,
            }
            drop(request);
            n_looks += 1;
            thread::yield_now();
        }
    }
}

impl Objective for Divisible<'_> {
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
        tried.copy_from_slice(&self.landscape.weights);
        for change in changes {
            tried[change.weight_index] = change.value;
        }
        for _ in 0..scramble(tried) % 16 {
            thread::yield_now();
            if let Some(cost) = self.ask(tried, control) {
                return Probe::from_cost(cost, control.bound());
            }
        }
        Probe::from_cost((self.landscape.cost)(tried), control.bound())
    }
    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.landscape.commit(changes, cost);
    }
    fn divides_probes(&self) -> bool {
        true
    }
    fn help(&self, _: &mut Vec<f64>) -> bool {
        let mut request = self.request();
        let Request::Posted(number, tried) = &*request else { return false };
        let (number, tried) = (*number, tried.clone());
        *request = Request::Taken(number);
        drop(request);
        let cost = catch_unwind(AssertUnwindSafe(|| (self.helped_cost)(&tried)));
        *self.request() = cost.as_ref().map_or(Request::Empty, |&cost| Request::Done(number, cost));
        self.n_helped.fetch_add(1, Ordering::Relaxed);
        if let Err(panic) = cost {
            std::panic::resume_unwind(panic);
        }
        true
    }
}

fn with_threads(
    options: SearchOptions,
    objective: &mut Divisible<'_>,
    n_threads: usize,
) -> Vec<(Step, SearchState)> {
    let n_threads = NonZeroUsize::new(n_threads).expect("not zero");
    speculate(objective, n_threads, |explorer| {
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        run_to_end(&mut search, explorer, 7)
    })
}

#[test]
fn helped_probes_take_the_path_of_one_thread() {
    let mut n_helped = 0;
    for options in all_options(5, 2).into_iter().step_by(4) {
        let explorer = &mut Sequential::new(Landscape::new(4, rugged));
        let mut search = LocalSearch::begin(options, 9, 0, explorer).expect("valid");
        let sequential = run_to_end(&mut search, explorer, u64::MAX);
        for n_threads in [1, 2, 3, 8] {
            let mut divisible = Divisible::new(4, rugged, rugged);
            let path = with_threads(options, &mut divisible, n_threads);
            assert_eq!(path, sequential, "{n_threads} threads, {options:?}");
            n_helped += divisible.n_helped.into_inner();
        }
    }
    assert!(n_helped > 0, "the test must see help");
}

#[test]
fn a_panic_of_a_helper_or_of_a_helped_probe_leaves_no_thread_waiting() {
    let (mut n_helpers, mut n_helped) = (0, 0);
    for n_threads in [2, 3, 8] {
        for call in 1..12 {
            let n_calls = AtomicU64::new(0);
            let panics = |w: &[f64]| {
                assert!(n_calls.fetch_add(1, Ordering::Relaxed) < call, "out of order");
                w.len() as f64
            };
            // Flat, so that all moves are probed.
            let sound = |w: &[f64]| w.len() as f64;
            for helper_panics in [true, false] {
                n_calls.store(0, Ordering::Relaxed);
                let mut objective = if helper_panics {
                    Divisible::new(6, sound, panics)
                } else {
                    Divisible::new(6, panics, sound)
                };
                let caught = catch_unwind(AssertUnwindSafe(|| {
                    with_threads(options(12, 12), &mut objective, n_threads)
                }));
                if let Err(panic) = caught {
                    assert_eq!(panic.downcast_ref(), Some(&"out of order"));
                    n_helpers += u32::from(helper_panics);
                    n_helped += u32::from(!helper_panics);
                }
            }
        }
    }
    assert!(n_helpers > 0 && n_helped > 0, "{n_helpers} helpers and {n_helped} helped panicked");
}
