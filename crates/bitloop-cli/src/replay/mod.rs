//! `bitloop replay`.

mod csv;
mod decimal;
mod fixed;
mod report;

use std::io::Write;
use std::path::{Path, PathBuf};

use bitloop_host::{Registry, Sandbox};
use bitloop_plant::Isa;
use bitloop_scenario::{ControllerFile, PlantChoice, PlantIdentity, ScenarioFile, Source};
use bitloop_sim::Controller;
use bitloop_train::{
    Library, Replay, ReplayError, ReplayExecution, ReplayOptions, TrainError, TrajectoryFile,
};

use crate::args::ReplayArgs;
use crate::environment;
use crate::failure::Failure;
use crate::isolation;
use crate::kind;
use crate::linked;
use crate::output::target::OutputFile;
use crate::output::{json, print, tell};
use crate::sandbox;
use csv::CsvFormat;
use report::Report;

/// Runs a saved controller and reports how it did.
pub fn replay(args: &ReplayArgs) -> Result<(), Failure> {
    if args.sandbox {
        sandbox::require()?;
    }
    let inputs = Inputs::read(args)?;
    let mut csv = args.csv.as_deref().map(|path| inputs.begin_csv(path, args)).transpose()?;
    let is_isolated = args.isolate.is_some() || args.sandbox;
    let (notes, text) = if is_isolated {
        isolation::replay(args.isolate.unwrap_or(isolation::USUAL_SECONDS), csv.as_mut())?
    } else {
        let done = run(args, inputs, csv.as_mut().map(|file| file as _))?;
        environment::restore_process();
        done
    };
    // Where the plant broke, the old file stays.
    if let Some(file) = csv {
        file.finish()?;
    }
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
        Sandbox::of_libraries(self.libraries(args))
    }

    /// Where the plant's library may be.
    fn libraries(&self, args: &ReplayArgs) -> Vec<PathBuf> {
        let library = match choice(args, &self.controller, self.scenario.as_ref()) {
            PlantChoice::Named(name) => {
                return self.registry.library_path(name).ok().flatten().into_iter().collect();
            }
            PlantChoice::Library(path) => Path::new(path),
        };
        let saved = &self.controller.value.plant.library;
        let named = [Some(library), saved.as_deref().map(Path::new)].into_iter().flatten();
        let names = named.clone().filter_map(Path::file_name).map(Path::new);
        let sources = [Some(&self.controller.source), self.scenario.as_ref().map(|s| &s.source)];
        let folders: Vec<_> = sources.into_iter().flatten().map(Source::folder).collect();
        let paths = named.chain(names);
        paths.flat_map(|path| folders.iter().map(move |folder| folder.join(path))).collect()
    }

    /// Begins the file of trajectories, which must be none of the files that the replay reads.
    fn begin_csv(&self, path: &Path, args: &ReplayArgs) -> Result<OutputFile, Failure> {
        let libraries = self.libraries(args);
        let mut inputs = vec![&*args.controller];
        inputs.extend(args.scenario.as_deref());
        inputs.extend(libraries.iter().map(PathBuf::as_path));
        OutputFile::create(path, &inputs)
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

/// Runs a saved controller: notes for the user, and the result. Trajectories go to `csv`.
pub fn run(
    args: &ReplayArgs,
    inputs: Inputs,
    csv: Option<&mut (dyn Write + Send)>,
) -> Result<(Vec<String>, String), Failure> {
    let Inputs { isa, controller, scenario, registry } = inputs;
    let replay = prepare(args, &controller, scenario.as_ref(), &registry)?;
    let note = library_note(&controller.value.plant, &replay);
    let warning = replay.library().and_then(Library::warning);
    let notes = note.into_iter().chain(warning).collect();
    let format = CsvFormat::new(replay.plant(), replay.step_s());
    let named = args.csv.as_deref().unwrap_or(Path::new("the trajectories"));
    let trajectories = match csv {
        None => None,
        Some(out) => {
            out.write_all(&format.header()).map_err(|error| Failure::output(named, &error))?;
            Some(TrajectoryFile { format: &format, out })
        }
    };
    let fixed = fixed::controller(args, &controller)?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores).get();
    let execution = ReplayExecution {
        has_digest: !args.no_digest,
        trajectories,
        controller: fixed.as_ref().map(|fixed| fixed as &dyn Controller),
        ..ReplayExecution::new(isa, n_threads)
    };
    let failed = |error| match error {
        ReplayError::Train(error) => Failure::of_training(&args.controller, error),
        ReplayError::Trajectories(error) => Failure::output(named, &error),
    };
    let outcome = replay.run_watched(execution, &mut |_| {}).map_err(failed)?;
    let double_error =
        fixed.map(|_| fixed::double_error(&replay, isa, n_threads)).transpose().map_err(failed)?;
    let report = Report { args, controller: &controller.value, outcome: &outcome, double_error };
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
