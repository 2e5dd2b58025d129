//! Energy, power, equilibria, unstable modes, order of convergence, symmetry, failures.

use std::f64::consts::PI;

use bitloop_double_pendulum::DoublePendulum;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{
    SteppedPlant, check_mirror_image, check_order, defaults, distance, numbers, rate_along,
};

/// m0, m1, m2, L1, L2, g, and a track without ends on which nothing counts as fallen.
const FREE: [f64; 9] = [1.2, 0.4, 0.6, 0.7, 0.5, 9.81, 0.1, 1e3, 1e3];

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_double_pendulum::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

/// T + V, by the speeds of the centers of mass in Cartesian coordinates.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn energy(state: &[f64]) -> f64 {
    let [m0, m1, m2, l1, l2, g, ..] = FREE;
    let [_, a, b, v, wa, wb] = state[..] else { panic!("{state:?}") };
    // A point at distance r along a rod that leans by an angle is at (r sin, r cos) of its hinge.
    let center_1 = [v + 0.5 * l1 * wa * a.cos(), -0.5 * l1 * wa * a.sin()];
    let hinge = [v + l1 * wa * a.cos(), -l1 * wa * a.sin()];
    let center_2 = [hinge[0] + 0.5 * l2 * wb * b.cos(), hinge[1] - 0.5 * l2 * wb * b.sin()];
    let squared = |v: [f64; 2]| v[0] * v[0] + v[1] * v[1];
    let turning = (m1 * l1 * l1 * wa * wa + m2 * l2 * l2 * wb * wb) / 12.0;
    let kinetic = 0.5 * (m0 * v * v + m1 * squared(center_1) + m2 * squared(center_2) + turning);
    let height_2 = l1 * a.cos() + 0.5 * l2 * b.cos();
    kinetic + g * (m1 * 0.5 * l1 * a.cos() + m2 * height_2)
}

#[test]
fn energy_is_kept_without_a_force() {
    let start = [0.0, 0.4, -0.3, 0.2, 0.5, -1.0];
    let mut lane = lane(0.00025, &start, &FREE);
    for _ in 0..20 {
        // Fourth order: with steps twice as long it came to 3e-8, so that 2e-9 are left.
        let off = energy(&lane.advance(400).state()) - energy(&start);
        assert!(off.abs() < 1e-8, "{off}");
    }
    assert!(distance(&lane.state(), &start) > 1.0, "it did fall");
}

/// The first two of three conditions that fix the three accelerations; the next test has the third.
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn the_force_does_all_work_and_changes_all_momentum() {
    let [m0, m1, m2, l1, l2, ..] = FREE;
    let momentum = |state: &[f64]| {
        let [_, a, b, v, wa, wb] = state[..] else { panic!("{state:?}") };
        (m0 + m1 + m2) * v + (0.5 * m1 + m2) * l1 * wa * a.cos() + 0.5 * m2 * l2 * wb * b.cos()
    };
    let (mut number, h) = (numbers(), 1e-4);
    for _ in 0..200 {
        let state: Vec<f64> = (0..6).map(|_| 3.0 * number()).collect();
        let force = 20.0 * number();
        let mut dx = [0.0; 6];
        DoublePendulum.derivative(0.0, &state, &[force], &FREE, &mut dx);
        assert_eq!(dx[..3], state[3..]);
        // Central differences: third derivatives of up to 1e5 times h^2 / 6, and rounding of 1e-14 / h.
        let (power, expected) = (rate_along(energy, &state, &dx, h), force * state[3]);
        assert!((power - expected).abs() < 1e-3, "{power} {expected}");
        let found = rate_along(momentum, &state, &dx, h);
        assert!((found - force).abs() < 1e-3, "{found} {force}");
    }
}

