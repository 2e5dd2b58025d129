//! [`Product`]: the controller or model that a training ends with.

use bitloop_scenario::{Problem, SavedController, SavedModel};

/// The controller or model that a training ends with, as the text of its file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Product {
    /// Which of the two it is.
    pub kind: ProductKind,
    /// Digest of its shape and weights.
    pub digest: String,
    /// The file.
    pub text: String,
}

/// A controller or a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProductKind {
    /// A controller for a plant.
    Controller,
    /// A network trained on examples.
    Model,
}

/// What a saved file says about how it was made.
#[derive(Clone, Debug, Default)]
pub struct SaveInfo {
    /// The command, as typed.
    pub command: String,
    /// Name of the scenario's file, without folders.
    pub scenario_name: String,
    /// Version of bitloop.
    pub bitloop_version: String,
}

impl ProductKind {
    /// In words and in names of files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Controller => "controller",
            Self::Model => "model",
        }
    }
}

impl TryFrom<&SavedController> for Product {
    type Error = Problem;

    fn try_from(saved: &SavedController) -> Result<Self, Problem> {
        let (kind, digest) = (ProductKind::Controller, saved.digest.clone());
        Ok(Self { kind, digest, text: saved.to_text()? })
    }
}

impl TryFrom<&SavedModel> for Product {
    type Error = Problem;

    fn try_from(saved: &SavedModel) -> Result<Self, Problem> {
        let (kind, digest) = (ProductKind::Model, saved.digest.clone());
        Ok(Self { kind, digest, text: saved.to_text()? })
    }
}
