//! Energy, orders of convergence, symmetry, equilibria, the bound of the speed, and the angle in the error.

use std::f64::consts::{PI, TAU};

use bitloop_pendulum_swing_up::PendulumSwingUp;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_mirror_image, check_order, distance, numbers};

use crate::PARAMETERS;

const INTEGRATORS: [Integrator; 2] = [Integrator::PlantStep, Integrator::RungeKutta4];

fn lane(integrator: Integrator, step_s: f64, state: &[f64]) -> SteppedPlant {
    SteppedPlant::new(bitloop_pendulum_swing_up::open, integrator, step_s, state, &PARAMETERS)
}

/// T + V of a rod of inertia m l^2 / 3 about its end, whose center is at l / 2.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn energy(state: &[f64]) -> f64 {
    let [m, l, g, ..] = PARAMETERS;
    m * l * l / 6.0 * state[1] * state[1] + 0.5 * m * g * l * state[0].cos()
}

#[test]
fn energy_changes_by_the_work_of_the_motor() {
    for torque in [0.0, 1.7] {
        let start = [0.4, -0.3];
        let mut lane = lane(Integrator::RungeKutta4, 0.001, &start);
        lane.hold(&[torque]);
        for _ in 0..20 {
            let state = lane.advance(250).state();
            let work = torque * (state[0] - start[0]);
            // It turns at 30 rad/s in the end: (30 h)^5 / 120 = 2e-10 a step, the most, of 5000 and of either sign.
            let off = energy(&state) - energy(&start) - work;
            assert!(off.abs() < 1e-8, "{off}");
        }
        assert!((lane.state()[0] - start[0]).abs() > 1.0, "it did fall");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn the_acceleration_is_torque_over_inertia() {
    let mut number = numbers();
    for _ in 0..1000 {
        let (state, torque) = ([7.0 * number(), 8.0 * number()], 2.0 * number());
        let mut dx = [0.0; 2];
        PendulumSwingUp.derivative(0.0, &state, &[torque], &PARAMETERS, &mut dx);
        let [m, l, g, ..] = PARAMETERS;
        let torques = torque + m * g * (l / 2.0) * state[0].sin();
        let expected = torques / (m * l * l / 3.0);
        assert_eq!(dx[0], state[1]);
        // Sums of terms up to 25 rad/s^2 that may cancel.
        assert!((dx[1] - expected).abs() < 1e-13, "{} {expected}", dx[1]);
    }
}

#[test]
fn halving_the_step_shows_the_order_of_each_integrator() {
    let after_1_s = |integrator, n: u32| {
        // From here it does not meet the bound of the speed.
        let mut lane = lane(integrator, 1.0 / f64::from(n), &[2.0, -3.0]);
        lane.hold(&[0.8]).advance(n).state()
    };
    let exact = after_1_s(Integrator::RungeKutta4, 2000);
    check_order(1, 2000, &exact, |n| after_1_s(Integrator::PlantStep, n));
    check_order(4, 100, &exact, |n| after_1_s(Integrator::RungeKutta4, n));
}

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    for integrator in INTEGRATORS {
        for state in [[0.4, 0.3], [-2.0, 7.9], [1e-300, -0.8]] {
            check_mirror_image(|state| lane(integrator, 0.05, state), &state, &[1.5], 400);
        }
    }
}

#[test]
fn upright_and_at_rest_it_stays_for_free_and_hangs_near_rest_at_the_bottom() {
    for integrator in INTEGRATORS {
        let mut upright = lane(integrator, 0.05, &[0.0, 0.0]);
        assert_eq!(upright.advance(10_000).state(), [0.0, 0.0]);
        assert_eq!(upright.cost(), 0.0);
        // The double next to pi is 1.2e-16 beside it.
        let mut hanging = lane(integrator, 0.05, &[PI, 0.0]);
        assert!(distance(&hanging.advance(200).state(), &[PI, 0.0]) < 1e-13);
        assert!((hanging.cost() - 200.0 * PI * PI).abs() < 1e-9);
    }
}

#[test]
fn a_weak_motor_cannot_lift_it_at_once_but_in_swings() {
    let mut steady = lane(Integrator::PlantStep, 0.05, &[PI, 0.0]);
    let mut pumped = steady.clone();
    steady.hold(&[2.0]);
    let (mut highest_steady, mut highest_pumped) = (-1.0_f64, -1.0_f64);
    for _ in 0..200 {
        highest_steady = highest_steady.max(steady.advance(1).observation()[0]);
        let speed = pumped.state()[1];
        let torque = if speed < 0.0 { -2.0 } else { 2.0 };
        highest_pumped = highest_pumped.max(pumped.hold(&[torque]).advance(1).observation()[0]);
    }
    assert!(highest_steady < -0.1 && highest_pumped > 0.99, "{highest_steady} {highest_pumped}");
}

#[test]
fn the_step_holds_the_speed_to_its_bound() {
    let mut parameters = PARAMETERS;
    parameters[3] = 3.0;
    let mut lane = SteppedPlant::new(
        bitloop_pendulum_swing_up::open,
        Integrator::PlantStep,
        0.05,
        &[0.1, 0.0],
        &parameters,
    );
    lane.hold(&[2.0]);
    let mut fastest: f64 = 0.0;
    for _ in 0..100 {
        fastest = fastest.max(lane.advance(1).state()[1].abs());
    }
    assert_eq!(fastest, 3.0);
}

#[test]
fn the_error_takes_the_angle_from_upright_the_short_way_round() {
    let cost =
        |theta: f64| -> f64 { PendulumSwingUp.stage_cost(0.0, &[theta, 0.0], &[0.0], &PARAMETERS) };
    for theta in [0.0, 0.5, -1.0, 3.1, -3.1] {
        for turns in [-3.0, -1.0, 0.0, 1.0, 2.0] {
            let off = cost(theta + turns * TAU) - theta * theta;
            assert!(off.abs() < 1e-13, "{theta} {turns}: {off}");
        }
    }
}

#[test]
fn a_controller_sees_the_angle_as_cosine_and_sine() {
    let observed = lane(Integrator::PlantStep, 0.05, &[2.0 * PI + 0.5, -1.5]).observation();
    let expected = [bitloop_plant::Real::cos(0.5), bitloop_plant::Real::sin(0.5), -1.5];
    assert!(distance(&observed, &expected) < 1e-15 * 8.0, "{observed:?}");
}
