//! Energy, an independent derivation, order of convergence, symmetry, equilibria, bounds, and the goal.

use std::f64::consts::PI;

use bitloop_acrobot::Acrobot;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers, rate_along};

/// m1, m2, l1, c1, c2, I1, I2, g, and the second link's length with a height that nothing reaches.
const FREE: [f64; 10] = [1.2, 0.8, 0.9, 0.4, 0.55, 0.3, 0.2, 9.81, 1.1, 100.0];

fn lane(step_s: f64, state: &[f64]) -> SteppedPlant {
    SteppedPlant::new(bitloop_acrobot::open, Integrator::PlantStep, step_s, state, &FREE)
}

/// T + V from the centers of mass in Cartesian coordinates.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn energy(state: &[f64]) -> f64 {
    let [m1, m2, l1, c1, c2, i1, i2, g, ..] = FREE;
    let (first, both) = (state[0], state[0] + state[1]);
    let (w1, w2) = (state[2], state[2] + state[3]);
    // A point at distance r along the first link is at (r sin, -r cos) of its angle.
    let velocity_2 = [
        l1 * w1 * first.cos() + c2 * w2 * both.cos(),
        l1 * w1 * first.sin() + c2 * w2 * both.sin(),
    ];
    let kinetic = m1 * c1 * c1 * w1 * w1
        + m2 * (velocity_2[0] * velocity_2[0] + velocity_2[1] * velocity_2[1])
        + i1 * w1 * w1
        + i2 * w2 * w2;
    let potential = -m1 * c1 * first.cos() - m2 * (l1 * first.cos() + c2 * both.cos());
    0.5 * kinetic + g * potential
}

#[test]
fn energy_is_kept_without_a_torque() {
    let start = [1.2, -0.7, 0.3, 0.5, 0.0];
    let mut lane = lane(0.001, &start);
    for _ in 0..20 {
        // Fourth order: steps of 1 ms leave 1e-13 each and less.
        let off = energy(&lane.advance(250).state()) - energy(&start);
        assert!(off.abs() < 1e-9, "{off}");
    }
    assert!(distance(&lane.state(), &start) > 0.1, "it did swing");
}

#[test]
fn the_power_of_the_motor_is_torque_times_the_speed_of_the_joint() {
    let (mut number, h) = (numbers(), 1e-4);
    for _ in 0..200 {
        let state = [3.0 * number(), 3.0 * number(), 3.0 * number(), 5.0 * number(), 0.0];
        let torque = number();
        let mut dx = [0.0; 5];
        Acrobot.derivative(0.0, &state, &[torque], &FREE, &mut dx);
        let power = rate_along(energy, &state, &dx, h);
        // Central differences: third derivatives of up to 1e4 times h^2 / 6, and rounding of 1e-14 / h.
        assert!((power - torque * state[3]).abs() < 1e-4, "{power} {}", torque * state[3]);
    }
}

