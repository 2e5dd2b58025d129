//! Recurrent and delayed networks, curricula, patience and the searches: a valid scenario with one thing
//! spoiled at a time, as in `bad_scenarios.rs`.

use std::fmt::Write as _;

use bitloop_scenario::ScenarioFile;

pub const RECURRENT: &str = r#"Scenario(
    plant: "inverted-pendulum",
    controller: Recurrent(hidden: [5, 3], feedback: SelfOnly, hidden_activation: [Tanh, Logistic]),
    episodes: (training: (horizon_s: 100, transient_s: 1)),
    curriculum: (horizon_s: 6, initial_scale: 0.25, advance_below: 0.2),
    training: TelescopicBlm(
        moves: BestOf(40),
        candidates: SeveralFlips(extra: 0.5),
        kicks: (count: 10, flips: 3),
    ),
    stop: (evaluations: 1000, patience: (evaluations: 500, improvement: 0.1)),
)
"#;

pub const TAPPED_DELAY: &str = r#"Scenario(
    plant: "inverted-pendulum",
    controller: TappedDelay(window: 4, hidden: [5]),
    episodes: (training: (horizon_s: 100)),
    curriculum: (initial_scale: 0.25),
    training: CmaEs(
        bits: 12, max_weight: 4, sigma: 0.5, population: 20, restarts: Ipop, initial_range: 0.5,
        validate_every: 5,
    ),
    stop: (evaluations: 1000, patience: (evaluations: 500)),
)
"#;

pub const RANDOM_SEARCH: &str = r#"Scenario(
    plant: "inverted-pendulum",
    controller: FeedForward(hidden: [5]),
    episodes: (training: (horizon_s: 100)),
    training: RandomSearch(bits: 12, max_weight: 4, initialization: Bounded(2), validate_every: 3),
    stop: (evaluations: 1000),
)
"#;

/// What is said about `good` with the first text replaced by the second, for each mistake.
fn report(good: &str, spoiled: &[(&str, &str, &str)]) -> String {
    ScenarioFile::parse(good, "good.ron").unwrap_or_else(|error| panic!("{error}"));
    let mut report = String::new();
    for (what, from, to) in spoiled {
        assert_eq!(good.matches(from).count(), 1, "{what}: `{from}` must stand once");
        let text = good.replace(from, to);
        let error = ScenarioFile::parse(&text, "scenarios/a.ron").expect_err(what);
        let _ = write!(report, "## {what}\n{error}\n\n");
        assert!(error.place.is_some() && error.hint.is_some(), "{error}");
    }
    report
}

#[test]
fn mistakes_in_recurrent_networks_and_their_search_are_reported() {
    let spoiled = [
        ("typo in the kind", "Recurrent(", "Recurent("),
        ("typo in a field", "feedback:", "feedbak:"),
        ("typo in the feedback", "SelfOnly", "SelfOnyl"),
        ("a window of nothing", "feedback: SelfOnly", "window: 0"),
        ("typo in a list of activations", "Logistic", "Logitsic"),
        ("a layer without units", "[5, 3]", "[5, 0]"),
        ("activations for other layers", "[Tanh, Logistic]", "[Tanh]"),
        ("too many weights", "[5, 3], feedback: SelfOnly", "[5, 5000]"),
        ("no memory", "[5, 3]", "[]"),
        ("typo in a curriculum", "initial_scale", "inital_scale"),
        ("first horizon 0", "horizon_s: 6", "horizon_s: 0"),
        ("first horizon within the transient", "horizon_s: 6", "horizon_s: 1"),
        ("first horizon above the full one", "horizon_s: 6", "horizon_s: 101"),
        ("initial scale 0", "initial_scale: 0.25", "initial_scale: 0"),
        ("initial scale above 1", "initial_scale: 0.25", "initial_scale: 2"),
        ("advance below 0", "advance_below: 0.2", "advance_below: 0"),
        ("a curriculum of nothing", "horizon_s: 6, initial_scale: 0.25, ", ""),
        ("typo in a move rule", "BestOf(40)", "BestOff(40)"),
        ("best of nothing", "BestOf(40)", "BestOf(0)"),
        ("best of an unknown number", "BestOf(40)", "BestOf"),
        ("typo in the candidates", "SeveralFlips", "SeverelFlips"),
        ("typo in a field of the candidates", "extra: 0.5", "extras: 0.5"),
        ("extra 0", "extra: 0.5", "extra: 0"),
        ("extra 1", "extra: 0.5", "extra: 1"),
        ("no kicks", "count: 10", "count: 0"),
        ("kicks without flips", "flips: 3", "flips: 0"),
        ("kicks without a number", ", flips: 3", ""),
        ("typo in a kick", "flips: 3", "flip: 3"),
        ("patience of nothing", "evaluations: 500", "evaluations: 0"),
        ("patience without a number", "evaluations: 500, ", ""),
        ("typo in patience", "improvement", "improvment"),
        ("improvement below 0", "improvement: 0.1", "improvement: -0.1"),
        ("improvement of everything", "improvement: 0.1", "improvement: 1"),
    ];
    insta::assert_snapshot!(report(RECURRENT, &spoiled));
}

#[test]
fn mistakes_in_delays_and_cma_es_are_reported() {
    let spoiled = [
        ("no window", "window: 4, ", ""),
        ("window 0", "window: 4", "window: 0"),
        ("window too long", "window: 4", "window: 1001"),
        ("too many weights", "window: 4, hidden: [5]", "window: 1000, hidden: [60000]"),
        ("typo in the kind of search", "CmaEs", "CmaES"),
        ("typo in a field", "sigma", "sigm"),
        ("bits 25", "bits: 12", "bits: 25"),
        ("max_weight 0", "max_weight: 4", "max_weight: 0"),
        ("sigma 0", "sigma: 0.5", "sigma: 0"),
        ("sigma above max_weight", "sigma: 0.5", "sigma: 5"),
        ("a small population", "population: 20", "population: 3"),
        ("unknown restarts", "Ipop", "Never"),
        ("initial range below 0", "initial_range: 0.5", "initial_range: -0.5"),
        ("initial range above max_weight", "initial_range: 0.5", "initial_range: 5"),
        ("never validated", "validate_every: 5", "validate_every: 0"),
    ];
    insta::assert_snapshot!(report(TAPPED_DELAY, &spoiled));
}

#[test]
fn mistakes_in_random_search_are_reported() {
    let spoiled = [
        ("typo in the kind of search", "RandomSearch", "RandomSerch"),
        ("a field of another search", "validate_every: 3", "sigma: 0.5"),
        ("bits 1", "bits: 12", "bits: 1"),
        ("max_weight below 0", "max_weight: 4", "max_weight: -4"),
        ("w_init below epsilon", "Bounded(2)", "Bounded(1e-4)"),
        ("w_init above max_weight", "Bounded(2)", "Bounded(5)"),
        ("no coarse grid", "Bounded(2)", "BoundedOnCoarseGrid(2)"),
        ("never validated", "validate_every: 3", "validate_every: 0"),
    ];
    insta::assert_snapshot!(report(RANDOM_SEARCH, &spoiled));
}
