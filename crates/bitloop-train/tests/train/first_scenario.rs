//! What `bitloop scenario new` writes for plants that hold their state by a control of their own, fail soon, or hide a state.

use std::num::NonZeroUsize;

use bitloop_host::Registry;
use bitloop_plant::{Description, Integrator, Isa, Parameter, Plant, Real, Sizes, Variable};
use bitloop_scenario::{PlantChoice, ScenarioFile};
use bitloop_sim::Distribution;
use bitloop_train::{ClosedLoopTask, FirstScenario, LqrBaseline, LqrTrial, StopReason};

use crate::small_trainings::run;

/// A mass of 0.2 kg lifted by a thrust from 0 to 3 N to a height of 40 m, of which the first `N_SEEN` states are observed. It
/// fails where it is off by `room`.
#[derive(Default)]
struct Lift<const N_SEEN: usize>;

const MASS_KG: f64 = 0.2;
const HOVER_N: f64 = 1.962;

impl<const N_SEEN: usize> Plant for Lift<N_SEEN> {
    const INTEGRATORS: &'static [Integrator] = &[Integrator::RungeKutta4];

    fn description(&self) -> Description {
        let states = vec![
            Variable::new("height", "m").bounded(0.0, 1000.0).starting_at(40.0),
            Variable::new("speed", "m/s"),
        ];
        Description {
            name: format!("lift-{N_SEEN}"),
            version: "1".to_owned(),
            summary: "A mass that is lifted.".to_owned(),
            observations: states[..N_SEEN].to_vec(),
            states,
            controls: vec![Variable::new("thrust", "N").bounded(0.0, 3.0)],
            parameters: vec![
                Parameter::new("room", "m", 100.0, "distance from 40 m at which it fails"),
                Parameter::new("weight", "N", HOVER_N, "what the thrust is to hold"),
                Parameter::new("effort", "m^2/N^2", 0.0, "weight of the squared thrust"),
            ],
            structure: Vec::new(),
            integrators: Self::INTEGRATORS.to_vec(),
            step_s: 0.05,
            sample_time_s: 0.05,
        }
    }
    fn sizes(&self) -> Sizes {
        Sizes { n_states: 2, n_controls: 1, n_observations: N_SEEN, n_parameters: 3 }
    }
    fn derivative<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        dx[0] = x[1];
        dx[1] = (u[0] - p[1]) * R::splat(1.0 / MASS_KG);
    }
    fn observe<R: Real>(&self, _t_s: f64, x: &[R], _p: &[R], y: &mut [R]) {
        y.copy_from_slice(&x[..N_SEEN]);
    }
    fn stage_cost<R: Real>(&self, _t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        let off = x[0] - R::splat(40.0);
        off * off + p[2] * u[0] * u[0]
    }
    fn failed<R: Real>(&self, _t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        (x[0] - R::splat(40.0)).abs().gt(p[0])
    }
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        p[0] * p[0]
    }
}

fn plants() -> Registry {
    let mut plants = Registry::built_in();
    plants.add::<Lift<1>>();
    plants.add::<Lift<2>>();
    plants
}

fn written(plant: &str) -> String {
    let choice = PlantChoice::Named(plant.to_owned());
    let first = FirstScenario::new(&choice, &plants(), Isa::best(), NonZeroUsize::MIN);
    first.unwrap_or_else(|error| panic!("{plant}: {error}")).text(&choice)
}

fn written_from(plant: &str, given: &str) -> Result<String, String> {
    let choice = PlantChoice::Named(plant.to_owned());
    let file = ScenarioFile::parse(given, "given.ron").unwrap_or_else(|error| panic!("{error}"));
    let threads = NonZeroUsize::MIN;
    FirstScenario::with_starts_of(&file, &choice, &plants(), Isa::best(), threads)
        .map(|first| first.text(&choice))
        .map_err(|error| error.to_string())
}

fn read(text: &str) -> ScenarioFile {
    ScenarioFile::parse(text, "written.ron").unwrap_or_else(|error| panic!("{error}: {text}"))
}

fn assert_has(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "`{part}` is not in {text}");
    }
}

