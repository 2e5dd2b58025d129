//! The plant alone: 56 lanes x 10 steps through the plant table. Items are plant steps.

use bitloop_plant::{Integrator, Isa, Stretch};
use divan::Bencher;
use divan::counter::ItemsCount;

const N_LANES: usize = 56;
const N_STEPS: u32 = 10;

fn main() {
    divan::main();
}

fn isas() -> Vec<&'static str> {
    Isa::available().map(Isa::name).collect()
}

#[divan::bench(args = isas())]
fn euler(bencher: Bencher<'_, '_>, isa: &str) {
    advance(bencher, isa, Integrator::Euler);
}

#[divan::bench(args = isas())]
fn semi_implicit_euler(bencher: Bencher<'_, '_>, isa: &str) {
    advance(bencher, isa, Integrator::SemiImplicitEuler);
}

#[divan::bench(args = isas())]
fn runge_kutta_4(bencher: Bencher<'_, '_>, isa: &str) {
    advance(bencher, isa, Integrator::RungeKutta4);
}

fn advance(bencher: Bencher<'_, '_>, isa: &str, integrator: Integrator) {
    let isa = Isa::named(isa).expect("an available instruction set");
    let plant = bitloop_inverted_pendulum::open(None).expect("a valid description");
    let mut lanes = plant.lanes(N_LANES);
    for (row, parameter) in plant.description().parameters.iter().enumerate() {
        // Nothing fails: the pendulums may swing all around.
        let free = parameter.name == "failure_angle";
        lanes.parameters.row_mut(row).fill(if free { 1e3 } else { parameter.default });
    }
    for (lane, theta) in lanes.state.row_mut(1).iter_mut().enumerate() {
        *theta = 0.01 * lane as f64 - 0.28;
    }
    let start = lanes.state.clone();
    let stretch =
        Stretch { tick: 0, n_steps: N_STEPS, step_s: 0.01, integrator, counts_cost: true };
    bencher.counter(ItemsCount::new(N_LANES * N_STEPS as usize)).bench_local(|| {
        // From the same states again: by Euler a free pendulum gains energy for ever.
        lanes.state.as_mut_slice().copy_from_slice(start.as_slice());
        plant.advance(isa, &mut lanes, N_LANES, stretch)
    });
}
