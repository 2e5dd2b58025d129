//! Physics that the equations must show. `bitloop plant check` tests what all plants have in common.

use bitloop_plant::{Integrator, Isa, Plant, PlantHandle, Stretch};

use super::NewPlant;

const STEP_S: f64 = 0.01;

/// The state after `n_steps` from `state`, under a constant `torque`, with `friction`.
fn after(n_steps: u32, state: [f64; 2], torque: f64, friction: f64) -> [f64; 2] {
    let plant = PlantHandle::linked::<NewPlant>(None).expect("a sound description");
    let mut lanes = plant.lanes(8);
    for (row, parameter) in NewPlant.description().parameters.iter().enumerate() {
        lanes.parameters.row_mut(row).fill(parameter.default);
    }
    lanes.parameters.row_mut(2).fill(friction);
    lanes.control.row_mut(0).fill(torque);
    for (row, value) in state.into_iter().enumerate() {
        lanes.state.row_mut(row).fill(value);
    }
    let stretch = Stretch {
        tick: 0,
        n_steps,
        step_s: STEP_S,
        integrator: Integrator::RungeKutta4,
        counts_cost: true,
    };
    let n_failed = plant
        .advance(Isa::best(), &mut lanes, 8, stretch)
        .expect("no fault");
    assert_eq!(n_failed, 0);
    [lanes.state.row(0)[0], lanes.state.row(1)[0]]
}

/// Kinetic and potential energy, with the default mass and length of 1.
fn energy([theta, omega]: [f64; 2]) -> f64 {
    0.5 * omega * omega + 9.81 * (1.0 - theta.cos())
}

#[test]
fn at_rest_it_stays_at_rest() {
    assert_eq!(after(1000, [0.0, 0.0], 0.0, 0.1), [0.0, 0.0]);
}

#[test]
fn energy_is_kept_without_friction_and_lost_with_it() {
    let start = [1.5, 0.0];
    let free = energy(after(1000, start, 0.0, 0.0)) / energy(start);
    assert!((free - 1.0).abs() < 1e-6, "{free}");
    let damped = energy(after(1000, start, 0.0, 0.1)) / energy(start);
    assert!((0.1..0.9).contains(&damped), "{damped}");
}

#[test]
fn a_constant_torque_holds_it_where_gravity_balances_it() {
    // m g l sin(theta) = torque, with friction enough to get there.
    let [theta, omega] = after(5000, [0.0, 0.0], 3.0, 2.0);
    assert!(
        (9.81 * theta.sin() - 3.0).abs() < 1e-9 && omega.abs() < 1e-9,
        "{theta} {omega}"
    );
}
