//! Tests of the ball and beam, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_ball_and_beam::BallAndBeam;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_ball_and_beam::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<BallAndBeam>(&[0.3, -0.5, 0.7, -2.0], &[0.4]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let (from, to) = ([-0.2, 0.1, 0.3, -0.2], [0.2, -0.1, -0.1, 0.1]);
    check_instruction_sets(bitloop_ball_and_beam::open, (&from, &to), (&[-0.05], &[0.05]), 12);
}

/// 4 s under feedback of all states that holds the ball, from a training.
const REFERENCE: Reference<'_> = Reference {
    state: &[0.15, 0.05, 0.0, 0.1],
    n_steps: 2,
    n_periods: 80,
    every: 4,
    shown: 0,
    feedback: |state, control| {
        let held = state.iter().zip([24.2, -13.2, 15.5, -1.75]);
        let torque = held.fold(0.0, |sum, (&x, gain)| Real::mul_add(x, gain, sum));
        control[0] = Real::clamp(torque, -0.5, 0.5);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_ball_and_beam::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/ball_and_beam/trajectory.csv");
    REFERENCE.write(bitloop_ball_and_beam::open, path);
}
