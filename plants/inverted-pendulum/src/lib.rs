//! The inverted pendulum on a cart: a mass on a weightless rod, hinged to a cart that a force pushes along a rail.
//!
//! Equations, error and defaults are those of Brunato and Battiti, "A Telescopic Binary Learning Machine for Training
//! Neural Networks", IEEE TNNLS 28(3), 2017, Sec. V; the failure set is a reading of ours, which README.md explains.

#![forbid(unsafe_code)]

use bitloop_plant::abi::{Descriptor, descriptor_of};
use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State `[x, theta, x_dot, theta_dot]`, control `[force]`, parameters
/// `[cart_mass, pendulum_mass, length, gravity, lambda, failure_angle]`.
///
/// ```text
/// x''     = (F - m sin(theta) (l theta'^2 - g cos(theta))) / (M + m sin^2(theta))
/// theta'' = (x'' cos(theta) + g sin(theta)) / l
/// ```
///
/// The stage cost is `theta^2 + lambda x^2`; an episode fails where `|theta| > failure_angle`, and is then charged
/// `failure_angle^2`.
#[derive(Clone, Copy, Debug, Default)]
pub struct InvertedPendulum;

/// The plant as a library hands it out. It is here so that the library's crate does not compile the kernels again.
pub static DESCRIPTOR: Descriptor = descriptor_of::<InvertedPendulum>();

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<InvertedPendulum>(structure)
}

impl Plant for InvertedPendulum {
    const INTEGRATORS: &'static [Integrator] =
        &[Integrator::Euler, Integrator::SemiImplicitEuler, Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("x", "m"),
            Variable::new("theta", "rad"),
            Variable::new("x_dot", "m/s"),
            Variable::new("theta_dot", "rad/s"),
        ];
        Description {
            name: "inverted-pendulum".to_owned(),
            version: "1".to_owned(),
            summary: "A pendulum kept upright on a cart by a force on the cart.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("force", "N")],
            parameters: vec![
                Parameter::new("cart_mass", "kg", 1.0, "mass of the cart, M").bounded(1e-6, 1e6),
                Parameter::new("pendulum_mass", "kg", 1.0, "mass at the rod's end, m")
                    .bounded(0.0, 1e6),
                Parameter::new("length", "m", 1.0, "length of the rod, l").bounded(1e-6, 1e6),
                Parameter::new("gravity", "m/s^2", 9.81, "acceleration of free fall, g")
                    .bounded(0.0, 1e3),
                Parameter::new("lambda", "rad^2/m^2", 0.01, "weight of x^2 against theta^2")
                    .bounded(0.0, 1e6),
                Parameter::new(
                    "failure_angle",
                    "rad",
                    1.1,
                    "tilt at which the pendulum has fallen",
                )
                .bounded(0.0, 1e3),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.01,
            sample_time_s: 0.1,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-2.0, 2.0, -0.6, 1.5);
        let cart = picture.frame(None, state(0), 0.0, 0.0);
        // theta is counterclockwise: a cart pushed to the right leaves the mass behind on the left.
        let rod = picture.frame(Some(cart), 0.0, 0.0, state(1));
        picture.follow = Some(cart);
        // The rail follows the cart; marks on it show how fast that moves.
        picture.add(Some(cart), Shape::line(Role::Ground, (-100.0, -0.2), (100.0, -0.2)));
        for mark in -10..=10 {
            let x = f64::from(mark);
            picture.add(None, Shape::line(Role::Ground, (x, -0.2), (x, -0.3)));
        }
        picture.add(None, Shape::line(Role::Target, (0.0, -0.2), (0.0, -0.4)));
        picture.add(Some(cart), Shape::rect(Role::Body, (-0.3, -0.15), (0.6, 0.3)));
        let push = control(0) * 0.05;
        picture.add(Some(cart), Shape::line(Role::Force, (0.0, 0.0), (push, 0.0)));
        picture.add(Some(rod), Shape::line(Role::Moving, (0.0, 0.0), (0.0, parameter(2))));
        picture.add(Some(rod), Shape::circle(Role::Moving, (0.0, parameter(2)), 0.1));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 4, n_controls: 1, n_observations: 4, n_parameters: 6 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [_, theta, x_dot, theta_dot] = [x[0], x[1], x[2], x[3]];
        let [cart_mass, pendulum_mass, length, gravity] = [p[0], p[1], p[2], p[3]];
        let (sin, cos) = theta.sin_cos();

        let pull = pendulum_mass * sin;
        // g cos(theta) - l theta'^2: the sign turned, so that each product fuses with its sum.
        let fall = (length * theta_dot).mul_add(-theta_dot, gravity * cos);
        let x_ddot = pull.mul_add(fall, u[0]) / pull.mul_add(sin, cart_mass);
        // A division by the length is a multiplication by its inverse, which does not change within a call.
        let inverse_length = R::splat(1.0) / length;
        dx[0] = x_dot;
        dx[1] = theta_dot;
        dx[2] = x_ddot;
        dx[3] = x_ddot.mul_add(cos, gravity * sin) * inverse_length;
    }

    #[inline(always)]
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        [Some(2), Some(3), None, None][state_index]
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], p: &[R]) -> R {
        let (position, theta, lambda) = (x[0], x[1], p[4]);
        theta.mul_add(theta, lambda * (position * position))
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        x[1].abs().gt(p[5])
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        p[5] * p[5]
    }
}