#[test]
fn what_holds_the_default_state_is_the_center_and_there_is_a_target() {
    let text = written("lift-2");
    assert_has(
        &text,
        &[
            "\"thrust\": (center: 1.962, scale: 1.96),  // N, the center holds the default state, the scale is by its bounds",
            "\"height\": (center: 40, scale: ",
            "the center is that of the default state",
            "controller: Linear,",
            "the error of LQR",
        ],
    );
    // From bounds of 0 to 1000 m there would be starts 100 m off; 0 may be the end of a plant.
    assert_has(&text, &["\"height\": Uniform(32, 48)"]);
}

/// LQR in a scenario, and the error of the regulator that is best on 1000 episodes like those of its training.
fn lqr_on_many(file: &ScenarioFile) -> (LqrBaseline, f64) {
    let of = |file| LqrBaseline::new(file, &plants(), None, Isa::best(), NonZeroUsize::MIN);
    let mut many = file.clone();
    many.value.episodes.training.as_mut().expect("a training set").count = 1000;
    let (lqr, on_many) = (of(file).expect("gains"), of(&many).expect("gains"));
    let is_best = |trial: &&LqrTrial| trial.control_weight == on_many.control_weight;
    let error = on_many.trials.iter().find(is_best).expect("tried").error;
    (lqr, error)
}

#[test]
fn the_target_is_that_of_the_regulator_in_the_scenario_itself() {
    // The weights of controls are relative to their scales, so that they are tried once those are known.
    let mut differ = 0;
    for plant in ["lift-2", "inverted-pendulum", "ball-and-beam", "double-pendulum"] {
        let file = read(&written(plant));
        let (lqr, error) = lqr_on_many(&file);
        let on_few = lqr.trials.iter().find(|trial| trial.control_weight == lqr.control_weight);
        differ += u32::from((on_few.expect("tried").error / error - 1.0).abs() > 0.1);
        let target: f64 = format!("{:.1e}", 1.75 * error).parse().unwrap();
        assert_eq!(file.value.stop.target, Some(target), "{plant}");
        // A change of a control from end to end costs about the target, and the regulator's error has that penalty too.
        let of_target = 4.0 * file.value.penalties.rate / target;
        assert!((0.5..=2.0).contains(&of_target), "{plant}: {of_target}");
        // Observations are scaled so that the largest gain is near 6, whatever the plant's units.
        let gains = bitloop_sim::Controller::parameters(&lqr.lqr.controller);
        let largest = gains.iter().fold(0.0_f64, |largest, gain| largest.max(gain.abs()));
        assert!((3.6..=9.0).contains(&largest), "{plant}: {largest}");
    }
    assert!(differ > 0, "50 episodes give the same errors");
}

#[test]
fn what_it_costs_to_hold_the_default_state_is_no_reason_against_a_target_and_is_in_it() {
    let with_effort = |effort: f64| {
        let given = format!(
            r#"Scenario(plant: "lift-2", parameters: {{"effort": {effort}}},
            initial: {{"height": Uniform(32, 48)}}, episodes: (training: (horizon_s: 1)))"#
        );
        written_from("lift-2", &given).unwrap()
    };
    let target = |text: &str| read(text).value.stop.target;
    let (free, dear) = (with_effort(0.0), with_effort(0.5));
    assert!(!free.contains("to hold the default state"), "{free}");
    // 0.5 x 1.962^2 N^2.
    let rest_cost = 0.5 * HOVER_N * HOVER_N;
    assert_has(
        &dear,
        &["controller: Linear,", "above the 1.92 that it costs to hold the default state"],
    );
    let above = target(&dear).unwrap() - rest_cost;
    let ratio = above / target(&free).unwrap();
    assert!((0.9..1.3).contains(&ratio), "{above} above rest: {dear}");
    // Where there is hardly anything but that cost, nothing tells good controllers from others.
    let narrow = dear.replace("Uniform(32, 48)", "Uniform(39.99, 40.01)");
    let narrow = written_from("lift-2", &narrow).unwrap();
    assert_has(&narrow, &["is not much above what it costs to hold the default state, 1.92"]);
    assert_eq!(target(&narrow), None);
}

#[test]
fn a_drawn_parameter_that_moves_the_plant_leaves_the_law_of_the_regulator_and_no_target() {
    let with = |weight: &str, height: &str| {
        let given = format!(
            r#"Scenario(plant: "lift-2", parameters: {{"weight": {weight}}},
            initial: {{"height": {height}}}, episodes: (training: (horizon_s: 1)))"#
        );
        written_from("lift-2", &given).unwrap()
    };
    let target = |text: &str| read(text).value.stop.target;
    let moved = with("Uniform(1.462, 2.462)", "40");
    assert_has(&moved, &["what is drawn moves the goal", "controller: Linear,", "by its motion"]);
    assert_eq!(target(&moved), None);
    assert!(!moved.contains("    penalties: "), "{moved}");
    let held = with("Uniform(1.952, 1.972)", "Uniform(32, 48)");
    assert_has(&held, &["times the error of LQR"]);
    assert!(target(&held).is_some());
}

