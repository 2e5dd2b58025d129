//! How the time of an integration step grows with the number of states: chains of masses between springs, 56 lanes, ten
//! steps a call, as in a control period of 50 episodes.
//!
//! `cargo bench -p bitloop-plant --bench growth`
//!
//! Items are states, each advanced by a step in a lane: their rate stays where it is if the time of a step grows linearly.

use bitloop_plant::{
    Description, Integrator, Isa, Plant, PlantHandle, Real, Sizes, Stretch, StructuralParameter,
    Variable,
};
use divan::Bencher;
use divan::counter::ItemsCount;

fn main() {
    divan::main();
}

const N_LANES: usize = 56;
const N_STEPS: u32 = 10;
const SIZES: [u64; 4] = [4, 16, 64, 256];

/// `N` states of `N / 2` masses, positions first; the first mass is pushed. Where `N` is 0, the number of states is a
/// structural parameter, which the compiler does not know.
struct Chain<const N: usize> {
    n_states: usize,
}

impl<const N: usize> Default for Chain<N> {
    fn default() -> Self {
        Self { n_states: if N > 0 { N } else { 4 } }
    }
}

impl<const N: usize> Plant for Chain<N> {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::Euler, Integrator::RungeKutta4];

    fn with_structure(structure: &[u64]) -> Self {
        let asked = structure.first().and_then(|&n| usize::try_from(n).ok());
        asked.map_or_else(Self::default, |n_states| Self { n_states })
    }

    fn description(&self) -> Description {
        let states: Vec<_> =
            (0..self.n_states).map(|i| Variable::new(&format!("x{i}"), "m")).collect();
        let structure = StructuralParameter {
            name: "n_states".to_owned(),
            meaning: "number of states".to_owned(),
            default: 4,
            min: 4,
            max: 256,
        };
        Description {
            name: "chain".to_owned(),
            version: "1".to_owned(),
            summary: String::new(),
            observations: states.clone(),
            states,
            controls: vec![Variable::new("force", "N")],
            parameters: Vec::new(),
            structure: if N > 0 { Vec::new() } else { vec![structure] },
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.01,
            sample_time_s: 0.1,
        }
    }

    #[inline(always)]
    fn sizes(&self) -> Sizes {
        let n = if N > 0 { N } else { self.n_states };
        Sizes { n_states: n, n_controls: 1, n_observations: n, n_parameters: 0 }
    }

    #[inline(always)]
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], _p: &[R], dx: &mut [R]) {
        let n = x.len() / 2;
        let (position, velocity) = x.split_at(n);
        let (rate, acceleration) = dx.split_at_mut(n);
        for i in 0..n {
            let before = if i > 0 { position[i - 1] } else { u[0] };
            let after = if i + 1 < n { position[i + 1] } else { R::splat(0.0) };
            let pull = before + after - position[i] * 2.0;
            rate[i] = velocity[i];
            acceleration[i] = velocity[i].mul_add(R::splat(-0.1), pull);
        }
    }

    #[inline(always)]
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], _u: &[R], _p: &[R]) -> R {
        x[0] * x[0]
    }
}

fn advance(bencher: Bencher<'_, '_>, plant: &PlantHandle, integrator: Integrator) {
    let mut lanes = plant.lanes(N_LANES);
    lanes.control.fill(0.1);
    let isa = Isa::best();
    let mut stretch =
        Stretch { tick: 0, n_steps: N_STEPS, step_s: 0.01, integrator, counts_cost: true };
    let n_items = plant.sizes().n_states * N_LANES * N_STEPS as usize;
    bencher.counter(ItemsCount::new(n_items)).bench_local(|| {
        let ended = plant.advance(isa, &mut lanes, N_LANES, stretch);
        stretch.tick += u64::from(N_STEPS);
        assert_eq!(ended, Ok(0));
    });
}

/// Sizes that the compiler knows.
fn constant(n_states: u64) -> PlantHandle {
    let plant = match n_states {
        4 => PlantHandle::linked::<Chain<4>>(None),
        16 => PlantHandle::linked::<Chain<16>>(None),
        64 => PlantHandle::linked::<Chain<64>>(None),
        _ => PlantHandle::linked::<Chain<256>>(None),
    };
    plant.expect("a valid description")
}

/// Sizes that it does not know.
fn structural(n_states: u64) -> PlantHandle {
    PlantHandle::linked::<Chain<0>>(Some(&[n_states])).expect("a valid description")
}

#[divan::bench(args = SIZES)]
fn euler(bencher: Bencher<'_, '_>, n_states: u64) {
    advance(bencher, &constant(n_states), Integrator::Euler);
}

#[divan::bench(args = SIZES)]
fn runge_kutta_4(bencher: Bencher<'_, '_>, n_states: u64) {
    advance(bencher, &constant(n_states), Integrator::RungeKutta4);
}

#[divan::bench(args = SIZES)]
fn structural_euler(bencher: Bencher<'_, '_>, n_states: u64) {
    advance(bencher, &structural(n_states), Integrator::Euler);
}

#[divan::bench(args = SIZES)]
fn structural_runge_kutta_4(bencher: Bencher<'_, '_>, n_states: u64) {
    advance(bencher, &structural(n_states), Integrator::RungeKutta4);
}
