//! Tests of the Van der Pol oscillator, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};
use bitloop_van_der_pol::VanDerPol;

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_van_der_pol::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<VanDerPol>(&[0.3, -0.5], &[0.4]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let (from, to) = ([-3.0, 2.0], [2.0, -3.0]);
    check_instruction_sets(bitloop_van_der_pol::open, (&from, &to), (&[-1.0], &[1.0]), 200);
}

/// 10 s under linear feedback, from the limit cycle to rest.
const REFERENCE: Reference<'_> = Reference {
    state: &[2.0, 0.0],
    n_steps: 2,
    n_periods: 100,
    every: 5,
    shown: 0,
    feedback: |state, control| {
        control[0] = Real::clamp(Real::mul_add(state[0], -1.5, -3.0 * state[1]), -1.0, 1.0);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_van_der_pol::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/van_der_pol/trajectory.csv");
    REFERENCE.write(bitloop_van_der_pol::open, path);
}
