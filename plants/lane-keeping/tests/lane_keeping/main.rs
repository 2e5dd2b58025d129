//! Tests of the car in its lane, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_lane_keeping::LaneKeeping;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_lane_keeping::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<LaneKeeping>(&[0.3, -0.5, 0.02, -0.2], &[0.07]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let (from, to) = ([-0.5, 0.2, 0.01, -0.1], [0.5, -0.2, -0.01, 0.1]);
    check_instruction_sets(bitloop_lane_keeping::open, (&from, &to), (&[-0.01], &[0.01]), 20);
}

/// 5 s under linear feedback, from one side of the lane to its middle.
const REFERENCE: Reference<'_> = Reference {
    state: &[1.0, 0.0, 0.02, 0.0],
    n_steps: 2,
    n_periods: 100,
    every: 4,
    shown: 0,
    feedback: |state, control| {
        let held = state.iter().zip([-0.06, -0.01, -0.6, -0.05]);
        let steering = held.fold(0.0, |sum, (&x, gain)| Real::mul_add(x, gain, sum));
        control[0] = Real::clamp(steering, -0.1, 0.1);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_lane_keeping::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/lane_keeping/trajectory.csv");
    REFERENCE.write(bitloop_lane_keeping::open, path);
}