/// About the second rod's center of mass, the hinge's force is the only one that turns it.
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn the_second_rod_turns_by_the_force_in_its_hinge() {
    let [_, _, m2, l1, l2, g, ..] = FREE;
    let mut number = numbers();
    for _ in 0..200 {
        let state: Vec<f64> = (0..6).map(|_| 3.0 * number()).collect();
        let mut dx = [0.0; 6];
        DoublePendulum.derivative(0.0, &state, &[20.0 * number()], &FREE, &mut dx);
        let [_, a, b, _, wa, wb] = state[..] else { panic!() };
        let [_, _, _, v_dot, wa_dot, wb_dot] = dx;
        // Newton's law gives the force in the hinge from the acceleration of the center of mass.
        let along = |l: f64, angle: f64, w: f64, w_dot: f64| {
            let (sin, cos) = angle.sin_cos();
            [l * (w_dot * cos - w * w * sin), -l * (w_dot * sin + w * w * cos)]
        };
        let (hinge, center) = (along(l1, a, wa, wa_dot), along(0.5 * l2, b, wb, wb_dot));
        let pull = [m2 * (v_dot + hinge[0] + center[0]), m2 * (hinge[1] + center[1] + g)];
        // The hinge is at -L2 / 2 (sin, cos); clockwise torque of a force there.
        let torque = 0.5 * l2 * (pull[1] * b.sin() - pull[0] * b.cos());
        let expected = m2 * l2 * l2 / 12.0 * wb_dot;
        // Forces of up to 1e3 N cancel.
        assert!((torque - expected).abs() < 1e-11, "{torque} {expected}");
    }
}

#[test]
fn upright_it_stays_exactly_and_hanging_it_nearly_does() {
    let upright = [0.7, 0.0, 0.0, 0.0, 0.0, 0.0];
    assert_eq!(lane(0.01, &upright, &FREE).advance(10_000).state(), upright);
    // The double next to pi is 1.2e-16 beside it, and that swings.
    let hanging = [0.0, PI, PI, 0.0, 0.0, 0.0];
    assert!(distance(&lane(0.01, &hanging, &FREE).advance(1000).state(), &hanging) < 1e-12);
}

/// With a cart that hardly moves and a second rod that hardly weighs, the first rod falls as a physical pendulum does:
/// theta'' = 3 g / (2 L1) sin(theta).
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn a_rod_on_a_heavy_cart_falls_as_a_rod_on_a_pivot() {
    let parameters = [1e9, 1.0, 1e-9, 0.8, 0.5, 9.81, 0.1, 1e3, 1e3];
    let mut dx = [0.0; 6];
    for angle in [0.1, -0.7, 2.0] {
        DoublePendulum.derivative(
            0.0,
            &[0.0, angle, 0.3, 0.0, 0.0, 0.0],
            &[0.0],
            &parameters,
            &mut dx,
        );
        let expected: f64 = 1.5 * 9.81 / 0.8 * f64::sin(angle);
        // Shares of 1e-9 are neglected.
        assert!((dx[4] - expected).abs() < 1e-7, "{} {expected}", dx[4]);
    }
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after_half_a_second = |n: u32| {
        let mut lane = lane(0.5 / f64::from(n), &[0.1, 0.2, 0.5, 0.3, -0.2, 1.0], &FREE);
        lane.hold(&[8.0]).advance(n).state()
    };
    check_order(4, 100, &after_half_a_second(4000), after_half_a_second);
}

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    for state in [[0.4, 0.3, -0.7, 0.2, -1.0, 2.0], [1.0, -2.0, 1e-300, 0.0, 3.0, -1.0]] {
        check_mirror_image(|state| lane(0.01, state, &FREE), &state, &[30.0], 200);
    }
}

#[test]
fn it_fails_beyond_the_angle_and_the_track_and_is_charged_the_most_that_is_within() {
    let parameters = defaults::<DoublePendulum>();
    let edge = [2.4, -1.0, 1.0, 0.0, 0.0, 0.0];
    assert!(!DoublePendulum.failed(0.0, &edge, &parameters));
    for index in 0..3 {
        for sign in [-1.0, 1.0] {
            let mut beyond = [0.0; 6];
            beyond[index] = sign * edge[index].abs().next_up();
            assert!(DoublePendulum.failed(0.0, &beyond, &parameters), "{beyond:?}");
        }
    }
    let at_the_edge: f64 = DoublePendulum.stage_cost(0.0, &edge, &[0.0], &parameters);
    let charged: f64 = DoublePendulum.failure_cost(&parameters);
    assert!((at_the_edge - charged).abs() < 1e-12 && charged > 2.0, "{at_the_edge} {charged}");
    // Left alone it falls, from a thousandth of a radian within two seconds.
    let mut falling = lane(0.01, &[0.0, 1e-3, 0.0, 0.0, 0.0, 0.0], &parameters);
    assert!(falling.end_within(200).is_some());
}
