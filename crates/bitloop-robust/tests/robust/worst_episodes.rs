//! The search for the worst episode.

use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_robust::{Running, Tested, WorstOptions, worst};
use bitloop_scenario::{ScenarioFile, ScenarioKind as _};

use crate::support::{controller_named, registry, running};

const UNCERTAIN: &str = r#"uncertainty: (
        sensors: {
            "v": (noise: Normal(0.02), noise_time_constant_s: 0.1, bias: Uniform(-0.1, 0.1), delay_s: Uniform(0, 0.2)),
            "x": (quantum: Uniform(0, 0.01), jitter_s: 0.01),
        },
        actuators: {"force": (
            gain: Uniform(0.8, 1.2), backlash: Uniform(0, 0.1), quantum: 0.01, stuck_at_s: Uniform(3, 30), delay_s: Uniform(0, 0.04),
        )},
        disturbances: {"force": [Profile(points: [(2, 0.1), (4, 0)], gain: Uniform(0, 1)), Impulse(at_s: Uniform(1, 8), area: Normal(mean: 0, sd: 0.3))], "mass": [Step(at_s: 5, to: 1.5), Step(at_s: Uniform(50, 60), to: 1)]},
    ),"#;

fn tested(more: &str) -> Tested {
    let text = format!(
        r#"Scenario(plant: "mass-spring-damper", initial: {{"x": Uniform(-1, 1), "v": Uniform(-1, 1)}},
        {more} episodes: (training: (horizon_s: 100), test: (count: 20, horizon_s: 10)))"#
    );
    in_scenario(&ScenarioFile::parse(&text, "s.ron").unwrap())
}

fn in_scenario(scenario: &ScenarioFile) -> Tested {
    let controller = controller_named("mass-spring-damper.ron");
    let options = ReplayOptions::default();
    Tested::of(Replay::new(&controller, Some(scenario), options, &registry()).unwrap())
}

/// The error of the first test episode.
fn error(tested: &Tested) -> f64 {
    let set = tested.replay().draw(0..1).unwrap();
    let controller = tested.replay().controller();
    tested.closed_loop().evaluate(Isa::best(), &controller, &set, 1).unwrap().error
}

fn options() -> WorstOptions {
    WorstOptions { n_random: 64, n_starts: 3, n_generations: 30, seed: 5 }
}

#[test]
fn it_is_in_the_corner_of_a_box_where_the_error_is_largest() {
    let found = worst(&tested(""), options(), running(1), &|_| {}).unwrap().unwrap();
    // The error is quadratic in the start, so that it is largest in a corner.
    let corner = |x: f64, v: f64| {
        let text = format!(
            r#"Scenario(plant: "mass-spring-damper", initial: {{"x": {x:?}, "v": {v:?}}}, episodes: (test: (count: 1, horizon_s: 10)))"#
        );
        error(&in_scenario(&ScenarioFile::parse(&text, "s.ron").unwrap()))
    };
    let most = f64::max(corner(1.0, 1.0), corner(1.0, -1.0));
    assert!(found.result.error <= most * (1.0 + 1e-9), "{} {most}", found.result.error);
    assert!(found.result.error > 0.999 * most, "{} {most}", found.result.error);
    assert!(found.result.error > found.random_error && found.n_dimensions == 2);
}

#[test]
fn its_scenario_has_the_same_error_to_the_bit_and_threads_change_nothing() {
    let tested = tested(UNCERTAIN);
    let one = worst(&tested, options(), running(1), &|_| {}).unwrap().unwrap();
    let two = worst(&tested, options(), running(2), &|_| {}).unwrap().unwrap();
    assert_eq!(one.n_dimensions, 2 + 3 + 4 + 1 + 2 + 1);
    assert_eq!(one.result.error.to_bits(), two.result.error.to_bits());
    let text = one.scenario.value.to_text();
    assert_eq!(text, two.scenario.value.to_text());
    let file = ScenarioFile::parse(&text, "worst.ron").unwrap();
    assert_eq!(error(&in_scenario(&file)).to_bits(), one.result.error.to_bits());
}

#[test]
fn where_nothing_is_drawn_the_one_episode_is_the_worst() {
    let tested = in_scenario(
        &ScenarioFile::parse(
            r#"Scenario(plant: "mass-spring-damper", initial: {"x": 1}, episodes: (test: (count: 1, horizon_s: 10)))"#,
            "s.ron",
        )
        .unwrap(),
    );
    let found = worst(&tested, options(), running(1), &|_| {}).unwrap().unwrap();
    assert_eq!((found.n_dimensions, found.result.error), (0, error(&tested)));
    let called_off = Running { stop: &|| true, ..running(1) };
    assert!(worst(&tested, options(), called_off, &|_| {}).unwrap().is_none());
}

/// A disturbance that may come after the end of the episode: what is written must be a scenario, with the same error.
#[test]
fn disturbances_begin_within_the_episode_that_is_written() {
    let tested = in_scenario(
        &ScenarioFile::parse(
            r#"Scenario(plant: "mass-spring-damper", initial: {"x": Uniform(-1, 1)},
            uncertainty: (disturbances: {"force": [Step(at_s: Uniform(9.5, 40), to: -0.2)]}),
            episodes: (test: (count: 20, horizon_s: 10)))"#,
            "s.ron",
        )
        .unwrap(),
    );
    let found = worst(&tested, options(), running(1), &|_| {}).unwrap().unwrap();
    let text = found.scenario.value.to_text();
    let again = in_scenario(&ScenarioFile::parse(&text, "worst.ron").unwrap());
    assert_eq!(error(&again).to_bits(), found.result.error.to_bits());
}
