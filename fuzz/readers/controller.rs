//! Saved controllers.

use std::sync::LazyLock;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{ControllerFile, ErrorKind, PlantChoice, SavedController};

use super::saved::whatever_its_digests;

static PLANTS: LazyLock<Registry> = LazyLock::new(Registry::built_in);

/// The shortest step that is simulated, in seconds: so that a replay takes little time.
const SHORTEST_STEP_S: f64 = 1e-3;

/// Reads any bytes as a saved controller: as they are, and with the digests that they should have. What is read is written,
/// read again, and replayed for a moment, unless its plant is a library.
pub fn read(data: &[u8]) {
    let Ok(text) = std::str::from_utf8(data) else { return };
    let mut controller = match ControllerFile::parse(text, "fuzz.ron") {
        Ok(file) => file.value,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            if !matches!(error.kind, ErrorKind::Damaged | ErrorKind::Format) {
                return;
            }
            // The rules of another format are not known.
            match whatever_its_digests::<SavedController>(text) {
                Some(forged) if forged.check().is_ok() => forged,
                _ => return,
            }
        }
    };
    // Files are written in the newest format.
    controller.format = SavedController::FORMAT_NUMBER;
    let text = controller.to_text().expect("what was read can be written");
    let mut file =
        ControllerFile::parse(&text, "again.ron").unwrap_or_else(|error| panic!("{error}\n{text}"));
    let written = file.value.clone();
    file.value.format = controller.format;
    file.value.digest.clone_from(&controller.digest);
    file.value.content_digest.clone_from(&controller.content_digest);
    assert_eq!(file.value, controller);
    file.value = written;
    replay(&file);
}

fn replay(file: &ControllerFile) {
    if matches!(file.value.scenario.plant, PlantChoice::Library(_)) {
        return;
    }
    let options =
        ReplayOptions { n_episodes: Some(1), horizon_s: Some(0.1), ..ReplayOptions::default() };
    match Replay::new(file, None, options, &PLANTS) {
        Ok(replay) if replay.step_s() >= SHORTEST_STEP_S => {
            if let Err(error) = replay.run(Isa::PORTABLE, 1) {
                assert!(!error.to_string().is_empty());
            }
        }
        Ok(_) => {}
        Err(error) => assert!(!error.to_string().is_empty()),
    }
}
