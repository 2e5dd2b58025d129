//! Two links hanging in a chain, a motor between them, whose free end is to be swung up above a height: the equations
//! and defaults of the environment `Acrobot-v1` of Gymnasium, with a torque that may be anything within its bounds.

#![forbid(unsafe_code)]

use std::f64::consts::PI;

use bitloop_plant::abi::{Descriptor, descriptor_of};
use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State `[theta_1, theta_2, theta_1_dot, theta_2_dot, reached]`, control `[torque]`, observations
/// `[cos_theta_1, sin_theta_1, cos_theta_2, sin_theta_2, theta_1_dot, theta_2_dot]`, parameters
/// `[mass_1, mass_2, length_1, center_1, center_2, inertia_1, inertia_2, gravity, length_2, goal_height]`.
///
/// `theta_1` is the angle of the first link, 0 hanging down, `theta_2` that of the second relative to the first.
/// ```text
/// d1       = m1 c1^2 + m2 (l1^2 + c2^2 + 2 l1 c2 cos(theta_2)) + I1 + I2
/// d2       = m2 (c2^2 + l1 c2 cos(theta_2)) + I2
/// phi2     = m2 c2 g sin(theta_1 + theta_2)
/// phi1     = -m2 l1 c2 theta_2' (theta_2' + 2 theta_1') sin(theta_2) + (m1 c1 + m2 l1) g sin(theta_1) + phi2
/// theta_2'' = (u + d2 / d1 phi1 - m2 l1 c2 theta_1'^2 sin(theta_2) - phi2) / (m2 c2^2 + I2 - d2^2 / d1)
/// theta_1'' = -(d2 theta_2'' + phi1) / d1
/// ```
/// A step is one of the classical Runge-Kutta method; then angles are wrapped to [-pi, pi], and speeds held to 4 pi and
/// 9 pi rad/s. `reached` becomes 1 where `-l1 cos(theta_1) - l2 cos(theta_1 + theta_2) > goal_height` after a step; from
/// then on nothing moves. The stage cost is 1 until then, and 0 from then on. Nothing fails.
#[derive(Clone, Copy, Debug, Default)]
pub struct Acrobot;

/// The plant as a library hands it out. It is here so that the library's crate does not compile the kernels again.
pub static DESCRIPTOR: Descriptor = descriptor_of::<Acrobot>();

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<Acrobot>(structure)
}

/// Bounds of the speeds.
const MAX_SPEEDS: [f64; 2] = [4.0 * PI, 9.0 * PI];

/// The motion is held in arrays of this length: `[theta_1, theta_2, theta_1_dot, theta_2_dot]`.
type Motion<R> = [R; 4];

/// The time derivative of a motion.
#[inline(always)]
fn rates<R: Real>(motion: Motion<R>, torque: R, p: &[R]) -> Motion<R> {
    let [theta_1, theta_2, speed_1, speed_2] = motion;
    let [m1, m2, l1, c1, c2, i1, i2, g] = [p[0], p[1], p[2], p[3], p[4], p[5], p[6], p[7]];
    let (sin_2, cos_2) = theta_2.sin_cos();

    let coupling = m2 * l1 * c2;
    // Sums of parameters alone do not change within a call.
    let inertia_2 = (m2 * c2).mul_add(c2, i2);
    let inertia_1 = (m1 * c1).mul_add(c1, (m2 * l1).mul_add(l1, i1)) + inertia_2;
    let d2 = coupling.mul_add(cos_2, inertia_2);
    let d1 = (coupling * 2.0).mul_add(cos_2, inertia_1);
    let share = d2 / d1;

    let pull = coupling * sin_2;
    let phi_2 = m2 * c2 * g * (theta_1 + theta_2).sin();
    let weight_1 = ((m1 * c1 + m2 * l1) * g).mul_add(theta_1.sin(), phi_2);
    let phi_1 = (pull * speed_2).mul_add(-(speed_1 * 2.0 + speed_2), weight_1);
    let push = (pull * speed_1).mul_add(-speed_1, torque - phi_2);
    let speed_2_dot = share.mul_add(phi_1, push) / share.mul_add(-d2, inertia_2);
    let speed_1_dot = -(d2.mul_add(speed_2_dot, phi_1)) / d1;
    [speed_1, speed_2, speed_1_dot, speed_2_dot]
}

/// `start + h slope`.
#[inline(always)]
fn along<R: Real>(start: Motion<R>, slope: Motion<R>, h: f64) -> Motion<R> {
    let h = R::splat(h);
    [
        slope[0].mul_add(h, start[0]),
        slope[1].mul_add(h, start[1]),
        slope[2].mul_add(h, start[2]),
        slope[3].mul_add(h, start[3]),
    ]
}

