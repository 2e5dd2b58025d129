//! Two rods in a chain, hinged to a cart and balanced upright by a force on the cart.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[x, theta_1, theta_2, x_dot, theta_1_dot, theta_2_dot]`, control `[force]`,
/// parameters `[cart_mass, mass_1, mass_2, length_1, length_2, gravity, position_weight, failure_angle, half_track]`.
///
/// Both angles are from upright, clockwise, and both rods uniform:
/// ```text
/// D(theta) q'' = (F, 0, 0) - C(theta, theta') q' - G(theta)    q = (x, theta_1, theta_2)
/// ```
/// README.md has the matrices. The stage cost is `theta_1^2 + theta_2^2 + position_weight x^2`. An episode fails where one
/// of the angles exceeds `failure_angle` or `|x|` exceeds `half_track`, and is then charged the most that a state within has,
/// or the stage cost at the failure where that is larger.
#[derive(Clone, Copy, Debug, Default)]
pub struct DoublePendulum;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<DoublePendulum>(structure)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("cart_mass", "kg", 1.5, "mass of the cart, m0").bounded(0.01, 100.0),
        Parameter::new("mass_1", "kg", 0.5, "mass of the first rod, m1").bounded(0.01, 100.0),
        Parameter::new("mass_2", "kg", 0.75, "mass of the second rod, m2").bounded(0.01, 100.0),
        Parameter::new("length_1", "m", 0.5, "length of the first rod, L1").bounded(0.01, 100.0),
        Parameter::new("length_2", "m", 0.75, "length of the second rod, L2").bounded(0.01, 100.0),
        Parameter::new("gravity", "m/s^2", 9.81, "acceleration of free fall, g")
            .bounded(0.0, 100.0),
        Parameter::new("position_weight", "rad^2/m^2", 0.1, "weight of x^2 against theta^2")
            .bounded(0.0, 1e3),
        Parameter::new("failure_angle", "rad", 1.0, "tilt at which a rod has fallen")
            .bounded(0.0, 1e3),
        Parameter::new("half_track", "m", 2.4, "distance from the middle to the track's end")
            .bounded(0.0, 1e3),
    ]
}

impl Plant for DoublePendulum {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("x", "m"),
            Variable::new("theta_1", "rad"),
            Variable::new("theta_2", "rad"),
            Variable::new("x_dot", "m/s"),
            Variable::new("theta_1_dot", "rad/s"),
            Variable::new("theta_2_dot", "rad/s"),
        ];
        Description {
            name: "double-pendulum".to_owned(),
            version: "1".to_owned(),
            summary: "Two rods in a chain kept upright on a cart by a force on the cart."
                .to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("force", "N").bounded(-40.0, 40.0)],
            parameters: parameters(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.01,
            sample_time_s: 0.02,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-1.6, 1.6, -0.5, 1.5);
        picture.add(None, Shape::line(Role::Ground, (-parameter(8), -0.1), (parameter(8), -0.1)));
        for side in [-1.0, 1.0] {
            let end = parameter(8) * side;
            picture.add(None, Shape::line(Role::Ground, (end.clone(), -0.1), (end, 0.1)));
        }
        picture.add(None, Shape::line(Role::Target, (0.0, -0.1), (0.0, -0.3)));
        let cart = picture.frame(None, state(0), 0.0, 0.0);
        // Angles of frames are counterclockwise, those of the rods clockwise; both rods' are from upright.
        let first = picture.frame(Some(cart), 0.0, 0.0, -state(1));
        let second = picture.frame(Some(first), 0.0, parameter(3), state(1) - state(2));
        picture.add(Some(cart), Shape::rect(Role::Body, (-0.2, -0.1), (0.4, 0.15)));
        picture.add(Some(first), Shape::line(Role::Moving, (0.0, 0.0), (0.0, parameter(3))));
        picture.add(Some(second), Shape::line(Role::Moving, (0.0, 0.0), (0.0, parameter(4))));
        picture.add(Some(second), Shape::circle(Role::Moving, (0.0, parameter(4)), 0.04));
        picture.add(Some(second), Shape::circle(Role::Moving, (0.0, 0.0), 0.04));
        let push = control(0) * 0.03;
        picture.add(Some(cart), Shape::line(Role::Force, (0.0, 0.0), (push, 0.0)));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 6, n_controls: 1, n_observations: 6, n_parameters: 9 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [mass_0, mass_1, mass_2] = [p[0], p[1], p[2]];
        let [length_1, length_2, gravity] = [p[3], p[4], p[5]];
        // Of the parameters alone: they do not change within a call. A uniform rod has its center at half its length, and
        // an inertia of m L^2 / 3 about its end.
        let d1 = mass_0 + mass_1 + mass_2;
        let d2 = (mass_1 * 0.5 + mass_2) * length_1;
        let d3 = mass_2 * length_2 * 0.5;
        let d4 = (mass_1 / 3.0 + mass_2) * (length_1 * length_1);
        let d5 = d3 * length_1;
        let d6 = mass_2 / 3.0 * (length_2 * length_2);
        let inverse_d1 = R::splat(1.0) / d1;

        let [w1, w2] = [x[4], x[5]];
        let ((sin_1, cos_1), (sin_2, cos_2)) = (x[1].sin_cos(), x[2].sin_cos());
        let sin_12 = sin_1.mul_add(cos_2, -(cos_1 * sin_2));
        let cos_12 = cos_1.mul_add(cos_2, sin_1 * sin_2);
        let (w1_squared, w2_squared) = (w1 * w1, w2 * w2);
        let (a12, a13, a23) = (d2 * cos_1, d3 * cos_2, d5 * cos_12);
        let b1 = (d2 * sin_1).mul_add(w1_squared, (d3 * sin_2).mul_add(w2_squared, u[0]));
        let b2 = (d2 * gravity).mul_add(sin_1, -(d5 * sin_12 * w2_squared));
        let b3 = (d3 * gravity).mul_add(sin_2, d5 * sin_12 * w1_squared);

        // D is positive definite: x'' is eliminated, and the two that are left are solved by Cramer's rule.
        let (q2, q3) = (a12 * inverse_d1, a13 * inverse_d1);
        let (e22, e23, e33) = (d4 - q2 * a12, a23 - q2 * a13, d6 - q3 * a13);
        let (g2, g3) = (b2 - q2 * b1, b3 - q3 * b1);
        let inverse = R::splat(1.0) / e22.mul_add(e33, -(e23 * e23));
        let w1_dot = g2.mul_add(e33, -(e23 * g3)) * inverse;
        let w2_dot = e22.mul_add(g3, -(e23 * g2)) * inverse;
        dx[..3].copy_from_slice(&x[3..6]);
        dx[3] = (b1 - a12 * w1_dot - a13 * w2_dot) * inverse_d1;
        dx[4] = w1_dot;
        dx[5] = w2_dot;
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], p: &[R]) -> R {
        let [position, theta_1, theta_2, position_weight] = [x[0], x[1], x[2], p[6]];
        let rest = theta_2.mul_add(theta_2, position_weight * (position * position));
        theta_1.mul_add(theta_1, rest)
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        let [angle, half_track] = [p[7], p[8]];
        x[0].abs().gt(half_track) | x[1].abs().gt(angle) | x[2].abs().gt(angle)
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        let [position_weight, angle, half_track] = [p[6], p[7], p[8]];
        position_weight.mul_add(half_track * half_track, (angle * angle) * 2.0)
    }
}
