//! [`OneStepSecant`]: OSS, the paper's trainer by gradients.

use crate::descent::{Descent, DescentStep};
use crate::error_function::{Counts, ErrorFunction, dot};
use crate::line_search::line_search;

/// The share of the learning rates before in their moving average.
const MEMORY: f64 = 0.9;

/// One-step secant: the direction of BFGS with a memory of one step (Battiti, Neural Computation 4(2), 1992,
/// doi 10.1162/neco.1992.4.2.141).
///
/// With the gradient g, the last step s and the change y of the gradient over it,
/// ```text
/// d = -g + A s + B y
/// B = s.g / s.y    A = -(1 + y.y / s.y) s.g / s.y + y.g / s.y
/// ```
/// which is -H g for the matrix H that BFGS makes of the identity with (s, y). Where s.y is not positive, where d does not
/// point downhill, and once every `n_weights` steps, d = -g. The length of the step comes from a line search that begins
/// with the moving average of the learning rates; see `line_search`. (The publications leave its constants open, and
/// differ in them.)
///
/// The promise of equal bits holds for one machine only; see [`ErrorFunction`].
#[derive(Debug)]
pub struct OneStepSecant {
    function: ErrorFunction,
    weights: Vec<f64>,
    gradient: Vec<f64>,
    cost: f64,
    /// The last step and the change of the gradient over it.
    secant: Option<(Vec<f64>, Vec<f64>)>,
    learning_rate: f64,
    n_since_restart: usize,
}

impl OneStepSecant {
    /// A descent from `weights: [n_weights]`.
    ///
    /// # Panics
    /// If the weights are those of another network.
    #[must_use]
    pub fn new(mut function: ErrorFunction, weights: Vec<f64>) -> Self {
        let mut gradient = vec![0.0; weights.len()];
        let cost = function.gradient(&weights, &mut gradient);
        Self {
            function,
            weights,
            gradient,
            cost,
            secant: None,
            learning_rate: 1.0,
            n_since_restart: 0,
        }
    }

    /// The direction, and whether it leans on the last step.
    fn direction(&self) -> (Vec<f64>, bool) {
        let secant = self.secant.as_ref().filter(|_| self.n_since_restart < self.weights.len());
        let newton = secant.and_then(|(s, y)| secant_direction(&self.gradient, s, y));
        match newton {
            Some(direction) if dot(&direction, &self.gradient) < 0.0 => (direction, true),
            _ => (self.gradient.iter().map(|g| -g).collect(), false),
        }
    }
}

/// d, unless s.y is not positive.
fn secant_direction(g: &[f64], s: &[f64], y: &[f64]) -> Option<Vec<f64>> {
    let s_y = dot(s, y);
    if !(s_y.is_finite() && s_y > 0.0) {
        return None;
    }
    let b = dot(s, g) / s_y;
    let a = -(1.0 + dot(y, y) / s_y) * b + dot(y, g) / s_y;
    Some(g.iter().zip(s).zip(y).map(|((g, s), y)| -g + a * s + b * y).collect())
}

impl Descent for OneStepSecant {
    fn step(&mut self) -> DescentStep {
        if !self.cost.is_finite() {
            return DescentStep::Diverged;
        }
        let (mut direction, leans) = self.direction();
        let mut next = vec![0.0; self.weights.len()];
        let mut search = |direction: &[f64]| {
            let slope = dot(direction, &self.gradient);
            line_search(self.cost, slope, self.learning_rate, |step| {
                for ((next, w), d) in next.iter_mut().zip(&self.weights).zip(direction) {
                    *next = w + step * d;
                }
                self.function.value(&next)
            })
        };
        let mut taken = search(&direction);
        if leans && taken.is_none() {
            direction = self.gradient.iter().map(|g| -g).collect();
            taken = search(&direction);
        }
        let Some(taken) = taken else { return DescentStep::Converged };
        let s: Vec<f64> = direction.iter().map(|d| taken.step * d).collect();
        for (w, s) in self.weights.iter_mut().zip(&s) {
            *w += s;
        }
        let before = self.gradient.clone();
        self.cost = self.function.gradient(&self.weights, &mut self.gradient);
        let y = self.gradient.iter().zip(&before).map(|(now, before)| now - before).collect();
        self.secant = Some((s, y));
        self.learning_rate = MEMORY * self.learning_rate + (1.0 - MEMORY) * taken.step;
        self.n_since_restart = if leans { self.n_since_restart + 1 } else { 0 };
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

#[cfg(test)]
mod tests {
    use nalgebra::{DMatrix, DVector};

    use super::*;

    #[test]
    fn the_direction_is_that_of_bfgs_from_the_identity() {
        let [g, s, y] = [[1.0, -2.0, 0.5], [0.3, 0.1, -0.4], [0.5, -0.2, -0.1]]
            .map(|v| DVector::from_row_slice(&v));
        let rho = 1.0 / s.dot(&y);
        let left: DMatrix<f64> = DMatrix::<f64>::identity(3, 3) - rho * &s * y.transpose();
        let inverse_hessian: DMatrix<f64> = &left * left.transpose() + rho * &s * s.transpose();
        let expected = -inverse_hessian * &g;
        let found = secant_direction(g.as_slice(), s.as_slice(), y.as_slice()).unwrap();
        for (found, expected) in found.iter().zip(expected.iter()) {
            assert!((found - expected).abs() < 1e-13, "{found} {expected}");
        }
    }

    #[test]
    fn a_step_of_no_curvature_is_forgotten() {
        assert_eq!(secant_direction(&[1.0, 1.0], &[1.0, 0.0], &[-1.0, 0.0]), None);
        assert_eq!(secant_direction(&[1.0, 1.0], &[0.0, 0.0], &[1.0, 0.0]), None);
    }
}
