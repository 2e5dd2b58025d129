//! A car kept in the middle of its lane at a constant speed by its steering: the bicycle model of lateral motion.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[offset, offset_rate, heading, heading_rate]`, control `[steering]`, parameters
/// `[mass, yaw_inertia, front_axle, rear_axle, front_stiffness, rear_stiffness, speed, curvature, heading_weight,
/// steering_weight, failure_offset]`.
///
/// e1 is the offset of the center of mass from the middle of the lane, to the left, and e2 the heading against the lane,
/// counterclockwise. With the lane's yaw rate w = V curvature:
/// ```text
/// vy = e1' - V e2      r = e2' + w
/// Ff = 2 Cf (delta - (vy + lf r) / V)      Fr = -2 Cr (vy - lr r) / V
/// m e1'' = Ff + Fr - m V w                 I e2'' = lf Ff - lr Fr
/// ```
///
/// The stage cost is `e1^2 + heading_weight e2^2 + steering_weight delta^2`. An episode fails where
/// `|e1| > failure_offset`, and is then charged `failure_offset^2` or what the stage cost is there, whichever is larger.
#[derive(Clone, Copy, Debug, Default)]
pub struct LaneKeeping;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<LaneKeeping>(structure)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("mass", "kg", 1573.0, "m").bounded(1.0, 1e6),
        Parameter::new("yaw_inertia", "kg m^2", 2873.0, "about the vertical axis, I")
            .bounded(1.0, 1e7),
        Parameter::new("front_axle", "m", 1.1, "from the center of mass, lf").bounded(0.01, 100.0),
        Parameter::new("rear_axle", "m", 1.58, "from the center of mass, lr").bounded(0.01, 100.0),
        Parameter::new("front_stiffness", "N/rad", 8e4, "of each front tire in a corner, Cf")
            .bounded(0.0, 1e7),
        Parameter::new("rear_stiffness", "N/rad", 8e4, "of each rear tire in a corner, Cr")
            .bounded(0.0, 1e7),
        Parameter::new("speed", "m/s", 30.0, "V").bounded(5.0, 100.0),
        Parameter::new("curvature", "1/m", 0.0, "of the lane, positive in a turn to the left")
            .bounded(-0.1, 0.1),
        Parameter::new("heading_weight", "m^2/rad^2", 10.0, "weight of e2^2 against e1^2")
            .bounded(0.0, 1e6),
        Parameter::new("steering_weight", "m^2/rad^2", 1.0, "weight of delta^2 against e1^2")
            .bounded(0.0, 1e6),
        Parameter::new("failure_offset", "m", 1.75, "offset at which the car has left its lane")
            .bounded(0.0, 1e3),
    ]
}

impl Plant for LaneKeeping {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("offset", "m").scaled(0.0, 1.75),
            Variable::new("offset_rate", "m/s"),
            Variable::new("heading", "rad").scaled(0.0, 0.05),
            Variable::new("heading_rate", "rad/s").scaled(0.0, 0.2),
        ];
        Description {
            name: "lane-keeping".to_owned(),
            version: "1".to_owned(),
            summary: "A car kept in its lane at a constant speed by its steering.".to_owned(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("steering", "rad").bounded(-0.1, 0.1).scaled(0.0, 0.1)],
            parameters: parameters(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.025,
            sample_time_s: 0.05,
        }
    }

    /// From above, the way ahead to the right. The road comes towards the car, which is not seen.
    fn picture(&self) -> Option<Picture> {
        let mut picture = Picture::new(-4.0, 5.0, -3.2, 3.2);
        for edge in [-parameter(10), parameter(10)] {
            picture.add(None, Shape::line(Role::Ground, (-20.0, edge.clone()), (20.0, edge)));
        }
        picture.add(None, Shape::line(Role::Target, (-20.0, 0.0), (20.0, 0.0)));
        let car = picture.frame(None, 0.0, state(0), state(2));
        let [front, rear] = [2, 3].map(parameter);
        let corner = (-rear.clone() - 0.8, -0.85);
        let length = front.clone() + rear.clone() + 1.7;
        picture.add(Some(car), Shape::rect(Role::Moving, corner, (length, 1.7)));
        for side in [-0.7, 0.7] {
            let wheel = picture.frame(Some(car), front.clone(), side, control(0));
            picture.add(Some(wheel), Shape::line(Role::Body, (-0.3, 0.0), (0.3, 0.0)));
            let (from, to) = (-rear.clone() - 0.3, -rear.clone() + 0.3);
            picture.add(Some(car), Shape::line(Role::Body, (from, side), (to, side)));
        }
        // The angle of the wheels is small: the arrow has 1 m for each 0.1 rad.
        let push = control(0) * 10.0;
        picture.add(Some(car), Shape::line(Role::Force, (front.clone(), 0.0), (front, push)));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 4, n_controls: 1, n_observations: 4, n_parameters: 11 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [offset_rate, heading, heading_rate] = [x[1], x[2], x[3]];
        let [mass, yaw_inertia, front_axle, rear_axle] = [p[0], p[1], p[2], p[3]];
        let [front_stiffness, rear_stiffness, speed, curvature] = [p[4], p[5], p[6], p[7]];
        // None of these changes within a call.
        let (inverse_mass, inverse_inertia) = (R::splat(1.0) / mass, R::splat(1.0) / yaw_inertia);
        let (inverse_speed, lane_rate) = (R::splat(1.0) / speed, speed * curvature);

        let sideways = speed.mul_add(-heading, offset_rate);
        let yaw_rate = heading_rate + lane_rate;
        let front_slip = u[0] - front_axle.mul_add(yaw_rate, sideways) * inverse_speed;
        let rear_slip = rear_axle.mul_add(yaw_rate, -sideways) * inverse_speed;
        let front_force = front_stiffness * front_slip * 2.0;
        let rear_force = rear_stiffness * rear_slip * 2.0;
        dx[0] = offset_rate;
        dx[1] = (front_force + rear_force).mul_add(inverse_mass, -(speed * lane_rate));
        dx[2] = heading_rate;
        dx[3] = front_axle.mul_add(front_force, -(rear_axle * rear_force)) * inverse_inertia;
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [heading_weight, steering_weight] = [p[8], p[9]];
        let rest = heading_weight.mul_add(x[2] * x[2], steering_weight * (u[0] * u[0]));
        x[0].mul_add(x[0], rest)
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        x[0].abs().gt(p[10])
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        p[10] * p[10]
    }
}
