//! Plants with as many states as there may be, whose lanes are advanced in narrower blocks.

use bitloop_plant::{
    Description, Integrator, Isa, Plant, PlantHandle, Real, Sizes, Stretch, StructuralParameter,
    Variable,
};

/// Each state follows the one before it, the first one the control.
struct Cascade {
    n_states: usize,
}

impl Default for Cascade {
    fn default() -> Self {
        Self { n_states: 4 }
    }
}

impl Plant for Cascade {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler, Integrator::RungeKutta4];

    fn with_structure(structure: &[u64]) -> Self {
        let asked = structure.first().and_then(|&n| usize::try_from(n).ok());
        asked.map_or_else(Self::default, |n_states| Self { n_states })
    }

    fn description(&self) -> Description {
        let states: Vec<_> =
            (0..self.n_states).map(|i| Variable::new(&format!("x{i}"), "m")).collect();
        Description {
            name: "cascade".to_owned(),
            version: "1".to_owned(),
            summary: String::new(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("u", "m")],
            parameters: Vec::new(),
            structure: vec![StructuralParameter {
                name: "n_states".to_owned(),
                meaning: "number of states".to_owned(),
                default: 4,
                min: 4,
                max: 256,
            }],
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.01,
            sample_time_s: 0.1,
        }
    }

    fn sizes(&self) -> Sizes {
        let n = self.n_states;
        Sizes { n_states: n, n_controls: 1, n_observations: n, n_parameters: 0 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], _p: &[R], dx: &mut [R]) {
        let mut before = u[0];
        for (x, dx) in x.iter().zip(dx) {
            *dx = before - *x;
            before = *x;
        }
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[0] * x[0] + x[x.len() - 1].abs()
    }

    #[inline(always)]
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R]) -> R::Mask {
        x[x.len() - 1].gt(R::splat(0.9))
    }
}

/// The bits of states and costs after a stretch in which some lanes end, and which did.
fn advanced(n_states: u64, isa: Isa, integrator: Integrator) -> (Vec<u64>, u32) {
    let plant = PlantHandle::linked::<Cascade>(Some(&[n_states])).unwrap();
    let mut lanes = plant.lanes(56);
    for (row, values) in (0..).zip(lanes.state.as_mut_slice().chunks_exact_mut(56)) {
        for (lane, value) in (0..).zip(values) {
            *value = f64::from((row * 7 + lane * 13) % 101) * 0.01;
        }
    }
    lanes.control.fill(0.5);
    let stretch = Stretch { tick: 3, n_steps: 10, step_s: 0.01, integrator, counts_cost: true };
    let n_ended = plant.advance(isa, &mut lanes, 56, stretch).unwrap();
    let numbers = lanes.state.as_slice().iter().chain(lanes.cost.as_slice());
    (numbers.map(|number| number.to_bits()).collect(), n_ended)
}

#[test]
fn any_number_of_states_has_the_same_bits_on_all_paths() {
    for n_states in [4, 16, 64, 150, 256] {
        for integrator in [Integrator::Euler, Integrator::RungeKutta4] {
            // One lane at a time.
            let portable = Isa::PORTABLE;
            let expected = advanced(n_states, portable, integrator);
            assert!((1..56).contains(&expected.1), "{n_states}: some lanes end");
            for isa in Isa::available() {
                let found = advanced(n_states, isa, integrator);
                assert!(found == expected, "{n_states} states on {isa:?} by {integrator:?}");
            }
        }
    }
}
