//! Tests of the mass on a spring, through the plant table as a host calls it.

mod physics;
mod picture;
mod symmetry;

use bitloop_mass_spring_damper::MassSpringDamper;
use bitloop_plant::{Integrator, Real};
use bitloop_plant_testing::{Reference, check_corners, check_instruction_sets, check_readme};

/// m, c, k, and the weights of v^2 and F^2.
const PARAMETERS: [f64; 5] = [1.3, 0.4, 2.1, 0.5, 0.1];

const INTEGRATORS: [Integrator; 3] =
    [Integrator::RungeKutta4, Integrator::Euler, Integrator::SemiImplicitEuler];

#[test]
fn the_readme_tells_every_variable_and_parameter() {
    check_readme(bitloop_mass_spring_damper::open, include_str!("../../README.md"));
}

#[test]
fn every_corner_of_the_bounds_gives_finite_numbers() {
    check_corners::<MassSpringDamper>(&[0.3, -0.5], &[10.0]);
}

#[test]
fn instruction_sets_and_neighbors_move_no_bit() {
    check_instruction_sets(
        bitloop_mass_spring_damper::open,
        (&[-1.0, 2.0], &[1.0, -0.5]),
        (&[-10.0], &[10.0]),
        200,
    );
}

/// 5 s under linear feedback.
const REFERENCE: Reference<'_> = Reference {
    state: &[1.0, -0.5],
    n_steps: 5,
    n_periods: 50,
    every: 5,
    shown: 0,
    feedback: |state, control| {
        control[0] = Real::mul_add(state[0], -2.0, -1.5 * state[1]);
    },
};

#[test]
fn the_reference_trajectory_is_met_bit_for_bit() {
    REFERENCE.check(bitloop_mass_spring_damper::open, include_str!("trajectory.csv"));
}

/// When the equations change on purpose; the difference is then to be reviewed.
#[test]
#[ignore = "writes the reference trajectory"]
fn write_the_reference_trajectory() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/mass_spring_damper/trajectory.csv");
    REFERENCE.write(bitloop_mass_spring_damper::open, path);
}
