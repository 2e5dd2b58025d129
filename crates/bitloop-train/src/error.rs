//! Why a training or a replay cannot be carried out.

use std::fmt;

use bitloop_blm::BlmError;
use bitloop_net::ShapeError;
use bitloop_scenario::FileError;
use bitloop_sim::SimError;

use crate::lqr::LqrError;
use crate::state_check::StateFault;

/// Why a training or a replay cannot be carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainError {
    /// Something in a file, told with its place.
    File(FileError),
    /// The closed loop cannot be set up, or its plant broke.
    Sim(SimError),
    /// The search refuses its options.
    Blm(BlmError),
    /// There is no such network.
    Shape(ShapeError),
    /// There is no linear-quadratic regulator.
    Lqr(LqrError),
    /// A saved state is none of this training.
    State(StateFault),
}

impl fmt::Display for TrainError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::File(error) => error.fmt(f),
            Self::Sim(error) => error.fmt(f),
            Self::Blm(error) => error.fmt(f),
            Self::Shape(error) => error.fmt(f),
            Self::Lqr(error) => error.fmt(f),
            Self::State(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for TrainError {}

impl From<FileError> for TrainError {
    fn from(error: FileError) -> Self {
        Self::File(error)
    }
}

impl From<SimError> for TrainError {
    fn from(error: SimError) -> Self {
        Self::Sim(error)
    }
}

impl From<BlmError> for TrainError {
    fn from(error: BlmError) -> Self {
        Self::Blm(error)
    }
}

impl From<ShapeError> for TrainError {
    fn from(error: ShapeError) -> Self {
        Self::Shape(error)
    }
}

impl From<LqrError> for TrainError {
    fn from(error: LqrError) -> Self {
        Self::Lqr(error)
    }
}

impl From<StateFault> for TrainError {
    fn from(error: StateFault) -> Self {
        Self::State(error)
    }
}
