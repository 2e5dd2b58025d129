//! Energy, power, Newton's law along the beam, equilibria, order of convergence, symmetry, the failure set.

use bitloop_ball_and_beam::BallAndBeam;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{
    SteppedPlant, check_mirror_image, check_order, defaults, distance, numbers, rate_along,
};

/// M, R, Jb, J, g of a hollow ball, and a beam without ends and stops.
const FREE: [f64; 9] = [0.3, 0.05, 5e-4, 0.1, 9.81, 1e3, 0.01, 1e3, 0.02];

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_ball_and_beam::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

/// T + V: the ball moves along and across the beam, and turns against it by r' / R.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn energy(state: &[f64]) -> f64 {
    let [mass, radius, ball_inertia, beam_inertia, g, ..] = FREE;
    let [r, theta, v, w] = state[..] else { panic!("{state:?}") };
    let moving = mass * (v * v + r * r * w * w);
    let turning = ball_inertia * (v / radius * (v / radius) + w * w) + beam_inertia * w * w;
    0.5 * (moving + turning) + mass * g * r * theta.sin()
}

#[test]
fn energy_is_kept_without_a_torque() {
    let start = [0.2, 0.1, 0.3, -0.5];
    let mut lane = lane(0.001, &start, &FREE);
    for _ in 0..20 {
        let off = energy(&lane.advance(100).state()) - energy(&start);
        // Rates below 10 / s: (10 h)^5 / 120 = 1e-12 a step, of 2000.
        assert!(off.abs() < 1e-9, "{off}");
    }
    assert!(distance(&lane.state(), &start) > 0.5, "it did roll");
}

#[test]
fn the_power_of_the_torque_is_torque_times_the_rate_of_the_beam() {
    let (mut number, h) = (numbers(), 1e-4);
    for _ in 0..200 {
        let state: Vec<f64> = (0..4).map(|_| 2.0 * number()).collect();
        let torque = 5.0 * number();
        let mut dx = [0.0; 4];
        BallAndBeam.derivative(0.0, &state, &[torque], &FREE, &mut dx);
        assert_eq!(dx[..2], state[2..]);
        let power = rate_along(energy, &state, &dx, h);
        let expected = torque * state[3];
        // Central differences: third derivatives of up to 1e4 times h^2 / 6, and rounding of 1e-14 / h.
        assert!((power - expected).abs() < 1e-4, "{power} {expected}");
    }
}

/// The second condition on the two accelerations: the ball's own, in the plane, against its weight along the beam.
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn along_the_beam_the_weight_moves_and_turns_the_ball() {
    let [mass, radius, ball_inertia, _, g, ..] = FREE;
    let (mut number, h) = (numbers(), 1e-3);
    for _ in 0..200 {
        let state: Vec<f64> = (0..4).map(|_| 2.0 * number()).collect();
        let mut dx = [0.0; 4];
        BallAndBeam.derivative(0.0, &state, &[5.0 * number()], &FREE, &mut dx);
        let [r, theta, v, w] = state[..] else { panic!() };
        let position = |t: f64| {
            let (r, angle) = (r + v * t + 0.5 * dx[2] * t * t, theta + w * t + 0.5 * dx[3] * t * t);
            [r * angle.cos(), r * angle.sin()]
        };
        let [before, now, after] = [-h, 0.0, h].map(position);
        let acceleration = |i: usize| (before[i] - 2.0 * now[i] + after[i]) / (h * h);
        let along = acceleration(0) * theta.cos() + acceleration(1) * theta.sin();
        let rolling = ball_inertia / (radius * radius) * dx[2];
        let found = mass * (along + g * theta.sin()) + rolling;
        // Fourth derivatives of up to 1e4 times h^2 / 12, and rounding of 1e-16 / h^2.
        assert!(found.abs() < 5e-3, "{found}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn a_solid_ball_rolls_down_with_five_sevenths_of_its_weight() {
    let mut dx = [0.0; 4];
    for theta in [0.1, -0.4] {
        BallAndBeam.derivative(
            0.0,
            &[0.2, theta, 0.0, 0.0],
            &[0.0],
            &defaults::<BallAndBeam>(),
            &mut dx,
        );
        let expected = -5.0 / 7.0 * 9.81 * f64::sin(theta);
        assert!((dx[2] - expected).abs() < 1e-14, "{} {expected}", dx[2]);
    }
}

#[test]
fn a_level_beam_stays_where_the_torque_bears_the_ball() {
    for r in [0.0, 0.3, -0.45] {
        let state = [r, 0.0, 0.0, 0.0];
        let mut lane = lane(0.025, &state, &FREE);
        let torque = FREE[0] * r * FREE[4];
        assert_eq!(lane.hold(&[torque]).advance(10_000).state(), state);
        let cost = 10_000.0 * (r * r + FREE[8] * torque * torque);
        assert!((lane.cost() - cost).abs() < 1e-9, "{} {cost}", lane.cost());
    }
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after_1_s = |n: u32| {
        let mut lane = lane(1.0 / f64::from(n), &[0.2, 0.1, 0.3, -0.5], &FREE);
        lane.hold(&[0.7]).advance(n).state()
    };
    check_order(4, 100, &after_1_s(4000), after_1_s);
}

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    for state in [[0.2, 0.1, 0.3, -0.5], [-0.1, 0.4, 1e-300, 1.0]] {
        check_mirror_image(|state| lane(0.025, state, &FREE), &state, &[0.3], 60);
    }
}

#[test]
fn it_fails_beyond_the_ends_and_the_stops_and_is_charged_the_most_that_is_within() {
    let parameters = defaults::<BallAndBeam>();
    let edge = [-0.5, 1.0, 0.0, 0.0];
    assert!(!BallAndBeam.failed(0.0, &edge, &parameters));
    for index in 0..2 {
        for sign in [-1.0, 1.0] {
            let mut beyond = [0.0; 4];
            beyond[index] = sign * edge[index].abs().next_up();
            assert!(BallAndBeam.failed(0.0, &beyond, &parameters), "{beyond:?}");
        }
    }
    let at_the_edge: f64 = BallAndBeam.stage_cost(0.0, &edge, &[0.0], &parameters);
    assert_eq!(at_the_edge, BallAndBeam.failure_cost::<f64>(&parameters));
    // Its own weight tilts the beam until the ball rolls off.
    let mut left_alone = lane(0.025, &[0.1, 0.0, 0.0, 0.0], &parameters);
    assert!(left_alone.end_within(80).is_some());
}
