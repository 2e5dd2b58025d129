//! A scenario of either kind, told by the first name in its file.

use std::path::{Path, PathBuf};

use crate::{
    error::FileError,
    read::{SCENARIO_LIMIT_BYTES, read_source, text_source},
    scenario_file::ScenarioFile,
    source::Source,
    stop::Stop,
    supervised::SupervisedFile,
};

/// A scenario of either kind, with its text.
#[derive(Clone, Debug, PartialEq)]
pub enum AnyScenario {
    /// `Scenario(...)`: a controller in a closed loop with a plant.
    ClosedLoop(ScenarioFile),
    /// `Supervised(...)`: a network on examples.
    Supervised(SupervisedFile),
}

impl AnyScenario {
    /// Reads a scenario from a regular file of at most [`SCENARIO_LIMIT_BYTES`].
    ///
    /// # Errors
    /// As [`ScenarioFile::read`] and [`SupervisedFile::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::from_source(read_source(path.as_ref(), SCENARIO_LIMIT_BYTES, "scenario")?)
    }

    /// Reads a scenario from `text`, which goes by the name `file` in errors.
    ///
    /// # Errors
    /// As [`AnyScenario::read`].
    pub fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        Self::from_source(text_source(text, file, SCENARIO_LIMIT_BYTES)?)
    }

    pub(crate) fn from_source(source: Source) -> Result<Self, FileError> {
        if source.first_name() == Some("Supervised") {
            SupervisedFile::from_source(source).map(Self::Supervised)
        } else {
            ScenarioFile::from_source(source).map(Self::ClosedLoop)
        }
    }

    /// Its text.
    pub fn source(&self) -> &Source {
        match self {
            Self::ClosedLoop(file) => &file.source,
            Self::Supervised(file) => &file.source,
        }
    }

    pub(crate) fn source_mut(&mut self) -> &mut Source {
        match self {
            Self::ClosedLoop(file) => &mut file.source,
            Self::Supervised(file) => &mut file.source,
        }
    }

    /// The same scenario, of a file in `folder`: relative paths start there.
    #[must_use]
    pub fn in_folder(mut self, folder: impl Into<PathBuf>) -> Self {
        let source = self.source_mut();
        *source = source.clone().in_folder(folder);
        self
    }

    /// Root of all random streams.
    pub fn seed(&self) -> u64 {
        match self {
            Self::ClosedLoop(file) => file.scenario.seed,
            Self::Supervised(file) => file.scenario.seed,
        }
    }

    /// Sets the root of all random streams.
    pub fn set_seed(&mut self, seed: u64) {
        match self {
            Self::ClosedLoop(file) => file.scenario.seed = seed,
            Self::Supervised(file) => file.scenario.seed = seed,
        }
    }

    /// When the training ends.
    pub fn stop(&self) -> &Stop {
        match self {
            Self::ClosedLoop(file) => &file.scenario.stop,
            Self::Supervised(file) => &file.scenario.stop,
        }
    }

    /// When the training ends, to be changed.
    pub fn stop_mut(&mut self) -> &mut Stop {
        match self {
            Self::ClosedLoop(file) => &mut file.scenario.stop,
            Self::Supervised(file) => &mut file.scenario.stop,
        }
    }

    /// The scenario as a file, defaults filled in.
    pub fn to_text(&self) -> String {
        match self {
            Self::ClosedLoop(file) => file.scenario.to_text(),
            Self::Supervised(file) => file.scenario.to_text(),
        }
    }

    /// Digest of all of it.
    pub fn digest(&self) -> String {
        match self {
            Self::ClosedLoop(file) => file.scenario.digest(),
            Self::Supervised(file) => file.scenario.digest(),
        }
    }

    /// Digest of all that bears on the course of a search, the budget in seconds aside.
    pub fn search_digest(&self) -> String {
        match self {
            Self::ClosedLoop(file) => file.scenario.search_digest(),
            Self::Supervised(file) => file.scenario.search_digest(),
        }
    }
}

impl From<ScenarioFile> for AnyScenario {
    fn from(file: ScenarioFile) -> Self {
        Self::ClosedLoop(file)
    }
}

impl From<SupervisedFile> for AnyScenario {
    fn from(file: SupervisedFile) -> Self {
        Self::Supervised(file)
    }
}