#[test]
fn where_there_is_no_regulator_the_file_says_why() {
    let heavy = written_from(
        "lift-2",
        r#"Scenario(plant: "lift-2", parameters: {"weight": 3.1}, episodes: (training: (horizon_s: 1)))"#,
    );
    assert_has(
        &heavy.unwrap(),
        &["no equilibrium at the default state, where with thrust = 3 `speed` moves by -0.025"],
    );
    assert_has(&written("pendulum-swing-up"), &["the cost is not convex at the default state"]);
}

#[test]
fn where_a_state_is_hidden_the_target_is_far_above_lqr_that_sees_it_and_a_few_queries_reach_it() {
    let text = written("lift-1");
    assert_has(
        &text,
        &[
            "\"thrust\": (center: 1.962,",
            "by its motion under LQR",
            "controller: TappedDelay(window: 3, hidden: []),",
            "The target is 10 times the error of LQR, which sees all states, on 1000 such episodes",
        ],
    );
    let file = read(&text);
    let (lqr, error) = lqr_on_many(&file);
    assert!(lqr.interface.is_none());
    let target: f64 = format!("{:.1e}", 10.0 * error).parse().unwrap();
    assert_eq!(file.value.stop.target, Some(target));
    // The same regulator has the same error where the plant lets the state be observed.
    let seen = text.replace("lift-1", "lift-2");
    let seen = LqrBaseline::new(&read(&seen), &plants(), None, Isa::best(), NonZeroUsize::MIN);
    let seen = seen.unwrap();
    let ratio = lqr.test.error / seen.test.error;
    assert!(seen.interface.is_some() && (ratio - 1.0).abs() < 1e-6, "{ratio}");

    let training = ClosedLoopTask::prepare(&file, &plants()).expect("a training");
    let outcome = run(&training, Isa::best(), 1);
    assert_eq!(outcome.stop_reason, StopReason::Target, "{} evaluations", outcome.n_evaluations);
}

#[test]
fn a_file_says_what_is_observed() {
    let given = r#"Scenario(plant: "lift-2", observations: ["height"], initial: {"height": Uniform(32, 48)},
        episodes: (training: (horizon_s: 1)))"#;
    let text = written_from("lift-2", given).unwrap();
    assert_has(&text, &["observations: [\"height\"],", "TappedDelay(window: 3, hidden: []),"]);
    assert!(!text.contains("\"speed\": (center"), "{text}");
    assert_eq!(written_from("lift-2", &text).unwrap(), text);
    let unknown = given.replace("[\"height\"]", "[\"depth\"]");
    let error = written_from("lift-2", &unknown).unwrap_err();
    assert_has(&error, &["`depth`", "given.ron:1:"]);
}

#[test]
fn starts_are_halved_until_none_fails_at_once() {
    let half_width = |plant: &str| {
        let file = read(&written(plant));
        let Distribution::Uniform { low, high } = file.value.initial["height"] else { panic!() };
        0.5 * (high - low)
    };
    assert_eq!(half_width("lift-2"), 8.0);
    // Within 1 m it is safe, and so is linear feedback from there or a little nearer.
    let mut plants = Registry::built_in();
    plants.add::<Tight>();
    let choice = PlantChoice::Named("tight".to_owned());
    let first = FirstScenario::new(&choice, &plants, Isa::best(), NonZeroUsize::MIN).unwrap();
    let file = read(&first.text(&choice));
    let Distribution::Uniform { low, high } = file.value.initial["height"] else { panic!() };
    assert!((0.1..=1.0).contains(&(0.5 * (high - low))), "{low} to {high}");
    assert_has(&first.text(&choice), &["the error of LQR"]);
    assert!(!first.text(&choice).contains("failed;"), "{}", first.text(&choice));
}

/// The lift with 1 m of room.
#[derive(Default)]
struct Tight;

impl Plant for Tight {
    const INTEGRATORS: &'static [Integrator] = Lift::<2>::INTEGRATORS;

