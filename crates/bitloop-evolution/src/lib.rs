//! Generations of CMA-ES over real weights, by the crate `cmaes`.
//!
//! This crate owns what a generation is: which of its candidates are evaluated, how weights beyond the largest one are
//! mirrored back, and what a candidate costs whose evaluation met a fault. It must not know tasks nor trainings: the cost is
//! a function of a stage and of weights. So the linear algebra is compiled once, and at full optimization, which callers
//! need not have.

#![forbid(unsafe_code)]

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use bitloop_blm::Probe;
use cmaes::{CMAES, CMAESOptions, DVector, ObjectiveFunction, ParallelObjectiveFunction};
use rayon::ThreadPool;

/// The cost of a candidate that is worse than any other: finite, since the crate computes differences of costs.
pub const WORST: f64 = 1e300;

/// How a run of the strategy begins.
#[derive(Clone, Debug, PartialEq)]
pub struct Beginning {
    /// `[n_weights]`, at least one.
    pub mean: Vec<f64>,
    /// The standard deviation of each weight.
    pub sigma: f64,
    /// Candidates of a generation.
    pub population: usize,
    /// Of the crate's random numbers.
    pub seed: u64,
}

/// How a generation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generation {
    /// Another one can follow.
    OneOfMany,
    /// The run has converged.
    Last,
    /// An evaluation was called off before the end of the generation, which does not count.
    Canceled,
}

/// The cost of candidates, as the strategy asks for it.
pub struct Candidates<'a> {
    /// Of a stage and weights.
    cost: &'a (dyn Fn(usize, &[f64]) -> Probe + Sync),
    max_weight: f64,
    stage: AtomicUsize,
    /// Candidates that are still evaluated in this generation; the others get the worst cost.
    n_left: AtomicU64,
    is_canceled: AtomicBool,
    /// Faulty candidates of this generation.
    n_faults: AtomicU64,
}

impl<'a> Candidates<'a> {
    /// Candidates whose weights are within plus and minus `max_weight`.
    pub fn new(cost: &'a (dyn Fn(usize, &[f64]) -> Probe + Sync), max_weight: f64) -> Self {
        Self {
            cost,
            max_weight,
            stage: AtomicUsize::new(0),
            n_left: AtomicU64::new(0),
            is_canceled: AtomicBool::new(false),
            n_faults: AtomicU64::new(0),
        }
    }

    /// Prepares for a generation.
    fn prepare(&self, stage: usize, n_allowed: u64) {
        self.stage.store(stage, Ordering::Relaxed);
        self.n_left.store(n_allowed, Ordering::Relaxed);
        self.is_canceled.store(false, Ordering::Relaxed);
        self.n_faults.store(0, Ordering::Relaxed);
    }

    fn cost(&self, point: &DVector<f64>) -> f64 {
        let is_allowed = |n_left: u64| n_left.checked_sub(1);
        let allowed = self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_allowed);
        if allowed.is_err() || self.is_canceled.load(Ordering::Relaxed) {
            return WORST;
        }
        let weights = mirrored(point, self.max_weight);
        match (self.cost)(self.stage.load(Ordering::Relaxed), &weights) {
            Probe::Below(cost) => cost.min(WORST),
            Probe::NotBelow => WORST,
            Probe::Faulty => {
                self.n_faults.fetch_add(1, Ordering::Relaxed);
                WORST
            }
            Probe::CalledOff => {
                self.is_canceled.store(true, Ordering::Relaxed);
                WORST
            }
        }
    }
}

impl ObjectiveFunction for &Candidates<'_> {
    fn evaluate(&mut self, point: &DVector<f64>) -> f64 {
        self.cost(point)
    }
}

impl ParallelObjectiveFunction for &Candidates<'_> {
    fn evaluate_parallel(&self, point: &DVector<f64>) -> f64 {
        self.cost(point)
    }
}

/// A run of active CMA-ES.
pub struct Strategy<'a> {
    candidates: &'a Candidates<'a>,
    cmaes: CMAES<&'a Candidates<'a>>,
}

impl<'a> Strategy<'a> {
    /// Begins a run.
    ///
    /// # Panics
    /// Without weights, with fewer than 2 candidates in a generation, or a deviation that is not above 0.
    pub fn begin(beginning: Beginning, candidates: &'a Candidates<'a>) -> Self {
        let Beginning { mean, sigma, population, seed } = beginning;
        let cmaes = CMAESOptions::new(mean, sigma)
            .population_size(population)
            .seed(seed)
            .build(candidates)
            .expect("the caller checked the options");
        Self { candidates, cmaes }
    }

    /// Candidates of a generation.
    pub fn population(&self) -> u64 {
        self.cmaes.parameters().lambda() as u64
    }

    /// The next generation, on a stage. Of its candidates, `n_allowed` at most are evaluated, by the threads of `pool` if all
    /// are: which ones of a part are evaluated is determined only in sequential order.
    pub fn generation(
        &mut self,
        stage: usize,
        n_allowed: u64,
        pool: Option<&ThreadPool>,
    ) -> Generation {
        self.candidates.prepare(stage, n_allowed);
        let end = match pool {
            Some(pool) if self.population() <= n_allowed => {
                pool.install(|| self.cmaes.next_parallel())
            }
            _ => self.cmaes.next(),
        };
        if self.candidates.is_canceled.load(Ordering::Relaxed) {
            Generation::Canceled
        } else if end.is_some() {
            Generation::Last
        } else {
            Generation::OneOfMany
        }
    }

    /// Faulty candidates of the last generation.
    pub fn n_faults(&self) -> u64 {
        self.candidates.n_faults.load(Ordering::Relaxed)
    }

    /// The weights and the cost of the best candidate of the last generation, if its cost is below `bound` and not the
    /// worst.
    pub fn best_below(&self, bound: f64) -> Option<(Vec<f64>, f64)> {
        let best = self.cmaes.current_best_individual()?;
        let is_below = best.value < bound.min(WORST);
        is_below.then(|| (mirrored(&best.point, self.candidates.max_weight), best.value))
    }
}

/// Weights within plus and minus `max_weight`, by repeated reflection at both.
fn mirrored(point: &DVector<f64>, max_weight: f64) -> Vec<f64> {
    let period = 4.0 * max_weight;
    point
        .iter()
        .map(|&x| {
            if x.abs() <= max_weight {
                return x;
            }
            // From the lower bound on, up for half a period, then down.
            let phase = (x + max_weight).rem_euclid(period);
            let distance = if phase <= 0.5 * period { phase } else { period - phase };
            (distance - max_weight).clamp(-max_weight, max_weight)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_mirrored_at_the_largest_one() {
        let points = DVector::from(vec![0.25, -2.0, 2.5, -2.5, 6.0, 7.0, -7.0, 10.5, 1e300]);
        let within = mirrored(&points, 2.0);
        assert_eq!(within[..8], [0.25, -2.0, 1.5, -1.5, -2.0, -1.0, 1.0, 1.5]);
        assert!(within[8].abs() <= 2.0);
    }
}
