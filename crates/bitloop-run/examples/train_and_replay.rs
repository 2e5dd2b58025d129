//! Trains the controller of a scenario in a folder, and replays it, without the command line:
//!
//! ```sh
//! cargo run --release -p bitloop-run --example train_and_replay scenario.ron folder
//! ```
//!
//! Killed at any moment, the training is resumed by `bitloop_run::resume`, or by `bitloop train --resume folder`.

use std::env;
use std::error::Error;
use std::path::Path;
use std::thread::available_parallelism;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_run::{Begin, RunEnd, RunOptions, begin};
use bitloop_scenario::ControllerFile;
use bitloop_train::PlantAccess;

/// The test errors of a controller, as its training and as a replay find them.
pub(crate) fn train_and_replay(scenario: &Path, folder: &Path) -> Result<[f64; 2], Box<dyn Error>> {
    let plants = Registry::built_in();
    let run = begin(Begin::read(scenario, PlantAccess::Here(&plants))?, folder)?;
    let RunEnd::Trained(trained) =
        run.run(RunOptions::on(available_parallelism()?), &mut |_| {})?
    else {
        return Err("the training was interrupted".into());
    };
    let controller = ControllerFile::read(&trained.path)?;
    let replay = Replay::new(&controller, None, ReplayOptions::default(), &plants)?;
    let replayed = replay.run(Isa::best(), 1)?.evaluation;
    Ok([trained.result.test_error.unwrap_or(f64::NAN), replayed.error])
}

fn main() -> Result<(), Box<dyn Error>> {
    let args: Vec<String> = env::args().skip(1).collect();
    let [scenario, folder] = &*args else { return Err("name a scenario and a folder".into()) };
    let [trained, replayed] = train_and_replay(Path::new(scenario), Path::new(folder))?;
    println!("test error {trained} in the training, {replayed} in the replay");
    Ok(())
}