    fn description(&self) -> Description {
        let mut description = Lift::<2>.description();
        "tight".clone_into(&mut description.name);
        description.parameters[0].default = 1.0;
        description
    }
    fn sizes(&self) -> Sizes {
        Lift::<2>.sizes()
    }
    fn derivative<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R], dx: &mut [R]) {
        Lift::<2>.derivative(t_s, x, u, p, dx);
    }
    fn stage_cost<R: Real>(&self, t_s: f64, x: &[R], u: &[R], p: &[R]) -> R {
        Lift::<2>.stage_cost(t_s, x, u, p)
    }
    fn failed<R: Real>(&self, t_s: f64, x: &[R], p: &[R]) -> R::Mask {
        Lift::<2>.failed(t_s, x, p)
    }
    fn failure_cost<R: Real>(&self, p: &[R]) -> R {
        Lift::<2>.failure_cost(p)
    }
}

#[test]
fn a_file_gives_starts_parameters_simulation_and_uncertainty_for_which_all_else_is_found() {
    let given = r#"Scenario(
        plant: "lift-2",
        parameters: {"weight": Uniform(0.9, 1.1)},
        simulation: (sample_time_s: 0.1),
        uncertainty: (sensors: {"height": (noise: Normal(0.01)), "speed": (quantum: 0.01)}),
        initial: {"height": Uniform(20, 70), "speed": Normal(mean: 1, sd: 0.5)},
        controller: Linear, training: CmaEs(),
        episodes: (training: (count: 3, horizon_s: 1)),
    )"#;
    let text = written_from("lift-2", given).unwrap();
    let (file, given) = (read(&text).value, read(given).value);
    assert_eq!(file.initial, given.initial);
    assert_eq!(file.parameters, given.parameters);
    assert_eq!(file.simulation, given.simulation);
    assert_eq!(file.uncertainty, given.uncertainty);
    // The mass is lighter, the starts are wider, and the control period is twice as long.
    assert_eq!(file.scaling["thrust"].center, 1.0);
    let alone = read(&written("lift-2")).value;
    assert!(file.stop.target > alone.stop.target, "{text}");
    let horizons = [&file, &alone].map(|file| file.episodes.training.unwrap().horizon_s);
    assert_eq!(horizons, [20.0, 10.0]);
    assert_has(
        &text,
        &["`bitloop scenario new PLANT --from THIS_FILE` finds scales and target anew"],
    );
    assert!(!text.contains("A guess"), "{text}");
    assert_has(&text, &["noise: None, quantum: 0.01"]);
    // What it gives is what it had given.
    assert_eq!(written_from("lift-2", &text).unwrap(), text);
    // A name that the plant does not have is shown where it stands.
    let unknown = written_from(
        "lift-2",
        "Scenario(plant: \"lift-2\", initial: {\"depth\": 1}, episodes: (training: (horizon_s: 1)))",
    );
    let error = unknown.unwrap_err();
    assert_has(&error, &["has no state `depth`", "given.ron:1:", "it has height, speed"]);
}

#[test]
fn no_target_is_one_that_is_met_without_control() {
    let with_weight = |weight: u32| {
        let given = format!(
            r#"Scenario(plant: "mass-spring-damper", parameters: {{"force_weight": {weight}}},
            initial: {{"x": Uniform(-1, 1)}}, episodes: (training: (horizon_s: 20)))"#
        );
        written_from("mass-spring-damper", &given).unwrap()
    };
    // Control gains something, though less than the usual target asks for.
    let text = with_weight(10);
    assert_has(
        &text,
        &["The target is midway between the error of LQR", "and that without control, "],
    );
    let after = |start: &str| {
        let (_, rest) = text.split_once(start).unwrap();
        let digits = rest.split(|c: char| !c.is_ascii_digit() && c != '.').next().unwrap();
        digits.trim_end_matches('.').parse::<f64>().unwrap()
    };
    let [lqr, target, nothing] =
        ["LQR on 1000 such episodes, ", "stop: (target: ", "without control, "].map(after);
    assert!(lqr < target && target < nothing && nothing < 1.75 * lqr, "{text}");
    // It gains hardly anything.
    let text = with_weight(1000);
    assert_has(&text, &["No target is known", "is hardly below that; without control it is "]);
    assert!(!text.contains("    penalties: ") && !text.contains("stop: (target"), "{text}");
}
