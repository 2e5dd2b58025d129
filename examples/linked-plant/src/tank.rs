//! A tank of water with a drain and a pump.

use bitloop_plant::{Description, Integrator, Parameter, Plant, Real, Sizes, Variable};

/// The level of the water, in meters from where it should be.
///
/// ```text
/// level' = (inflow - drain (1 + level / 2)) / area
/// ```
///
/// The drain is linear about the level that is wanted. The stage cost is the squared level; a tank that runs over or dry
/// has failed.
#[derive(Debug, Default)]
pub struct Tank;

impl Plant for Tank {
    fn description(&self) -> Description {
        let states = vec![Variable::new("level", "m")];
        Description {
            name: "tank".to_owned(),
            version: "1".to_owned(),
            summary: "A tank of water whose level is held by a pump.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("inflow", "m^3/s").bounded(0.0, 0.2)],
            parameters: vec![
                Parameter::new("area", "m^2", 0.5, "area of the surface").bounded(1e-3, 1e3),
                Parameter::new("drain", "m^3/s", 0.1, "outflow at the level that is wanted")
                    .bounded(0.0, 1e3),
            ],
            structure: vec![],
            integrators: vec![Integrator::Euler, Integrator::RungeKutta4],
            step_s: 0.1,
            sample_time_s: 0.5,
        }
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 2 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [area, drain] = [p[0], p[1]];
        dx[0] = (u[0] - drain * (x[0] * 0.5 + 1.0)) / area;
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[0] * x[0]
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
        x[0].abs().gt(R::splat(1.0))
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, _p: &[R]) -> R {
        R::splat(1.0)
    }
}
