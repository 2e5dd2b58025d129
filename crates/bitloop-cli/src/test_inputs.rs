//! [`TestInputs`]: the files that a command reads that runs the test of a saved controller.

use std::path::{Path, PathBuf};

use bitloop_campaign::portable_digest;
use bitloop_fmu::settings_path;
use bitloop_host::{Registry, Sandbox};
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{
    AnyScenario, ControllerFile, PlantChoice, ScenarioFile, ScenarioKind as _, Source,
};
use bitloop_train::TrainError;

use crate::args::TestOptions;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::linked;
use crate::output::target::OutputFile;
use crate::registry;
use crate::shards::{Collected, Divisible};

/// All that the test of a saved controller needs.
pub struct TestInputs<'a> {
    /// The controller's file.
    pub path: &'a Path,
    options: &'a TestOptions,
    /// The instruction set.
    pub isa: Isa,
    /// The controller.
    pub controller: ControllerFile,
    /// The scenario whose test is run, where the command line names one.
    pub scenario: Option<ScenarioFile>,
    /// The plants.
    pub registry: Registry,
}

impl<'a> TestInputs<'a> {
    /// Reads the files that the command line names.
    pub fn read(path: &'a Path, options: &'a TestOptions, command: &str) -> Result<Self, Failure> {
        let isa = environment::isa()?;
        let controller = kind::controller(path)?;
        let scenario = options.scenario.as_deref().map(|path| kind::plant_scenario(path, command));
        let mut scenario = scenario.transpose()?;
        if let Some(scenario) = &mut scenario {
            // The result depends on their values, which a part of the work keeps with the scenario.
            scenario.embed_profiles()?;
        }
        let registry = registry::registry();
        Ok(Self { path, options, isa, controller, scenario, registry })
    }

