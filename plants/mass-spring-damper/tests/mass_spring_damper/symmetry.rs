//! Facts that hold to the bit: linearity, equilibria.

use bitloop_plant_testing::SteppedPlant;

use crate::{INTEGRATORS, PARAMETERS};

#[test]
fn twice_the_start_and_the_force_is_twice_the_motion_and_its_mirror_image_the_mirror_image() {
    for integrator in INTEGRATORS {
        let run = |factor: f64| {
            let state = [0.8 * factor, -1.1 * factor];
            let mut lane = SteppedPlant::new(
                bitloop_mass_spring_damper::open,
                integrator,
                0.02,
                &state,
                &PARAMETERS,
            );
            lane.hold(&[0.7 * factor]).advance(500);
            (lane.state(), lane.cost())
        };
        let (state, cost) = run(1.0);
        // Scaling by a power of two, or by -1, rounds nothing.
        for factor in [-1.0, 2.0, -0.25] {
            let scaled: Vec<f64> = state.iter().map(|value| factor * value).collect();
            assert_eq!(run(factor), (scaled, factor * factor * cost), "{integrator:?} {factor}");
        }
    }
}

#[test]
fn at_rest_it_stays_and_so_it_does_where_force_and_spring_balance() {
    for integrator in INTEGRATORS {
        for (x, force) in [(0.0, 0.0), (0.5, 1.0), (-2.0, -4.0)] {
            let parameters = [1.3, 0.4, 2.0, 0.0, 0.1];
            let state = [x, 0.0];
            let mut lane = SteppedPlant::new(
                bitloop_mass_spring_damper::open,
                integrator,
                0.02,
                &state,
                &parameters,
            );
            let state = lane.hold(&[force]).advance(10_000).state();
            assert_eq!(state, [x, 0.0], "{integrator:?}");
        }
    }
}
