//! Against the environment Acrobot-v1, by a table that a script beside this file made from its published equations.

use bitloop_acrobot::Acrobot;
use bitloop_plant::Integrator;
use bitloop_plant_testing::{SteppedPlant, defaults};

/// The torque of each run of the script.
fn torque(run: usize, state: &[f64]) -> f64 {
    let sign = |x: f64| if x > 0.0 { 1.0 } else { -1.0 };
    [sign(state[3]), -sign(state[2]), 0.5, 1.0, -1.0][run]
}

#[test]
fn states_and_the_goal_are_those_of_the_environment() {
    let table: Vec<[f64; 7]> = include_str!("environment.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let numbers: Vec<f64> =
                line.split(' ').map(|number| number.parse().expect("a number")).collect();
            numbers.try_into().expect("seven numbers")
        })
        .collect();
    assert_eq!(table.len(), 5 * 16);
    let mut n_reached = 0;
    for run in 0..5 {
        let rows = &table[16 * run..16 * (run + 1)];
        let start = [rows[0][2], rows[0][3], rows[0][4], rows[0][5], 0.0];
        let mut lane = SteppedPlant::new(
            bitloop_acrobot::open,
            Integrator::PlantStep,
            0.2,
            &start,
            &defaults::<Acrobot>(),
        );
        // The environment's return falls by 1 with each step that does not reach the goal.
        let mut total = 0.0;
        for row in rows {
            assert_eq!(row[0], run as f64);
            for (found, expected) in lane.state().iter().zip(&row[2..]) {
                // Rounding errors, grown over 12 s.
                assert!((found - expected).abs() < 1e-9, "{run} {}: {found} {expected}", row[1]);
            }
            assert_eq!(lane.cost(), -total);
            for _ in 0..4 {
                let torque = torque(run, &lane.state());
                let reached = lane.hold(&[torque]).advance(1).state()[4] == 1.0;
                total -= if reached { 0.0 } else { 1.0 };
            }
        }
        n_reached += u32::from(rows[15][6] == 1.0);
    }
    assert!((1..5).contains(&n_reached), "runs of both kinds");
}
