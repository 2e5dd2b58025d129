//! A scenario together with its text.
//!
//! Owns reading, and the requests that a scenario may be too short for. The text stays, so that who
//! knows the plant can place an error: "the plant has no observation `thta`" at its line.

use std::path::Path;

use crate::{
    controller::{ControllerSpec, LayerActivations},
    decode::{RawField, decode},
    distribution::Distribution,
    episodes::EpisodeSet,
    error::{ErrorKind, FileError},
    plant_choice::PlantChoice,
    problem::Problem,
    read::{SCENARIO_LIMIT_BYTES, read_source, text_source},
    scenario::Scenario,
    source::{Located, Source},
    stop::Stop,
    training::Training,
};

const RAW_FIELDS: &[RawField] = &[
    plant("plant"),
    distribution("parameters.*"),
    distribution("initial.*"),
    activations("controller.hidden_activation"),
];

/// The same fields of the scenario inside a saved controller.
pub(crate) const CONTROLLER_RAW_FIELDS: &[RawField] = &[
    plant("scenario.plant"),
    distribution("scenario.parameters.*"),
    distribution("scenario.initial.*"),
    activations("scenario.controller.hidden_activation"),
];

const fn distribution(path: &'static str) -> RawField {
    RawField { path, expected: Distribution::EXPECTED, parse: Distribution::check_text }
}

const fn plant(path: &'static str) -> RawField {
    RawField { path, expected: PlantChoice::EXPECTED, parse: PlantChoice::check_text }
}

pub(crate) const fn activations(path: &'static str) -> RawField {
    let expected = "an activation, or a list of them";
    RawField { path, expected, parse: LayerActivations::check_text }
}

/// A checked scenario and the text it came from.
#[derive(Clone, Debug, PartialEq)]
pub struct ScenarioFile {
    /// The scenario, defaults filled in.
    pub scenario: Scenario,
    /// Its text, for errors.
    pub source: Source,
}

/// All that a training needs, complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingPlan<'a> {
    /// The controller to train.
    pub controller: &'a ControllerSpec,
    /// The search.
    pub training: &'a Training,
    /// When it ends.
    pub stop: &'a Stop,
    /// What the search minimizes over.
    pub training_episodes: EpisodeSet,
    /// What picks the best controller.
    pub validation_episodes: EpisodeSet,
    /// What must agree before a target counts as met.
    pub confirmation_episodes: EpisodeSet,
    /// What is told in the end.
    pub test_episodes: EpisodeSet,
}

impl ScenarioFile {
    /// Reads a scenario from a regular file of at most [`SCENARIO_LIMIT_BYTES`].
    ///
    /// # Errors
    /// If the file cannot be read, is no scenario, or breaks a rule that needs no plant.
    pub fn read(path: impl AsRef<Path>) -> Result<Self, FileError> {
        Self::from_source(read_source(path.as_ref(), SCENARIO_LIMIT_BYTES, "scenario")?)
    }

    /// Reads a scenario from `text`, which goes by the name `file` in errors.
    ///
    /// # Errors
    /// As [`ScenarioFile::read`].
    pub fn parse(text: &str, file: &str) -> Result<Self, FileError> {
        Self::from_source(text_source(text, file, SCENARIO_LIMIT_BYTES)?)
    }

    /// A scenario that comes from elsewhere than a file of its own, such as a saved controller; `source` is the text
    /// that errors show.
    ///
    /// # Errors
    /// If the scenario breaks a rule.
    pub fn inside(scenario: Scenario, source: Source) -> Result<Self, FileError> {
        scenario.check().map_err(|problem: Problem| problem.place_in(&source))?;
        Ok(ScenarioFile { scenario, source })
    }

    pub(crate) fn from_source(source: Source) -> Result<Self, FileError> {
        let scenario: Scenario = decode(&source, RAW_FIELDS)?;
        scenario.check().map_err(|problem: Problem| problem.place_in(&source))?;
        Ok(ScenarioFile { scenario, source })
    }

    /// Whether `other` says the same, its seed aside.
    #[must_use]
    pub fn is_same_but_for_the_seed(&self, other: &Scenario) -> bool {
        self.scenario == Scenario { seed: self.scenario.seed, ..other.clone() }
    }

    /// What a training needs.
    ///
    /// # Errors
    /// If the scenario is a test alone: no controller, no search, or no training episodes.
    pub fn require_training(&self) -> Result<TrainingPlan<'_>, FileError> {
        let scenario = &self.scenario;
        let episodes = &scenario.episodes;
        let missing = |what: &str, example: &str| {
            let message = format!("this scenario says no {what}, so nothing can be trained");
            let hint = format!(
                "add `{example}`; a test scenario is for `bitloop replay CONTROLLER --scenario FILE`"
            );
            self.source.error_at("", message, hint).with_kind(ErrorKind::Incomplete)
        };
        let controller = scenario
            .controller
            .as_ref()
            .ok_or_else(|| missing("controller", "controller: FeedForward(hidden: [5])"))?;
        let training = scenario
            .training
            .as_ref()
            .ok_or_else(|| missing("training", "training: TelescopicBlm()"))?;
        let no_episodes = || missing("training episodes", "episodes: (training: (horizon_s: 100))");
        Ok(TrainingPlan {
            controller,
            training,
            stop: &scenario.stop,
            training_episodes: episodes.training.ok_or_else(no_episodes)?,
            validation_episodes: episodes.validation.ok_or_else(no_episodes)?,
            confirmation_episodes: episodes.confirmation.ok_or_else(no_episodes)?,
            test_episodes: episodes.test.ok_or_else(no_episodes)?,
        })
    }

    /// The test episodes.
    ///
    /// # Errors
    /// If the scenario says neither how long they are nor how long training episodes are.
    pub fn require_test(&self) -> Result<EpisodeSet, FileError> {
        self.scenario.episodes.test.ok_or_else(|| {
            let message = "this scenario says no test episodes";
            let hint = "add `episodes: (test: (horizon_s: 1000))`";
            self.source.error_at("episodes", message, hint).with_kind(ErrorKind::Incomplete)
        })
    }

    /// Makes the path of the plant's library absolute, if it is one, so that the scenario means the same wherever it is
    /// written to.
    ///
    /// # Errors
    /// If the path cannot be told in UTF-8, or there is no current folder.
    pub fn make_absolute(&mut self) -> Result<(), FileError> {
        let PlantChoice::Library(path) = &self.scenario.plant else { return Ok(()) };
        let hint = "give the absolute path of the library";
        let absolute = std::path::absolute(self.source.folder().join(path))
            .map_err(|error| self.source.error_at("plant", error.to_string(), hint))?;
        let text = absolute.into_os_string().into_string().map_err(|path| {
            self.source.error_at("plant", format!("{} is not UTF-8", path.display()), hint)
        })?;
        self.scenario.plant = PlantChoice::Library(text);
        self.scenario.check().map_err(|problem: Problem| problem.place_in(&self.source))
    }

    /// Where the value at `path` stands; see [`Source::locate`].
    pub fn locate(&self, path: &str) -> Option<Located> {
        self.source.locate(path)
    }

    /// An error at the value of `path`; see [`Source::error_at`].
    #[must_use]
    pub fn error_at(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        self.source.error_at(path, message, hint)
    }

    /// An error at the field name or map key of `path`; see [`Source::error_at_key`].
    #[must_use]
    pub fn error_at_key(
        &self,
        path: &str,
        message: impl Into<String>,
        hint: impl Into<String>,
    ) -> FileError {
        self.source.error_at_key(path, message, hint)
    }
}
