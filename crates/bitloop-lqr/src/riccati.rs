//! The discrete algebraic Riccati equation.

use nalgebra::DMatrix;

/// Doublings of the horizon: 2^50 control periods.
const MAX_DOUBLINGS: u32 = 50;
/// Relative change of the solution at which it has converged.
const CONVERGED: f64 = 1e-13;

/// K = (R + B'PB)^-1 (B'PA + N'), where P solves the discrete algebraic Riccati equation
/// P = A'PA - (A'PB + N) (R + B'PB)^-1 (B'PA + N') + Q.
///
/// By the structure-preserving doubling algorithm (Chu, Fan, Lin & Wang, Int. J. Control 77, 2004): after k steps H is the
/// cost of 2^k periods, so that convergence is quadratic. None if it does not converge.
pub(crate) fn riccati_gains(
    a: &DMatrix<f64>,
    b: &DMatrix<f64>,
    q: &DMatrix<f64>,
    n: &DMatrix<f64>,
    r: &DMatrix<f64>,
) -> Option<DMatrix<f64>> {
    let r_inverse = r.clone().try_inverse()?;
    // u = v - R^-1 N' x takes away the cross term.
    let mut transition = a - b * &r_inverse * n.transpose();
    let mut reach = b * &r_inverse * b.transpose();
    let mut cost = q - n * &r_inverse * n.transpose();
    let identity = DMatrix::identity(a.nrows(), a.nrows());
    for _ in 0..MAX_DOUBLINGS {
        let w_inverse = (&identity + &reach * &cost).try_inverse()?;
        let half = &transition * &w_inverse;
        let next_reach = &reach + &half * &reach * transition.transpose();
        let next_cost = &cost + transition.transpose() * &cost * &w_inverse * &transition;
        transition = half * &transition;
        reach = symmetric(&next_reach);
        let next_cost = symmetric(&next_cost);
        let change = (&next_cost - &cost).amax();
        let size = next_cost.amax();
        cost = next_cost;
        if !size.is_finite() {
            return None;
        }
        if change <= CONVERGED * size {
            let weight = r + b.transpose() * &cost * b;
            return Some(weight.try_inverse()? * (b.transpose() * &cost * a + n.transpose()));
        }
    }
    None
}

fn symmetric(matrix: &DMatrix<f64>) -> DMatrix<f64> {
    0.5 * (matrix + matrix.transpose())
}
