//! Tests of the acrobot, through the plant table as a host calls it.

mod environment;
mod physics;
mod picture;

use bitloop_acrobot::Acrobot;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_acrobot::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<Acrobot>(&[0.3, -0.5, 1.0, -2.0, 0.0], &[1.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let from = [-3.0, 3.0, 10.0, -20.0, 0.0];
    let to = [3.1, -2.0, -5.0, 20.0, 1.0];
    check_instruction_sets(bitloop_acrobot::open, (&from, &to), (&[-1.0], &[1.0]), 100);
}

/// 60 s under a torque that turns with the speed of the joint, which swings the links up.
const REFERENCE: Reference<'_> = Reference {
    state: &[0.1, -0.05, 0.02, 0.0, 0.0],
    n_steps: 1,
    n_periods: 300,
    every: 10,
    shown: 0,
    feedback: |state, control| control[0] = if state[3] > 0.0 { 1.0 } else { -1.0 },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_acrobot::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/acrobot/trajectory.csv");
    REFERENCE.write(bitloop_acrobot::open, path);
}
