//! One valid controller with one thing spoiled at a time.

use std::fmt::Write as _;

use bitloop_scenario::{ControllerFile, ErrorKind, Feedback, Network, ScenarioFile};

use crate::controllers::{example, of_network};

#[test]
fn each_damage_is_reported() {
    let good = example().to_text().unwrap();
    let digest = example().computed_digest();
    let other_digest = "0".repeat(64);
    let spoiled = [
        ("a code edited", "-24849", "-24848"),
        ("a code too large", "-24849", "-40000"),
        ("a code missing", "-24849, ", ""),
        ("bits edited", "bits: 16", "bits: 15"),
        ("bits 25", "bits: 16", "bits: 25"),
        ("a layer edited", "units: 5", "units: 6"),
        ("another activation", "activation: Tanh", "activation: Logistic"),
        ("an unknown activation", "activation: Tanh", "activation: Tan"),
        ("digest edited", digest.as_str(), other_digest.as_str()),
        ("an unknown field", "max_weight:", "w_max:"),
        (
            "a scale of 0",
            "name: \"x\", unit: \"m\", center: 0.0, scale: 1.0",
            "name: \"x\", scale: 0",
        ),
        ("NaN", "max_weight: 10.0", "max_weight: NaN"),
        ("saturation upside down", "max: None", "max: -30.0"),
        ("timing", "sample_time_s: 0.1", "sample_time_s: 0.015"),
        ("a later format", "format: 1,", "format: 7,\n    later: 1,"),
        ("no number of a format", "format: 1,", "format: Newest,"),
    ];
    let mut report = String::new();
    for (what, from, to) in spoiled {
        assert_eq!(good.matches(from).count(), 1, "{what}: `{from}` must stand once in\n{good}");
        let error =
            ControllerFile::parse(&good.replace(from, to), "controllers/a.ron").unwrap_err();
        let _ = write!(report, "## {what}\n{error}\n\n");
    }
    insta::assert_snapshot!(report);
}

#[test]
fn damage_to_a_network_with_a_memory_is_reported() {
    let recurrent = of_network(
        |layers| Network::Recurrent { feedback: Feedback::Full, window: 1, layers, direct: false },
        56,
    );
    let delayed =
        of_network(|layers| Network::TappedDelay { window: 3, layers, direct: false }, 71);
    let spoiled = [
        (&recurrent, "a code missing", "codes: [0, ", "codes: ["),
        (&recurrent, "the feedback edited", "feedback: Full", "feedback: SelfOnly"),
        (&recurrent, "an unknown feedback", "feedback: Full", "feedback: All"),
        (&recurrent, "no feedback", "feedback: Full,", ""),
        (&recurrent, "no hidden layer", "(units: 5, activation: Tanh), ", ""),
        (&delayed, "the window edited", "window: 3", "window: 2"),
        (&delayed, "window 0", "window: 3", "window: 0"),
        (&delayed, "another kind of network", "TappedDelay(", "FeedForward("),
    ];
    let mut report = String::new();
    for (good, what, from, to) in spoiled {
        let good = good.to_text().unwrap();
        assert_eq!(good.matches(from).count(), 1, "{what}: `{from}` must stand once in\n{good}");
        let error =
            ControllerFile::parse(&good.replace(from, to), "controllers/a.ron").unwrap_err();
        let _ = write!(report, "## {what}\n{error}\n\n");
    }
    insta::assert_snapshot!(report);
}

#[test]
fn a_file_cut_short_anywhere_is_refused() {
    let good = example().to_text().unwrap();
    let last_bracket = good.rfind(')').unwrap();
    for (at, _) in good.char_indices().filter(|&(at, _)| at <= last_bracket) {
        let error = ControllerFile::parse(&good[..at], "a.ron").unwrap_err();
        assert!(matches!(error.kind, ErrorKind::Syntax | ErrorKind::NotText | ErrorKind::Schema));
    }
}

#[test]
fn a_scenario_is_not_a_controller() {
    let error = ControllerFile::parse("Scenario(plant: \"p\")", "a.ron").unwrap_err();
    insta::assert_snapshot!(error);
    let error = ScenarioFile::parse(&example().to_text().unwrap(), "a.ron").unwrap_err();
    insta::assert_snapshot!(error);
}
