//! [`Descent`]: what the gradient-based baselines have in common, so that budgets stop them between steps.

use bitloop_random::{Purpose, Stream};

use crate::error_function::Counts;

/// A descent by gradients, step by step.
pub trait Descent {
    /// One step downhill.
    fn step(&mut self) -> DescentStep;

    /// The current weights: `[n_weights]`.
    fn weights(&self) -> &[f64];

    /// Their cost.
    fn cost(&self) -> f64;

    /// The evaluations of the error function so far.
    fn counts(&self) -> Counts;
}

/// The outcome of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub enum DescentStep {
    /// The weights have moved.
    Moved,
    /// No step lowers the cost: a stationary point to rounding.
    Converged,
    /// The next cost is not finite; the weights are those before.
    Diverged,
}

/// Random weights of a descent, uniform in `[-range, range]`, from stream (`seed`, [`Purpose::Baseline`], `run`, 0).
#[must_use]
pub fn initial_weights(n_weights: usize, range: f64, seed: u64, run: u64) -> Vec<f64> {
    let mut stream = Stream::new(seed, Purpose::Baseline, run, 0);
    (0..n_weights).map(|_| range * (2.0 * stream.uniform_f64() - 1.0)).collect()
}
