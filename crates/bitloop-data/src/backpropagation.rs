//! [`Backpropagation`]: gradient descent over the whole batch.

use crate::descent::{Descent, DescentStep};
use crate::error_function::{Counts, ErrorFunction};
use crate::fit_error::FitError;

/// Settings of [`Backpropagation`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BackpropagationOptions {
    /// The learning rate e, above 0.
    pub learning_rate: f64,
    /// The momentum m, in [0, 1); 0 is plain gradient descent.
    pub momentum: f64,
}

/// Gradient descent over the whole batch, with a fixed learning rate (Rumelhart, Hinton, Williams 1986):
/// ```text
/// v <- m v - e grad E(w)    w <- w + v
/// ```
/// The promise of equal bits holds for one machine only; see [`ErrorFunction`].
#[derive(Debug)]
pub struct Backpropagation {
    function: ErrorFunction,
    options: BackpropagationOptions,
    weights: Vec<f64>,
    velocity: Vec<f64>,
    gradient: Vec<f64>,
    cost: f64,
}

impl Backpropagation {
    /// A descent from `weights: [n_weights]`.
    ///
    /// # Errors
    /// [`FitError::Option`] where an option is out of its range.
    ///
    /// # Panics
    /// If the weights are those of another network.
    pub fn new(
        mut function: ErrorFunction,
        options: BackpropagationOptions,
        weights: Vec<f64>,
    ) -> Result<Self, FitError> {
        let fail = |name, expected| Err(FitError::Option { name, expected });
        if !(options.learning_rate.is_finite() && options.learning_rate > 0.0) {
            return fail("the learning rate", "a finite number above 0");
        }
        if !(0.0..1.0).contains(&options.momentum) {
            return fail("the momentum", "at least 0 and below 1");
        }
        let (velocity, mut gradient) = (vec![0.0; weights.len()], vec![0.0; weights.len()]);
        let cost = function.gradient(&weights, &mut gradient);
        Ok(Self { function, options, weights, velocity, gradient, cost })
    }
}

impl Descent for Backpropagation {
    fn step(&mut self) -> DescentStep {
        let BackpropagationOptions { learning_rate, momentum } = self.options;
        let mut next = self.weights.clone();
        for ((w, v), g) in next.iter_mut().zip(&mut self.velocity).zip(&self.gradient) {
            *v = momentum * *v - learning_rate * g;
            *w += *v;
        }
        if next == self.weights {
            return DescentStep::Converged;
        }
        let cost = self.function.gradient(&next, &mut self.gradient);
        if !cost.is_finite() {
            return DescentStep::Diverged;
        }
        (self.weights, self.cost) = (next, cost);
        DescentStep::Moved
    }

    fn weights(&self) -> &[f64] {
        &self.weights
    }

    fn cost(&self) -> f64 {
        self.cost
    }

    fn counts(&self) -> Counts {
        self.function.counts()
    }
}
