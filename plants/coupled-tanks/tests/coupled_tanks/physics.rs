//! Torricelli's law in closed form, the balance of water, rest, order of convergence, the cost, the rims.

use bitloop_coupled_tanks::CoupledTanks;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers};

/// A1, A2, a1, a2, k, g, a set point, no rim, and the weight of the voltage.
const FREE: [f64; 9] = [20.0, 30.0, 0.1, 0.08, 4.0, 981.0, 12.0, 1e3, 0.02];

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_coupled_tanks::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

fn rates(state: [f64; 2], voltage: f64, parameters: &[f64]) -> [f64; 2] {
    let mut dx = [0.0; 2];
    CoupledTanks.derivative(0.0, &state, &[voltage], parameters, &mut dx);
    dx
}

/// The root of the level falls at a constant rate, a sqrt(g / 2) / A.
#[test]
fn a_tank_without_a_pump_drains_by_torricellis_law() {
    let [area, _, outlet, _, _, g, ..] = FREE;
    let mut lane = lane(0.05, &[16.0, 5.0], &FREE);
    for step in 1..=5 {
        let t = 5.0 * f64::from(step);
        let root = 4.0 - outlet * (0.5 * g).sqrt() / area * t;
        let found = lane.advance(100).state()[0];
        // The exact level is a polynomial in t, but the derivative takes its root: an error of fifth order per step remains.
        assert!((found - root * root).abs() < 1e-9, "{found} after {t} s");
    }
}

#[test]
fn what_the_pump_gives_and_the_lower_outlet_takes_is_what_the_water_gains() {
    let [upper, lower, _, outlet, gain, g, ..] = FREE;
    let mut number = numbers();
    for _ in 0..200 {
        let state = [10.0 + 9.0 * number(), 10.0 + 9.0 * number()];
        let voltage = 5.0 + 5.0 * number();
        let [upper_rate, lower_rate] = rates(state, voltage, &FREE);
        let found = upper * upper_rate + lower * lower_rate;
        let expected = gain * voltage - outlet * (2.0 * g * state[1]).sqrt();
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }
}

#[test]
fn no_action_comes_to_rest_at_the_set_point_which_costs_nothing() {
    let voltage = CoupledTanks.description().controls[0].center;
    let parameters = defaults::<CoupledTanks>();
    // Twenty time constants of nearly a minute.
    let mut lane = lane(1.0, &[4.0, 18.0], &parameters);
    let state = lane.hold(&[voltage]).advance(1200).state();
    assert!(distance(&state, &[10.0, 10.0]) < 1e-6, "{state:?}");
    let rest = rates([10.0, 10.0], voltage, &parameters);
    assert!(distance(&rest, &[0.0; 2]) < 1e-15, "{rest:?}");
    let cost: f64 = CoupledTanks.stage_cost(0.0, &[10.0, 10.0], &[voltage], &parameters);
    assert!(cost < 1e-30, "{cost}");
}

#[test]
fn the_voltage_that_costs_nothing_keeps_the_lower_tank_at_the_set_point() {
    let [_, _, upper, lower, gain, g, set_point, _, weight] = FREE;
    let flow = lower * (2.0 * g * set_point).sqrt();
    // As much runs out of the upper tank at the level (a2 / a1)^2 r.
    let state = [set_point * (lower / upper) * (lower / upper), set_point];
    assert!(distance(&rates(state, flow / gain, &FREE), &[0.0; 2]) < 1e-14);
    let cost = |state: [f64; 2], voltage: f64| -> f64 {
        CoupledTanks.stage_cost(0.0, &state, &[voltage], &FREE)
    };
    assert!(cost(state, flow / gain) < 1e-28);
    let off = cost([3.0, set_point - 2.0], flow / gain + 3.0);
    assert!((off - 4.0 - 9.0 * weight).abs() < 1e-12, "{off}");
}

#[test]
fn an_empty_tank_stays_empty() {
    let mut empty = lane(1.0, &[0.0, 0.0], &FREE);
    assert_eq!(empty.advance(1000).state(), [0.0, 0.0]);
    // A draining tank ends near 0 on either side, by the error of the last step, and has no outflow there.
    let mut draining = lane(1.0, &[1.0, 1.0], &FREE);
    let state = draining.advance(1000).state();
    assert!(state.iter().all(|level| level.abs() < 1e-2), "{state:?}");
    let [upper_rate, _] = rates([-1e-3, 0.0], 0.0, &FREE);
    assert_eq!(upper_rate, 0.0);
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after_40_s = |n: u32| {
        let mut lane = lane(40.0 / f64::from(n), &[9.0, 4.0], &FREE);
        lane.hold(&[2.5]).advance(n).state()
    };
    check_order(4, 40, &after_40_s(1000), after_40_s);
}

#[test]
fn it_fails_above_the_rim_of_either_tank_and_is_charged_the_most_that_is_within() {
    let mut parameters = defaults::<CoupledTanks>();
    let above = 20.0_f64.next_up();
    for (state, fails) in
        [([20.0, 20.0], false), ([above, 5.0], true), ([5.0, above], true), ([0.0, 0.0], false)]
    {
        assert_eq!(CoupledTanks.failed(0.0, &state, &parameters), fails, "{state:?}");
    }
    for (set_point, charged) in [(10.0, 100.0), (5.0, 225.0), (18.0, 324.0)] {
        parameters[6] = set_point;
        assert_eq!(CoupledTanks.failure_cost::<f64>(&parameters), charged);
    }
    let mut flooded = lane(1.0, &[10.0, 10.0], &defaults::<CoupledTanks>());
    assert!(flooded.hold(&[10.0]).end_within(60).is_some());
}