impl Plant for Acrobot {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        let speeds = [
            Variable::new("theta_1_dot", "rad/s").scaled(0.0, 4.0 * PI),
            Variable::new("theta_2_dot", "rad/s").scaled(0.0, 9.0 * PI),
        ];
        let [speed_1, speed_2] = speeds.clone();
        let mut observations: Vec<Variable> =
            ["cos_theta_1", "sin_theta_1", "cos_theta_2", "sin_theta_2"]
                .map(|name| Variable::new(name, ""))
                .into();
        observations.extend(speeds);
        Description {
            name: "acrobot".to_owned(),
            version: "1".to_owned(),
            summary: "Two links swung up by a motor between them, as fast as can be.".to_owned(),
            states: vec![
                Variable::new("theta_1", "rad"),
                Variable::new("theta_2", "rad"),
                speed_1,
                speed_2,
                Variable::new("reached", "").bounded(0.0, 1.0),
            ],
            controls: vec![Variable::new("torque", "N m").bounded(-1.0, 1.0)],
            observations,
            parameters: vec![
                Parameter::new("mass_1", "kg", 1.0, "mass of the first link, m1")
                    .bounded(0.01, 100.0),
                Parameter::new("mass_2", "kg", 1.0, "mass of the second link, m2")
                    .bounded(0.01, 100.0),
                Parameter::new("length_1", "m", 1.0, "length of the first link, l1")
                    .bounded(0.01, 100.0),
                Parameter::new("center_1", "m", 0.5, "from the pivot to the center of mass, c1")
                    .bounded(0.01, 100.0),
                Parameter::new("center_2", "m", 0.5, "from the motor to the center of mass, c2")
                    .bounded(0.01, 100.0),
                Parameter::new("inertia_1", "kg m^2", 1.0, "about the center of mass, I1")
                    .bounded(0.01, 100.0),
                Parameter::new("inertia_2", "kg m^2", 1.0, "about the center of mass, I2")
                    .bounded(0.01, 100.0),
                Parameter::new("gravity", "m/s^2", 9.8, "acceleration of free fall, g")
                    .bounded(0.0, 100.0),
                Parameter::new("length_2", "m", 1.0, "length of the second link, l2")
                    .bounded(0.01, 100.0),
                Parameter::new("goal_height", "m", 1.0, "of the free end, above the pivot")
                    .bounded(-200.0, 200.0),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.2,
            sample_time_s: 0.2,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-2.4, 2.4, -2.4, 2.4);
        picture.add(None, Shape::line(Role::Target, (-2.4, parameter(9)), (2.4, parameter(9))));
        // Links hang down where their angles are 0.
        let first = picture.frame(None, 0.0, 0.0, state(0));
        let second = picture.frame(Some(first), 0.0, -parameter(2), state(1));
        picture.add(Some(first), Shape::line(Role::Body, (0.0, 0.0), (0.0, -parameter(2))));
        picture.add(Some(second), Shape::line(Role::Moving, (0.0, 0.0), (0.0, -parameter(8))));
        picture.add(Some(second), Shape::circle(Role::Moving, (0.0, -parameter(8)), 0.1));
        // The torque of the motor, as the force that it has at the free end.
        let push = control(0) * 0.6;
        let to = (push, -parameter(8));
        picture.add(Some(second), Shape::line(Role::Force, (0.0, -parameter(8)), to));
        picture.add(Some(second), Shape::circle(Role::Body, (0.0, 0.0), 0.1));
        picture.add(None, Shape::circle(Role::Ground, (0.0, 0.0), 0.12));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 5, n_controls: 1, n_observations: 6, n_parameters: 10 }
    }

    /// The rates of the free motion; a goal that was reached stops the plant's own step alone.
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        dx[..4].copy_from_slice(&rates([x[0], x[1], x[2], x[3]], u[0], p));
        dx[4] = R::splat(0.0);
    }

    #[inline(always)]
    fn step<R: Real>(&self, _t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let start = [x[0], x[1], x[2], x[3]];
        // A loop, so that the equations are compiled once and not four times.
        let mut slopes = [start; 4];
        let mut at = start;
        for (slope, next) in slopes.iter_mut().zip([0.5, 0.5, 1.0, 0.0]) {
            *slope = rates(at, u[0], p);
            at = along(start, *slope, next * step_s);
        }
        let [s1, s2, s3, s4] = slopes;
        let two = R::splat(2.0);
        let mut slope = s1;
        for index in 0..4 {
            slope[index] = two.mul_add(s2[index] + s3[index], s1[index] + s4[index]);
        }
        let free = along(start, slope, step_s / 6.0);
        let [max_1, max_2] = MAX_SPEEDS.map(R::splat);
        let next = [
            free[0].wrap_angle(),
            free[1].wrap_angle(),
            free[2].clamp(-max_1, max_1),
            free[3].clamp(-max_2, max_2),
        ];

        let at_goal = x[4].gt(R::splat(0.5));
        for index in 0..4 {
            x[index] = R::select(at_goal, start[index], next[index]);
        }
        let [length_1, length_2, goal_height] = [p[2], p[8], p[9]];
        let tip = length_1.mul_add(x[0].cos(), length_2 * (x[0] + x[1]).cos());
        let reached = at_goal | (-tip).gt(goal_height);
        x[4] = R::select(reached, R::splat(1.0), R::splat(0.0));
    }

    #[inline(always)]
    fn observe<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R], y: &mut [R]) {
        let (sin_1, cos_1) = x[0].sin_cos();
        let (sin_2, cos_2) = x[1].sin_cos();
        y.copy_from_slice(&[cos_1, sin_1, cos_2, sin_2, x[2], x[3]]);
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        R::select(x[4].gt(R::splat(0.5)), R::splat(0.0), R::splat(1.0))
    }
}
