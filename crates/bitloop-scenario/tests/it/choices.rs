//! Recurrent and delayed networks, curricula, patience and the searches: what their fields mean, and
//! what is left out of the canonical text.

use std::num::NonZeroUsize;

use bitloop_scenario::{
    Activation, Aggregate, Candidates, CmaEs, CmaRestarts, ControllerFile, ControllerSpec,
    Curriculum, Feedback, Growth, Initialization, Kicks, MoveRule, Patience, RandomSearch,
    Recurrent, SavedController, Scenario, ScenarioFile, ScenarioKind as _, SupervisedFile,
    SupervisedTraining, TelescopicBlm, Training,
};

use crate::{
    bad_choices::{RANDOM_SEARCH, RECURRENT, TAPPED_DELAY},
    bad_scenarios::GOOD,
    controllers::example,
};

fn parse(text: &str) -> Scenario {
    ScenarioFile::parse(text, "a.ron").unwrap_or_else(|error| panic!("{error}")).value
}

fn with(field: &str) -> Scenario {
    parse(&format!(
        "Scenario(plant: \"p\", episodes: (training: (horizon_s: 100, transient_s: 1)), {field})"
    ))
}

#[test]
fn a_recurrent_network_has_full_feedback_unless_it_says_otherwise() {
    let Some(ControllerSpec::Recurrent(network)) =
        with("controller: Recurrent(hidden: [7])").controller
    else {
        panic!("another kind")
    };
    let Recurrent { hidden, feedback, window, hidden_activation, output_activation, direct: _ } =
        network;
    assert_eq!((hidden, feedback, window), (vec![7], Feedback::Full, 1));
    assert_eq!(
        (hidden_activation.of(0), output_activation),
        (Activation::Tanh, Activation::Linear)
    );
}

#[test]
fn a_direct_path_is_none_unless_it_is_asked_for_and_needs_hidden_units() {
    for kind in ["FeedForward(", "Recurrent(", "TappedDelay(window: 2, "] {
        let controller =
            |more: &str| with(&format!("controller: {kind}hidden: [7]{more})")).controller.unwrap();
        assert!(!controller("").is_direct() && controller(", direct: true").is_direct(), "{kind}");
        assert_eq!(controller("").hidden(), [7]);
        let text = with(&format!("controller: {kind}hidden: [7])")).canonical_text();
        assert!(!text.contains("direct"), "older digests stay: {text}");
    }
    let alone = "Scenario(plant: \"p\", controller: FeedForward(hidden: [], direct: true))";
    let error = ScenarioFile::parse(alone, "a.ron").unwrap_err();
    assert!(error.message.contains("needs a hidden layer beside it"), "{error}");
}

#[test]
fn sensors_and_actuators_are_written_as_before_they_had_more_stages() {
    let text = r#"uncertainty: (sensors: {"x": (delay_s: 0.1)}, actuators: {"u": (rate: 2)})"#;
    let canonical = with(text).canonical_text();
    let sensor = "(bias:0.0,noise:r#None,quantum:0.0,delay_s:0.1,dropout:0.0)";
    let actuator = "(gain:1.0,dead_band:0.0,rate:2.0,quantum:0.0,delay_s:0.0)";
    assert!(canonical.contains(sensor) && canonical.contains(actuator), "{canonical}");
    let much = with(
        r#"uncertainty: (
            sensors: {"x": (jitter_s: 0.1, noise: Normal(1), noise_time_constant_s: 2, quantum: Uniform(0, 1), delay_s: Uniform(0, 1))},
            actuators: {"u": (backlash: Uniform(0, 1), stuck_at_s: Uniform(5, 9), quantum: Uniform(0, 1), delay_s: Uniform(0, 1))},
            disturbances: {"u": [Profile(points: [(0, 1), (1.5, 0)], gain: Uniform(0, 1)), Profile(file: "w.csv", column: "a b")]},
        ), curriculum: (uncertainty_scale: 0)"#,
    );
    assert_eq!(parse(&much.to_text()), much);
    assert_eq!(parse(&much.canonical_text()), much);
    let plain = with("curriculum: (initial_scale: 0.5)").canonical_text();
    assert!(!plain.contains("uncertainty_scale"), "older digests stay: {plain}");
}

