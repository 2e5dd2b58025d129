//! Scenarios of either kind.

use bitloop_scenario::{AnyScenario, ScenarioKind as _};

/// Reads any bytes as a scenario.
pub fn read(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match AnyScenario::parse(text, "fuzz.ron") {
        Ok(file) => {
            let mut texts = vec![file.to_text()];
            if let AnyScenario::ClosedLoop(file) = &file {
                texts.push(file.value.canonical_text());
            }
            for text in texts {
                let again = AnyScenario::parse(&text, "again.ron")
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert!(is_same(&file, &again), "{text}");
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}

/// Whether both say the same, their texts aside.
fn is_same(one: &AnyScenario, other: &AnyScenario) -> bool {
    match (one, other) {
        (AnyScenario::ClosedLoop(one), AnyScenario::ClosedLoop(other)) => one.value == other.value,
        (AnyScenario::Supervised(one), AnyScenario::Supervised(other)) => one.value == other.value,
        _ => false,
    }
}
