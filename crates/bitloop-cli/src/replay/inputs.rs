//! [`Inputs`]: the files that a replay reads.

use std::path::{Path, PathBuf};

use bitloop_host::{Registry, Sandbox};
use bitloop_plant::Isa;
use bitloop_scenario::{ControllerFile, PlantChoice, ScenarioFile, Source};

use super::table_file::TableFile;
use crate::args::ReplayArgs;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::linked;
use crate::registry;

/// All that a replay reads.
pub struct Inputs {
    pub isa: Isa,
    pub controller: ControllerFile,
    pub scenario: Option<ScenarioFile>,
    pub registry: Registry,
}

impl Inputs {
    /// Reads the files that the command line names.
    pub fn read(args: &ReplayArgs) -> Result<Self, Failure> {
        let isa = environment::isa()?;
        let controller = kind::controller(&args.controller)?;
        let scenario =
            args.test.scenario.as_deref().map(|path| kind::plant_scenario(path, "replay"));
        let scenario = scenario.transpose()?;
        let mut registry = registry::registry();
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
        Sandbox::of_candidates(self.libraries(args))
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

    /// Begins a table, which must be none of the files that the replay reads.
    pub fn begin(&self, path: &Path, args: &ReplayArgs) -> Result<TableFile, Failure> {
        let libraries = self.libraries(args);
        let mut inputs = vec![&*args.controller];
        inputs.extend(args.test.scenario.as_deref());
        inputs.extend(libraries.iter().map(PathBuf::as_path));
        TableFile::create(path, &inputs)
    }
}

/// The plant that the replay runs.
fn choice<'a>(
    args: &'a ReplayArgs,
    controller: &'a ControllerFile,
    scenario: Option<&'a ScenarioFile>,
) -> &'a PlantChoice {
    let scenario = scenario.map_or(&controller.value.scenario, |file| &file.value);
    args.test.plant.as_ref().unwrap_or(&scenario.plant)
}
