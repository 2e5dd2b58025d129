//! [`Lqr`]: linear-quadratic control of a plant near its equilibrium, the yardstick of full feedback.
//!
//! The plant is linearized by finite differences of its simulated map over one control period, and the infinite-horizon
//! problem solved for the mean stage cost that the simulation itself adds up, plus a small weight on the control, without
//! which a plant that does not punish control may have no best gains:
//! ```text
//! minimize sum_k x' Q x + 2 x' N u + u' (R + r I) u      x_k+1 = A x_k + B u_k      u = -K x
//! ```
//! It does not train and draws no random numbers: for linear plants it is the best that there is, for others the best that
//! is easily had. The linear algebra is nalgebra's, so its bits are promised per machine only.

use std::fmt;

use bitloop_plant::PlantCallError;
use bitloop_sim::{ClosedLoop, LinearFeedback};
use nalgebra::DMatrix;

use crate::linearize::Linearization;

/// Doublings of the Riccati horizon: 2^50 control periods.
const MAX_DOUBLINGS: u32 = 50;
/// Relative change of the Riccati solution at which it has converged.
const CONVERGED: f64 = 1e-13;
/// How far beyond zero an eigenvalue of the cost may lie by rounding, relative to the largest.
const NEGATIVE: f64 = 1e-6;

/// A linear-quadratic regulator.
#[derive(Clone, Debug, PartialEq)]
pub struct Lqr {
    /// K, in units of the plant: `[n_controls][n_states]`, row after row.
    pub gains: Vec<f64>,
    /// The controller that it makes of what the loop feeds back.
    pub controller: LinearFeedback,
    /// The largest modulus of an eigenvalue of A - B K: what is left of a deviation after a control period.
    pub spectral_radius: f64,
}

/// Why there is no linear-quadratic regulator.
#[derive(Clone, Debug, PartialEq)]
pub enum LqrError {
    /// The plant broke.
    Plant(PlantCallError),
    /// The default state, or one nearby, is in the failure set.
    Fails,
    /// Numbers near the default state are not finite.
    NotFinite,
    /// The plant does not rest at its default state with zero control.
    NoEquilibrium {
        /// A state that moves.
        state: String,
        /// By how much, in a control period.
        moved: f64,
    },
    /// The stage cost has a slope at the default state, which is thus not the goal.
    CostSlope {
        /// Per scale of a variable.
        slope: f64,
    },
    /// The stage cost is not convex at the default state.
    CostNotConvex {
        /// The least eigenvalue of its second derivatives.
        eigenvalue: f64,
    },
    /// The weight of the control is no positive number.
    ControlWeight {
        /// What was given.
        found: f64,
    },
    /// What is fed back does not tell all states, or is not 0 at the equilibrium.
    NotFullFeedback,
    /// No linear feedback stabilizes the plant there, or the cost is blind to something that does not fade by itself.
    NotStabilizable,
}

impl fmt::Display for LqrError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plant(error) => error.fmt(f),
            Self::Fails => f.write_str(
                "the plant fails at its default state or near it: LQR needs an equilibrium there",
            ),
            Self::NotFinite => f.write_str("the plant is not finite near its default state"),
            Self::NoEquilibrium { state, moved } => write!(
                f,
                "the default state with zero control is no equilibrium: `{state}` moves by {moved:e} \
                 in a control period"
            ),
            Self::CostSlope { slope } => write!(
                f,
                "the stage cost is not at its minimum at the default state: it has a slope of {slope:e}"
            ),
            Self::CostNotConvex { eigenvalue } => write!(
                f,
                "the stage cost is not convex at the default state: a second derivative is \
                 {eigenvalue:e}"
            ),
            Self::ControlWeight { found } => {
                write!(f, "the control weight must be positive and finite, found {found}")
            }
            Self::NotFullFeedback => f.write_str(
                "LQR needs full feedback: as many observations as states, independent of each other, \
                 and 0 at the equilibrium after scaling",
            ),
            Self::NotStabilizable => f.write_str(
                "no linear feedback stabilizes the plant at its default state, or the stage cost does \
                 not see all that moves there",
            ),
        }
    }
}

impl std::error::Error for LqrError {}

