//! Margins of linear feedback of a linear plant, against those of the sampled loop.

use std::num::NonZeroUsize;

use bitloop_plant::{Isa, Real};
use bitloop_replay::ReplayOptions;
use bitloop_robust::{LinearLoop, Margins, Running, Source, Sweep};
use bitloop_scenario::ScenarioFile;
use bitloop_train::LqrBaseline;

use crate::support::{controller_named, registry, running};

type Matrix = Vec<Vec<f64>>;

/// Integration steps of 0.02 s in a control period.
const STEPS: usize = 5;

/// The gains of the shipped controller on displacement and speed.
const GAINS: [f64; 2] = [6576.0 * 10.0 / 32767.0, 6111.0 * 10.0 / 32767.0];

/// `m v' = F - c v - k x` over a step of 0.02 s: the exponential of the system with the force held, as a series.
fn step() -> ([[f64; 2]; 2], [f64; 2]) {
    let system = [[0.0, 1.0, 0.0], [-1.0, -0.2, 1.0], [0.0, 0.0, 0.0]];
    let identity = |i, j| if i == j { 1.0 } else { 0.0 };
    let mut sum = [[0.0; 3]; 3];
    let mut term = [[0.0; 3]; 3];
    for i in 0..3 {
        for j in 0..3 {
            (sum[i][j], term[i][j]) = (identity(i, j), identity(i, j));
        }
    }
    for n in 1..20 {
        let before = term;
        for i in 0..3 {
            for j in 0..3 {
                let product: f64 = (0..3).map(|k| before[i][k] * system[k][j]).sum();
                term[i][j] = product * 0.02 / f64::from(n);
                sum[i][j] += term[i][j];
            }
        }
    }
    ([[sum[0][0], sum[0][1]], [sum[1][0], sum[1][1]]], [sum[0][2], sum[1][2]])
}

/// The sampled loop with this gain and delay: where displacement, speed and past forces of 1 each lead to, row by row.
fn sampled(gain: f64, delay_steps: usize) -> Matrix {
    let n_past = delay_steps.div_ceil(STEPS);
    let n = 2 + n_past;
    let (a, b) = step();
    let columns = (0..n).map(|column| {
        let unit = |row: usize| if row == column { 1.0 } else { 0.0 };
        let command = -gain * (GAINS[0] * unit(0) + GAINS[1] * unit(1));
        // Force `age` periods ago; the past begins with the last one.
        let force = |age: usize| if age == 0 { command } else { unit(1 + age) };
        let mut x = [unit(0), unit(1)];
        for at in 0..STEPS {
            let age = (delay_steps + STEPS - 1).saturating_sub(at) / STEPS;
            let f = force(age);
            x = [
                a[0][0] * x[0] + a[0][1] * x[1] + b[0] * f,
                a[1][0] * x[0] + a[1][1] * x[1] + b[1] * f,
            ];
        }
        x.into_iter().chain((0..n_past).map(force)).collect()
    });
    // The transposed matrix has the same eigenvalues.
    columns.collect()
}

/// The spectral radius, by powers of powers.
fn radius(mut matrix: Matrix) -> f64 {
    let n = matrix.len();
    let (mut log, mut power) = (0.0, 1.0);
    for _ in 0..30 {
        let norm = matrix.iter().flatten().fold(0.0, |norm: f64, value| norm.max(value.abs()));
        log += Real::ln(norm) / power;
        let scaled: Matrix =
            matrix.iter().map(|row| row.iter().map(|value| value / norm).collect()).collect();
        let entry = |i: usize, j: usize| (0..n).map(|k| scaled[i][k] * scaled[k][j]).sum();
        matrix = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        power *= 2.0;
    }
    Real::exp(log)
}

