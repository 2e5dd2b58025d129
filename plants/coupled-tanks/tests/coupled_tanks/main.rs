//! Tests of the coupled tanks, through the plant table as a host calls it.

mod physics;
mod picture;

use bitloop_coupled_tanks::CoupledTanks;
use bitloop_plant::Real;
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_coupled_tanks::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<CoupledTanks>(&[3.0, 12.0], &[7.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    let (from, to) = ([1.0, 19.0], [15.0, 2.0]);
    check_instruction_sets(bitloop_coupled_tanks::open, (&from, &to), (&[0.0], &[3.0]), 100);
}

/// 300 s under linear feedback, from levels that are too low.
const REFERENCE: Reference<'_> = Reference {
    state: &[6.0, 7.0],
    n_steps: 2,
    n_periods: 150,
    every: 6,
    shown: 1,
    feedback: |state, control| {
        let voltage = Real::mul_add(state[0] - 10.0, -0.5, 2.9865 - 0.5 * (state[1] - 10.0));
        control[0] = Real::clamp(voltage, 0.0, 10.0);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_coupled_tanks::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/coupled_tanks/trajectory.csv");
    REFERENCE.write(bitloop_coupled_tanks::open, path);
}