    /// Reads what the parts of a command have kept of these files; the controller is the input of this number.
    pub fn collected<C: Divisible>(
        (path, input): (&'a Path, usize),
        options: &'a TestOptions,
        collected: &Collected<C>,
    ) -> Result<Self, Failure> {
        let isa = environment::isa()?;
        let (copy, folder) = collected.input(input);
        let controller = kind::controller(&copy)?.in_folder(folder);
        let scenario = options.scenario.as_ref().map(|_| -> Result<_, Failure> {
            let (copy, folder) = collected.input(collected.args.inputs().len() - 1);
            Ok(kind::plant_scenario(&copy, C::WORD)?.in_folder(folder))
        });
        let registry = registry::registry();
        Ok(Self { path, options, isa, controller, scenario: scenario.transpose()?, registry })
    }

    /// The texts of the controller and of the scenario, if one is named.
    pub fn texts(&self) -> (String, Option<String>) {
        let scenario = self.scenario.as_ref().map(|file| file.value.to_text());
        (self.controller.source.text().to_owned(), scenario)
    }

    /// All that bears on the result of an episode of this test, the plant's library aside, wherever the files are.
    pub fn identity(&self, replay: &Replay) -> String {
        test_identity(&self.controller, replay)
    }

    /// The same for a process without rights, which cannot search for a plant's library by name.
    pub fn for_sandbox(mut self) -> Self {
        if let PlantChoice::Named(name) = self.choice()
            && let Ok(Some(path)) = self.registry.library_path(name)
        {
            self.registry = linked::plants().with_library(name, &path);
        }
        self
    }

    /// What the process of the test may read once it has given up its rights: the plant's library, wherever it is.
    pub fn sandbox(&self) -> Sandbox {
        Sandbox::of_candidates(self.libraries())
    }

    /// The plant that is run.
    pub fn choice(&self) -> &PlantChoice {
        let given = self.scenario.as_ref().map(|file| &file.value);
        let scenario = given.unwrap_or(&self.controller.value.scenario);
        self.options.plant.as_ref().unwrap_or(&scenario.plant)
    }

    /// Where the plant's library may be.
    fn libraries(&self) -> Vec<PathBuf> {
        let library = match self.choice() {
            PlantChoice::Named(name) => {
                return self.registry.library_path(name).ok().flatten().into_iter().collect();
            }
            PlantChoice::Library(path) | PlantChoice::Fmu(path) => Path::new(path),
        };
        let saved = &self.controller.value.plant.library;
        let named = [Some(library), saved.as_deref().map(Path::new)].into_iter().flatten();
        let names = named.clone().filter_map(Path::file_name).map(Path::new);
        let sources = [Some(&self.controller.source), self.scenario.as_ref().map(|s| &s.source)];
        let folders: Vec<_> = sources.into_iter().flatten().map(Source::folder).collect();
        let paths = named.chain(names);
        let paths = paths.flat_map(|path| folders.iter().map(move |folder| folder.join(path)));
        match self.choice() {
            // A stranger may have written a path into the controller: no file of another kind is read for it.
            PlantChoice::Fmu(_) => paths
                .filter(|path| path.extension().is_some_and(|end| end == "fmu"))
                .flat_map(|fmu| [settings_path(&fmu), fmu])
                .collect(),
            _ => paths.collect(),
        }
    }

    /// The files that are read, none of which an output may replace.
    pub fn files(&self) -> Vec<PathBuf> {
        let named = [Some(self.path), self.options.scenario.as_deref()];
        named.into_iter().flatten().map(Path::to_owned).chain(self.libraries()).collect()
    }

    /// Begins an output, which must be none of the files that are read.
    pub fn begin(&self, out: &Path) -> Result<OutputFile, Failure> {
        let files = self.files();
        OutputFile::create(out, &files.iter().map(PathBuf::as_path).collect::<Vec<_>>())
    }

    /// Makes the test ready. What only the options broke is their fault, and not that of a file.
    pub fn replay(&self, options: ReplayOptions) -> Result<Replay, Failure> {
        let (has_episode, plant) = (options.episode.is_some(), options.plant.clone());
        let allows_long = options.allows_long;
        let unlimited = ReplayOptions { allows_long: true, ..options.clone() };
        let (controller, scenario) = (&self.controller, self.scenario.as_ref());
        let has_options =
            options.n_episodes.is_some() || options.horizon_s.is_some() || has_episode;
        Replay::new(controller, scenario, options, &self.registry).map_err(|error| {
            let only_plant = ReplayOptions { plant, allows_long, ..ReplayOptions::default() };
            match error {
                TrainError::File(error)
                    if has_options
                        && Replay::new(controller, scenario, only_plant, &self.registry)
                            .is_ok() =>
                {
                    let or_one =
                        if has_episode { ", --episodes or --episode" } else { " or --episodes" };
                    // Nothing is wrong with it but its length.
                    let is_too_long =
                        Replay::new(controller, scenario, unlimited, &self.registry).is_ok();
                    let yes =
                        if is_too_long { "; --yes allows episodes of any length" } else { "" };
                    let hint = Some(format!("change --horizon{or_one}{yes}"));
                    Failure::Usage { message: error.message.clone(), hint }
                }
                error => Failure::of_training(self.path, error),
            }
        })
    }

    /// The options of a test whose episodes are as long as those of the training, unless something else is asked for, or the
    /// transient of the test is longer.
    pub fn with_training_horizon(&self, n_episodes: Option<u32>) -> ReplayOptions {
        let options = self.options.replay(n_episodes);
        let given = self.scenario.as_ref().map(|file| &file.value);
        let episodes = &given.unwrap_or(&self.controller.value.scenario).episodes;
        let transient_s = episodes.test.map_or(0.0, |test| test.transient_s);
        let training = episodes.training.map(|training| training.horizon_s);
        let training = training.filter(|horizon_s| *horizon_s > transient_s);
        ReplayOptions { horizon_s: options.horizon_s.or(training), ..options }
    }
}

/// All that bears on the result of an episode of a test of a controller, the plant's library aside, wherever the files are.
pub fn test_identity(controller: &ControllerFile, replay: &Replay) -> String {
    let scenario = AnyScenario::from(replay.scenario().clone());
    let (scenario, test) = (portable_digest(&scenario, None), replay.test());
    let (plant, controller) = (replay.plant(), &controller.value.content_digest);
    format!("{controller} {scenario} {test:?} {} {}", plant.name, plant.version)
}
