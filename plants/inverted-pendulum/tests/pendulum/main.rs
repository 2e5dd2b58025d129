//! Tests of the inverted pendulum, through the plant table as a host calls it.

mod description;
mod physics;
mod picture;
mod symmetry;
mod trajectory;

use bitloop_plant::{Integrator, Isa, PlantHandle, PlantLanes, Stretch};

/// M, m, l, g, lambda, and a failure angle that no swing reaches.
const FREE: [f64; 6] = [1.3, 0.7, 0.9, 9.81, 0.01, 1e3];

const INTEGRATORS: [Integrator; 3] =
    [Integrator::Euler, Integrator::SemiImplicitEuler, Integrator::RungeKutta4];

fn handle() -> PlantHandle {
    bitloop_inverted_pendulum::open(None).expect("a valid description")
}

/// Eight lanes with the same state, force and parameters.
fn lanes(state: [f64; 4], force: f64, parameters: [f64; 6]) -> PlantLanes {
    let mut lanes = handle().lanes(8);
    for (row, value) in state.into_iter().enumerate() {
        lanes.state.row_mut(row).fill(value);
    }
    lanes.control.fill(force);
    for (row, value) in parameters.into_iter().enumerate() {
        lanes.parameters.row_mut(row).fill(value);
    }
    lanes
}

fn first_lane(lanes: &PlantLanes) -> [f64; 4] {
    std::array::from_fn(|row| lanes.state.row(row)[0])
}

/// Advances all lanes by `n_steps` of `step_s`; no lane may end.
fn advance(lanes: &mut PlantLanes, integrator: Integrator, step_s: f64, n_steps: u32) {
    let stretch = Stretch { tick: 0, n_steps, step_s, integrator, counts_cost: true };
    assert_eq!(handle().advance(Isa::best(), lanes, 8, stretch), Ok(0));
}
