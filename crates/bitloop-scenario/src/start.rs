//! What the first run of a training starts from.

use bitloop_text::{Checked, FileError, Problem, Source};
use serde::{Deserialize, Serialize};

/// What the first run starts from. Later runs start from random weights.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Start {
    /// Random weights, as the trainer draws them.
    #[default]
    Random,
    /// The weights of a saved controller of the same shape and signals, rounded to the grid of the trainer; its path starts
    /// at the folder of the scenario.
    FromController(String),
    /// The gains of the linear-quadratic regulator that is best on the training episodes, rounded to the grid of the trainer:
    /// for linear feedback, or for a direct path beside hidden units that count nothing at first.
    FromLqr,
    /// The weights of a saved model of the same shape and columns.
    FromModel(String),
}

impl Start {
    /// Left out of a text then, so that digests of earlier versions stay.
    pub(crate) fn is_random(&self) -> bool {
        *self == Self::Random
    }

    /// The path of the file, if there is one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::Random | Self::FromLqr => None,
            Self::FromController(path) | Self::FromModel(path) => Some(path),
        }
    }

    /// Refuses a file of the other kind, and an empty path.
    pub(crate) fn check(&self, is_of_plant: bool) -> Checked {
        match self {
            Self::FromModel(_) if is_of_plant => Err(Problem::new(
                "start",
                "a controller cannot start from a model",
                "use `FromController`",
            )),
            Self::FromLqr if !is_of_plant => Err(Problem::new(
                "start",
                "a network on examples has no plant to be regulated",
                "use `FromModel`, or leave `start` out",
            )),
            Self::FromController(_) if !is_of_plant => Err(Problem::new(
                "start",
                "a network on examples cannot start from a controller",
                "use `FromModel`",
            )),
            start if start.path().is_some_and(|path| path.is_empty() || path.contains('\0')) => {
                let hint = "give the path of a file that `bitloop train` has saved";
                Err(Problem::new("start", "this is no path", hint))
            }
            _ => Ok(()),
        }
    }

    /// Makes the path absolute.
    pub(crate) fn make_absolute(&mut self, source: &Source) -> Result<(), FileError> {
        if let Self::FromController(path) | Self::FromModel(path) = self {
            *path = absolute(source, "start", path, "file")?;
        }
        Ok(())
    }
}

/// The absolute form of a path in a field, seen from the folder of the file.
pub(crate) fn absolute(
    source: &Source,
    field: &str,
    path: &str,
    what: &str,
) -> Result<String, FileError> {
    let hint = || format!("give the absolute path of the {what}");
    std::path::absolute(source.folder().join(path))
        .map_err(|error| source.error_at(field, error.to_string(), hint()))?
        .into_os_string()
        .into_string()
        .map_err(|path| source.error_at(field, format!("{} is not UTF-8", path.display()), hint()))
}
