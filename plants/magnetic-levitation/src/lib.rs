//! A steel ball held in the air below an electromagnet by the voltage of its coil.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[gap, gap_dot, current]`, control `[voltage]`, parameters
/// `[mass, friction, gravity, reach, ball_inductance, coil_inductance, resistance, set_point, max_gap, voltage_weight]`.
///
/// ```text
/// m y''   = m g - k y' - L0 a i^2 / (2 (a + y)^2)
/// L(y) i' = v - R i + L0 a y' i / (a + y)^2          L(y) = L1 + L0 a / (a + y)
/// ```
///
/// The stage cost is `((y - r) / r)^2 + voltage_weight (v - v_r)^2`, where r is `set_point` and `v_r` the voltage that
/// bears the ball there. An episode fails where the ball touches the magnet, `y < 0`, or has dropped, `y > max_gap`, and is
/// then charged the larger of 1 and `((max_gap - r) / r)^2`, or the stage cost at the failure where that is larger.
#[derive(Clone, Copy, Debug, Default)]
pub struct MagneticLevitation;

/// The gap that is to be kept, in m.
const REST_M: f64 = 0.05;

/// The current that bears the default ball there, and the voltage of the same number by the default resistance of 1 ohm:
/// sqrt(2 m g (a + r)^2 / (L0 a)), the root of 39.24.
const REST_A: f64 = 6.264_183_905_346_33;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<MagneticLevitation>(structure)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("mass", "kg", 0.1, "mass of the ball, m").bounded(1e-3, 100.0),
        Parameter::new("friction", "N s/m", 0.001, "of the air, k").bounded(0.0, 1e3),
        Parameter::new("gravity", "m/s^2", 9.81, "acceleration of free fall, g").bounded(0.0, 1e3),
        Parameter::new("reach", "m", 0.05, "gap at which the ball's inductance is halved, a")
            .bounded(1e-3, 10.0),
        Parameter::new("ball_inductance", "H", 0.01, "what the touching ball adds, L0")
            .bounded(1e-6, 10.0),
        Parameter::new("coil_inductance", "H", 0.02, "of the coil without the ball, L1")
            .bounded(1e-4, 10.0),
        Parameter::new("resistance", "ohm", 1.0, "of the coil, R").bounded(0.0, 1e4),
        Parameter::new("set_point", "m", REST_M, "gap that is to be kept, r").bounded(1e-3, 10.0),
        Parameter::new("max_gap", "m", 0.1, "gap at which the ball has dropped")
            .bounded(1e-3, 10.0),
        Parameter::new("voltage_weight", "1/V^2", 1e-4, "weight of (v - v_r)^2").bounded(0.0, 1e3),
    ]
}

/// The voltage that bears the ball at the set point.
#[inline(always)]
fn rest_voltage<R: Real>(p: &[R]) -> R {
    let [mass, gravity, reach, ball_inductance] = [p[0], p[2], p[3], p[4]];
    let [resistance, set_point] = [p[6], p[7]];
    let weight = mass * gravity * 2.0 / (ball_inductance * reach);
    resistance * (reach + set_point) * weight.sqrt()
}

impl Plant for MagneticLevitation {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("gap", "m").scaled(REST_M, REST_M).starting_at(REST_M),
            Variable::new("gap_dot", "m/s").scaled(0.0, 0.5),
            Variable::new("current", "A").scaled(REST_A, 5.0).starting_at(REST_A),
        ];
        Description {
            name: "magnetic-levitation".to_owned(),
            version: "1".to_owned(),
            summary: "A steel ball held below an electromagnet by the voltage of its coil."
                .to_owned(),
            observations: states.clone(),
            states,
            // An output of 0 is the voltage of rest, and -1 is none.
            controls: vec![Variable::new("voltage", "V").bounded(0.0, 15.0).scaled(REST_A, REST_A)],
            parameters: parameters(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.0025,
            sample_time_s: 0.005,
        }
    }

    fn picture(&self) -> Option<Picture> {
        /// The radius of the ball.
        const BALL: f64 = 0.012;
        let mut picture = Picture::new(-0.09, 0.09, -0.14, 0.05);
        picture.add(None, Shape::rect(Role::Ground, (-0.015, 0.0), (0.03, 0.045)));
        let coil = (0..12_u32).map(|index| {
            let x = [-0.025, 0.025][index as usize % 2];
            [x.into(), (0.005 + 0.003 * f64::from(index)).into()]
        });
        picture.add(None, Shape::polyline(Role::Body, coil.collect()));
        // The gap is from the magnet to the top of the ball.
        let floor = -parameter(8) - 2.0 * BALL;
        picture.add(None, Shape::line(Role::Ground, (-0.08, floor.clone()), (0.08, floor)));
        let target = -parameter(7);
        for (from, to) in [(-0.05, -0.02), (0.02, 0.05)] {
            picture
                .add(None, Shape::line(Role::Target, (from, target.clone()), (to, target.clone())));
        }
        let ball = picture.frame(None, 0.0, -state(0) - BALL, 0.0);
        picture.add(Some(ball), Shape::circle(Role::Moving, (0.0, 0.0), BALL));
        // The voltage as an arrow from the ball, 3 mm for each volt.
        picture.add(Some(ball), Shape::line(Role::Force, (0.0, 0.0), (0.0, control(0) * 0.003)));
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 3, n_controls: 1, n_observations: 3, n_parameters: 10 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [gap, gap_dot, current] = [x[0], x[1], x[2]];
        let [mass, friction, gravity, reach] = [p[0], p[1], p[2], p[3]];
        let [ball_inductance, coil_inductance, resistance] = [p[4], p[5], p[6]];
        // Neither changes within a call.
        let (inverse_mass, strength) = (R::splat(1.0) / mass, ball_inductance * reach);

        // Within the step in which the ball meets the magnet the gap may be negative, where the law has a pole: the episode
        // is to end as a failure, and not with infinity.
        let inverse = R::splat(1.0) / (reach + gap.max(R::splat(0.0)));
        let inductance = strength.mul_add(inverse, coil_inductance);
        // -dL/dy: half of it times i^2 is the force of the magnet, and times y' i it is a voltage.
        let slope = strength * inverse * inverse;
        let force = friction.mul_add(gap_dot, slope * (current * current) * 0.5);
        let induced = slope * gap_dot - resistance;
        dx[0] = gap_dot;
        dx[1] = gravity - force * inverse_mass;
        dx[2] = induced.mul_add(current, u[0]) / inductance;
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [set_point, voltage_weight] = [p[7], p[9]];
        let error = x[0] / set_point - 1.0;
        let excess = u[0] - rest_voltage(p);
        error.mul_add(error, voltage_weight * (excess * excess))
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        x[0].lt(R::splat(0.0)) | x[0].gt(p[8])
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        let dropped = p[8] / p[7] - 1.0;
        (dropped * dropped).max(R::splat(1.0))
    }
}
