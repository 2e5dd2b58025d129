//! The other plants as libraries: their controllers replay to the bits of the plants linked in.

use std::path::Path;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{ControllerFile, PlantChoice};

use crate::built::build;

const NAMES: [&str; 4] = ["acrobot", "cstr", "mass-spring-damper", "pendulum-swing-up"];

/// The errors of some episodes of a controller that ships.
fn errors(controller: &ControllerFile, plant: Option<PlantChoice>) -> Vec<u64> {
    let options = ReplayOptions { plant, n_episodes: Some(9), ..ReplayOptions::default() };
    let replay = Replay::new(controller, None, options, &Registry::built_in())
        .unwrap_or_else(|error| panic!("{error}"));
    let evaluation = replay.run(Isa::best(), 1).unwrap().evaluation;
    evaluation.episodes.iter().map(|episode| episode.error.to_bits()).collect()
}

#[test]
fn controllers_replay_on_libraries_as_on_the_plants_linked_in() {
    let packages = NAMES.map(|name| format!("bitloop-{name}-plugin"));
    let libraries = build(&packages.each_ref().map(String::as_str));
    for name in NAMES {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../controllers/{name}.ron"));
        let controller = ControllerFile::read(&path).unwrap_or_else(|error| panic!("{error}"));
        let file = format!("libbitloop_{}_plugin.so", name.replace('-', "_"));
        let library = libraries.iter().find(|path| path.ends_with(&file)).expect("a library");
        let library = PlantChoice::Library(library.display().to_string());
        assert_eq!(errors(&controller, Some(library)), errors(&controller, None), "{name}");
    }
}
