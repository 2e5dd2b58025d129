//! Balances, steady states and their stability, the case in closed form, orders of convergence, the failure set.

use bitloop_cstr::Cstr;
use bitloop_plant::{Integrator, Plant};
use bitloop_plant_testing::{SteppedPlant, check_order, defaults, distance, numbers};

/// q / V per min, H / (rho cp) in K L/mol, and UA / (V rho cp) per min, of the default parameters.
const DILUTION: f64 = 1.0;
const HEATING: f64 = 5e4 / 239.0;
const COOLING: f64 = 5e4 / 23_900.0;

/// C' and T' per minute.
fn rates(concentration: f64, temperature: f64, coolant: f64) -> [f64; 2] {
    let mut dx = [0.0; 2];
    let state = [concentration, temperature];
    Cstr.derivative(0.0, &state, &[coolant], &defaults::<Cstr>(), &mut dx);
    dx.map(|rate| 60.0 * rate)
}

/// The temperatures of reactor and coolant at which a concentration rests.
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn rest(concentration: f64) -> [f64; 2] {
    // What flows in reacts: k C = q/V (1 - C), with k = k0 exp(-E/T).
    let k = DILUTION * (1.0 - concentration) / concentration;
    let temperature = 8750.0 / (7.2e10 / k).ln();
    let warmed = DILUTION * (350.0 - temperature) + HEATING * k * concentration;
    [temperature, temperature - warmed / COOLING]
}

#[test]
fn the_nominal_operating_point_is_that_of_the_textbook() {
    // Known to three or four digits: 0.5 mol/L, 350 K, coolant 300 K.
    let [temperature, coolant] = rest(0.5);
    assert!((temperature - 350.0).abs() < 0.01 && (coolant - 300.0).abs() < 0.02, "{coolant}");
    for percent in 5..=95 {
        let concentration = 0.01 * f64::from(percent);
        let [temperature, coolant] = rest(concentration);
        let [c, t] = rates(concentration, temperature, coolant);
        // Terms up to 200 K/min cancel.
        assert!(c.abs() < 1e-12 && t.abs() < 1e-10, "{concentration}: {c} {t}");
    }
}

#[test]
fn the_middle_is_unstable_and_has_a_cold_and_a_hot_neighbor() {
    // C' = T' = 0 at coolant 300 K, looked for along C.
    let coolant = |percent: u32| rest(0.001 * f64::from(percent))[1];
    let crossings = (20..980)
        .filter(|&percent| (coolant(percent) - 300.0) * (coolant(percent + 1) - 300.0) <= 0.0);
    let rests: Vec<u32> = crossings.collect();
    assert_eq!(rests.len(), 3, "{rests:?}");
    // By central differences: a determinant below 0 makes a saddle.
    let [temperature, coolant] = rest(0.5);
    let slope = |dc: f64, dt: f64| {
        let [c1, t1] = rates(0.5 + dc, temperature + dt, coolant);
        let [c0, t0] = rates(0.5 - dc, temperature - dt, coolant);
        [(c1 - c0) / 2.0, (t1 - t0) / 2.0]
    };
    let ([a, c], [b, d]) = (slope(1e-5, 0.0).map(|x| x / 1e-5), slope(0.0, 1e-3).map(|x| x / 1e-3));
    // In closed form: dr/dC = k = 1, dr/dT = k C E / T^2.
    let steepness = 0.5 * 8750.0 / (temperature * temperature);
    let expected = [-DILUTION - 1.0, -steepness, HEATING, HEATING * steepness - DILUTION - COOLING];
    for (found, expected) in [a, b, c, d].into_iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4 * expected.abs(), "{found} {expected}");
    }
    let (trace, determinant) = (a + d, a * d - b * c);
    assert!(trace > 0.0 || determinant < 0.0, "{trace} {determinant}");
}

