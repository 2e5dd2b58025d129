//! Two tanks, one above the other: a pump fills the upper one, which drains into the lower one, whose level is to be kept.

#![forbid(unsafe_code)]

use bitloop_plant::picture::{Affine, Picture, Role, Shape, control, parameter, state};
use bitloop_plant::{
    Description, DescriptionError, Integrator, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};

/// The plant. State and observations `[upper_level, lower_level]`, control `[voltage]`, parameters
/// `[upper_area, lower_area, upper_outlet, lower_outlet, pump_gain, gravity, set_point, rim, voltage_weight]`, in
/// centimeters.
///
/// ```text
/// A1 h1' = k v - a1 sqrt(2 g h1)
/// A2 h2' = a1 sqrt(2 g h1) - a2 sqrt(2 g h2)
/// ```
///
/// The stage cost is `(h2 - set_point)^2 + voltage_weight (v - v_r)^2`, where `v_r` is the voltage of rest at the set
/// point. An episode fails where a level rises above the `rim`, and is then charged the larger of `set_point^2` and
/// `(rim - set_point)^2`, the most that the error of a level within the tank comes to, or the stage cost at the failure where
/// that is larger.
#[derive(Clone, Copy, Debug, Default)]
pub struct CoupledTanks;

/// The level that is to be kept, in cm.
const REST_CM: f64 = 10.0;

/// The voltage at which the default tanks rest there, a sqrt(2 g h) / k.
const REST_V: f64 = 2.986_507_548_197_987;

/// Opens the plant, with its default structure where none is given.
///
/// The kernels of all instruction sets are compiled here, once; a call of [`PlantHandle::linked`] from another crate
/// would compile them again.
///
/// # Errors
/// [`DescriptionError`] if structural parameters are given: the plant has none.
#[inline(never)]
pub fn open(structure: Option<&[u64]>) -> Result<PlantHandle, DescriptionError> {
    PlantHandle::linked::<CoupledTanks>(structure)
}

fn parameters() -> Vec<Parameter> {
    vec![
        Parameter::new("upper_area", "cm^2", 28.0, "of the upper tank, A1").bounded(0.1, 1e6),
        Parameter::new("lower_area", "cm^2", 28.0, "of the lower tank, A2").bounded(0.1, 1e6),
        Parameter::new("upper_outlet", "cm^2", 0.071, "area of the upper outlet, a1")
            .bounded(0.0, 1e3),
        Parameter::new("lower_outlet", "cm^2", 0.071, "area of the lower outlet, a2")
            .bounded(0.0, 1e3),
        Parameter::new("pump_gain", "cm^3/(V s)", 3.33, "flow of the pump per voltage, k")
            .bounded(1e-3, 1e6),
        Parameter::new("gravity", "cm/s^2", 981.0, "acceleration of free fall, g")
            .bounded(0.0, 1e5),
        Parameter::new("set_point", "cm", REST_CM, "level of the lower tank that is to be kept")
            .bounded(0.0, 1e4),
        Parameter::new("rim", "cm", 20.0, "level at which a tank runs over").bounded(0.0, 1e4),
        Parameter::new("voltage_weight", "cm^2/V^2", 0.01, "weight of (v - v_r)^2")
            .bounded(0.0, 1e3),
    ]
}

/// The flow out of an outlet. A level below 0, which an integration step can leave in a tank that runs dry, has none.
#[inline(always)]
fn outflow<R: Real>(outlet: R, gravity: R, level: R) -> R {
    outlet * (gravity * level.max(R::splat(0.0)) * 2.0).sqrt()
}

impl Plant for CoupledTanks {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let level = |name| Variable::new(name, "cm").scaled(REST_CM, 5.0).starting_at(REST_CM);
        let states = vec![level("upper_level"), level("lower_level")];
        Description {
            name: "coupled-tanks".to_owned(),
            version: "1".to_owned(),
            summary: "The level of the lower of two tanks, kept by a pump into the upper one."
                .to_owned(),
            observations: states.clone(),
            states,
            // An output of 0 is the voltage of rest, and -1 is none.
            controls: vec![Variable::new("voltage", "V").bounded(0.0, 10.0).scaled(REST_V, REST_V)],
            parameters: parameters(),
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 1.0,
            sample_time_s: 2.0,
        }
    }

    /// A length of 1 is 20 cm of level.
    fn picture(&self) -> Option<Picture> {
        const WIDTH: f64 = 0.8;
        let mut picture = Picture::new(-0.9, 1.7, -0.3, 2.8);
        let height = |level: Affine| level * 0.05;
        let rim = height(parameter(7));
        for (index, bottom) in [(0, 1.4), (1, 0.0)] {
            let level = height(state(index));
            let role = [Role::Body, Role::Moving][index];
            picture.add(None, Shape::rect(role, (0.0, bottom), (WIDTH, level)));
            let walls = vec![
                [0.0.into(), rim.clone() + bottom],
                [0.0.into(), bottom.into()],
                [WIDTH.into(), bottom.into()],
                [WIDTH.into(), rim.clone() + bottom],
            ];
            picture.add(None, Shape::polyline(Role::Ground, walls));
            let outlet = ((0.5 * WIDTH, bottom), (0.5 * WIDTH, bottom - 0.2));
            picture.add(None, Shape::line(Role::Body, outlet.0, outlet.1));
        }
        let target = height(parameter(6));
        picture.add(None, Shape::line(Role::Target, (-0.1, target.clone()), (WIDTH + 0.1, target)));
        // The flow of the pump falls into the upper tank.
        let from = rim + 1.6;
        picture.add(
            None,
            Shape::line(Role::Force, (0.2, from.clone()), (0.2, from - control(0) * 0.06)),
        );
        Some(picture)
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 9 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let [upper_area, lower_area, upper_outlet, lower_outlet] = [p[0], p[1], p[2], p[3]];
        let [pump_gain, gravity] = [p[4], p[5]];
        let between = outflow(upper_outlet, gravity, x[0]);
        let out = outflow(lower_outlet, gravity, x[1]);
        dx[0] = pump_gain.mul_add(u[0], -between) / upper_area;
        dx[1] = (between - out) / lower_area;
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let [lower_outlet, pump_gain, gravity, set_point, voltage_weight] =
            [p[3], p[4], p[5], p[6], p[8]];
        let error = x[1] - set_point;
        let excess = u[0] - outflow(lower_outlet, gravity, set_point) / pump_gain;
        error.mul_add(error, voltage_weight * (excess * excess))
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        x[0].gt(p[7]) | x[1].gt(p[7])
    }

    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        let [set_point, rim] = [p[6], p[7]];
        let full = rim - set_point;
        (set_point * set_point).max(full * full)
    }
}
