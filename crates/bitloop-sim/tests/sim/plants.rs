//! Plants made for one test or another.

use bitloop_plant::{
    Description, Integrator, Mask, Parameter, Plant, Real, ScalarPlant, Sizes, StructuralParameter,
    Variable,
};

/// A description with everything unbounded, observed whole, with steps of 1 s held for 4 s.
pub fn described(
    name: &str,
    states: Vec<Variable>,
    controls: Vec<Variable>,
    parameters: Vec<Parameter>,
    integrators: Vec<Integrator>,
) -> Description {
    Description {
        name: name.to_owned(),
        version: "1".to_owned(),
        summary: "A plant for tests.".to_owned(),
        observations: states.clone(),
        states,
        controls,
        parameters,
        structure: Vec::new(),
        integrators,
        step_s: 1.0,
        sample_time_s: 4.0,
    }
}

/// x grows by 1 a second and costs what it is, so that sums can be done by hand; it fails above its limit.
#[derive(Default)]
pub struct Ramp;

impl Plant for Ramp {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler];

    fn description(&self) -> Description {
        described(
            "ramp",
            vec![Variable::new("x", "m")],
            vec![Variable::new("idle", "")],
            vec![
                Parameter::new("limit", "m", 100.0, "fails above"),
                Parameter::new("failure", "", 0.0, "failure cost"),
                Parameter::new("terminal", "", 0.0, "terminal cost per x"),
            ],
            Self::INTEGRATORS.to_vec(),
        )
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 3 }
    }
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, _x: &[R], _u: &[R], _p: &[R], dx: &mut [R]) {
        dx[0] = R::splat(1.0);
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[0]
    }
    #[inline(always)]
    fn terminal_cost<R: Real>(&self, x: &[R], p: &[R]) -> R {
        p[2] * x[0]
    }
    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        x[0].gt(p[0])
    }
    #[inline(always)]
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        p[1]
    }
}

/// Idle, with a cost of 1, until second 6; then each lane does the mischief that its parameter names.
#[derive(Default)]
pub struct Spoiled;

/// The mischief of [`Spoiled`], as values of its parameter.
pub mod mischief {
    pub const NONE: u64 = 0;
    pub const NAN_COST: u64 = 1;
    pub const INFINITE_COST: u64 = 2;
    pub const NEGATIVE_COST: u64 = 3;
    pub const NAN_STATE: u64 = 4;
    pub const PANIC: u64 = 5;
    pub const NEGATIVE_INFINITE_COST: u64 = 6;
    pub const NAN_TERMINAL_COST: u64 = 7;
    pub const NEGATIVE_TERMINAL_COST: u64 = 8;
    pub const NEGATIVE_ZERO_COST: u64 = 9;
    pub const FAILS: u64 = 10;
    pub const FAILS_AT_INFINITE_COST: u64 = 11;
    pub const FAILS_WITH_NAN_TERMINAL_COST: u64 = 12;
    pub const INFINITE_STATE: u64 = 13;
}