#[test]
fn left_alone_it_goes_out_from_one_side_and_runs_away_from_the_other() {
    let parameters = defaults::<Cstr>();
    let left_alone = |temperature: f64| {
        let start = [0.5, temperature];
        let mut lane = SteppedPlant::new(
            bitloop_cstr::open,
            Integrator::RungeKutta4,
            1.0,
            &start,
            &parameters,
        );
        lane.hold(&[300.0]);
        (lane.end_within(3600), lane)
    };
    let (end, cold) = left_alone(348.0);
    assert_eq!(end, None);
    // The cold steady state, at 324.5 K.
    let state = cold.state();
    let [temperature, coolant] = rest(state[0]);
    assert!((state[1] - temperature).abs() < 1e-6 && (coolant - 300.0).abs() < 1e-6, "{state:?}");
    assert!((state[1] - 324.5).abs() < 0.1);
    let (end, mut hot) = left_alone(352.0);
    let (step, cost) = end.expect("a runaway");
    assert!(step < 600 && hot.state()[1] > 400.0);
    let error = hot.state()[0] - 0.5;
    assert_eq!((cost, hot.failure_cost()), (error * error, 1.0));
}

#[test]
fn heat_and_matter_are_balanced_whatever_the_reaction_does() {
    // T + H / (rho cp) C: what the reaction takes from one it gives to the other.
    let mut number = numbers();
    for _ in 0..1000 {
        let (c, t) = (0.5 + 0.5 * number(), 350.0 + 45.0 * number());
        let coolant = 300.0 + 20.0 * number();
        let [c_rate, t_rate] = rates(c, t, coolant);
        let expected = DILUTION * (350.0 - t + HEATING * (1.0 - c)) + COOLING * (coolant - t);
        // The reaction's heat is up to 6e3 K/min.
        assert!((t_rate + HEATING * c_rate - expected).abs() < 1e-10);
    }
}

/// Without a reaction both balances are linear: after 5 min.
#[test]
#[expect(clippy::disallowed_methods, reason = "independent of our own functions on purpose")]
fn without_a_reaction_it_is_a_tank_that_mixes_and_cools() {
    let mut parameters = defaults::<Cstr>();
    parameters[4] = 0.0;
    let start = [0.2, 340.0];
    let exact = {
        let c = 1.0 + (start[0] - 1.0) * (-5.0 * DILUTION).exp();
        let speed = DILUTION + COOLING;
        let t_rest = (DILUTION * 350.0 + COOLING * 290.0) / speed;
        [c, t_rest + (start[1] - t_rest) * (-5.0 * speed).exp()]
    };
    let mut lane =
        SteppedPlant::new(bitloop_cstr::open, Integrator::RungeKutta4, 0.5, &start, &parameters);
    let state = lane.hold(&[290.0]).advance(600).state();
    // 50 K (speed h)^5 / 120 = 5e-9 a step at first, shrinking as fast as the rest.
    assert!(distance(&state, &exact) < 1e-7, "{state:?} {exact:?}");
}

#[test]
fn halving_the_step_shows_the_order_of_each_integrator() {
    let parameters = defaults::<Cstr>();
    let after_1_min = |integrator, n: u32| {
        let step_s = 60.0 / f64::from(n);
        let mut lane =
            SteppedPlant::new(bitloop_cstr::open, integrator, step_s, &[0.55, 352.0], &parameters);
        lane.hold(&[290.0]).advance(n).state()
    };
    let exact = after_1_min(Integrator::RungeKutta4, 4000);
    check_order(4, 60, &exact, |n| after_1_min(Integrator::RungeKutta4, n));
    check_order(1, 8000, &exact, |n| after_1_min(Integrator::Euler, n));
}

#[test]
fn the_failure_temperature_is_the_last_that_has_not_failed() {
    let parameters = defaults::<Cstr>();
    for (temperature, fails) in [(400.0, false), (400.0_f64.next_up(), true), (300.0, false)] {
        assert_eq!(Cstr.failed(0.0, &[0.5, temperature], &parameters), fails);
    }
}

#[test]
fn a_controller_sees_the_set_point_and_the_distance_from_it() {
    let mut parameters = defaults::<Cstr>();
    parameters[10] = 0.4;
    let mut lane =
        SteppedPlant::new(bitloop_cstr::open, Integrator::Euler, 1.0, &[0.55, 347.0], &parameters);
    assert_eq!(lane.observation(), [0.55, 347.0, 0.4, 0.55 - 0.4]);
}
