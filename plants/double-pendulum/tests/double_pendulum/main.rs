//! Tests of the double pendulum on a cart, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_double_pendulum::DoublePendulum;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_double_pendulum::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<DoublePendulum>(&[0.3, -0.5, 0.7, -2.0, 1.0, 3.0], &[-30.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let from = [-1.0, 0.2, -0.2, 0.3, -0.2, 0.1];
    let to = [1.0, -0.1, 0.3, -1.0, 0.5, -0.1];
    check_instruction_sets(bitloop_double_pendulum::open, (&from, &to), (&[-5.0], &[5.0]), 20);
}

/// Feedback of all states in N per unit that balances it, from a training.
const GAINS: [f64; 6] = [-33.6, 284.6, -539.5, -15.0, 3.7, -69.5];

/// 3 s under that feedback.
const REFERENCE: Reference<'_> = Reference {
    state: &[0.2, 0.05, -0.03, 0.0, 0.1, 0.0],
    n_steps: 2,
    n_periods: 150,
    every: 6,
    shown: 1,
    feedback: |state, control| {
        let force =
            state.iter().zip(GAINS).fold(0.0, |sum, (&x, gain)| Real::mul_add(x, gain, sum));
        control[0] = Real::clamp(force, -40.0, 40.0);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_double_pendulum::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/double_pendulum/trajectory.csv");
    REFERENCE.write(bitloop_double_pendulum::open, path);
}