#[test]
fn an_aggregate_is_the_mean_unless_the_scenario_has_another() {
    assert_eq!(with("").aggregate, Aggregate::Mean);
    assert!(!with("").canonical_text().contains("aggregate"), "older digests stay");
    assert_eq!(with("aggregate: Mean").digest(), with("").digest());
    for (text, aggregate) in [
        ("Worst", Aggregate::Worst),
        ("CVaR(0.1)", Aggregate::CVaR(0.1)),
        ("CVaR(1)", Aggregate::CVaR(1.0)),
    ] {
        let scenario = with(&format!("aggregate: {text}"));
        assert_eq!(scenario.aggregate, aggregate);
        assert_eq!(parse(&scenario.to_text()), scenario);
    }
    for share in ["0", "-0.1", "1.5"] {
        let text = format!("Scenario(plant: \"p\", aggregate: CVaR({share}))");
        let error = ScenarioFile::parse(&text, "a.ron").unwrap_err();
        assert!(
            error.message.contains("above 0 and at most 1") && error.place.is_some(),
            "{error}"
        );
    }
}

#[test]
fn linear_feedback_has_no_settings() {
    let linear = with("controller: Linear").controller.unwrap();
    assert_eq!(linear, ControllerSpec::Linear);
    assert!(linear.hidden().is_empty() && linear.output_activation() == Activation::Linear);
}

#[test]
fn a_window_of_one_and_a_network_without_hidden_layers_are_allowed() {
    let Some(ControllerSpec::TappedDelay(network)) =
        with("controller: TappedDelay(window: 1, hidden: [])").controller
    else {
        panic!("another kind")
    };
    assert_eq!((network.window, network.hidden.len()), (1, 0));
    with("controller: TappedDelay(window: 1000, hidden: [5])");
}

#[test]
fn half_a_curriculum_is_enough() {
    let curriculum = |text: &str| with(text).curriculum.unwrap();
    assert_eq!(
        curriculum("curriculum: (horizon_s: 6)"),
        Curriculum { horizon_s: Some(6.0), ..Curriculum::default() }
    );
    assert_eq!(
        curriculum("curriculum: (initial_scale: 0.25)"),
        Curriculum { initial_scale: 0.25, ..Curriculum::default() }
    );
    // The full horizon is no shorter, but no contradiction either.
    curriculum("curriculum: (horizon_s: 100)");
}

#[test]
fn patience_asks_for_a_tenth_and_is_no_budget() {
    let stop = with("stop: (patience: (evaluations: 500))").stop;
    assert_eq!(stop.patience, Some(Patience { evaluations: 500, improvement: 0.1 }));
    assert_eq!(stop.runs, Some(1));
    let alone = "Scenario(plant: \"p\", stop: (target: 0.1, patience: (evaluations: 500)))";
    let error = ScenarioFile::parse(alone, "a.ron").unwrap_err();
    assert!(error.message.contains("never end"), "{error}");
}

/// The settings of telescopic BLM with these fields, on a plant.
fn blm(fields: &str) -> TelescopicBlm {
    let training = with(&format!("training: TelescopicBlm({fields})")).training;
    let Some(Training::TelescopicBlm(blm)) = training else { panic!("another") };
    blm
}

#[test]
fn telescopic_blm_searches_by_the_measured_preset_unless_it_says_otherwise() {
    let best_of_40 = MoveRule::BestOf(NonZeroUsize::new(40).unwrap());
    let several = Candidates::SeveralFlips { extra: 0.9 };
    let measured = blm("");
    assert_eq!(measured, TelescopicBlm::default());
    assert_eq!(
        (measured.start_bits, measured.moves, measured.candidates),
        (4, best_of_40, several)
    );
    assert_eq!(measured.initialization, Initialization::Bounded(0.01));
    assert_eq!((measured.validate_every, measured.validate_at_target), (100, true));
    assert_eq!(measured.kicks, None);

    let paper = blm("preset: Paper");
    assert_eq!((paper.start_bits, paper.moves), (2, MoveRule::FirstImproving));
    assert_eq!(paper.candidates, Candidates::SingleFlips);
    assert_eq!(paper.initialization, Initialization::Bounded(0.01));
    assert_eq!((paper.validate_every, paper.validate_at_target), (100, false));
    // What is written wins.
    let given = TelescopicBlm { start_bits: 3, moves: best_of_40, ..paper };
    assert_eq!(blm("preset: Paper, start_bits: 3, moves: BestOf(40)"), given);

    let Some(Training::TelescopicBlm(blm)) = parse(RECURRENT).training else { panic!("another") };
    assert_eq!(
        (blm.moves, blm.candidates),
        (MoveRule::BestOf(NonZeroUsize::new(40).unwrap()), Candidates::SeveralFlips { extra: 0.5 })
    );
    assert_eq!(blm.kicks, Some(Kicks { count: 10, flips: 3 }));
}

