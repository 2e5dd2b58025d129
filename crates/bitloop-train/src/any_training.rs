//! [`AnyTraining`]: a scenario of either kind made ready, and [`Product`], what comes of it.

use bitloop_host::Registry;
use bitloop_scenario::{AnyScenario, Problem, SavedController, SavedModel};

use crate::error::TrainError;
use crate::rig::Library;
use crate::state::TrainingState;
use crate::state_check::StateFault;
use crate::supervised::Fitting;
use crate::training::Training;

/// A scenario of either kind made ready to train.
#[derive(Debug)]
pub enum AnyTraining {
    /// Of a controller in a closed loop.
    ClosedLoop(Box<Training>),
    /// Of a network on examples.
    Supervised(Box<Fitting>),
}

impl AnyTraining {
    /// Makes a scenario ready.
    ///
    /// # Errors
    /// What is missing or makes no sense, at its place in the file.
    pub fn new(scenario: &AnyScenario, registry: &Registry) -> Result<Self, TrainError> {
        Ok(match scenario {
            AnyScenario::ClosedLoop(file) => {
                Self::ClosedLoop(Box::new(Training::new(file, registry)?))
            }
            AnyScenario::Supervised(file) => Self::Supervised(Box::new(Fitting::new(file)?)),
        })
    }

    /// Checks a state that was saved.
    ///
    /// # Errors
    /// The first number that this training cannot have reached.
    pub fn check_state(&self, state: &TrainingState) -> Result<(), StateFault> {
        match self {
            Self::ClosedLoop(training) => training.check_state(state),
            Self::Supervised(fitting) => fitting.check_state(state),
        }
    }

    /// The library that the plant comes from, if it comes from one.
    #[must_use]
    pub fn library(&self) -> Option<&Library> {
        match self {
            Self::ClosedLoop(training) => training.rig.library.as_ref(),
            Self::Supervised(_) => None,
        }
    }

    /// Digest of the library that the plant comes from, if it comes from one.
    #[must_use]
    pub fn plant_digest(&self) -> Option<&str> {
        Some(self.library()?.digest.as_str())
    }
}

/// What a training leaves.
#[derive(Clone, Debug, PartialEq)]
pub enum Product {
    /// A controller.
    Controller(Box<SavedController>),
    /// A network trained on examples.
    Model(Box<SavedModel>),
}

impl Product {
    /// What it is called, in words and in names of files.
    #[must_use]
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Controller(_) => "controller",
            Self::Model(_) => "model",
        }
    }

    /// [`Product::kind`] of what comes of a scenario.
    #[must_use]
    pub const fn kind_of(scenario: &AnyScenario) -> &'static str {
        match scenario {
            AnyScenario::ClosedLoop(_) => "controller",
            AnyScenario::Supervised(_) => "model",
        }
    }

    /// Its digest.
    #[must_use]
    pub fn digest(&self) -> &str {
        match self {
            Self::Controller(controller) => &controller.digest,
            Self::Model(model) => &model.digest,
        }
    }

    /// The text of its file.
    ///
    /// # Errors
    /// If a rule is broken, so that the file could not be read back.
    pub fn to_text(&self) -> Result<String, Problem> {
        match self {
            Self::Controller(controller) => controller.to_text(),
            Self::Model(model) => model.to_text(),
        }
    }
}
