//! Tests of the planar quadrotor, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_planar_quadrotor::PlanarQuadrotor;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_planar_quadrotor::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<PlanarQuadrotor>(&[0.3, -0.5, 1.0, -2.0, 1.0, 3.0], &[4.7, 0.5]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let from = [-1.0, 2.0, -0.5, 0.3, -0.2, 0.1];
    let to = [2.0, -1.0, 0.5, -1.0, 0.5, -0.1];
    check_instruction_sets(
        bitloop_planar_quadrotor::open,
        (&from, &to),
        (&[2.38, 2.4], &[2.4, 2.39]),
        20,
    );
}

/// 2 s under linear feedback of height, position and tilt.
const REFERENCE: Reference<'_> = Reference {
    state: &[0.2, -0.3, 0.1, 0.0, 0.0, 0.0],
    n_steps: 1,
    n_periods: 100,
    every: 5,
    shown: 1,
    feedback: |state, control| {
        let [x, y, theta, x_dot, y_dot, theta_dot] = state[..] else { unreachable!("6 states") };
        let lift = 2.38383 - 2.0 * y - 1.5 * y_dot;
        let turn = Real::mul_add(x, 0.2, 0.2 * x_dot) - 0.6 * theta - 0.1 * theta_dot;
        control[0] = Real::clamp(lift + turn, 0.0, 4.76766);
        control[1] = Real::clamp(lift - turn, 0.0, 4.76766);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_planar_quadrotor::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/planar_quadrotor/trajectory.csv");
    REFERENCE.write(bitloop_planar_quadrotor::open, path);
}
