//! The limit cycle, the harmonic case in closed form, equilibria, order of convergence, symmetry, the cost.

use bitloop_plant::Integrator;
use bitloop_plant_testing::{SteppedPlant, check_mirror_image, check_order, defaults, distance};
use bitloop_van_der_pol::VanDerPol;

fn lane(step_s: f64, state: &[f64], parameters: &[f64]) -> SteppedPlant {
    let open = bitloop_van_der_pol::open;
    SteppedPlant::new(open, Integrator::RungeKutta4, step_s, state, parameters)
}

/// Amplitude and period of the limit cycle for mu = 1, which the literature has to many digits.
#[test]
fn from_inside_and_outside_it_comes_to_the_known_limit_cycle() {
    const AMPLITUDE: f64 = 2.008_619_86;
    const PERIOD_S: f64 = 6.663_286_86;
    for start in [[0.1, 0.0], [0.0, 4.0], [-5.0, -5.0]] {
        let step_s = 1e-3;
        let mut lane = lane(step_s, &start, &defaults::<VanDerPol>());
        lane.advance(60_000);
        // Where v falls through 0, x is at its maximum.
        let mut last = lane.state();
        let mut peaks = Vec::new();
        for step in 1..20_000 {
            let state = lane.advance(1).state();
            if last[1] > 0.0 && state[1] <= 0.0 {
                let part = last[1] / (last[1] - state[1]);
                peaks.push(((f64::from(step) + part) * step_s, last[0].max(state[0])));
            }
            last = state;
        }
        assert!(peaks.len() >= 2, "{peaks:?}");
        // The maximum is read off at a step next to it: v h / 2 with v below 2e-3.
        assert!((peaks[0].1 - AMPLITUDE).abs() < 2e-6, "{peaks:?}");
        assert!((peaks[1].0 - peaks[0].0 - PERIOD_S).abs() < 1e-6, "{peaks:?}");
    }
}

#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn without_damping_it_is_a_harmonic_oscillator_about_the_input() {
    let (start, input) = ([0.8, -1.1], 0.6);
    let mut lane = lane(0.01, &start, &[0.0, 1.0, 1.0]);
    lane.hold(&[input]);
    for second in 1..=20 {
        let (sin, cos) = f64::from(second).sin_cos();
        let [x, v] = [start[0] - input, start[1]];
        let exact = [input + x * cos + v * sin, v * cos - x * sin];
        // h^5 / 120 = 8e-13 a step, of 2000.
        assert!(distance(&lane.advance(100).state(), &exact) < 1e-8, "after {second} s");
    }
}

#[test]
fn it_rests_where_the_input_holds_it_and_nowhere_else_without() {
    for x in [0.0, 0.5, -1.0] {
        let mut held = lane(0.05, &[x, 0.0], &defaults::<VanDerPol>());
        assert_eq!(held.hold(&[x]).advance(2000).state(), [x, 0.0]);
        assert!((held.cost() - 2000.0 * 2.0 * x * x).abs() < 1e-9, "{}", held.cost());
    }
    let mut left_alone = lane(0.05, &[1e-3, 0.0], &defaults::<VanDerPol>());
    let state = left_alone.advance(600).state();
    assert!(distance(&state, &[0.0, 0.0]) > 1.0, "rest is unstable: {state:?}");
}

#[test]
fn halving_the_step_shows_the_fourth_order() {
    let after_2_s = |n: u32| {
        let mut lane = lane(2.0 / f64::from(n), &[1.0, 2.0], &defaults::<VanDerPol>());
        lane.hold(&[-0.5]).advance(n).state()
    };
    check_order(4, 80, &after_2_s(4000), after_2_s);
}

#[test]
fn the_mirror_image_moves_as_the_mirror_image() {
    for state in [[0.4, -3.0], [2.0, 1e-300]] {
        let parameters = [1.7, 0.3, 0.2];
        check_mirror_image(|state| lane(0.05, state, &parameters), &state, &[0.9], 500);
    }
}

#[test]
fn costs_add_up_what_the_states_and_the_input_say() {
    let mut lane = lane(0.05, &[1.0, -2.0], &[1.0, 0.3, 0.2]);
    lane.hold(&[0.7]);
    let mut sum = 0.0;
    for _ in 0..100 {
        let state = lane.advance(1).state();
        sum += state[0] * state[0] + 0.3 * state[1] * state[1] + 0.2 * 0.7 * 0.7;
    }
    assert!((lane.cost() - sum).abs() < 1e-12 * sum, "{} {sum}", lane.cost());
}
