//! Against the solution in closed form: motion, energy, orders of convergence.

use bitloop_plant::Integrator;
use bitloop_plant_testing::{SteppedPlant, check_order, distance};

use crate::{INTEGRATORS, PARAMETERS};

const START: [f64; 2] = [0.8, -1.1];
const FORCE: f64 = 0.7;

/// State after `t_s` under a constant force: a damped oscillation around F / k, of frequency
/// w = sqrt(k/m - (c/2m)^2).
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn exact(t_s: f64) -> [f64; 2] {
    let [m, c, k, ..] = PARAMETERS;
    let decay = c / (2.0 * m);
    let w = (k / m - decay * decay).sqrt();
    let rest = FORCE / k;
    let (a, b) = (START[0] - rest, (START[1] + decay * (START[0] - rest)) / w);
    let (sin, cos) = (w * t_s).sin_cos();
    let shrunk = (-decay * t_s).exp();
    let x = shrunk * (a * cos + b * sin);
    let v = -decay * x + shrunk * w * (b * cos - a * sin);
    [rest + x, v]
}

/// The state after 2 s in `n` steps.
fn after_2_s(integrator: Integrator, n: u32) -> Vec<f64> {
    let mut lane = SteppedPlant::new(
        bitloop_mass_spring_damper::open,
        integrator,
        2.0 / f64::from(n),
        &START,
        &PARAMETERS,
    );
    lane.hold(&[FORCE]).advance(n).state()
}

#[test]
fn the_motion_is_the_damped_oscillation_of_the_textbook() {
    let mut lane = SteppedPlant::new(
        bitloop_mass_spring_damper::open,
        Integrator::RungeKutta4,
        0.01,
        &START,
        &PARAMETERS,
    );
    lane.hold(&[FORCE]);
    for second in 1..=20 {
        // (w h)^5 / 120 = 2.7e-13 a step, of which 2000 add up at the most.
        let off = distance(&lane.advance(100).state(), &exact(f64::from(second)));
        assert!(off < 1e-9, "{off} after {second} s");
    }
}

#[test]
fn halving_the_step_shows_the_order_of_each_integrator() {
    for (integrator, order, n) in [
        (Integrator::RungeKutta4, 4, 40),
        (Integrator::Euler, 1, 4000),
        (Integrator::SemiImplicitEuler, 1, 4000),
    ] {
        check_order(order, n, &exact(2.0), |n| after_2_s(integrator, n));
    }
}

/// 1/2 m v^2 + 1/2 k x^2.
fn energy(state: &[f64]) -> f64 {
    let [m, _, k, ..] = PARAMETERS;
    0.5 * m * state[1] * state[1] + 0.5 * k * state[0] * state[0]
}

#[test]
fn energy_is_kept_without_force_and_damping_and_lost_with_damping() {
    let mut free = PARAMETERS;
    free[1] = 0.0;
    let mut lane = SteppedPlant::new(
        bitloop_mass_spring_damper::open,
        Integrator::RungeKutta4,
        0.01,
        &START,
        &free,
    );
    for _ in 0..100 {
        let change = energy(&lane.advance(100).state()) / energy(&START) - 1.0;
        // (w h)^6 / 72 = 5.9e-14 a step, over 10000 steps.
        assert!(change.abs() < 1e-9, "{change}");
    }
    let mut lane = SteppedPlant::new(
        bitloop_mass_spring_damper::open,
        Integrator::RungeKutta4,
        0.01,
        &START,
        &PARAMETERS,
    );
    let mut last = energy(&START);
    for _ in 0..20 {
        let now = energy(&lane.advance(50).state());
        assert!(now < last, "{now} {last}");
        last = now;
    }
}

#[test]
fn costs_add_up_what_the_states_say() {
    for integrator in INTEGRATORS {
        let mut lane = SteppedPlant::new(
            bitloop_mass_spring_damper::open,
            integrator,
            0.02,
            &START,
            &PARAMETERS,
        );
        lane.hold(&[FORCE]);
        let mut sum = 0.0;
        for _ in 0..50 {
            let state = lane.advance(1).state();
            sum += state[0] * state[0] + 0.5 * state[1] * state[1] + 0.1 * FORCE * FORCE;
        }
        assert!((lane.cost() - sum).abs() < 1e-13 * sum, "{} {sum}", lane.cost());
    }
}