fn sweep(source: &Source, running: Running<'_>) -> Sweep {
    let controller = controller_named("mass-spring-damper.ron");
    let text = r#"Scenario(plant: "mass-spring-damper", initial: {"x": Uniform(-1, 1), "v": Uniform(-1, 1)},
        episodes: (test: (count: 20, horizon_s: 200)))"#;
    let scenario = ScenarioFile::parse(text, "s.ron").unwrap();
    let registry = registry();
    let margins = Margins {
        controller: &controller,
        options: ReplayOptions::default(),
        registry: &registry,
        // At rest there is none; a force that swings between its bounds costs more than 5.
        limit: Some(1.0),
        linear: None,
    };
    let nominal = margins.test(Some(&scenario)).unwrap();
    assert_eq!(margins.baseline(&nominal, running).unwrap().unwrap().n_failed, 0);
    margins.sweep(&nominal, source, running).unwrap().unwrap()
}

#[test]
fn the_gain_margin_is_that_of_the_sampled_loop_within_a_level() {
    let sweep = sweep(&Source::GainUp("force".to_owned()), running(1));
    let margin = sweep.margin().unwrap();
    let stable = |gain: f64| radius(sampled(gain, 0)) < 1.0;
    assert!(stable(1.0));
    assert!(stable(margin / 1.1), "{margin}");
    assert!(!stable(margin * 1.1 * 1.1), "{margin}");
    assert!(sweep.first_failure().is_some());
}

#[test]
fn the_delay_margin_is_that_of_the_sampled_loop_within_a_level() {
    let sweep = sweep(&Source::Delay("force".to_owned()), running(2));
    let margin = sweep.margin().unwrap();
    let is_margin = |steps: &u32| (f64::from(*steps) * 0.02 - margin).abs() < 1e-9;
    let steps = (1..100).find(is_margin).unwrap() as usize;
    assert!(radius(sampled(1.0, steps - 1)) < 1.0, "{margin}");
    assert!(radius(sampled(1.0, steps + 2)) > 1.0, "{margin}");
}

#[test]
fn what_is_called_off_has_no_margin() {
    let called_off = Running { isa: Isa::best(), n_threads: NonZeroUsize::MIN, stop: &|| true };
    let controller = controller_named("mass-spring-damper.ron");
    let registry = registry();
    let margins = Margins {
        controller: &controller,
        options: ReplayOptions::default(),
        registry: &registry,
        limit: None,
        linear: None,
    };
    let nominal = margins.test(None).unwrap();
    assert!(margins.sweep(&nominal, &Source::Noise, called_off).unwrap().is_none());
}

/// The regulator is tested in the channels that it was made for, whatever the scenario scales.
#[test]
fn linear_feedback_has_the_error_of_its_own_channels() {
    let controller = controller_named("mass-spring-damper.ron");
    let registry = registry();
    let error = |scaling: &str| {
        let text = format!(
            r#"Scenario(plant: "mass-spring-damper", initial: {{"x": Uniform(-1, 1)}}, {scaling}
            episodes: (test: (count: 5, horizon_s: 20)))"#
        );
        let scenario = ScenarioFile::parse(&text, "s.ron").unwrap();
        let n_threads = NonZeroUsize::MIN;
        let lqr =
            LqrBaseline::new(&scenario, &registry, Some(0.1), Isa::best(), n_threads).unwrap();
        let linear = LinearLoop { feedback: lqr.lqr.controller, interface: lqr.interface.unwrap() };
        let margins = Margins {
            controller: &controller,
            options: ReplayOptions::default(),
            registry: &registry,
            limit: None,
            linear: Some(&linear),
        };
        let nominal = margins.test(Some(&scenario)).unwrap();
        let found = margins.baseline(&nominal, running(1)).unwrap().unwrap();
        assert_eq!(found.error.to_bits(), lqr.test.error.to_bits(), "{scaling}");
        found.error
    };
    error("");
    error(r#"scaling: {"x": (scale: 3), "v": (scale: 0.5), "force": (scale: 2)},"#);
}
