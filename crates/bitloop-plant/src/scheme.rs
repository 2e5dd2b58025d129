//! The integrators: one step of each, for any plant and any vector.

use crate::plant::Plant;
use crate::real::Real;
use crate::room::{room, zeros};

/// One integration step of some method.
pub(crate) trait Scheme {
    /// Vectors of `n_states` that a step works on.
    const N_VECTORS: usize;

    /// Advances `x: [n_states]` by `step_s` from `t_s`.
    fn step<R: Real, P: Plant>(plant: &P, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]);
}

/// [`Integrator::Euler`](crate::Integrator::Euler).
pub(crate) struct Euler;
/// [`Integrator::SemiImplicitEuler`](crate::Integrator::SemiImplicitEuler).
pub(crate) struct SemiImplicitEuler;
/// [`Integrator::RungeKutta4`](crate::Integrator::RungeKutta4).
pub(crate) struct RungeKutta4;
/// [`Integrator::PlantStep`](crate::Integrator::PlantStep).
pub(crate) struct PlantStep;

impl Scheme for Euler {
    const N_VECTORS: usize = 2;

    #[inline(always)]
    fn step<R: Real, P: Plant>(plant: &P, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let mut dx = room::<R>();
        let dx = zeros(&mut dx, x.len());
        plant.derivative(t_s, x, u, p, dx);
        let h = R::splat(step_s);
        for (x, dx) in x.iter_mut().zip(dx) {
            *x = dx.mul_add(h, *x);
        }
    }
}

impl Scheme for SemiImplicitEuler {
    const N_VECTORS: usize = 2;

    #[inline(always)]
    fn step<R: Real, P: Plant>(plant: &P, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let mut dx = room::<R>();
        let dx = zeros(&mut dx, x.len());
        plant.derivative(t_s, x, u, p, dx);
        let h = R::splat(step_s);
        for index in 0..x.len() {
            if plant.rate_of(index).is_none() {
                x[index] = dx[index].mul_add(h, x[index]);
            }
        }
        // Positions last: they move with the rates just advanced.
        for index in 0..x.len() {
            if let Some(rate) = plant.rate_of(index) {
                x[index] = x[rate].mul_add(h, x[index]);
            }
        }
    }
}

impl Scheme for RungeKutta4 {
    const N_VECTORS: usize = 4;

    #[inline(always)]
    fn step<R: Real, P: Plant>(plant: &P, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let n = x.len();
        let half = R::splat(0.5 * step_s);
        let (mut slope, mut sum, mut at) = (room::<R>(), room::<R>(), room::<R>());
        let (slope, sum, at) = (zeros(&mut slope, n), zeros(&mut sum, n), zeros(&mut at, n));

        plant.derivative(t_s, x, u, p, slope);
        for i in 0..n {
            sum[i] = slope[i];
            at[i] = slope[i].mul_add(half, x[i]);
        }
        plant.derivative(t_s + 0.5 * step_s, at, u, p, slope);
        for i in 0..n {
            sum[i] = slope[i].mul_add(R::splat(2.0), sum[i]);
            at[i] = slope[i].mul_add(half, x[i]);
        }
        plant.derivative(t_s + 0.5 * step_s, at, u, p, slope);
        for i in 0..n {
            sum[i] = slope[i].mul_add(R::splat(2.0), sum[i]);
            at[i] = slope[i].mul_add(R::splat(step_s), x[i]);
        }
        plant.derivative(t_s + step_s, at, u, p, slope);
        let sixth = R::splat(step_s / 6.0);
        for i in 0..n {
            x[i] = (sum[i] + slope[i]).mul_add(sixth, x[i]);
        }
    }
}

impl Scheme for PlantStep {
    const N_VECTORS: usize = 1;

    #[inline(always)]
    fn step<R: Real, P: Plant>(plant: &P, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        plant.step(t_s, step_s, x, u, p);
    }
}
