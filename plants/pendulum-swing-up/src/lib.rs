//! A pendulum on a motor too weak to lift it at once, so that it has to be swung up: the equations, error and defaults of
//! the environment `Pendulum-v1` of Gymnasium.

#![forbid(unsafe_code)]

use std::f64::consts::PI;

use bitloop_plant::abi::{Descriptor, descriptor_of};
use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State `[theta, theta_dot]`, control `[torque]`, observations `[cos_theta, sin_theta, theta_dot]`,
/// parameters `[mass, length, gravity, max_speed, speed_weight, torque_weight]`.
///
/// ```text
/// theta'' = 3 g / (2 l) sin(theta) + 3 / (m l^2) u
/// ```
///
/// theta = 0 is upright. The plant's own step is that of the environment:
/// ```text
/// theta_dot <- theta_dot + h theta''(theta, u), held to [-max_speed, max_speed]
/// theta     <- theta + h theta_dot
/// ```
/// The stage cost is `a(theta)^2 + speed_weight theta_dot^2 + torque_weight u^2`, where a(theta) is the angle in
/// [-pi, pi]. Nothing fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct PendulumSwingUp;

/// The plant as a library hands it out. It is here so that the library's crate does not compile the kernels again.
pub static DESCRIPTOR: Descriptor = descriptor_of::<PendulumSwingUp>();

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<PendulumSwingUp>(structure)
}

/// The acceleration.
#[inline(always)]
fn theta_ddot<R: Real>(theta: R, torque: R, p: &[R]) -> R {
    let [mass, length, gravity] = [p[0], p[1], p[2]];
    // Neither factor changes within a call.
    let fall = gravity / length * 1.5;
    let gain = R::splat(3.0) / (mass * (length * length));
    fall.mul_add(theta.sin(), gain * torque)
}

impl Plant for PendulumSwingUp {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep, Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let theta_dot = Variable::new("theta_dot", "rad/s");
        Description {
            name: "pendulum-swing-up".to_owned(),
            version: "1".to_owned(),
            summary: "A pendulum swung up and held upright by a motor too weak to lift it at once."
                .to_owned(),
            // Hanging down at rest.
            states: vec![Variable::new("theta", "rad").starting_at(PI), theta_dot.clone()],
            controls: vec![Variable::new("torque", "N m").bounded(-2.0, 2.0).scaled(0.0, 2.0)],
            observations: vec![
                Variable::new("cos_theta", ""),
                Variable::new("sin_theta", ""),
                theta_dot.scaled(0.0, 8.0),
            ],
            parameters: vec![
                Parameter::new("mass", "kg", 1.0, "mass of the rod, m").bounded(1e-3, 1e3),
                Parameter::new("length", "m", 1.0, "length of the rod, l").bounded(1e-3, 1e3),
                Parameter::new("gravity", "m/s^2", 10.0, "acceleration of free fall, g")
                    .bounded(0.0, 1e3),
                Parameter::new("max_speed", "rad/s", 8.0, "bound of |theta_dot|").bounded(0.0, 1e6),
                Parameter::new("speed_weight", "s^2", 0.1, "weight of theta_dot^2")
                    .bounded(0.0, 1e3),
                Parameter::new("torque_weight", "rad^2/(N m)^2", 0.001, "weight of torque^2")
                    .bounded(0.0, 1e3),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.05,
            sample_time_s: 0.05,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-1.4, 1.4, -1.4, 1.4);
        picture.add(
            None,
            Shape::line(Role::Target, (0.0, parameter(1) + 0.1), (0.0, parameter(1) + 0.3)),
        );
        picture.add(None, Shape::line(Role::Ground, (-0.3, 0.0), (0.3, 0.0)));
        let rod = picture.frame(None, 0.0, 0.0, state(0));
        picture.add(Some(rod), Shape::line(Role::Moving, (0.0, 0.0), (0.0, parameter(1))));
        picture.add(Some(rod), Shape::circle(Role::Moving, (0.0, parameter(1)), 0.08));
        // A torque is drawn as the force that it has at the rod's end; a positive one is counterclockwise.
        let push = control(0) * -0.25;
        picture.add(Some(rod), Shape::line(Role::Force, (0.0, parameter(1)), (push, parameter(1))));
        picture.add(None, Shape::circle(Role::Ground, (0.0, 0.0), 0.06));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 3, n_parameters: 6 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        dx[0] = x[1];
        dx[1] = theta_ddot(x[0], u[0], p);
    }

    #[inline(always)]
    fn step<R: Real>(&self, _t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let (h, max_speed) = (R::splat(step_s), p[3]);
        x[1] = theta_ddot(x[0], u[0], p).mul_add(h, x[1]).clamp(-max_speed, max_speed);
        x[0] = x[1].mul_add(h, x[0]);
    }

    #[inline(always)]
    fn observe<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R], y: &mut [R]) {
        let (sin, cos) = x[0].sin_cos();
        y[0] = cos;
        y[1] = sin;
        y[2] = x[1];
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [speed_weight, torque_weight] = [p[4], p[5]];
        let angle = x[0].wrap_angle();
        let effort = speed_weight.mul_add(x[1] * x[1], torque_weight * (u[0] * u[0]));
        angle.mul_add(angle, effort)
    }
}
