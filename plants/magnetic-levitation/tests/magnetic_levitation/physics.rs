//! Rest, energy, free fall, the coil in closed form, instability, order of convergence, the cost, the failure set.

use bitloop_magnetic_levitation::MagneticLevitation;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers, rate_along};

/// m, k, g, a, L0, L1, R, r, and a ball that never drops.
const FREE: [f64; 10] = [0.08, 0.3, 9.81, 0.06, 0.02, 0.015, 1.4, 0.04, 1e3, 1e-4];

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_magnetic_levitation::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

fn rates(state: &[f64; 3], voltage: f64, parameters: &[f64]) -> [f64; 3] {
    let mut dx = [0.0; 3];
    MagneticLevitation.derivative(0.0, state, &[voltage], parameters, &mut dx);
    dx
}

/// L(y) = L1 + L0 / (1 + y / a).
fn inductance(gap: f64) -> f64 {
    let [_, _, _, a, l0, l1, ..] = FREE;
    l1 + l0 / (1.0 + gap / a)
}

#[test]
fn no_action_from_the_default_state_is_rest_which_costs_nothing() {
    let description = MagneticLevitation.description();
    let [gap, gap_dot, current] = [0, 1, 2].map(|index: usize| description.states[index].default);
    let voltage = description.controls[0].center;
    let parameters = defaults::<MagneticLevitation>();
    let found = rates(&[gap, gap_dot, current], voltage, &parameters);
    // Terms of 10 cancel.
    assert!(distance(&found, &[0.0; 3]) < 1e-13, "{found:?}");
    let state = [gap, gap_dot, current];
    let cost: f64 = MagneticLevitation.stage_cost(0.0, &state, &[voltage], &parameters);
    assert!(cost < 1e-28, "{cost}");
}

#[test]
fn the_voltage_that_costs_nothing_bears_the_ball_at_the_set_point() {
    let (mut number, r) = (numbers(), 7);
    for _ in 0..100 {
        let mut p = FREE;
        for parameter in &mut p[..8] {
            *parameter *= 1.0 + 0.5 * number();
        }
        // Newton's law at rest: m g = -L'(r) i^2 / 2.
        let slope = p[4] * p[3] / ((p[3] + p[r]) * (p[3] + p[r]));
        let current = (2.0 * p[0] * p[2] / slope).sqrt();
        let state = [p[r], 0.0, current];
        let cost: f64 = MagneticLevitation.stage_cost(0.0, &state, &[p[6] * current], &p);
        assert!(cost < 1e-28, "{cost}");
        assert!(distance(&rates(&state, p[6] * current, &p), &[0.0; 3]) < 1e-11);
    }
}

/// 1/2 m y'^2 - m g y + 1/2 L(y) i^2 gains what the source gives, and loses heat in coil and air.
#[test]
fn energy_changes_by_the_power_of_the_source_less_heat() {
    let [m, k, g, _, _, _, resistance, ..] = FREE;
    let energy = |state: &[f64]| {
        let [y, v, i] = state[..] else { panic!("{state:?}") };
        0.5 * m * v * v - m * g * y + 0.5 * inductance(y) * i * i
    };
    let (mut number, h) = (numbers(), 1e-5);
    for _ in 0..200 {
        let state = [0.05 + 0.04 * number(), number(), 6.0 + 5.0 * number()];
        let voltage = 7.0 + 7.0 * number();
        let dx = rates(&state, voltage, &FREE);
        let found = rate_along(energy, &state, &dx, h);
        let [_, v, i] = state;
        let expected = voltage * i - resistance * i * i - k * v * v;
        // Central differences: third derivatives of up to 1e7 times h^2 / 6, and rounding of 1e-16 / h.
        assert!((found - expected).abs() < 1e-3, "{found} {expected}");
    }
}

#[test]
fn with_the_magnet_off_the_ball_falls_freely() {
    let mut parameters = FREE;
    parameters[1] = 0.0;
    let mut lane = lane(0.0025, &[0.02, -0.3, 0.0], &parameters);
    let t = 0.2;
    let expected = [0.02 - 0.3 * t + 0.5 * 9.81 * t * t, -0.3 + 9.81 * t, 0.0];
    assert!(distance(&lane.advance(80).state(), &expected) < 1e-14);
}

#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn the_current_of_a_held_ball_rises_as_in_a_coil_with_a_resistor() {
    let mut parameters = FREE;
    // A ball that no force moves.
    (parameters[0], parameters[2]) = (1e15, 0.0);
    let (gap, start, voltage) = (0.03, 2.0, 12.0);
    let mut lane = lane(0.0005, &[gap, 0.0, start], &parameters);
    lane.hold(&[voltage]);
    let end = voltage / FREE[6];
    for step in 1..=10 {
        let t = 0.01 * f64::from(step);
        let exact = end + (start - end) * (-FREE[6] * t / inductance(gap)).exp();
        let found = lane.advance(20).state()[2];
        // (R h / L)^5 / 120 of 6 A a step, of 200.
        assert!((found - exact).abs() < 1e-8, "{found} {exact}");
    }
}

/// From the equations by hand: d(y'')/dy = 2 g / (a + r), where the magnet bears the ball.
#[test]
fn nearer_it_is_pulled_up_and_farther_it_drops() {
    let parameters = defaults::<MagneticLevitation>();
    let current = MagneticLevitation.description().states[2].default;
    let h = 1e-5;
    let [near, far] = [-h, h].map(|by| rates(&[0.05 + by, 0.0, current], current, &parameters)[1]);
    let stiffness = (far - near) / (2.0 * h);
    assert!((stiffness - 2.0 * 9.81 / 0.1).abs() < 1e-3, "{stiffness}");
    for (gap, touches) in [(0.049, true), (0.051, false)] {
        let mut lane = lane(0.0025, &[gap, 0.0, current], &parameters);
        assert!(lane.hold(&[current]).end_within(400).is_some());
        assert_eq!(lane.state()[0] < 0.0, touches, "{:?}", lane.state());
    }
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after = |n: u32| {
        let mut lane = lane(0.1 / f64::from(n), &[0.05, -0.2, 3.0], &FREE);
        lane.hold(&[4.0]).advance(n).state()
    };
    check_order(4, 40, &after(2000), after);
}

#[test]
fn it_fails_at_the_magnet_and_beyond_the_largest_gap() {
    let mut parameters = defaults::<MagneticLevitation>();
    for (gap, fails) in [
        (0.0, false),
        (-f64::MIN_POSITIVE, true),
        (0.1, false),
        (0.1_f64.next_up(), true),
        (0.05, false),
    ] {
        assert_eq!(MagneticLevitation.failed(0.0, &[gap, 0.0, 6.0], &parameters), fails, "{gap}");
    }
    // The largest distance from the set point is at the magnet, or below.
    for (max_gap, charged) in [(0.1, 1.0), (0.2, 9.0), (0.06, 1.0)] {
        parameters[8] = max_gap;
        let found: f64 = MagneticLevitation.failure_cost(&parameters);
        assert!((found - charged).abs() < 1e-12, "{found} {charged}");
    }
}

#[test]
fn a_ball_that_hits_the_magnet_within_a_step_leaves_finite_numbers() {
    // The law has a pole at a gap of -0.05 m, which stages of a step of 0.05 s meet.
    let mut lane = lane(0.05, &[0.01, -2.0, 10.0], &defaults::<MagneticLevitation>());
    assert!(lane.hold(&[15.0]).end_within(1).is_some());
    assert!(lane.state().iter().all(|value| value.is_finite()), "{:?}", lane.state());
}
