//! Hostile text: whatever it is, it is read or refused in time and without a panic.

use std::time::Duration;

use bitloop_scenario::{ControllerFile, ScenarioFile};
use cpu_time::ThreadTime;
use proptest::prelude::*;

use crate::bad_scenarios::GOOD;

/// What is never held against a text: the clock's grain, and what does not grow with the text.
const ALLOWANCE: Duration = Duration::from_millis(50);

/// Reads texts of a quarter of a length and of the whole, and holds the second's time against the first's: in proportion
/// it takes four times as long, with a step that is quadratic in the text sixteen times. It is processor time, so that
/// other work on the machine does not count. We promise 1 s for a mebibyte, of which the worst of these takes 0.3 s.
fn assert_time_in_proportion(name: &str, read: impl Fn(usize), length: usize) {
    let time = |length| {
        let begun = ThreadTime::now();
        read(length);
        begun.elapsed()
    };
    let (quarter, whole) = (time(length / 4), time(length));
    assert!(whole < 9 * quarter + ALLOWANCE, "{name}: {whole:?}, and a quarter of it {quarter:?}");
}

#[test]
fn anything_repeated_is_read_or_refused_in_time() {
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
            let read = |length: usize| {
                let n = (length - before.len() - after.len()) / pattern.len();
                let text = format!("{before}{}{after}", pattern.repeat(n));
                let error = if before.starts_with("Controller") {
                    ControllerFile::parse(&text, "garbage.ron").err()
                } else {
                    ScenarioFile::parse(&text, "garbage.ron").err()
                };
                let _ = error.map(|error| error.to_string());
            };
            assert_time_in_proportion(&format!("{before}{pattern}"), read, 1 << 18);
        }
    }
}

#[test]
fn many_names_are_refused_in_time() {
    let read = |n: usize| {
        let entry = |index| format!("\"name{index}\": 1.5e-3,");
        let entries = (0..n).map(entry).collect::<Vec<_>>().concat();
        let text = format!("Scenario(plant: \"p\", parameters: {{{entries}}})");
        let error = ScenarioFile::parse(&text, "names.ron").unwrap_err();
        assert_eq!(error.message, format!("{n} names, more than 10000"));
    };
    assert_time_in_proportion("names", read, 44_000);

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
