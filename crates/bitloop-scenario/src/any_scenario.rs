//! A scenario of either kind, recognized by the first name in its file.

use std::path::{Path, PathBuf};

use bitloop_text::{FileError, Source};

use crate::{
    file::{File, FileKind},
    scenario::Scenario,
    scenario_file::ScenarioFile,
    scenario_kind::ScenarioKind,
    stop::Stop,
    supervised::{Supervised, SupervisedFile},
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
    /// Reads a scenario from a file.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::from_source(Source::read(path.as_ref(), Scenario::LIMIT_BYTES, Scenario::WHAT)?)
    }

    /// Reads a scenario from `text`, which goes by the name `file` in errors.
    ///
    /// # Errors
    /// As [`File::read`].
    pub fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        Self::from_source(Source::of_text(text, file, Scenario::LIMIT_BYTES)?)
    }

    fn from_source(source: Source) -> Result<Self, FileError> {
        if source.first_name() == Some(Supervised::NAME) {
            File::from_source(source).map(Self::Supervised)
        } else {
            File::from_source(source).map(Self::ClosedLoop)
        }
    }

    /// The scenario of the same text with other values, or with values where the text leaves fields to their defaults; see
    /// [`Source::with_values`]. Only the text with all of them must make sense. Changes that were made to the scenario and
    /// are not in the text are lost.
    ///
    /// # Errors
    /// As [`Source::with_values`] and [`AnyScenario::parse`], with places in the edited text.
    pub fn with_values(&self, values: &[(&str, &str)]) -> Result<Self, FileError> {
        let defaults = Source::new("defaults", self.to_text());
        Self::from_source(self.source().with_values(values, &defaults)?)
    }

    /// The same scenario, of a file in `folder`: relative paths start there.
    #[must_use]
    pub fn in_folder(self, folder: impl Into<PathBuf>) -> Self {
        match self {
            Self::ClosedLoop(file) => Self::ClosedLoop(file.in_folder(folder)),
            Self::Supervised(file) => Self::Supervised(file.in_folder(folder)),
        }
    }

    /// Its text.
    pub fn source(&self) -> &Source {
        match self {
            Self::ClosedLoop(file) => &file.source,
            Self::Supervised(file) => &file.source,
        }
    }

    fn value(&self) -> &dyn ScenarioKind {
        match self {
            Self::ClosedLoop(file) => &file.value,
            Self::Supervised(file) => &file.value,
        }
    }

    fn value_mut(&mut self) -> &mut dyn ScenarioKind {
        match self {
            Self::ClosedLoop(file) => &mut file.value,
            Self::Supervised(file) => &mut file.value,
        }
    }

    /// Root of all random streams.
    pub fn seed(&self) -> u64 {
        self.value().seed()
    }

    /// Sets the root of all random streams.
    pub fn set_seed(&mut self, seed: u64) {
        self.value_mut().set_seed(seed);
    }

    /// Whether it is a closed loop with a plant.
    pub const fn has_plant(&self) -> bool {
        matches!(self, Self::ClosedLoop(_))
    }

    /// Makes the paths in it absolute, so that it may be kept in another folder.
    ///
    /// # Errors
    /// If a path is not valid UTF-8, or there is no current folder.
    pub fn make_absolute(&mut self) -> Result<(), FileError> {
        match self {
            Self::ClosedLoop(file) => file.make_absolute(),
            Self::Supervised(file) => file.make_absolute(),
        }
    }

    /// When the training ends.
    pub fn stop(&self) -> &Stop {
        self.value().stop()
    }

    /// When the training ends, to be changed.
    pub fn stop_mut(&mut self) -> &mut Stop {
        self.value_mut().stop_mut()
    }

    /// The scenario as a file, defaults filled in.
    pub fn to_text(&self) -> String {
        self.value().to_text()
    }

    /// Digest of all of it.
    pub fn digest(&self) -> String {
        self.value().digest()
    }

    /// Digest of all that bears on the course of a search, the budgets in seconds and evaluations aside.
    pub fn search_digest(&self) -> String {
        self.value().search_digest()
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
