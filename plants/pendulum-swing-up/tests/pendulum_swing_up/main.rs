//! Tests of the pendulum on a weak motor, through the plant table as a host calls it.

mod environment;
mod physics;
mod picture;

use bitloop_pendulum_swing_up::PendulumSwingUp;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

/// m, l, g, and the bounds and weights of the error.
const PARAMETERS: [f64; 6] = [1.3, 0.8, 9.81, 8.0, 0.1, 0.001];

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_pendulum_swing_up::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<PendulumSwingUp>(&[0.3, -0.5], &[2.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    check_instruction_sets(
        bitloop_pendulum_swing_up::open,
        (&[-9.0, 8.0], &[7.0, -3.0]),
        (&[-2.0], &[2.0]),
        200,
    );
}

/// 10 s under feedback of the rate, which swings the pendulum all around, within the bounds of the torque.
const REFERENCE: Reference<'_> = Reference {
    state: &[3.0, 0.5],
    n_steps: 1,
    n_periods: 200,
    every: 10,
    shown: 0,
    feedback: |state, control| control[0] = Real::clamp(0.5 * state[1], -2.0, 2.0),
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_pendulum_swing_up::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/pendulum_swing_up/trajectory.csv");
    REFERENCE.write(bitloop_pendulum_swing_up::open, path);
}
