//! Tests of the ball below a magnet, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_magnetic_levitation::MagneticLevitation;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_magnetic_levitation::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<MagneticLevitation>(&[0.03, -0.5, 7.0], &[12.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let (from, to) = ([0.04, 0.1, 6.0], [0.06, -0.1, 6.5]);
    check_instruction_sets(bitloop_magnetic_levitation::open, (&from, &to), (&[5.0], &[7.0]), 12);
}

/// 0.5 s under feedback of all states that holds the ball, from a training.
const REFERENCE: Reference<'_> = Reference {
    state: &[0.058, 0.05, 6.0],
    n_steps: 2,
    n_periods: 100,
    every: 5,
    shown: 0,
    feedback: |state, control| {
        let [gap, gap_dot, current] = state[..] else { unreachable!("3 states") };
        let held = Real::mul_add(gap - 0.05, 3125.0, 6.264 - 8.0 * (current - 6.264));
        control[0] = Real::clamp(Real::mul_add(gap_dot, 80.0, held), 0.0, 15.0);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_magnetic_levitation::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/magnetic_levitation/trajectory.csv");
    REFERENCE.write(bitloop_magnetic_levitation::open, path);
}
