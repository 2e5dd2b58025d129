//! Against the environment `MountainCarContinuous-v0`, by a table that a script beside this file made from its published
//! equations.

use bitloop_mountain_car::MountainCar;
use bitloop_plant::Integrator;
use bitloop_plant_testing::{SteppedPlant, defaults};

/// The coefficients of the force a velocity + b in each run of the script.
const FORCES: [[f64; 2]; 6] =
    [[1000.0, 0.1], [20.0, 0.05], [0.0, 0.0], [0.0, 1.0], [0.0, -1.0], [0.0, 1.0]];
/// Lines of a run, and steps between two of them.
const N_LINES: usize = 21;
const EVERY: u32 = 12;

#[test]
fn states_goals_and_returns_are_those_of_the_environment() {
    let table: Vec<[f64; 6]> = include_str!("environment.txt")
        .lines()
        .filter(|line| !line.starts_with('#'))
        .map(|line| {
            let numbers: Vec<f64> =
                line.split(' ').map(|number| number.parse().expect("a number")).collect();
            numbers.try_into().expect("six numbers")
        })
        .collect();
    assert_eq!(table.len(), FORCES.len() * N_LINES);
    let (mut n_reached, mut n_at_the_wall, mut fastest) = (0, 0, 0.0_f64);
    for (run, force) in FORCES.iter().enumerate() {
        let rows = &table[N_LINES * run..N_LINES * (run + 1)];
        let start = [rows[0][2], rows[0][3], 0.0];
        let mut lane = SteppedPlant::new(
            bitloop_mountain_car::open,
            Integrator::PlantStep,
            1.0,
            &start,
            &defaults::<MountainCar>(),
        );
        let mut effort = 0.0;
        for row in rows {
            let [of_run, steps, position, velocity, reached, total] = *row;
            assert_eq!(of_run, run as f64);
            let state = lane.state();
            // Rounding errors of 1e-16 grow little in so few swings.
            assert!((state[0] - position).abs() < 1e-11, "{run} {steps}: {state:?} {position}");
            assert!((state[1] - velocity).abs() < 1e-11, "{run} {steps}: {state:?} {velocity}");
            assert_eq!(state[2], reached, "{run} {steps}");
            let by_plant = 100.0 * state[2] - 0.1 * effort;
            assert!((by_plant - total).abs() < 1e-9, "{run} {steps}: {by_plant} {total}");
            for _ in 0..EVERY {
                let state = lane.state();
                let force = (force[0] * state[1] + force[1]).clamp(-1.0, 1.0);
                effort += if state[2] == 1.0 { 0.0 } else { force * force };
                lane.hold(&[force]).advance(1);
                let state = lane.state();
                n_at_the_wall += u32::from(state[..2] == [-1.2, 0.0]);
                fastest = fastest.max(state[1].abs());
            }
        }
        n_reached += u32::from(rows[N_LINES - 1][4] == 1.0);
    }
    // The runs have met all that bounds them.
    assert_eq!((n_reached, fastest), (2, 0.07));
    assert!(n_at_the_wall > 0);
}