#[test]
fn what_is_left_out_fits_any_grid() {
    for fields in
        ["bits: 2", "bits: 3", "bits: 8", "bits: 24", "max_weight: 0.1", "max_weight: 1e6"]
    {
        for preset in ["Measured", "Paper"] {
            let blm = blm(&format!("{fields}, preset: {preset}"));
            assert!(blm.search_options().is_ok(), "{fields}: {blm:?}");
        }
    }
    let step_of_8_bits = Initialization::Bounded(10.0 / 127.0);
    assert_eq!(blm("bits: 8, preset: Paper").initialization, step_of_8_bits);
    assert_eq!(blm("bits: 12, growth: Fixed").start_bits, 12);
}

#[test]
fn examples_are_trained_by_the_paper_s_values_unless_they_say_otherwise() {
    let of = |fields: &str| {
        let text = format!(
            "Supervised(data: Spirals(Halves193), network: (hidden: [3]), stop: (target: 0.1, seconds: 9), \
             training: TelescopicBlm({fields}))"
        );
        let file = SupervisedFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(file.value.stop.patience, None);
        let SupervisedTraining::TelescopicBlm(blm) = file.value.training else { panic!("another") };
        blm
    };
    assert_eq!(of("max_weight: 10"), blm("preset: Paper"));
    assert_eq!(of("preset: Paper"), blm("preset: Paper"));
    // What says nothing of the size of weights leaves it to the data.
    let open = of("bits: 2");
    assert_eq!((open.max_weight, open.growth, open.start_bits), (1.0, Growth::Fixed, 2));
    assert_eq!(open.initialization, Initialization::Bounded(1.0));
    assert!(open.kicks.is_some());
    assert_eq!(of("preset: Measured"), blm(""));
}

#[test]
fn a_text_of_an_earlier_version_that_spells_all_out_means_the_same() {
    let spelled_out = "training: Some(TelescopicBlm(bits:16,start_bits:2,max_weight:10.0,initialization:Bounded(0.01),\
                       coding:Gray,freezing:CoarseGrid,moves:FirstImproving,growth:Threshold(phi:0.1,eta:0.95),\
                       validate_every:100)),\
                       stop:(target:Some(0.001),runs:None,evaluations:Some(9),seconds:None,run_evaluations:None)";
    let scenario = with(spelled_out);
    let Some(Training::TelescopicBlm(old)) = &scenario.training else { panic!("another") };
    assert_eq!(*old, blm("preset: Paper"));
    assert_eq!(scenario.stop.patience, None);
}

#[test]
fn runs_give_way_by_themselves_where_others_can_follow() {
    let patience = |fields: &str| with(fields).stop.patience;
    let usual = Some(Patience { evaluations: 1000, improvement: 0.1 });
    let blm = "training: TelescopicBlm(), ";
    assert_eq!(patience(&format!("{blm} stop: (target: 0.1, evaluations: 9)")), usual);
    assert_eq!(patience(&format!("{blm} stop: (seconds: 9)")), usual);
    for stop in [
        "",
        "stop: ()",
        "stop: (runs: 3)",
        "stop: (evaluations: 9, run_evaluations: 3)",
        "stop: (evaluations: 9, patience: None)",
    ] {
        assert_eq!(patience(&format!("{blm} {stop}")), None, "{stop}");
    }
    for training in ["TelescopicBlm(preset: Paper)", "CmaEs()", "RandomSearch()"] {
        let fields = format!("training: {training}, stop: (evaluations: 9)");
        assert_eq!(patience(&fields), None, "{training}");
    }
    // What is resolved stays as it is.
    for stop in ["(evaluations: 9)", "(evaluations: 9, patience: None)"] {
        let scenario = with(&format!("{blm} stop: {stop}"));
        assert_eq!(parse(&scenario.canonical_text()), scenario);
    }
}

