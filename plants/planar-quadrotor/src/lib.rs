//! A quadrotor in a vertical plane, held at a point by two rotors that push along its own axis alone.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[x, y, theta, x_dot, y_dot, theta_dot]`, controls `[thrust_right, thrust_left]`,
/// parameters `[mass, arm, inertia, gravity, angle_weight, failure_distance, failure_angle]`.
///
/// ```text
/// m x''     = -(F_r + F_l) sin(theta)
/// m y''     =  (F_r + F_l) cos(theta) - m g
/// I theta'' =  r (F_r - F_l)
/// ```
///
/// The stage cost is `x^2 + y^2 + angle_weight theta^2`. An episode fails where `|x|` or `|y|` exceeds `failure_distance`
/// or `|theta|` exceeds `failure_angle`, and is then charged `2 failure_distance^2 + angle_weight failure_angle^2`, the
/// most that a state within has, or the stage cost at the failure where that is larger.
#[derive(Clone, Copy, Debug, Default)]
pub struct PlanarQuadrotor;

/// Half the weight of a quadrotor with the default parameters: the thrust of each rotor at which it hovers.
const HOVER_N: f64 = 2.38383;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<PlanarQuadrotor>(structure)
}

impl Plant for PlanarQuadrotor {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("x", "m"),
            Variable::new("y", "m"),
            Variable::new("theta", "rad"),
            Variable::new("x_dot", "m/s"),
            Variable::new("y_dot", "m/s"),
            Variable::new("theta_dot", "rad/s"),
        ];
        // An output of 0 hovers; -1 and 1 are the bounds.
        let thrust =
            |name| Variable::new(name, "N").bounded(0.0, 2.0 * HOVER_N).scaled(HOVER_N, HOVER_N);
        Description {
            name: "planar-quadrotor".to_owned(),
            version: "1".to_owned(),
            summary: "A quadrotor in a vertical plane, held at a point by two rotors.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![thrust("thrust_right"), thrust("thrust_left")],
            parameters: vec![
                Parameter::new("mass", "kg", 0.486, "m").bounded(1e-3, 1e3),
                Parameter::new("arm", "m", 0.25, "from the center of mass to a rotor, r")
                    .bounded(1e-3, 1e3),
                Parameter::new("inertia", "kg m^2", 0.00383, "about the center of mass, I")
                    .bounded(1e-6, 1e3),
                Parameter::new("gravity", "m/s^2", 9.81, "acceleration of free fall, g")
                    .bounded(0.0, 1e3),
                Parameter::new("angle_weight", "m^2/rad^2", 0.1, "weight of theta^2 against x^2")
                    .bounded(0.0, 1e3),
                Parameter::new("failure_distance", "m", 5.0, "|x| or |y| at which it has left")
                    .bounded(0.0, 1e3),
                Parameter::new("failure_angle", "rad", 1.5, "tilt at which it has fallen")
                    .bounded(0.0, 1e3),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.02,
            sample_time_s: 0.02,
        }
    }

    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-0.8, 0.8, -0.6, 0.8);
        picture.add(None, Shape::line(Role::Target, (-0.1, 0.0), (0.1, 0.0)));
        picture.add(None, Shape::line(Role::Target, (0.0, -0.1), (0.0, 0.1)));
        let body = picture.frame(None, state(0), state(1), state(2));
        let arm = parameter(1);
        let frame = Some(body);
        picture.add(
            frame,
            Shape::rect(Role::Moving, (-arm.clone(), -0.015), (arm.clone() * 2.0, 0.03)),
        );
        for (side, thrust) in [(arm.clone(), 0), (-arm, 1)] {
            // A mast with a propeller, and its thrust: half an arm at hover.
            picture.add(frame, Shape::line(Role::Body, (side.clone(), 0.0), (side.clone(), 0.06)));
            let blade = (side.clone() - 0.1, side.clone() + 0.1);
            picture.add(frame, Shape::line(Role::Body, (blade.0, 0.06), (blade.1, 0.06)));
            let tip = (side.clone(), control(thrust) * 0.05 + 0.06);
            picture.add(frame, Shape::line(Role::Force, (side, 0.06), tip));
        }
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 6, n_controls: 2, n_observations: 6, n_parameters: 7 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [mass, arm, inertia, gravity] = [p[0], p[1], p[2], p[3]];
        let (sin, cos) = x[2].sin_cos();
        let thrust = u[0] + u[1];
        // Neither inverse changes within a call.
        let (inverse_mass, inverse_inertia) = (R::splat(1.0) / mass, R::splat(1.0) / inertia);
        dx[0] = x[3];
        dx[1] = x[4];
        dx[2] = x[5];
        dx[3] = -thrust * sin * inverse_mass;
        // Thrust against weight, so that a hovering quadrotor gets 0 and no rounding error.
        dx[4] = (thrust * cos - mass * gravity) * inverse_mass;
        dx[5] = arm * (u[0] - u[1]) * inverse_inertia;
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], p: &[R]) -> R {
        let [x, y, theta, angle_weight] = [x[0], x[1], x[2], p[4]];
        x.mul_add(x, y.mul_add(y, angle_weight * (theta * theta)))
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        let [distance, angle] = [p[5], p[6]];
        x[0].abs().gt(distance) | x[1].abs().gt(distance) | x[2].abs().gt(angle)
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        let [angle_weight, distance, angle] = [p[4], p[5], p[6]];
        angle_weight.mul_add(angle * angle, (distance * distance) * 2.0)
    }
}
