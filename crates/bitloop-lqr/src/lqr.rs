//! [`Lqr`]: linear-quadratic control of a plant near its equilibrium, a baseline with full feedback: of observations that
//! determine all states or, where they do not, of the states themselves.
//!
//! The plant is linearized by finite differences of its simulated map over one control period, and the infinite-horizon
//! problem solved for the mean stage cost that the simulation itself adds up, plus a small weight on the control, without
//! which a plant that does not punish control may have no best gains:
//! ```text
//! minimize sum_k x' Q x + 2 x' N u + u' (R + r I) u      x_k+1 = A x_k + B u_k      u = -K x
//! ```
//! It does not train and draws no random numbers. For linear plants it is optimal, for others a good controller near the
//! equilibrium. The linear algebra is nalgebra's, so its bits are promised per machine only.

use bitloop_sim::{ClosedLoop, LinearFeedback};
use nalgebra::{DMatrix, DVector};

use crate::error::LqrError;
use crate::linearize::{Linearization, TOLERANCE};
use crate::riccati::riccati_gains;
use crate::trim::decomposed;

/// Directions of the states that the observations show by less than this share of what they show of another count as not shown.
const SINGULAR: f64 = 1e-9;
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
    /// The mean stage cost of a control period at the equilibrium: of an effort that holds the plant, for one. A regulator that comes
    /// to rest there has this cost in the end.
    pub rest_cost: f64,
}

impl Lqr {
    /// The loop in which a regulator of `closed_loop` sees all states: that one or, where its observations do not determine them,
    /// the same with the states fed back. Simulators that own their state give no more than they let observe.
    ///
    /// # Panics
    /// If the number of parameters is not the plant's.
    #[must_use]
    pub fn loop_with_all_states(closed_loop: &ClosedLoop, parameters: &[f64]) -> ClosedLoop {
        match Self::new(closed_loop, parameters, 1.0) {
            Err(LqrError::ObservationCount { .. } | LqrError::DependentObservations { .. })
                if !closed_loop.plant().owns_state() =>
            {
                closed_loop.with_state_feedback()
            }
            _ => closed_loop.clone(),
        }
    }

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
            rest_cost,
        } = Linearization::new(closed_loop, parameters)?;
        let controls = &closed_loop.interface().outputs;
        for (row, control) in controls.iter().enumerate() {
            r[(row, row)] += 2.0 * control_weight / (control.scale * control.scale);
        }
        check_convex(&q, &n, &r)?;
        let k = riccati_gains(&a, &b, &q, &n, &r).ok_or(LqrError::NotStabilizable)?;
        let spectral_radius = spectral_radius(&(&a - &b * &k));
        // A regulator that commands nothing sees no cost: the default state is no goal, as where a pendulum hangs that is to stand.
        let is_idle = k.iter().all(|gain| *gain == 0.0);
        if spectral_radius >= 1.0 || is_idle {
            return Err(LqrError::NotStabilizable);
        }
        // x = C^-1 inputs, and the output that is commanded is u over its scale.
        let states_of_inputs = states_of_inputs(closed_loop, &c, &input)?;
        let mut scaled = &k * states_of_inputs;
        for (mut row, control) in scaled.row_iter_mut().zip(controls) {
            row /= control.scale;
        }
        Ok(Self {
            gains: by_rows(&k),
            controller: LinearFeedback::new(scaled.ncols(), by_rows(&scaled)),
            spectral_radius,
            rest_cost,
        })
    }
}

/// C^-1, if the observations are 0 at the equilibrium and determine all states; of more observations than states, that with the
/// least squares.
fn states_of_inputs(
    closed_loop: &ClosedLoop,
    c: &DMatrix<f64>,
    input: &DVector<f64>,
) -> Result<DMatrix<f64>, LqrError> {
    let description = closed_loop.plant().description();
    let (n_observations, n_states) = c.shape();
    if n_observations < n_states {
        return Err(LqrError::ObservationCount { n_observations, n_states });
    }
    let inverse = if n_observations == n_states {
        c.clone().try_inverse()
    } else {
        decomposed(c.clone()).and_then(|directions| {
            let least = SINGULAR * directions.singular_values.amax();
            let is_full = directions.rank(least) == n_states;
            directions.pseudo_inverse(least).ok().filter(|_| is_full)
        })
    };
    let inverse = inverse.ok_or_else(|| {
        let state = description.states[undetermined(c)].name.clone();
        LqrError::DependentObservations { state }
    })?;
    for (channel, value) in closed_loop.interface().inputs.iter().zip(input) {
        if value.abs() > TOLERANCE {
            return Err(LqrError::OffCenter {
                observation: description.observations[channel.index].name.clone(),
                value: channel.center + channel.scale * value,
                center: channel.center,
            });
        }
    }
    Ok(inverse)
}

/// The state that can move most while no observation does.
fn undetermined(c: &DMatrix<f64>) -> usize {
    let Some(directions) = decomposed(c.clone()) else { return 0 };
    let v_t = directions.v_t.expect("asked for");
    v_t.row(directions.singular_values.imin()).iamax_full().1
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

/// The largest modulus of an eigenvalue, infinite if that of the matrix itself is no number.
fn spectral_radius(matrix: &DMatrix<f64>) -> f64 {
    if matrix.iter().any(|value| !value.is_finite()) {
        return f64::INFINITY;
    }
    let eigenvalues = matrix.complex_eigenvalues();
    let moduli = eigenvalues.iter().map(|value| (value.re * value.re + value.im * value.im).sqrt());
    moduli.fold(0.0, f64::max)
}