impl Plant for Spoiled {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        described(
            "spoiled",
            vec![Variable::new("x", "m")],
            vec![Variable::new("idle", "")],
            vec![Parameter::new("mischief", "", 0.0, "what goes wrong")],
            Self::INTEGRATORS.to_vec(),
        )
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 1 }
    }
    #[inline(always)]
    fn step<R: Real>(&self, t_s: f64, step_s: f64, x: &mut [R], _u: &[R], p: &[R]) {
        if t_s + step_s >= 6.0 {
            let does = |what: u64| p[0].eq(R::splat(what as f64));
            assert!(!does(mischief::PANIC).any(), "the plant fell apart at {t_s} s");
            x[0] = R::select(does(mischief::NAN_STATE), R::splat(f64::NAN), x[0]);
            x[0] = R::select(does(mischief::INFINITE_STATE), R::splat(f64::INFINITY), x[0]);
        }
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, t_s: f64, x: &[R], _u: &[R], p: &[R]) -> R {
        let mut cost = x[0] * 0.0 + 1.0;
        if t_s >= 6.0 {
            for (what, value) in [
                (mischief::NAN_COST, f64::NAN),
                (mischief::INFINITE_COST, f64::INFINITY),
                (mischief::NEGATIVE_COST, -1e-300),
                (mischief::NEGATIVE_INFINITE_COST, f64::NEG_INFINITY),
                (mischief::NEGATIVE_ZERO_COST, -0.0),
                (mischief::FAILS_AT_INFINITE_COST, f64::INFINITY),
            ] {
                cost = R::select(p[0].eq(R::splat(what as f64)), R::splat(value), cost);
            }
        }
        cost
    }
    #[inline(always)]
    fn terminal_cost<R: Real>(&self, _x: &[R], p: &[R]) -> R {
        let mut cost = R::splat(0.25);
        for (what, value) in [
            (mischief::NAN_TERMINAL_COST, f64::NAN),
            (mischief::NEGATIVE_TERMINAL_COST, -0.5),
            (mischief::FAILS_WITH_NAN_TERMINAL_COST, f64::NAN),
        ] {
            cost = R::select(p[0].eq(R::splat(what as f64)), R::splat(value), cost);
        }
        cost
    }
    #[inline(always)]
    fn failed<R: Real>(&self, t_s: f64, _x: &[R], p: &[R]) -> R::Mask {
        let does = |what: u64| p[0].eq(R::splat(what as f64));
        let fails = does(mischief::FAILS)
            | does(mischief::FAILS_AT_INFINITE_COST)
            | does(mischief::FAILS_WITH_NAN_TERMINAL_COST);
        fails & R::splat(t_s).ge(R::splat(6.0))
    }
}

/// A ball that bounces, with a loop that ends when it likes and branches that lanes do not share; the cost depends on
/// time.
#[derive(Default)]
pub struct Ball;

impl ScalarPlant for Ball {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        described(
            "ball",
            vec![Variable::new("height", "m").starting_at(1.0), Variable::new("speed", "m/s")],
            vec![Variable::new("push", "N")],
            vec![Parameter::new("bounce", "", 0.8, "speed kept at a bounce").bounded(0.0, 1.0)],
            Self::INTEGRATORS.to_vec(),
        )
    }
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 2, n_parameters: 1 }
    }
    fn step(&self, t_s: f64, step_s: f64, x: &mut [f64], u: &[f64], p: &[f64]) {
        let mut left_s = step_s;
        let mut n_bounces = 0;
        while left_s > 0.0 && n_bounces < 20 {
            let accel = u[0] - 9.81 + Real::sin(t_s);
            let small = left_s.min(0.013);
            x[0] = small.mul_add(x[1], x[0]);
            x[1] += small * accel;
            if x[0] < 0.0 {
                x[0] = -x[0];
                x[1] = x[1].abs() * p[0];
                n_bounces += 1;
            }
            left_s -= small;
        }
    }
    fn stage_cost(&self, t_s: f64, x: &[f64], _u: &[f64], _p: &[f64]) -> f64 {
        let target = if t_s % 2.0 < 1.0 { 1.0 } else { 2.0 };
        (x[0] - target).abs()
    }
    fn terminal_cost(&self, x: &[f64], _p: &[f64]) -> f64 {
        x[1].abs()
    }
    fn failed(&self, _t_s: f64, x: &[f64], _p: &[f64]) -> bool {
        x[0] > 2.0
    }
    fn failure_cost(&self, p: &[f64]) -> f64 {
        10.0 * p[0]
    }
    fn observe(&self, t_s: f64, x: &[f64], _p: &[f64], y: &mut [f64]) {
        y[0] = x[0] - t_s % 2.0;
        y[1] = x[1];
    }
}

/// x grows by the logistic map, its own discrete step.
#[derive(Default)]
pub struct Population;

