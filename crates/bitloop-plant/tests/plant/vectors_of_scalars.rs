//! A scalar plant answers the same when it is handed whole vectors, as by a plant that wraps it.

use bitloop_plant::{
    Description, Integrator, Isa, Parameter, Plant, PlantHandle, Real, Scalar, ScalarPlant, Sizes,
    Stretch, Variable,
};

/// Collatz in spirit: what it does depends on the number in ways that lanes do not share.
#[derive(Default)]
struct Hops;

impl ScalarPlant for Hops {
    fn description(&self) -> Description {
        let state = |name| Variable::new(name, "");
        Description {
            name: "hops".to_owned(),
            version: "1".to_owned(),
            summary: "Numbers that hop.".to_owned(),
            states: vec![state("a"), state("b")],
            controls: vec![state("u")],
            observations: vec![state("sum")],
            parameters: vec![Parameter::new("limit", "", 50.0, "fails above")],
            structure: Vec::new(),
            integrators: vec![
                Integrator::PlantStep,
                Integrator::Euler,
                Integrator::SemiImplicitEuler,
            ],
            step_s: 0.5,
            sample_time_s: 1.0,
        }
    }
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: 1, n_parameters: 1 }
    }
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        (state_index == 0).then_some(1)
    }
    fn derivative(&self, t_s: f64, x: &[f64], u: &[f64], _p: &[f64], dx: &mut [f64]) {
        dx[0] = x[1];
        dx[1] = if x[0] > t_s { u[0] - x[0] } else { 1.0 };
    }
    fn step(&self, t_s: f64, _step_s: f64, x: &mut [f64], u: &[f64], _p: &[f64]) {
        while x[0] > 1.0 {
            x[0] = if x[0].floor() % 2.0 == 0.0 { x[0] / 2.0 } else { x[0] - 0.75 };
            x[1] += 1.0;
        }
        x[0] = (x[0] + t_s + u[0]) * 2.0 + x[1];
    }
    fn stage_cost(&self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> f64 {
        if x[0] > 0.5 * p[0] { x[0].abs() } else { t_s + u[0].abs() }
    }
    fn terminal_cost(&self, x: &[f64], p: &[f64]) -> f64 {
        x[1].abs() + p[0]
    }
    fn observe(&self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) {
        y[0] = x[0] + x[1] + t_s - p[0];
    }
    fn failed(&self, _t_s: f64, x: &[f64], p: &[f64]) -> bool {
        x[0] > p[0]
    }
    fn failure_cost(&self, p: &[f64]) -> f64 {
        if p[0] > 45.0 { 2.0 * p[0] } else { 7.0 }
    }
}

/// The same, but vectorized: the scalar plant inside is handed vectors.
#[derive(Default)]
struct Wrapped(Scalar<Hops>);

impl Plant for Wrapped {
    fn description(&self) -> Description {
        self.0.description()
    }
    fn sizes(&self) -> Sizes {
        self.0.sizes()
    }
    fn rate_of(&self, state_index: usize) -> Option<usize> {
        self.0.rate_of(state_index)
    }
    fn derivative<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        self.0.derivative(t_s, x, u, p, dx);
    }
    fn step<R: Real>(&self, t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        self.0.step(t_s, step_s, x, u, p);
    }
    fn observe<R: Real>(&self, t_s: f64, x: &[R], p: &[R], y: &mut [R]) {
        self.0.observe(t_s, x, p, y);
    }
    fn stage_cost<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        self.0.stage_cost(t_s, x, u, p)
    }
    fn terminal_cost<R: Real>(&self, x: &[R], p: &[R]) -> R {
        self.0.terminal_cost(x, p)
    }
    fn failed<R: Real>(&self, t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        self.0.failed(t_s, x, p)
    }
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        self.0.failure_cost(p)
    }
}

/// Everything that 24 lanes come to, as bits.
fn run<P: Plant>(isa: Isa, integrator: Integrator) -> Vec<u64> {
    let handle = PlantHandle::linked::<P>(None).unwrap();
    let mut lanes = handle.lanes(24);
    for lane in 0..24 {
        let share = lane as f64 / 24.0;
        lanes.state.row_mut(0)[lane] = 30.0 * share;
        lanes.state.row_mut(1)[lane] = 1.0 - share;
        lanes.control.row_mut(0)[lane] = share - 0.25;
        lanes.parameters.row_mut(0)[lane] = 40.0 + 10.0 * share;
    }
    let mut bits = Vec::new();
    let stretch = Stretch { tick: 3, n_steps: 6, step_s: 0.5, integrator, counts_cost: true };
    let n_ended = handle.advance(isa, &mut lanes, 24, stretch).unwrap();
    bits.push(u64::from(n_ended));
    bits.extend((0..24).map(|lane| u64::from(lanes.take_end_step(lane))));
    handle.observe(isa, &mut lanes, 24, stretch).unwrap();
    bits.extend(lanes.end_cost.as_slice().iter().map(|x| x.to_bits()));
    handle.terminal_cost(isa, &mut lanes, 24).unwrap();
    bits.extend(lanes.end_cost.as_slice().iter().map(|x| x.to_bits()));
    handle.failure_cost(isa, &mut lanes, 24).unwrap();
    for matrix in [&lanes.state, &lanes.observation, &lanes.cost, &lanes.end_cost] {
        bits.extend(matrix.as_slice().iter().map(|x| x.to_bits()));
    }
    bits
}

#[test]
fn vectors_are_taken_apart_lane_by_lane() {
    for integrator in [Integrator::PlantStep, Integrator::Euler, Integrator::SemiImplicitEuler] {
        let expected = run::<Scalar<Hops>>(Isa::PORTABLE, integrator);
        if integrator == Integrator::PlantStep {
            assert!((1..24).contains(&expected[0]), "{} lanes ended", expected[0]);
        }
        for isa in Isa::available() {
            assert_eq!(run::<Scalar<Hops>>(isa, integrator), expected, "{}", isa.name());
            assert_eq!(run::<Wrapped>(isa, integrator), expected, "wrapped, {}", isa.name());
        }
    }
}
