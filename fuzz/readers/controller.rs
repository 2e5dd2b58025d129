//! Saved controllers.

use bitloop_scenario::ControllerFile;

/// Reads any bytes as a saved controller: as they are, and with the digest that they should have.
pub fn read(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    match ControllerFile::parse(text, "fuzz.ron") {
        Ok(file) => {
            let text = file.controller.to_text().expect("what was read can be written");
            let again = ControllerFile::parse(&text, "again.ron")
                .unwrap_or_else(|error| panic!("{error}\n{text}"));
            assert_eq!(again.controller, file.controller);
        }
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
