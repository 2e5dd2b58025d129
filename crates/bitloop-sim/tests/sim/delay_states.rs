//! Delays of the loop against a plant that has its delays as states, bit for bit.

use bitloop_plant::{
    Description, Integrator, Isa, Parameter, Plant, PlantHandle, Real, Sizes, Variable,
};
use bitloop_sim::{
    Actuator, ClosedLoop, Distribution, EpisodeEnd, EpisodeRanges, Evaluation, Interface,
    LinearFeedback, Sensor, Timing, Uncertainty,
};

use crate::plants::described;
use crate::reference::assert_same_bits;
use crate::support::{default_parameters, draw};

/// A mass on ice, a step at a time, that keeps its last three positions and the last two commands, and obeys the older one
/// where `is_late` is 1.
#[derive(Default)]
struct Late;

const STEP_S: f64 = 0.05;

impl Plant for Late {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::PlantStep];

    fn description(&self) -> Description {
        let states = ["x", "v", "x_1", "x_2", "x_3", "u_1", "u_2"];
        described(
            "late",
            states.map(|name| Variable::new(name, "")).to_vec(),
            vec![Variable::new("u", "")],
            vec![Parameter::new("is_late", "", 0.0, "whether commands are late").bounded(0.0, 1.0)],
            Self::INTEGRATORS.to_vec(),
        )
    }
    #[inline(always)]
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 7, n_controls: 1, n_observations: 7, n_parameters: 1 }
    }
    #[inline(always)]
    fn step<R: Real>(&self, _t_s: f64, step_s: f64, x: &mut [R], u: &[R], p: &[R]) {
        let force = R::select(p[0].gt(R::splat(0.5)), x[6], u[0]);
        let h = R::splat(step_s);
        x[4] = x[3];
        x[3] = x[2];
        x[2] = x[0];
        x[6] = x[5];
        x[5] = u[0];
        x[0] = h.mul_add(x[1], x[0]);
        x[1] = h.mul_add(force, x[1]);
    }
    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[0] * x[0]
    }
    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
        x[0].abs().gt(R::splat(1.5))
    }
}

/// u = -k x - d v, where x is the observation `position`, in 37 episodes of 12 s; some of them fail.
fn run(position: usize, is_late: f64, uncertainty: Uncertainty, isa: Isa) -> Evaluation {
    let plant = PlantHandle::linked::<Late>(None).unwrap();
    let all = Interface::of(plant.description());
    let inputs = [position, 1].map(|index| all.inputs[index].clone()).to_vec();
    let interface = Interface { inputs, ..all };
    let timing = Timing::new(STEP_S, STEP_S).unwrap();
    let closed_loop =
        ClosedLoop::new(plant, timing, Integrator::PlantStep, interface, None).unwrap();
    let closed_loop = closed_loop.with_uncertainty(uncertainty).unwrap();
    // The positions before the first are those at the start.
    let fixed = Distribution::Fixed;
    let speed = Distribution::Uniform { low: -3.0, high: 3.0 };
    let initial =
        vec![fixed(0.75), speed, fixed(0.75), fixed(0.75), fixed(0.75), fixed(0.0), fixed(0.0)];
    let mut parameters = default_parameters(closed_loop.plant().description());
    parameters[0] = fixed(is_late);
    let ranges = EpisodeRanges { initial, parameters, horizon_s: 12.0, transient_s: 1.0 };
    let set = draw(&closed_loop, 37, &ranges, 5);
    let controller = LinearFeedback::new(2, vec![1.5, 1.8]);
    closed_loop.evaluate(isa, &controller, &set, 2).unwrap()
}

fn assert_equal(found: &Evaluation, expected: &Evaluation) {
    assert_same_bits(&found.episodes, &expected.episodes);
    assert_eq!(found.error.to_bits(), expected.error.to_bits());
    let failed = |end: &EpisodeEnd| matches!(end, EpisodeEnd::Failed { .. });
    let n_failed = found.episodes.iter().filter(|episode| failed(&episode.end)).count();
    assert!((1..37).contains(&n_failed), "{n_failed} failed");
}

#[test]
fn a_late_reading_is_that_of_a_plant_with_delay_states() {
    for isa in Isa::available() {
        for delay in [1, 2, 3] {
            let sensors = vec![Sensor { delay, ..Sensor::perfect(0) }];
            let late = run(0, 0.0, Uncertainty { sensors, ..Uncertainty::default() }, isa);
            let states = run(1 + delay as usize, 0.0, Uncertainty::default(), isa);
            assert_equal(&late, &states);
        }
    }
    let perfect = run(0, 0.0, Uncertainty::default(), Isa::best());
    let sensors = vec![Sensor { delay: 3, ..Sensor::perfect(0) }];
    let late = run(0, 0.0, Uncertainty { sensors, ..Uncertainty::default() }, Isa::best());
    assert_ne!(perfect.error, late.error);
}

#[test]
fn a_late_command_is_that_of_a_plant_with_delay_states() {
    for isa in Isa::available() {
        let actuators = vec![Actuator { delay: 2, ..Actuator::perfect(0) }];
        let late = run(0, 0.0, Uncertainty { actuators, ..Uncertainty::default() }, isa);
        assert_equal(&late, &run(0, 1.0, Uncertainty::default(), isa));
    }
}
