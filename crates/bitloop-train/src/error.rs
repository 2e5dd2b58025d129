//! Why a training or a replay cannot be carried out.

use std::fmt;

use bitloop_blm::BlmError;
use bitloop_data::{DataError, FitError};
use bitloop_lqr::LqrError;
use bitloop_net::{DeltaError, ShapeError};
use bitloop_scenario::FileError;
use bitloop_sim::SimError;

use crate::closed_loop::IsolationError;
use crate::state_check::StateFault;

/// Why a training or a replay cannot be carried out.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainError {
    /// An error in a file, with its place.
    File(FileError),
    /// The closed loop cannot be set up, or its plant broke.
    Sim(SimError),
    /// The search refuses its options.
    Blm(BlmError),
    /// The network is not possible.
    Shape(ShapeError),
    /// There is no linear-quadratic regulator.
    Lqr(LqrError),
    /// A saved state does not belong to this training.
    State(StateFault),
    /// The process in which the plant was isolated has ended.
    Isolation(IsolationError),
    /// An error in a data file, with its place.
    Data(DataError),
    /// Network, loss and examples do not fit each other.
    Delta(DeltaError),
    /// The same, found by a baseline.
    Fit(FitError),
    /// A trainer has found no weights at all.
    NothingFound,
    /// A trainer that probes weights on a grid has none.
    NoGrid,
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
            Self::Isolation(error) => error.fmt(f),
            Self::Data(error) => error.fmt(f),
            Self::Delta(error) => error.fmt(f),
            Self::Fit(error) => error.fmt(f),
            Self::NothingFound => {
                f.write_str("no weights were found: each regularization constant is too small")
            }
            Self::NoGrid => f.write_str("this trainer has real weights, and no grid to probe"),
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

impl From<IsolationError> for TrainError {
    fn from(error: IsolationError) -> Self {
        Self::Isolation(error)
    }
}

impl From<DataError> for TrainError {
    fn from(error: DataError) -> Self {
        Self::Data(error)
    }
}

impl From<DeltaError> for TrainError {
    fn from(error: DeltaError) -> Self {
        Self::Delta(error)
    }
}

impl From<FitError> for TrainError {
    fn from(error: FitError) -> Self {
        Self::Fit(error)
    }
}
