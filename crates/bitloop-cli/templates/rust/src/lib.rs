//! A pendulum with friction, brought to rest by a torque.

#![forbid(unsafe_code)]

use std::f64::consts::PI;

use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{Description, Integrator, Parameter, Plant, Real, Sizes, Variable};

#[cfg(test)]
mod tests;

bitloop_plant::export_plant!(NewPlant, name: "new-plant");

/// The plant. State and observations `[theta, omega]`, control `[torque]`, parameters
/// `[mass, length, friction, gravity, torque_weight]`.
///
/// ```text
/// theta' = omega
/// omega' = (torque - friction omega - m g l sin(theta)) / (m l^2)
/// ```
///
/// The stage cost is `theta^2 + torque_weight torque^2`. A pendulum that goes over the top has failed.
#[derive(Debug, Default)]
pub struct NewPlant;

impl Plant for NewPlant {
    fn description(&self) -> Description {
        let states = vec![
            Variable::new("theta", "rad"),
            Variable::new("omega", "rad/s"),
        ];
        Description {
            name: "new-plant".to_owned(),
            // A change of the equations changes it: saved controllers name the version that they were trained on.
            version: "1".to_owned(),
            summary: "A pendulum with friction, brought to rest by a torque.".to_owned(),
            observations: states.clone(),
            states,
            // Whatever the controller asks for, this is what the motor can do.
            controls: vec![Variable::new("torque", "N m").bounded(-5.0, 5.0)],
            parameters: vec![
                Parameter::new("mass", "kg", 1.0, "mass at the rod's end, m").bounded(1e-3, 1e3),
                Parameter::new("length", "m", 1.0, "length of the rod, l").bounded(1e-3, 1e3),
                Parameter::new("friction", "N m s", 0.1, "torque per speed").bounded(0.0, 1e3),
                Parameter::new("gravity", "m/s^2", 9.81, "acceleration of free fall, g")
                    .bounded(0.0, 1e3),
                Parameter::new("torque_weight", "rad^2/(N m)^2", 0.01, "cost of the torque")
                    .bounded(0.0, 1e3),
            ],
            structure: vec![],
            // The first is the default.
            integrators: vec![Integrator::SemiImplicitEuler, Integrator::RungeKutta4],
            step_s: 0.02,
            sample_time_s: 0.1,
        }
    }

    /// What it looks like in reports: shapes in frames that move with the state. It may be left out.
    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-1.5, 1.5, -1.5, 1.5);
        // The rod hangs down where theta is 0, and turns counterclockwise.
        let rod = picture.frame(None, 0.0, 0.0, state(0));
        let end = || (0.0, -parameter(1));
        picture.add(None, Shape::line(Role::Target, (0.0, -0.2), (0.0, -1.4)));
        picture.add(Some(rod), Shape::line(Role::Moving, (0.0, 0.0), end()));
        picture.add(Some(rod), Shape::circle(Role::Moving, end(), 0.1));
        // The torque, as the force that it has at the rod's end.
        let push = (control(0) * 0.15, -parameter(1));
        picture.add(Some(rod), Shape::line(Role::Force, end(), push));
        picture.add(None, Shape::circle(Role::Ground, (0.0, 0.0), 0.06));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes {
            n_states: 2,
            n_controls: 1,
            n_observations: 2,
            n_parameters: 5,
        }
    }

    /// Time derivatives. `R` is one number or a vector of them, an episode each: instead of `if`, use `R::select`.
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [theta, omega, torque] = [x[0], x[1], u[0]];
        let [mass, length, friction, gravity] = [p[0], p[1], p[2], p[3]];
        let sum = torque - friction * omega - mass * gravity * length * theta.sin();
        dx[0] = omega;
        dx[1] = sum / (mass * length * length);
    }

    /// State 1 is the rate of state 0. Only `SemiImplicitEuler` asks.
    #[inline(always)]
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        [Some(1), None][state_index]
    }

    /// What the training makes small: its mean over time. It must be 0 or more.
    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        x[0] * x[0] + p[4] * (u[0] * u[0])
    }

    /// Where an episode ends early.
    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
        x[0].abs().gt(R::splat(PI))
    }

    /// What each step costs from then on, so that failing never pays.
    #[inline(always)]
    fn failure_cost<R: Real>(&self, _p: &[R]) -> R {
        R::splat(PI * PI)
    }
}