/// The manipulator equations M(q) q'' = f, from the Lagrangian, solved by Cramer's rule.
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn the_equations_are_those_of_the_lagrangian() {
    let mut number = numbers();
    for _ in 0..10_000 {
        let mut p = FREE;
        for parameter in &mut p[..8] {
            *parameter *= 1.0 + 0.5 * number();
        }
        let [m1, m2, l1, c1, c2, i1, i2, g, ..] = p;
        let [a, b, da, db] = [3.0 * number(), 3.0 * number(), 5.0 * number(), 9.0 * number()];
        let torque = number();

        let h = m2 * l1 * c2 * b.sin();
        let m22 = i2 + m2 * c2 * c2;
        let m12 = m22 + m2 * l1 * c2 * b.cos();
        let m11 = i1 + m1 * c1 * c1 + m2 * l1 * l1 + m22 + 2.0 * m2 * l1 * c2 * b.cos();
        let weight_2 = m2 * g * c2 * (a + b).sin();
        let f1 =
            h * db * (2.0 * da + db) - m1 * g * c1 * a.sin() - m2 * g * l1 * a.sin() - weight_2;
        let f2 = torque - h * da * da - weight_2;
        let determinant = m11 * m22 - m12 * m12;
        let expected = [(f1 * m22 - m12 * f2) / determinant, (m11 * f2 - m12 * f1) / determinant];

        let mut dx = [0.0; 5];
        Acrobot.derivative(0.0, &[a, b, da, db, 0.0], &[torque], &p, &mut dx);
        assert_eq!([dx[0], dx[1], dx[4]], [da, db, 0.0]);
        for (found, expected) in dx[2..4].iter().zip(expected) {
            // The determinant is 1/20 of its terms and more, which sums cancel in.
            let scale = (1.0 + f1.abs() + f2.abs()) * m11 / determinant;
            assert!((found - expected).abs() < 1e-13 * scale, "{found} {expected}");
        }
    }
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after_1_s = |n: u32| {
        let mut lane = lane(1.0 / f64::from(n), &[0.5, 0.4, 0.2, -0.6, 0.0]);
        lane.hold(&[0.8]).advance(n).state()
    };
    check_order(4, 80, &after_1_s(4000), after_1_s);
}

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    for state in [[0.4, 0.3, -2.0, 5.0, 0.0], [-2.0, 3.0, 1e-300, -9.0, 0.0]] {
        let mut one = lane(0.2, &state);
        let mut other = lane(0.2, &state.map(|value| -value));
        one.hold(&[0.7]).advance(200);
        other.hold(&[-0.7]).advance(200);
        let mirrored: Vec<f64> = other.state().iter().map(|value| -value).collect();
        assert_eq!(one.state()[..4], mirrored[..4]);
    }
}

#[test]
fn hanging_at_rest_it_stays_and_pays_for_each_step() {
    let mut hanging = lane(0.2, &[0.0; 5]);
    assert_eq!(hanging.advance(10_000).state(), [0.0; 5]);
    assert_eq!(hanging.cost(), 10_000.0);
}

#[test]
fn angles_are_wrapped_and_speeds_held_to_their_bounds() {
    let mut lane = SteppedPlant::new(
        bitloop_acrobot::open,
        Integrator::PlantStep,
        0.2,
        &[3.0, -3.0, 12.5, -28.0, 0.0],
        &FREE,
    );
    let mut fastest = [0.0_f64; 2];
    for _ in 0..500 {
        let state = lane.hold(&[1.0]).advance(1).state();
        for index in 0..2 {
            // The wrapping rounds.
            assert!(state[index].abs() <= PI + 1e-15, "{state:?}");
            fastest[index] = fastest[index].max(state[2 + index].abs());
        }
    }
    assert!(fastest[0] <= 4.0 * PI && fastest[1] == 9.0 * PI, "{fastest:?}");
}

#[test]
fn a_goal_that_was_reached_is_kept_and_costs_nothing() {
    let parameters = defaults::<Acrobot>();
    // Just below the goal, and moving up.
    let start = [2.0, 0.3, 2.0, 0.0, 0.0];
    let mut lane =
        SteppedPlant::new(bitloop_acrobot::open, Integrator::PlantStep, 0.2, &start, &parameters);
    let reached = lane.hold(&[1.0]).advance(1).state();
    assert_eq!((reached[4], lane.cost()), (1.0, 0.0));
    assert!(reached[0] > start[0]);
    assert_eq!(lane.hold(&[-1.0]).advance(1000).state(), reached);
    assert_eq!(lane.cost(), 0.0);
}

#[test]
fn a_controller_sees_angles_as_cosine_and_sine() {
    let observed = lane(0.2, &[0.5, -1.5, 3.0, -7.0, 0.0]).observation();
    let (cos, sin) = (bitloop_plant::Real::cos, bitloop_plant::Real::sin);
    assert_eq!(observed, [cos(0.5), sin(0.5), cos(-1.5), sin(-1.5), 3.0, -7.0]);
}
