//! Shipped controllers, in tests of their plants.

use std::num::NonZeroUsize;
use std::path::Path;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_robust::{Running, Tested};
use bitloop_scenario::ControllerFile;

pub fn controller_named(file: &str) -> ControllerFile {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../controllers");
    ControllerFile::read(folder.join(file)).unwrap()
}

pub fn registry() -> Registry {
    Registry::built_in()
}

/// The pendulum in the test of its training, of another length.
pub fn tested(horizon_s: f64) -> Tested {
    let options = ReplayOptions { horizon_s: Some(horizon_s), ..ReplayOptions::default() };
    let controller = controller_named("pendulum-full-16bit.ron");
    Tested::of(Replay::new(&controller, None, options, &registry()).unwrap())
}

pub fn running(n_threads: usize) -> Running<'static> {
    Running { isa: Isa::best(), n_threads: NonZeroUsize::new(n_threads).unwrap(), stop: &|| false }
}