#[test]
fn training_episodes_are_drawn_anew_after_a_miss_where_the_measured_preset_looks_at_the_target() {
    let with_target = "stop: (target: 0.1, evaluations: 9)";
    for (fields, expected) in [
        (format!("training: TelescopicBlm(), {with_target}"), true),
        (format!("training: CmaEs(), {with_target}"), true),
        (format!("training: TelescopicBlm(), fresh_after_miss: false, {with_target}"), false),
        (format!("training: CmaEs(), fresh_after_miss: false, {with_target}"), false),
        (format!("training: TelescopicBlm(preset: Paper), {with_target}"), false),
        (format!("training: TelescopicBlm(validate_every: 5), {with_target}"), false),
        (format!("training: TelescopicBlm(), fresh_every: 99, {with_target}"), false),
        (format!("training: RandomSearch(), {with_target}"), false),
        ("training: TelescopicBlm(), stop: (evaluations: 9)".to_owned(), false),
        ("training: TelescopicBlm(), stop: (target: 0.1, runs: 3)".to_owned(), false),
    ] {
        let scenario = with(&fields);
        assert_eq!(scenario.fresh_after_miss, expected, "{fields}");
        // What is resolved stays as it is.
        assert_eq!(parse(&scenario.canonical_text()), scenario);
    }
    let (before, after) = GOOD.split_once("training: TelescopicBlm").unwrap();
    let text = format!("{before}fresh_after_miss: true, training: TelescopicBlm{after}");
    assert!(parse(&text).fresh_after_miss);
    assert_ne!(parse(&text).digest(), parse(GOOD).digest());
}

#[test]
fn the_baselines_have_defaults() {
    let training = |text: &str| with(text).training.unwrap();
    let cma_es = CmaEs {
        bits: 16,
        max_weight: 10.0,
        sigma: 0.5,
        population: None,
        restarts: CmaRestarts::Bipop,
        initial_range: 0.0,
        validate_every: 10,
    };
    assert_eq!(training("training: CmaEs()"), Training::CmaEs(cma_es));
    // The choice, not the absence of one.
    let once = CmaEs { restarts: CmaRestarts::None, ..cma_es };
    assert_eq!(training("training: CmaEs(restarts: None)"), Training::CmaEs(once));
    let random = RandomSearch {
        bits: 16,
        max_weight: 10.0,
        initialization: Initialization::Full,
        validate_every: 1,
    };
    assert_eq!(training("training: RandomSearch()"), Training::RandomSearch(random));
}

#[test]
fn every_choice_reads_back_from_canonical_text_and_from_controllers() {
    let no_restarts = TAPPED_DELAY.replace("Ipop", "None").replace("population: 20, ", "");
    for text in [RECURRENT, TAPPED_DELAY, RANDOM_SEARCH, &no_restarts] {
        let scenario = parse(text);
        assert_eq!(parse(&scenario.canonical_text()), scenario);
        let saved = SavedController { scenario, ..example() }.to_text().unwrap();
        let read = ControllerFile::parse(&saved, "a.ron").unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(read.value.scenario, parse(text));
    }
}

#[test]
fn newer_fields_at_their_defaults_leave_digests_alone() {
    let digest = |text: &str| parse(text).digest();
    let spelled_out = GOOD
        .replace("bits: 16,", "bits: 16, candidates: SingleFlips, kicks: None,")
        .replace("seconds: 25", "seconds: 25, patience: None")
        .replace("training: TelescopicBlm", "curriculum: None,\n    training: TelescopicBlm");
    assert_eq!(digest(&spelled_out), digest(GOOD));
    let text = parse(GOOD).canonical_text();
    for field in
        ["curriculum", "candidates", "kicks", "patience", "preset", "validate_at_target", "fresh"]
    {
        assert!(!text.contains(field), "{field} in {text}");
    }
}

#[test]
fn newer_fields_move_digests_when_they_say_something() {
    let digest = |text: &str| parse(text).digest();
    let base = digest(RECURRENT);
    for (from, to) in [
        ("SelfOnly", "Full"),
        ("Recurrent(", "FeedForward("),
        ("horizon_s: 6", "horizon_s: 7"),
        ("initial_scale: 0.25", "initial_scale: 0.5"),
        ("advance_below: 0.2", "advance_below: 0.3"),
        ("BestOf(40)", "BestOf(41)"),
        ("extra: 0.5", "extra: 0.6"),
        ("count: 10", "count: 11"),
        ("flips: 3", "flips: 4"),
        ("evaluations: 500", "evaluations: 501"),
        ("improvement: 0.1", "improvement: 0.2"),
    ] {
        let mut text = RECURRENT.replace(from, to);
        assert_ne!(text, RECURRENT, "{from}");
        if to.starts_with("FeedForward") {
            text = text.replace("feedback: SelfOnly, ", "");
        }
        assert_ne!(digest(&text), base, "{from} -> {to}");
    }
}
