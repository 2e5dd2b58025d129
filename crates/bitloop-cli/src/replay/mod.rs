//! `bitloop replay`.

mod csv;
mod report;

use std::io::BufWriter;
use std::path::Path;

use bitloop_host::{Registry, Sandbox};
use bitloop_plant::Isa;
use bitloop_scenario::{ControllerFile, PlantChoice, PlantIdentity, ScenarioFile};
use bitloop_sim::Recorder;
use bitloop_train::{Library, Replay, ReplayOptions, TrainError};

use crate::args::ReplayArgs;
use crate::environment;
use crate::failure::Failure;
use crate::isolation;
use crate::kind;
use crate::linked;
use crate::output::target::OutputFile;
use crate::output::{json, print, tell};
use crate::sandbox;
use csv::CsvRecorder;
use report::Report;

/// Runs a saved controller and tells how it did.
pub fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    if args.sandbox {
        sandbox::require()?;
        if args.csv.is_some() {
            return Err(Failure::Usage {
                message: "--csv cannot be written by a process without rights".to_owned(),
                hint: Some("leave out --csv, or use --isolate instead of --sandbox".to_owned()),
            });
        }
    }
    if let Some(seconds) = args.isolate.or(args.sandbox.then_some(isolation::USUAL_SECONDS)) {
        return isolation::replay(seconds);
    }
    let (notes, text) = run(args, Inputs::read(args)?)?;
    environment::restore_process();
    for note in &notes {
        tell(note);
    }
    print(&text)
}

/// All that a replay reads.
pub struct Inputs {
    isa: Isa,
    controller: ControllerFile,
    scenario: Option<ScenarioFile>,
    registry: Registry,
}

impl Inputs {
    /// Reads the files that the command line names.
    pub fn read(args: &ReplayArgs) -> Result<Self, Failure> {
        let isa = environment::isa()?;
        let controller = kind::controller(&args.controller)?;
        let scenario = args.scenario.as_deref().map(|path| kind::plant_scenario(path, "replay"));
        let scenario = scenario.transpose()?;
        let mut registry = environment::registry();
        if args.sandbox
            && let PlantChoice::Named(name) = choice(args, &controller, scenario.as_ref())
            && let Ok(Some(path)) = registry.library_path(name)
        {
            // A process without rights cannot search for it.
            registry = linked::plants().with_library(name, &path);
        }
        Ok(Self { isa, controller, scenario, registry })
    }

    /// What the process of the replay may read once it has given up its rights: the plant's library, wherever it is.
    pub fn sandbox(&self, args: &ReplayArgs) -> Sandbox {
        let library = match choice(args, &self.controller, self.scenario.as_ref()) {
            PlantChoice::Named(name) => {
                let path = self.registry.library_path(name).ok().flatten();
                return Sandbox::of_libraries(path.into_iter().collect());
            }
            PlantChoice::Library(path) => Path::new(path),
        };
        let saved = &self.controller.value.plant.library;
        let named = [Some(library), saved.as_deref().map(Path::new)].into_iter().flatten();
        let names = named.clone().filter_map(Path::file_name).map(Path::new);
        let sources = [Some(&self.controller.source), self.scenario.as_ref().map(|s| &s.source)];
        let folders: Vec<_> = sources.into_iter().flatten().map(|source| source.folder()).collect();
        let paths = named.chain(names);
        Sandbox::of_libraries(
            paths.flat_map(|path| folders.iter().map(move |folder| folder.join(path))).collect(),
        )
    }
}

/// The plant that the replay runs.
fn choice<'a>(
    args: &'a ReplayArgs,
    controller: &'a ControllerFile,
    scenario: Option<&'a ScenarioFile>,
) -> &'a PlantChoice {
    let scenario = scenario.map_or(&controller.value.scenario, |file| &file.value);
    args.plant.as_ref().unwrap_or(&scenario.plant)
}

/// Runs a saved controller: notes for the user, and the result.
pub fn run(args: &ReplayArgs, inputs: Inputs) -> Result<(Vec<String>, String), Failure> {
    let Inputs { isa, controller, scenario, registry } = inputs;
    let replay = prepare(args, &controller, scenario.as_ref(), &registry)?;
    let note = library_note(&controller.value.plant, &replay);
    let warning = replay.library().and_then(Library::warning);
    let notes = note.into_iter().chain(warning).collect();
    let outcome = match &args.csv {
        None => replay.run(isa, None),
        Some(path) => {
            let mut recorder = open(path, args, &replay)?;
            let outcome = replay.run(isa, Some(&mut recorder as &mut dyn Recorder));
            let out = recorder.finish().map_err(|error| Failure::output(path, &error))?;
            let file = out.into_inner().map_err(|error| Failure::output(path, error.error()))?;
            // Where the plant breaks, the old file stays.
            if outcome.is_ok() {
                file.finish()?;
            }
            outcome
        }
    };
    let outcome = outcome.map_err(|error| Failure::of_training(&args.controller, error))?;
    let report = Report { args, controller: &controller.value, outcome: &outcome };
    let text = if args.json { json::object_text(&report.json())? } else { report.text() };
    Ok((notes, text))
}

/// Makes the replay ready. What only the options broke is their fault, and not that of a file.
fn prepare(
    args: &ReplayArgs,
    controller: &ControllerFile,
    scenario: Option<&ScenarioFile>,
    registry: &Registry,
) -> Result<Replay, Failure> {
    let plant = || args.plant.clone();
    let options = ReplayOptions {
        plant: plant(),
        n_episodes: args.episodes,
        horizon_s: args.horizon,
        seed: args.seed,
    };
    Replay::new(controller, scenario, options, registry).map_err(|error| {
        let has_options = args.episodes.is_some() || args.horizon.is_some();
        match error {
            TrainError::File(error)
                if has_options
                    && Replay::new(
                        controller,
                        scenario,
                        ReplayOptions { plant: plant(), ..ReplayOptions::default() },
                        registry,
                    )
                    .is_ok() =>
            {
                let hint = "change --horizon or --episodes".to_owned();
                Failure::Usage { message: error.message.clone(), hint: Some(hint) }
            }
            error => Failure::of_training(&args.controller, error),
        }
    })
}

/// What to know where the plant's library is not the one of the training.
fn library_note(saved: &PlantIdentity, replay: &Replay) -> Option<String> {
    let digest = saved.digest.as_deref()?;
    match replay.library_digest() {
        Some(found) if found == digest => None,
        Some(found) => Some(format!(
            "note: the plant's library is not the one of the training: its digest is {found:.16}, not {digest:.16}"
        )),
        None => Some(format!(
            "note: the plant comes from no library, but in the training from one with digest {digest:.16}"
        )),
    }
}

/// Begins the file of trajectories, which must be none of the files that the replay reads.
fn open(
    path: &Path,
    args: &ReplayArgs,
    replay: &Replay,
) -> Result<CsvRecorder<BufWriter<OutputFile>>, Failure> {
    let mut inputs = vec![&*args.controller];
    inputs.extend(args.scenario.as_deref());
    inputs.extend(replay.library().map(|library| &*library.path));
    let file = OutputFile::create(path, &inputs)?;
    Ok(CsvRecorder::new(BufWriter::new(file), replay.plant(), replay.step_s()))
}
