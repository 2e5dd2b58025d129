//! A training with a library gives the controller of the training with the plant linked in, and replays.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::AtomicBool;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{ControllerFile, SavedController, ScenarioFile};
use bitloop_train::{
    ClosedLoopTask, Execution, SaveInfo, Training, TrainingState, save_controller,
};

use crate::built::{c_twin, plugin};

fn scenario_text(plant: &str) -> String {
    format!(
        r#"Scenario(
    plant: {plant},
    initial: {{"theta": Uniform(-0.4, 0.4)}},
    controller: FeedForward(hidden: [3]),
    episodes: (training: (count: 11, horizon_s: 5, transient_s: 1), test: (count: 9, horizon_s: 20)),
    training: TelescopicBlm(bits: 12, max_weight: 10, initialization: Bounded(0.1), validate_every: 10),
    stop: (evaluations: 400),
)
"#
    )
}

/// Trains in the scenario of a file in `folder`.
fn train(folder: &Path, plant: &str) -> SavedController {
    let path = folder.join("scenario.ron");
    fs::write(&path, scenario_text(plant)).unwrap();
    let scenario = ScenarioFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
    let training = ClosedLoopTask::prepare(&scenario, &Registry::built_in()).unwrap();
    let interrupt = AtomicBool::new(false);
    let execution = Execution::new(Isa::best(), NonZeroUsize::MIN, &interrupt);
    let outcome = training.train(TrainingState::new(), execution, &mut |_| {}).unwrap().unwrap();
    let info = SaveInfo {
        command: "bitloop train scenario.ron".to_owned(),
        scenario_name: "scenario.ron".to_owned(),
        bitloop_version: "0".to_owned(),
    };
    save_controller(&training.task, &outcome, info)
}

fn replay(path: &Path) -> (u64, Option<String>) {
    let file = ControllerFile::read(path).unwrap_or_else(|error| panic!("{error}"));
    let replay = Replay::new(&file, None, ReplayOptions::default(), &Registry::built_in())
        .unwrap_or_else(|error| panic!("{error}"));
    let error = replay.run(Isa::best(), 1).unwrap().evaluation.error;
    (error.to_bits(), replay.library_digest().map(str::to_owned))
}

#[test]
fn a_library_trains_the_controller_that_the_plant_linked_in_trains() {
    let folder = tempfile::tempdir().unwrap();
    let linked = train(folder.path(), "\"inverted-pendulum\"");
    assert_eq!(linked.plant.digest, None);
    for library in [plugin(), c_twin()] {
        // Relative to the scenario's file, and not to the current folder.
        fs::create_dir_all(folder.path().join("plants")).unwrap();
        fs::copy(library, folder.path().join("plants/pendulum.so")).unwrap();
        let saved = train(folder.path(), "Library(\"plants/pendulum.so\")");
        assert_eq!(saved.digest, linked.digest, "{}", library.display());
        assert_eq!(saved.errors, linked.errors);
        let digest = blake3_of(library);
        assert_eq!(saved.plant.digest.as_deref(), Some(digest.as_str()));
    }
}

#[test]
fn a_controller_of_a_library_replays_where_it_lies_and_after_it_moved() {
    let (folder, elsewhere) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    fs::copy(c_twin(), folder.path().join("pendulum.so")).unwrap();
    let saved = train(folder.path(), "Library(\"pendulum.so\")");
    let expected = (saved.errors.test.unwrap().to_bits(), saved.plant.digest.clone());
    for place in [folder.path(), elsewhere.path()] {
        let path = place.join("controller.ron");
        fs::write(&path, saved.to_text().unwrap()).unwrap();
        let read = ControllerFile::read(&path).unwrap().value;
        assert_eq!(read, saved, "it reads back as it was");
        assert_eq!(replay(&path), expected);
    }
    // Another build beside the controller is taken, and known by its digest.
    fs::copy(plugin(), elsewhere.path().join("pendulum.so")).unwrap();
    let (error, digest) = replay(&elsewhere.path().join("controller.ron"));
    assert_eq!(error, expected.0);
    assert_ne!(digest, expected.1);
}

fn blake3_of(path: &Path) -> String {
    bitloop_host::PlantLibrary::open(path).unwrap().digest().to_owned()
}