impl From<PlantCallError> for LqrError {
    fn from(error: PlantCallError) -> Self {
        Self::Plant(error)
    }
}

impl Lqr {
    /// The regulator of a loop around the plant's default state, with `parameters: [n_parameters]`.
    /// `control_weight` is r, in units of the stage cost per squared scale of a control.
    ///
    /// # Errors
    /// [`LqrError`] says what the plant or the loop lacks.
    ///
    /// # Panics
    /// If the number of parameters is not the plant's.
    pub fn new(
        closed_loop: &ClosedLoop,
        parameters: &[f64],
        control_weight: f64,
    ) -> Result<Self, LqrError> {
        if !(control_weight > 0.0 && control_weight.is_finite()) {
            return Err(LqrError::ControlWeight { found: control_weight });
        }
        let Linearization {
            state_matrix: a,
            control_matrix: b,
            input_matrix: c,
            input,
            state_weight: q,
            cross_weight: n,
            control_weight: mut r,
        } = Linearization::new(closed_loop, parameters)?;
        let controls = &closed_loop.interface().outputs;
        for (row, control) in controls.iter().enumerate() {
            r[(row, row)] += 2.0 * control_weight / (control.scale * control.scale);
        }
        check_convex(&q, &n, &r)?;
        let k = riccati_gains(&a, &b, &q, &n, &r).ok_or(LqrError::NotStabilizable)?;
        let spectral_radius = spectral_radius(&(&a - &b * &k));
        if spectral_radius >= 1.0 {
            return Err(LqrError::NotStabilizable);
        }
        // x = C^-1 inputs, and the output that is commanded is u over its scale.
        if input.iter().any(|value| value.abs() > 1e-9) || !c.is_square() {
            return Err(LqrError::NotFullFeedback);
        }
        let states_of_inputs = c.try_inverse().ok_or(LqrError::NotFullFeedback)?;
        let mut scaled = &k * states_of_inputs;
        for (mut row, control) in scaled.row_iter_mut().zip(controls) {
            row /= control.scale;
        }
        Ok(Self {
            gains: by_rows(&k),
            controller: LinearFeedback::new(scaled.ncols(), by_rows(&scaled)),
            spectral_radius,
        })
    }
}

/// Row after row.
fn by_rows(matrix: &DMatrix<f64>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

fn check_convex(q: &DMatrix<f64>, n: &DMatrix<f64>, r: &DMatrix<f64>) -> Result<(), LqrError> {
    let (n_x, n_u) = n.shape();
    let mut all = DMatrix::zeros(n_x + n_u, n_x + n_u);
    all.view_mut((0, 0), (n_x, n_x)).copy_from(q);
    all.view_mut((0, n_x), (n_x, n_u)).copy_from(n);
    all.view_mut((n_x, 0), (n_u, n_x)).copy_from(&n.transpose());
    all.view_mut((n_x, n_x), (n_u, n_u)).copy_from(r);
    let eigenvalues = all.symmetric_eigenvalues();
    if eigenvalues.min() >= -NEGATIVE * eigenvalues.amax() {
        Ok(())
    } else {
        Err(LqrError::CostNotConvex { eigenvalue: eigenvalues.min() })
    }
}

/// K = (R + B'PB)^-1 (B'PA + N'), where P solves the discrete algebraic Riccati equation
/// P = A'PA - (A'PB + N) (R + B'PB)^-1 (B'PA + N') + Q.
///
/// By the structure-preserving doubling algorithm (Chu, Fan, Lin & Wang, Int. J. Control 77, 2004): after k steps H is the
/// cost of 2^k periods, so that convergence is quadratic. None if it does not converge.
fn riccati_gains(
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

/// The largest modulus of an eigenvalue, infinite if that of the matrix itself is no number.
fn spectral_radius(matrix: &DMatrix<f64>) -> f64 {
    if matrix.iter().any(|value| !value.is_finite()) {
        return f64::INFINITY;
    }
    let eigenvalues = matrix.complex_eigenvalues();
    let moduli = eigenvalues.iter().map(|value| (value.re * value.re + value.im * value.im).sqrt());
    moduli.fold(0.0, f64::max)
}
