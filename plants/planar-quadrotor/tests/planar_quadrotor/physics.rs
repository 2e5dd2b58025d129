//! Hover, free flight in closed form, energy, order of convergence, symmetry, the failure set.

use bitloop_planar_quadrotor::PlanarQuadrotor;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers, rate_along};

/// m, r, I, g, and an air space that nothing leaves.
const FREE: [f64; 7] = [0.7, 0.3, 0.01, 9.81, 0.1, 1e3, 1e3];

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_planar_quadrotor::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

#[test]
fn no_action_hovers_and_hovering_at_the_target_costs_nothing() {
    let description = PlanarQuadrotor.description();
    let no_action: Vec<f64> = description.controls.iter().map(|control| control.center).collect();
    let mut hovering = lane(0.02, &[0.0; 6], &defaults::<PlanarQuadrotor>());
    assert_eq!(hovering.hold(&no_action).advance(10_000).state(), [0.0; 6]);
    assert_eq!(hovering.cost(), 0.0);
    // The bounds are as far away on either side.
    for control in description.controls {
        assert_eq!(
            [control.center - control.scale, control.center + control.scale],
            [control.min, control.max]
        );
    }
}

/// Without thrust a parabola, at a constant rate of turning.
#[test]
fn with_the_rotors_off_it_falls_freely() {
    let start = [0.5, 1.0, 0.2, 1.5, 3.0, -2.0];
    let mut lane = lane(0.01, &start, &FREE);
    let t = 1.5;
    let expected = [
        start[0] + start[3] * t,
        start[1] + start[4] * t - 0.5 * FREE[3] * t * t,
        start[2] + start[5] * t,
        start[3],
        start[4] - FREE[3] * t,
        start[5],
    ];
    // Polynomials of second degree are integrated exactly, but for rounding.
    assert!(distance(&lane.advance(150).state(), &expected) < 1e-12);
}

/// 1/2 m v^2 + 1/2 I theta'^2 + m g y.
fn energy(state: &[f64]) -> f64 {
    let [m, _, inertia, g, ..] = FREE;
    let [_, y, _, vx, vy, w] = state[..] else { panic!("{state:?}") };
    0.5 * m * (vx * vx + vy * vy) + 0.5 * inertia * w * w + m * g * y
}

/// Each rotor pushes along the axis of the body, at its own point of the arm.
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn power_is_the_thrusts_times_the_speeds_of_the_rotors_along_them() {
    let (mut number, h) = (numbers(), 1e-4);
    for _ in 0..200 {
        let state: Vec<f64> = (0..6).map(|_| 3.0 * number()).collect();
        let thrusts = [3.0 + 2.0 * number(), 3.0 + 2.0 * number()];
        let mut dx = [0.0; 6];
        PlanarQuadrotor.derivative(0.0, &state, &thrusts, &FREE, &mut dx);
        let found = rate_along(energy, &state, &dx, h);
        let (sin, cos) = state[2].sin_cos();
        let along = -sin * state[3] + cos * state[4];
        let lever = FREE[1] * state[5];
        let expected = thrusts[0] * (along + lever) + thrusts[1] * (along - lever);
        // The energy is quadratic along a line, so that central differences round alone: 100 J of 1e-16, over h.
        assert!((found - expected).abs() < 1e-9, "{found} {expected}");
    }
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after_1_s = |n: u32| {
        let mut lane = lane(1.0 / f64::from(n), &[0.1, 0.2, 0.5, 0.3, -0.2, 1.0], &FREE);
        lane.hold(&[3.5, 3.45]).advance(n).state()
    };
    check_order(4, 25, &after_1_s(2000), after_1_s);
}

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    let start = [0.4, 0.3, -0.7, 0.2, -1.0, 2.0];
    let mirrored = |state: &[f64]| -> Vec<f64> {
        let signs = [-1.0, 1.0, -1.0, -1.0, 1.0, -1.0];
        state.iter().zip(signs).map(|(value, sign)| sign * value).collect()
    };
    let mut one = lane(0.02, &start, &FREE);
    let mut other = lane(0.02, &mirrored(&start), &FREE);
    one.hold(&[3.4, 3.5]).advance(100);
    other.hold(&[3.5, 3.4]).advance(100);
    assert_eq!(one.state(), mirrored(&other.state()));
    assert_eq!(one.cost().to_bits(), other.cost().to_bits());
}

#[test]
fn more_thrust_on_the_right_turns_it_counterclockwise_and_a_tilt_to_the_left_moves_it_there() {
    let mut turning = lane(0.02, &[0.0; 6], &FREE);
    let [x, _, theta, ..] = turning.hold(&[3.6, 3.4]).advance(20).state()[..] else { panic!() };
    assert!(theta > 0.0 && x < 0.0, "{theta} {x}");
}

#[test]
fn it_fails_beyond_the_air_space_and_the_tilt_and_is_charged_the_most_that_is_within() {
    let parameters = defaults::<PlanarQuadrotor>();
    let edge = [5.0, -5.0, 1.5, 0.0, 0.0, 0.0];
    assert!(!PlanarQuadrotor.failed(0.0, &edge, &parameters));
    for index in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut beyond = [0.0; 6];
            beyond[index] = sign * edge[index].abs().next_up();
            assert!(PlanarQuadrotor.failed(0.0, &beyond, &parameters), "{beyond:?}");
        }
    }
    let at_the_edge: f64 = PlanarQuadrotor.stage_cost(0.0, &edge, &[0.0, 0.0], &parameters);
    let charged: f64 = PlanarQuadrotor.failure_cost(&parameters);
    assert!((at_the_edge - charged).abs() < 1e-12 && charged > 50.0, "{at_the_edge} {charged}");
    // Without thrust it falls out at the bottom after 1 s: 1/2 g t^2 = 5 m.
    let mut falling = lane(0.02, &[0.0; 6], &parameters);
    let (step, _) = falling.hold(&[0.0, 0.0]).end_within(100).expect("a fall");
    assert_eq!(step, 51);
}
