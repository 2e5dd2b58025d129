//! Energy, the missing energy of the cost, order of convergence, symmetry of the valley, the goal, the wall.

use std::f64::consts::FRAC_PI_6;

use bitloop_mountain_car::MountainCar;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers, rate_along};

fn lane(step_s: f64, state: &[f64]) -> SteppedPlant {
    let parameters = defaults::<MountainCar>();
    let open = bitloop_mountain_car::open;
    SteppedPlant::new(open, Integrator::PlantStep, step_s, state, &parameters)
}

/// 1/2 v^2 + gravity / 3 sin(3 position), per mass.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn energy(state: &[f64]) -> f64 {
    let gravity = defaults::<MountainCar>()[1];
    0.5 * state[1] * state[1] + gravity / 3.0 * (3.0 * state[0]).sin()
}

/// The missing energy, as `stage_cost` has it.
fn shortfall(position: f64, velocity: f64) -> f64 {
    let parameters = defaults::<MountainCar>();
    let cost: f64 = MountainCar.stage_cost(0.0, &[position, velocity, 0.0], &[0.0], &parameters);
    (cost - 1.0).sqrt()
}

#[test]
fn the_power_of_the_force_is_what_the_energy_gains() {
    let (parameters, h, mut number) = (defaults::<MountainCar>(), 1e-3, numbers());
    for _ in 0..200 {
        let (state, force) = ([-0.3 + 0.8 * number(), 0.07 * number(), 0.0], number());
        let mut dx = [0.0; 3];
        MountainCar.derivative(0.0, &state, &[force], &parameters, &mut dx);
        let found = rate_along(energy, &state, &dx, h);
        let expected = parameters[0] * force * state[1];
        // Third derivatives of 1e-5 times h^2 / 6, and rounding of 1e-19 / h.
        assert!((found - expected).abs() < 1e-11, "{found} {expected}");
    }
}

#[test]
fn the_missing_energy_is_one_in_the_valley_and_none_where_the_car_can_roll_to_the_goal() {
    assert!((shortfall(-FRAC_PI_6, 0.0) - 1.0).abs() < 1e-12);
    assert!(shortfall(0.45, 0.0) < 1e-7);
    // From the bottom, by steps so short that they are a motion: to the goal needs a speed of 0.057.
    let gravity = defaults::<MountainCar>()[1];
    let just = (2.0 * (energy(&[0.45, 0.0]) + gravity / 3.0)).sqrt();
    for (speed, arrives) in [(just * 1.002, true), (just * 0.998, false)] {
        let mut rolling = lane(0.01, &[-FRAC_PI_6, speed, 0.0]);
        assert_eq!(shortfall(-FRAC_PI_6, speed) == 0.0, arrives, "{speed}");
        assert_eq!(rolling.advance(20_000).state()[2] == 1.0, arrives, "{speed}");
    }
}

#[test]
fn the_cost_is_that_of_time_missing_energy_and_effort() {
    let parameters = [0.0015, 0.0025, 0.45, 2.0, 0.3];
    for [position, velocity, force] in [[-0.5, 0.0, 0.0], [-0.9, 0.03, -0.7], [0.2, 0.06, 1.0]] {
        let state = [position, velocity, 0.0];
        let cost: f64 = MountainCar.stage_cost(0.0, &state, &[force], &parameters);
        let [goal, here] = [[0.45, 0.0], [position, velocity]].map(|state| energy(&state));
        let missing = ((goal - here) / (goal + parameters[1] / 3.0)).max(0.0);
        let expected = 1.0 + 2.0 * missing * missing + 0.3 * force * force;
        assert!((cost - expected).abs() < 1e-12, "{cost} {expected}");
    }
}

#[test]
fn halving_the_step_shows_the_first_order() {
    let after_40_s = |n: u32| {
        let mut lane = lane(40.0 / f64::from(n), &[-0.7, 0.0, 0.0]);
        lane.hold(&[0.4]).advance(n).state()
    };
    check_order(1, 2000, &after_40_s(2_000_000), after_40_s);
}

#[test]
fn the_valley_is_symmetric_about_its_bottom() {
    let parameters = defaults::<MountainCar>();
    for [off, velocity, force] in [[0.1, 0.02, 0.5], [0.6, -0.05, -1.0]] {
        let (mut right, mut left) = ([0.0; 3], [0.0; 3]);
        let at = |side: f64| [side * off - FRAC_PI_6, side * velocity, 0.0];
        MountainCar.derivative(0.0, &at(1.0), &[force], &parameters, &mut right);
        MountainCar.derivative(0.0, &at(-1.0), &[-force], &parameters, &mut left);
        assert!(distance(&right, &left.map(|rate| -rate)) < 1e-17, "{right:?} {left:?}");
    }
}

#[test]
fn full_force_does_not_lift_it_at_once_but_in_swings() {
    let start = [-0.5, 0.0, 0.0];
    let mut steady = lane(1.0, &start);
    let highest = (0..1000).map(|_| steady.hold(&[1.0]).advance(1).state()[0]);
    assert!(highest.fold(-2.0, f64::max) < 0.0);
    let mut swinging = lane(1.0, &start);
    let n_steps = (1..1000).find(|_| {
        let force = if swinging.state()[1] < 0.0 { -1.0 } else { 1.0 };
        swinging.hold(&[force]).advance(1).state()[2] == 1.0
    });
    assert!(n_steps.is_some_and(|n_steps| n_steps < 120), "{n_steps:?}");
}

#[test]
fn a_goal_that_was_reached_is_kept_and_costs_nothing() {
    let mut lane = lane(1.0, &[0.44, 0.03, 0.0]);
    let reached = lane.hold(&[1.0]).advance(1).state();
    assert_eq!((reached[2], lane.cost()), (1.0, 0.0));
    assert_eq!(lane.hold(&[-1.0]).advance(1000).state(), reached);
    assert_eq!(lane.cost(), 0.0);
}

#[test]
fn beyond_the_goal_it_counts_only_where_the_car_does_not_roll_back() {
    for (velocity, reached) in [(-0.02, 0.0), (0.01, 1.0)] {
        let mut lane = lane(1.0, &[0.55, velocity, 0.0]);
        assert_eq!(lane.advance(1).state()[2], reached, "{velocity}");
    }
}

#[test]
fn the_left_wall_stops_the_car_and_the_right_one_holds_it() {
    let mut left = lane(1.0, &[-1.17, -0.06, 0.0]);
    assert_eq!(left.advance(1).state(), [-1.2, 0.0, 0.0]);
    let mut right = lane(1.0, &[0.59, 0.06, 0.0]);
    assert_eq!(right.advance(1).state()[0], 0.6);
}

#[test]
fn a_controller_sees_position_and_velocity_but_not_whether_the_goal_is_reached() {
    assert_eq!(lane(1.0, &[-0.3, 0.02, 1.0]).observation(), [-0.3, 0.02]);
}
