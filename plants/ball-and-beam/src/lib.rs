//! A ball that rolls along a beam, held in the middle by a torque that tilts the beam.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[r, theta, r_dot, theta_dot]`, control `[torque]`, parameters
/// `[ball_mass, ball_radius, ball_inertia, beam_inertia, gravity, half_length, angle_weight, max_angle, torque_weight]`.
///
/// ```text
/// (Jb / R^2 + M) r'' = M r theta'^2 - M g sin(theta)
/// (M r^2 + J + Jb) theta'' = tau - 2 M r r' theta' - M g r cos(theta)
/// ```
///
/// The stage cost is `r^2 + angle_weight theta^2 + torque_weight tau^2`. An episode fails where `|r| > half_length` or
/// `|theta| > max_angle`, and is then charged `half_length^2 + angle_weight max_angle^2`, the most that a state within has
/// without a torque, or the stage cost at the failure where that is larger.
#[derive(Clone, Copy, Debug, Default)]
pub struct BallAndBeam;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<BallAndBeam>(structure)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("ball_mass", "kg", 0.05, "mass of the ball, M").bounded(1e-4, 1e3),
        Parameter::new("ball_radius", "m", 0.01, "radius of the ball, R").bounded(1e-4, 10.0),
        Parameter::new("ball_inertia", "kg m^2", 2e-6, "of the ball about its center, Jb")
            .bounded(0.0, 1e3),
        Parameter::new("beam_inertia", "kg m^2", 0.02, "of the beam about its pivot, J")
            .bounded(1e-4, 1e3),
        Parameter::new("gravity", "m/s^2", 9.81, "acceleration of free fall, g").bounded(0.0, 1e3),
        Parameter::new("half_length", "m", 0.5, "distance from the pivot to an end of the beam")
            .bounded(0.0, 1e3),
        Parameter::new("angle_weight", "m^2/rad^2", 0.01, "weight of theta^2 against r^2")
            .bounded(0.0, 1e3),
        Parameter::new("max_angle", "rad", 1.0, "tilt at which the beam meets its stop")
            .bounded(0.0, 1e3),
        Parameter::new("torque_weight", "1/N^2", 0.01, "weight of tau^2 against r^2")
            .bounded(0.0, 1e3),
    ]
}

impl Plant for BallAndBeam {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("r", "m"),
            Variable::new("theta", "rad"),
            Variable::new("r_dot", "m/s"),
            Variable::new("theta_dot", "rad/s"),
        ];
        Description {
            name: "ball-and-beam".to_owned(),
            version: "1".to_owned(),
            summary: "A ball kept in the middle of a beam by a torque on the beam.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("torque", "N m").bounded(-0.5, 0.5)],
            parameters: parameters(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.025,
            sample_time_s: 0.05,
        }
    }

    fn picture(&self) -> Option<Picture> {
        // A ball of its true size would be a dot.
        const RADIUS: f64 = 0.04;
        let mut picture = Picture::new(-0.65, 0.65, -0.5, 0.5);
        picture.add(None, Shape::line(Role::Ground, (-0.12, -0.3), (0.0, 0.0)));
        picture.add(None, Shape::line(Role::Ground, (0.0, 0.0), (0.12, -0.3)));
        picture.add(None, Shape::line(Role::Ground, (-0.2, -0.3), (0.2, -0.3)));
        let beam = picture.frame(None, 0.0, 0.0, state(1));
        let half = parameter(5);
        picture.add(Some(beam), Shape::line(Role::Body, (-half.clone(), 0.0), (half.clone(), 0.0)));
        picture.add(Some(beam), Shape::line(Role::Target, (0.0, 0.0), (0.0, 2.0 * RADIUS)));
        picture.add(Some(beam), Shape::circle(Role::Moving, (state(0), RADIUS), RADIUS));
        // The torque as a force at the beam's right end: a positive one lifts it.
        let push = control(0) * 0.6;
        picture.add(Some(beam), Shape::line(Role::Force, (half.clone(), 0.0), (half, push)));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 4, n_controls: 1, n_observations: 4, n_parameters: 9 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [r, theta, r_dot, theta_dot] = [x[0], x[1], x[2], x[3]];
        let [mass, radius, ball_inertia, beam_inertia, gravity] = [p[0], p[1], p[2], p[3], p[4]];
        // The share of its weight that moves a rolling ball, 5/7 of a solid one. It does not change within a call.
        let rolling = mass / (ball_inertia / (radius * radius) + mass);
        let inertia = beam_inertia + ball_inertia;

        let (sin, cos) = theta.sin_cos();
        let mass_r = mass * r;
        // 2 r' theta' + g cos(theta): what the ball's weight and its Coriolis force take from the torque, by M r.
        let load = (r_dot * 2.0).mul_add(theta_dot, gravity * cos);
        dx[0] = r_dot;
        dx[1] = theta_dot;
        dx[2] = rolling * (r * theta_dot).mul_add(theta_dot, -(gravity * sin));
        dx[3] = (u[0] - mass_r * load) / mass_r.mul_add(r, inertia);
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [angle_weight, torque_weight] = [p[6], p[8]];
        let rest = angle_weight.mul_add(x[1] * x[1], torque_weight * (u[0] * u[0]));
        x[0].mul_add(x[0], rest)
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        let [half_length, max_angle] = [p[5], p[7]];
        x[0].abs().gt(half_length) | x[1].abs().gt(max_angle)
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        let [half_length, angle_weight, max_angle] = [p[5], p[6], p[7]];
        half_length.mul_add(half_length, angle_weight * (max_angle * max_angle))
    }
}
