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
        let (mut slope, mut sum, mut at) = (room::<R>(), room::<R>(), room::<R>());
        let (slope, sum, at) = (zeros(&mut slope, n), zeros(&mut sum, n), zeros(&mut at, n));

        at.copy_from_slice(x);
        // A loop, so that the equations are compiled once and not four times.
        for (stage, (time, next)) in
            [(0.0, 0.5), (0.5, 0.5), (0.5, 1.0), (1.0, 0.0)].into_iter().enumerate()
        {
            plant.derivative(t_s + time * step_s, at, u, p, slope);
            if stage == 3 {
                break;
            }
            let next = R::splat(next * step_s);
            for i in 0..n {
                sum[i] =
                    if stage == 0 { slope[i] } else { slope[i].mul_add(R::splat(2.0), sum[i]) };
                at[i] = slope[i].mul_add(next, x[i]);
            }
        }
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
