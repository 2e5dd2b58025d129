//! The matrices of the textbook, the steady turn, stability and speed, order of convergence, symmetry, the failure set.

use bitloop_lane_keeping::LaneKeeping;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers};

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_lane_keeping::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

fn rates(state: [f64; 4], steering: f64, parameters: &[f64]) -> [f64; 4] {
    let mut dx = [0.0; 4];
    LaneKeeping.derivative(0.0, &state, &[steering], parameters, &mut dx);
    dx
}

/// Rajamani, Eq. (2.45), which states matrices where the plant has forces.
#[test]
fn the_equations_are_those_of_the_textbook() {
    let mut number = numbers();
    for _ in 0..1000 {
        let mut p = defaults::<LaneKeeping>();
        for parameter in &mut p[..7] {
            *parameter *= 1.0 + 0.5 * number();
        }
        p[7] = 0.01 * number();
        let [m, inertia, lf, lr, cf, cr, v, curvature, ..] = p[..] else { panic!() };
        let state = [number(), 2.0 * number(), 0.1 * number(), 0.5 * number()];
        let steering = 0.1 * number();
        let (sum, moment) = (2.0 * cf + 2.0 * cr, 2.0 * cf * lf - 2.0 * cr * lr);
        let square = 2.0 * cf * lf * lf + 2.0 * cr * lr * lr;
        let [_, e1_dot, e2, e2_dot] = state;
        let w = v * curvature;
        let e1_ddot = -sum / (m * v) * e1_dot + sum / m * e2 - moment / (m * v) * e2_dot
            + 2.0 * cf / m * steering
            + (-moment / (m * v) - v) * w;
        let e2_ddot = -moment / (inertia * v) * e1_dot + moment / inertia * e2
            - square / (inertia * v) * e2_dot
            + 2.0 * cf * lf / inertia * steering
            - square / (inertia * v) * w;
        let expected = [e1_dot, e1_ddot, e2_dot, e2_ddot];
        // Terms of up to 1e3 cancel.
        assert!(distance(&rates(state, steering, &p), &expected) < 1e-11);
    }
}

#[test]
fn straight_ahead_it_stays_at_its_offset_and_pays_for_it() {
    for offset in [0.0, 0.5, -1.2] {
        let state = [offset, 0.0, 0.0, 0.0];
        let mut lane = lane(0.025, &state, &defaults::<LaneKeeping>());
        assert_eq!(lane.advance(1000).state(), state);
        assert!((lane.cost() - 1000.0 * offset * offset).abs() < 1e-9);
    }
}

/// Steering and heading of a car in a steady turn: delta = L / R + K V^2 / R, with the understeer gradient K of the axles'
/// loads over their stiffness, and e2 = -lr / R + lf m V^2 / (2 Cr L R).
#[test]
fn in_a_steady_turn_it_steers_by_the_understeer_gradient() {
    for curvature in [0.002, -0.005] {
        let mut p = defaults::<LaneKeeping>();
        p[7] = curvature;
        let [m, _, lf, lr, cf, cr, v, ..] = p[..] else { panic!() };
        let base = lf + lr;
        let gradient = m * lr / (2.0 * cf * base) - m * lf / (2.0 * cr * base);
        let steering = (base + gradient * v * v) * curvature;
        let heading = (-lr + lf * m * v * v / (2.0 * cr * base)) * curvature;
        let found = rates([0.3, 0.0, heading, 0.0], steering, &p);
        // Forces of 1e4 N on 1.6 t cancel.
        assert!(distance(&found, &[0.0; 4]) < 1e-13, "{found:?}");
    }
}

/// A car that oversteers is stable below V^2 = 2 Cf Cr L^2 / (m (lf Cf - lr Cr)) alone.
#[test]
fn a_car_that_oversteers_is_unstable_above_its_critical_speed() {
    let mut p = defaults::<LaneKeeping>();
    (p[2], p[3]) = (1.58, 1.1);
    let [m, _, lf, lr, cf, cr, ..] = p[..] else { panic!() };
    let base = lf + lr;
    let critical = (2.0 * cf * cr * base * base / (m * (lf * cf - lr * cr))).sqrt();
    p[10] = 1e6;
    for (speed, spins) in [(0.95 * critical, false), (1.05 * critical, true)] {
        p[6] = speed;
        let mut lane = lane(0.01, &[0.0, 0.0, 0.0, 0.1], &p);
        let early = lane.advance(500).state()[3].abs();
        let late = lane.advance(500).state()[3].abs();
        assert_eq!(late > early, spins, "{early} {late} at {speed} m/s");
    }
}

#[test]
fn steering_to_the_left_moves_it_there_and_turns_it_counterclockwise() {
    let mut turning = lane(0.025, &[0.0; 4], &defaults::<LaneKeeping>());
    let state = turning.hold(&[0.005]).advance(40).state();
    assert!(state[0] > 0.0 && state[2] > 0.0, "{state:?}");
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let parameters = defaults::<LaneKeeping>();
    let after_1_s = |n: u32| {
        let mut lane = lane(1.0 / f64::from(n), &[0.3, -0.2, 0.02, 0.1], &parameters);
        lane.hold(&[0.003]).advance(n).state()
    };
    check_order(4, 40, &after_1_s(2000), after_1_s);
}

#[test]
fn twice_the_start_and_the_steering_is_twice_the_motion_and_its_mirror_image_the_mirror_image() {
    let parameters = defaults::<LaneKeeping>();
    let run = |factor: f64| {
        let state = [0.3, -0.2, 0.01, 0.05].map(|value| factor * value);
        let mut lane = lane(0.025, &state, &parameters);
        lane.hold(&[factor * 0.001]).advance(20);
        (lane.state(), lane.cost())
    };
    let (state, cost) = run(1.0);
    // Scaling by a power of two, or by -1, rounds nothing.
    for factor in [-1.0, 2.0, -0.25] {
        let scaled: Vec<f64> = state.iter().map(|value| factor * value).collect();
        assert_eq!(run(factor), (scaled, factor * factor * cost), "{factor}");
    }
}

#[test]
fn the_cost_is_that_of_offset_heading_and_steering() {
    let mut parameters = defaults::<LaneKeeping>();
    (parameters[8], parameters[9]) = (3.0, 0.5);
    let state = [0.5, 9.0, -0.1, 9.0];
    let cost: f64 = LaneKeeping.stage_cost(0.0, &state, &[0.04], &parameters);
    assert!((cost - (0.25 + 3.0 * 0.01 + 0.5 * 0.0016)).abs() < 1e-15, "{cost}");
}

#[test]
fn it_fails_beyond_the_edge_of_the_lane() {
    let parameters = defaults::<LaneKeeping>();
    for sign in [-1.0, 1.0] {
        let at = |offset: f64| [sign * offset, 0.0, 0.0, 0.0];
        assert!(!LaneKeeping.failed(0.0, &at(1.75), &parameters));
        assert!(LaneKeeping.failed(0.0, &at(1.75_f64.next_up()), &parameters));
    }
    assert_eq!(LaneKeeping.failure_cost::<f64>(&parameters), 1.75 * 1.75);
    // A heading of 2 degrees leaves the lane within 3 s.
    let mut leaving = lane(0.025, &[0.0, 1.05, 0.035, 0.0], &parameters);
    assert!(leaving.end_within(120).is_some());
}
