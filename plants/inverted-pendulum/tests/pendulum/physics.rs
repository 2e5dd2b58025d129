//! Energy, orders of convergence, and an independent derivation of the equations.

use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::{Integrator, Plant};

use crate::{FREE, INTEGRATORS, advance, first_lane, lanes};

/// T + V of cart and bob, the bob at (x - l sin theta, l cos theta).
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn energy([_, theta, x_dot, theta_dot]: [f64; 4]) -> f64 {
    let [cart_mass, m, l, g, ..] = FREE;
    let bob_x_dot = x_dot - l * theta_dot * theta.cos();
    let bob_y_dot = -l * theta_dot * theta.sin();
    0.5 * cart_mass * x_dot * x_dot
        + 0.5 * m * (bob_x_dot * bob_x_dot + bob_y_dot * bob_y_dot)
        + m * g * l * theta.cos()
}

/// From here the free pendulum swings all the way down and up on the other side.
const TILTED: [f64; 4] = [0.0, 0.5, 0.3, -0.2];

/// The largest change of energy, seen each 0.1 s over 5 s, relative to m g l.
fn energy_drift(integrator: Integrator, steps_per_tenth: u32) -> f64 {
    let mut lanes = lanes(TILTED, 0.0, FREE);
    let start = energy(TILTED);
    let mut worst: f64 = 0.0;
    for _ in 0..50 {
        let step_s = 0.1 / f64::from(steps_per_tenth);
        advance(&mut lanes, integrator, step_s, steps_per_tenth);
        worst = worst.max((energy(first_lane(&lanes)) - start).abs());
    }
    assert!(first_lane(&lanes)[1].abs() > 1.0, "it did swing");
    worst / (FREE[1] * FREE[2] * FREE[3])
}

#[test]
fn energy_is_kept_without_a_force() {
    // Fourth order: steps of 1 ms leave 1e-12 per step and less.
    let drift = energy_drift(Integrator::RungeKutta4, 100);
    assert!(drift < 1e-10, "{drift}");
    // First order: half the step, half the drift, and small at 10 us.
    let coarse = energy_drift(Integrator::SemiImplicitEuler, 5_000);
    let fine = energy_drift(Integrator::SemiImplicitEuler, 10_000);
    assert!(fine < 1e-4, "{fine}");
    assert!((coarse / fine - 2.0).abs() < 0.1, "{coarse} {fine}");
}

/// The state after 1 s in `n` steps under a constant push.
fn after_1_s(integrator: Integrator, n: u32) -> [f64; 4] {
    let mut lanes = lanes(TILTED, 0.8, FREE);
    advance(&mut lanes, integrator, 1.0 / f64::from(n), n);
    first_lane(&lanes)
}

#[test]
fn halving_the_step_shows_the_order_of_each_integrator() {
    // 2000 steps of fourth order are exact to 1e-13, far below every difference looked at.
    let exact = after_1_s(Integrator::RungeKutta4, 2000);
    let distance = |integrator, n| {
        let state = after_1_s(integrator, n);
        let squares = state.iter().zip(exact).map(|(a, b)| (a - b) * (a - b));
        squares.sum::<f64>().sqrt()
    };
    // The order is log2 of the ratio: within 0.1 of 1, 1 and 4. 2^0.1 = 1.0718.
    for (integrator, n, expected) in [
        (Integrator::Euler, 2000, 2.0),
        (Integrator::SemiImplicitEuler, 2000, 2.0),
        (Integrator::RungeKutta4, 50, 16.0),
    ] {
        let ratio = distance(integrator, n) / distance(integrator, 2 * n);
        let range = expected / 1.0718..expected * 1.0718;
        assert!(range.contains(&ratio), "{integrator:?}: {ratio} for {expected}");
    }
    // And they agree with each other: all converge to the same solution.
    for integrator in INTEGRATORS {
        let distance = distance(integrator, 20_000);
        assert!(distance < 1e-2, "{integrator:?}: {distance}");
    }
}

/// Numbers in [-1, 1) from a linear congruence: nothing here depends on their quality.
fn numbers() -> impl FnMut() -> f64 {
    let mut state = 12345_u64;
    move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }
}

/// The Lagrangian of a cart at (x, 0) and a bob at (x - l sin theta, l cos theta) gives M(q) q'' = f:
/// ```text
/// |  M + m          -m l cos(theta) | | x''     |   | F - m l theta'^2 sin(theta) |
/// | -m l cos(theta)  m l^2          | | theta'' | = | m g l sin(theta)            |
/// ```
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn the_equations_are_those_of_the_lagrangian() {
    let mut number = numbers();
    for _ in 0..20_000 {
        let [cart_mass, m, l, g] =
            [1.1 + number(), 1.1 + number(), 1.1 + number(), 10.0 + 9.0 * number()];
        let state = [number(), 4.0 * number(), 3.0 * number(), 5.0 * number()];
        let force = 20.0 * number();
        let [_, theta, x_dot, theta_dot] = state;
        let (sin, cos) = (theta.sin(), theta.cos());

        let [[a, b], [c, d]] = [[cart_mass + m, -m * l * cos], [-m * l * cos, m * l * l]];
        let [e, f] = [force - m * l * theta_dot * theta_dot * sin, m * g * l * sin];
        let determinant = a * d - b * c;
        let x_ddot = (e * d - b * f) / determinant;
        let theta_ddot = (a * f - e * c) / determinant;

        let mut dx = [0.0; 4];
        let parameters = [cart_mass, m, l, g, 0.01, 1.1];
        InvertedPendulum.derivative(0.0, &state, &[force], &parameters, &mut dx);
        assert_eq!([dx[0], dx[1]], [x_dot, theta_dot]);
        // The determinant, m l^2 (M + m sin^2), is as small as M / (M + m) = 1/22 of its terms, and sums cancel.
        let scale = (1.0 + x_ddot.abs() + theta_ddot.abs()) * (1.0 + 1.0 / l);
        assert!((dx[2] - x_ddot).abs() < 1e-11 * scale, "{} {x_ddot}", dx[2]);
        assert!((dx[3] - theta_ddot).abs() < 1e-11 * scale, "{} {theta_ddot}", dx[3]);
    }
}

#[test]
fn a_pendulum_that_leans_falls_the_way_it_leans_and_kicks_the_cart_back() {
    // The bob is at x - l sin(theta): leaning to theta > 0 it falls towards -x, and throws the cart towards +x.
    let mut lanes = lanes([0.0, 0.1, 0.0, 0.0], 0.0, FREE);
    advance(&mut lanes, Integrator::RungeKutta4, 0.01, 20);
    let [x, theta, x_dot, theta_dot] = first_lane(&lanes);
    assert!(theta > 0.1 && theta_dot > 0.0 && x > 0.0 && x_dot > 0.0);
    // No force from outside: the center of mass stays where it was along the rail.
    let [cart_mass, m, l, ..] = FREE;
    let center = |x: f64, theta: f64| {
        (cart_mass * x + m * (x - l * bitloop_plant::Real::sin(theta))) / (cart_mass + m)
    };
    assert!((center(x, theta) - center(0.0, 0.1)).abs() < 1e-9);
}
