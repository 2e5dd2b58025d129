//! Tests of the mountain car, through the plant table as a host calls it.

mod environment;
mod physics;
mod picture;

use bitloop_mountain_car::MountainCar;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_mountain_car::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<MountainCar>(&[-0.4, 0.03, 0.0], &[0.7]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let (from, to) = ([-1.1, 0.05, 0.0], [0.4, -0.06, 1.0]);
    check_instruction_sets(bitloop_mountain_car::open, (&from, &to), (&[-1.0], &[1.0]), 200);
}

/// 120 s under a force that goes with the speed, which brings the car up the hill.
const REFERENCE: Reference<'_> = Reference {
    state: &[-0.5, 0.0, 0.0],
    n_steps: 1,
    n_periods: 120,
    every: 5,
    shown: 0,
    feedback: |state, control| {
        control[0] = if state[1] < 0.0 { -1.0 } else { 1.0 };
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_mountain_car::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mountain_car/trajectory.csv");
    REFERENCE.write(bitloop_mountain_car::open, path);
}
