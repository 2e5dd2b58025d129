//! Tests of the stirred-tank reactor, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_cstr::Cstr;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_cstr::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<Cstr>(&[0.4, 340.0], &[290.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    check_instruction_sets(
        bitloop_cstr::open,
        (&[0.9, 320.0], &[0.5, 345.0]),
        (&[300.0], &[280.0]),
        200,
    );
}

/// 20 min under linear feedback.
const REFERENCE: Reference<'_> = Reference {
    state: &[0.55, 346.0],
    n_steps: 3,
    n_periods: 200,
    every: 10,
    shown: 1,
    feedback: |state, control| {
        let coolant = Real::mul_add(state[0] - 0.5, 40.0, 300.0 - 4.0 * (state[1] - 350.0));
        control[0] = Real::clamp(coolant, 280.0, 320.0);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_cstr::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/cstr/trajectory.csv");
    REFERENCE.write(bitloop_cstr::open, path);
}
