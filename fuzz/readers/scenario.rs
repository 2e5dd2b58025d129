//! Scenarios.

use bitloop_scenario::ScenarioFile;

/// Reads any bytes as a scenario.
pub fn read(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match ScenarioFile::parse(text, "fuzz.ron") {
        Ok(file) => {
            for text in [file.scenario.canonical_text(), file.scenario.to_text()] {
                let again = ScenarioFile::parse(&text, "again.ron")
                    .unwrap_or_else(|error| panic!("{error}\n{text}"));
                assert_eq!(again.scenario, file.scenario);
            }
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
