//! A scenario's text with other values, as `--vary` makes it.

use bitloop_scenario::{AnyScenario, ScenarioFile};

const TEXT: &str = r#"Scenario( // training: none
    plant: "inverted-pendulum",
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [5 /* few */]),
    episodes: (training: (horizon_s: 100)),
    training: TelescopicBlm(bits: 16, growth: Threshold(phi: 0.1, eta: 0.95), moves: BestOf(40)),
    stop: (evaluations: 10),
)"#;

fn edited(path: &str, value: &str) -> ScenarioFile {
    with(&[(path, value)])
}

fn with(values: &[(&str, &str)]) -> ScenarioFile {
    match AnyScenario::parse(TEXT, "a.ron").unwrap().with_values(values).unwrap() {
        AnyScenario::ClosedLoop(file) => file,
        AnyScenario::Supervised(_) => panic!("a plant's"),
    }
}

fn mistake(path: &str, value: &str) -> String {
    let file = AnyScenario::parse(TEXT, "a.ron").unwrap();
    file.with_values(&[(path, value)]).unwrap_err().to_string()
}

#[test]
fn a_value_is_replaced_in_its_whole_extent() {
    for (path, value, line) in [
        ("controller.hidden", "[7,3]", "    controller: FeedForward(hidden: [7,3]),"),
        ("training.growth", "Fixed", "(bits: 16, growth: Fixed, moves: BestOf(40)),"),
        ("training.growth.phi", "0.2", "growth: Threshold(phi: 0.2, eta: 0.95),"),
        ("training.moves", "FirstImproving", "eta: 0.95), moves: FirstImproving),"),
        ("training.moves.0", " 7 ", "moves: BestOf( 7 )),"),
        ("initial.theta.1", "0.3", "initial: {\"theta\": Uniform(-0.4, 0.3)},"),
        ("training", "TelescopicBlm()", "    training: TelescopicBlm(),\n    stop"),
    ] {
        let file = edited(path, value);
        assert!(file.source.text().contains(line), "{path}: {}", file.source.text());
    }
}

#[test]
fn a_missing_field_is_added_with_the_brackets_around_it() {
    assert_eq!(edited("seed", "9").value.seed, 9);
    assert_eq!(edited("failure_cost", "2").value.failure_cost, Some(2.0));
    let patience = edited("stop.patience.evaluations", "500").value.stop.patience;
    assert_eq!(patience.unwrap().evaluations, 500);
    let file = with(&[("initial.x", "0.5"), ("simulation.step_s", "0.01")]);
    assert_eq!(file.value.initial.len(), 2);
    assert_eq!(file.value.simulation.step_s, Some(0.01));
    assert_eq!(file.source.file(), "a.ron with initial.x=0.5, simulation.step_s=0.01");
}

#[test]
fn values_may_make_sense_only_together() {
    let file = AnyScenario::parse(TEXT, "a.ron").unwrap();
    let large_start = ("training.initialization", "Bounded(20)");
    assert!(file.with_values(&[large_start]).is_err(), "beyond the largest weight");
    let both = [large_start, ("training.max_weight", "30")];
    assert_eq!(with(&both).value.seed, 1);
}

#[test]
fn mistakes_are_reported_with_their_place() {
    for (path, value, fragments) in [
        ("training.bits", "99", &["a.ron with training.bits=99:6:35", "^^"][..]),
        ("training.bitts", "9", &["did you mean `bits`?", "TelescopicBlm(bitts: 9, bits"]),
        ("controller.hidden", "5", &["hidden: 5)", "^"]),
        ("training.moves.1.x", "5", &["there is no `1` in this", "BestOf(40)"]),
        ("plant.name", "5", &["there is no `name` in this"]),
        ("controller.hidden.3", "5", &["there is no `3` in this", "[5 /* few */]"]),
        ("training..bits", "5", &["`training..bits` is no path of fields"]),
        ("", "5", &["`` is no path of fields"]),
        ("training.bits", " ", &["there is no value", "--> the value for training.bits"]),
        ("training.bits", "5, seed: 3", &["more than one value"]),
        ("training.bits", "5 6", &["more than one value"]),
        ("training.bits", "5) (", &["was not opened"]),
        ("training.bits", "[5", &["is not closed"]),
        ("training.bits", "5 // few", &["more than one value"]),
        ("training.bits", "/* few */ 5", &["comments have no place"]),
    ] {
        let text = mistake(path, value);
        for fragment in fragments {
            assert!(text.contains(fragment), "{path}={value}: `{fragment}` not in\n{text}");
        }
    }
}
