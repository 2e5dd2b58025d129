//! Against the environment Pendulum-v1, by a table that a script beside this file made from its published equations.

use bitloop_pendulum_swing_up::PendulumSwingUp;
use bitloop_plant::Integrator;
use bitloop_plant_testing::{SteppedPlant, defaults};

/// The coefficients of the torque a `theta_dot` + b in each run of the script.
const TORQUES: [[f64; 2]; 5] = [[1.0, 0.0], [-0.5, 0.4], [0.0, 1.3], [1.0, 0.0], [1.0, 0.0]];

/// The state's part of the stage cost.
fn state_cost(state: &[f64]) -> f64 {
    use std::f64::consts::{PI, TAU};
    let angle = (state[0] + PI).rem_euclid(TAU) - PI;
    angle * angle + 0.1 * state[1] * state[1]
}

#[test]
fn states_and_returns_are_those_of_the_environment() {
    let table: Vec<[f64; 5]> = include_str!("environment.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let numbers: Vec<f64> =
                line.split(' ').map(|number| number.parse().expect("a number")).collect();
            numbers.try_into().expect("five numbers")
        })
        .collect();
    assert_eq!(table.len(), 5 * 11);
    let mut fastest: f64 = 0.0;
    for (run, torque) in TORQUES.iter().enumerate() {
        let rows = &table[11 * run..11 * (run + 1)];
        let start = [rows[0][2], rows[0][3]];
        let mut lane = SteppedPlant::new(
            bitloop_pendulum_swing_up::open,
            Integrator::PlantStep,
            0.05,
            &start,
            &defaults::<PendulumSwingUp>(),
        );
        for row in rows {
            let [of_run, steps, theta, theta_dot, total] = *row;
            assert_eq!(of_run, run as f64);
            let state = lane.state();
            // Rounding errors grow by exp(sqrt(15) t) at the worst, over 4 s; they came to 1e-13.
            assert!((state[0] - theta).abs() < 1e-10, "{run} {steps}: {} {theta}", state[0]);
            assert!(
                (state[1] - theta_dot).abs() < 1e-10,
                "{run} {steps}: {} {theta_dot}",
                state[1]
            );
            // The environment charges the state before a step, the plant the one after it.
            let by_plant = -(lane.cost() + state_cost(&start) - state_cost(&state));
            assert!((by_plant - total).abs() < 1e-9, "{run} {steps}: {by_plant} {total}");
            fastest = fastest.max(theta_dot.abs());
            for _ in 0..8 {
                let speed = lane.state()[1];
                let torque = (torque[0] * speed + torque[1]).clamp(-2.0, 2.0);
                lane.hold(&[torque]).advance(1);
            }
        }
    }
    assert_eq!(fastest, 8.0, "the bound of the speed was met");
}