impl Plant for Population {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        described(
            "population",
            vec![Variable::new("share", "").bounded(0.0, 1.0)],
            vec![Variable::new("harvest", "")],
            vec![Parameter::new("growth", "", 3.7, "r of the map").bounded(0.0, 4.0)],
            Self::INTEGRATORS.to_vec(),
        )
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 1 }
    }
    #[inline(always)]
    fn step<R: Real>(&self, _t_s: f64, _step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        x[0] = p[0] * x[0] * (R::splat(1.0) - x[0]) - u[0];
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, t_s: f64, x: &[R], u: &[R], _p: &[R]) -> R {
        (x[0] - 0.5).abs() + u[0].abs() * R::splat(t_s)
    }
    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
        x[0].lt(R::splat(0.0)) | x[0].gt(R::splat(1.0))
    }
}

/// A chain of masses and springs, the first of them pushed; as many masses as its structural parameter.
pub struct Chain {
    n_masses: usize,
}

impl Default for Chain {
    fn default() -> Self {
        Self { n_masses: 3 }
    }
}

impl Plant for Chain {
    const INTEGRATORS: &'static [Integrator] =
        &[Integrator::Euler, Integrator::SemiImplicitEuler, Integrator::RungeKutta4];

    fn with_structure(structure: &[u64]) -> Self {
        Self { n_masses: usize::try_from(structure[0]).unwrap() }
    }
    fn description(&self) -> Description {
        let variable = |kind: &str, i| Variable::new(&format!("{kind}_{i}"), "m");
        let positions = (0..self.n_masses).map(|i| variable("x", i));
        let speeds = (0..self.n_masses).map(|i| variable("v", i));
        Description {
            structure: vec![StructuralParameter {
                name: "n_masses".to_owned(),
                meaning: "masses in the chain".to_owned(),
                default: 3,
                min: 1,
                max: 1000,
            }],
            step_s: 0.01,
            sample_time_s: 0.1,
            ..described(
                "chain",
                positions.chain(speeds).collect(),
                vec![Variable::new("force", "N")],
                vec![Parameter::new("stiffness", "N/m", 10.0, "of each spring").bounded(0.0, 1e3)],
                Self::INTEGRATORS.to_vec(),
            )
        }
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        let n = 2 * self.n_masses;
        Sizes { n_states: n, n_controls: 1, n_observations: n, n_parameters: 1 }
    }
    #[inline(always)]
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        (state_index < self.n_masses).then_some(state_index + self.n_masses)
    }
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        let n = self.n_masses;
        dx[..n].copy_from_slice(&x[n..]);
        for i in 0..n {
            let left = if i == 0 { R::splat(0.0) } else { x[i - 1] };
            let right = if i + 1 == n { x[i] } else { x[i + 1] };
            let stretch = (left - x[i]) + (right - x[i]);
            let push = if i == 0 { u[0] } else { R::splat(0.0) };
            dx[n + i] = p[0].mul_add(stretch, push);
        }
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[..self.n_masses].iter().fold(R::splat(0.0), |sum, &x| x.mul_add(x, sum))
    }
}

/// A reactor near 350 K, heated between 0 and 10 kW around 5 kW: everything is far from 0 and 1.
#[derive(Default)]
pub struct Reactor;

impl Plant for Reactor {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler];

    fn description(&self) -> Description {
        let temperature = Variable::new("temperature", "K")
            .bounded(250.0, 500.0)
            .scaled(350.0, 25.0)
            .starting_at(350.0);
        let heater = Variable::new("heater", "kW").bounded(0.0, 10.0).scaled(5.0, 2.5);
        Description {
            observations: vec![temperature.clone()],
            ..described(
                "reactor",
                vec![temperature],
                vec![heater],
                vec![Parameter::new("loss", "1/s", 0.1, "of heat").bounded(0.0, 1.0)],
                Self::INTEGRATORS.to_vec(),
            )
        }
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 1, n_controls: 1, n_observations: 1, n_parameters: 1 }
    }
    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        dx[0] = u[0] - p[0] * (x[0] - 300.0);
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        (x[0] - 350.0).abs()
    }
}
