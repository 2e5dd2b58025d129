//! Hostile text: whatever it is, it is read or refused in time and without a panic.

use std::time::{Duration, Instant};

use bitloop_scenario::{ControllerFile, ScenarioFile};
use proptest::prelude::*;

use crate::bad_scenarios::GOOD;

/// We promise 1 s; on an idle machine the worst of these takes 0.3 s. The rest is room for a busy one:
/// a step that is quadratic in the text takes minutes.
const LIMIT: Duration = Duration::from_secs(4);

#[test]
fn a_mebibyte_of_anything_is_read_or_refused_in_time() {
    let patterns = [
        "(",
        ")",
        "[",
        "{",
        "a",
        "a:",
        "a:(",
        "1",
        "1,",
        "-",
        ".",
        "+",
        "e",
        "1e-",
        "0x",
        "'",
        "\"",
        "\\",
        "r#",
        "r##\"",
        "b",
        "#",
        "#!",
        "#![",
        "#![enable(implicit_some)]",
        "//",
        "/*",
        "*/",
        "/**/",
        "//\n",
        "\n",
        "\r\n",
        ",",
        ":",
        "é",
        "\u{200e}",
        "_",
        "Some(",
        "[],",
        "(),",
        "{}",
        "'a'",
        "\"a\"",
        "\"\\u{61}\":1,",
        "1e999",
        "1_",
        "inf",
        "..",
        "a(",
        "a(),",
        "((),",
        "b'",
    ];
    let around = [
        ("", ""),
        ("Scenario(", ")"),
        ("Scenario(plant: \"", "\")"),
        ("Scenario(plant: \"p\", parameters: {\"a\": ", "})"),
        ("Scenario(plant: \"p\", parameters: {", "})"),
        ("Scenario(plant: \"p\", controller: FeedForward(hidden_activation: ", "))"),
        ("Controller(weights: Codes(codes: [", "]))"),
    ];
    for (before, after) in around {
        for pattern in patterns {
            let n = ((1 << 20) - before.len() - after.len()) / pattern.len();
            let text = format!("{before}{}{after}", pattern.repeat(n));
            let start = Instant::now();
            let error = if before.starts_with("Controller") {
                ControllerFile::parse(&text, "garbage.ron").err()
            } else {
                ScenarioFile::parse(&text, "garbage.ron").err()
            };
            let _ = error.map(|error| error.to_string());
            assert!(start.elapsed() < LIMIT, "{before}{pattern}: {:?}", start.elapsed());
        }
    }
}

#[test]
fn a_mebibyte_of_names_is_refused_in_time() {
    let entry = |index| format!("\"name{index}\": 1.5e-3,");
    let entries = (0..40_000).map(entry).collect::<Vec<_>>().concat();
    let text = format!("Scenario(plant: \"p\", parameters: {{{entries}}})");
    let start = Instant::now();
    let error = ScenarioFile::parse(&text, "names.ron").unwrap_err();
    assert_eq!(error.message, "40000 names, more than 10000");
    assert!(start.elapsed() < LIMIT);

    let text = format!(
        "Controller({})",
        (0..500_000).map(|i| format!("a{i}:0,")).collect::<Vec<_>>().concat()
    );
    let error = ControllerFile::parse(&text, "names.ron").unwrap_err();
    assert_eq!(error.message, "more than 100000 names in one bracket");
}

proptest! {
    #[test]
    fn any_text_is_read_or_refused(text in ".{0,200}") {
        let _ = ScenarioFile::parse(&text, "t.ron").map_err(|error| error.to_string());
    }

    #[test]
    fn any_run_of_pieces_is_read_or_refused(pieces in prop::collection::vec(prop::sample::select(vec![
        "Scenario", "(", ")", "[", "]", "{", "}", ",", ":", "plant", "initial", "\"x\"", "'", "\"",
        "Uniform(0, 1)", "1", "-", "1e9", "training", "TelescopicBlm", "None", "Some(", "é", "r#",
        "hidden_activation", "controller", "FeedForward", " ", "\n", "//", "/*", "*/", "\\", "#![",
    ]), 0..60)) {
        let _ = ScenarioFile::parse(&pieces.concat(), "t.ron").map_err(|error| error.to_string());
    }

    #[test]
    fn a_scenario_with_a_piece_replaced_is_read_or_refused(
        start in 0..GOOD.len(), length in 0usize..40, piece in "[(){}\\[\\],:a-z0-9\"'é./*#\\\\ \n-]{0,12}",
    ) {
        let end = (start + length).min(GOOD.len());
        let text = format!("{}{piece}{}", &GOOD[..start], &GOOD[end..]);
        let _ = ScenarioFile::parse(&text, "t.ron").map_err(|error| error.to_string());
    }
}
