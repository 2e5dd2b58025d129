//! Why a training or a replay cannot be carried out.

use bitloop_blm::BlmError;
use bitloop_data::{DataError, FitError};
use bitloop_lqr::LqrError;
use bitloop_net::{DeltaError, LayerScalingError, ShapeError};
use bitloop_scenario::FileError;
use bitloop_sim::SimError;

use crate::broken_plant::BrokenPlant;
use crate::isolation_error::IsolationError;
use crate::state_fault::StateFault;

/// Why a training or a replay cannot be carried out.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[error(transparent)]
pub enum TrainError {
    /// An error in a file, with its place.
    File(#[from] FileError),
    /// The closed loop cannot be set up, or its plant broke.
    Sim(#[from] SimError),
    /// The search refuses its options.
    Blm(#[from] BlmError),
    /// The network is not possible.
    Shape(#[from] ShapeError),
    /// There is no linear-quadratic regulator.
    Lqr(#[from] LqrError),
    /// A saved state does not belong to this training.
    State(#[from] StateFault),
    /// The plant broke while a controller was scored.
    Plant(Box<BrokenPlant>),
    /// The process in which the plant was isolated has ended.
    Isolation(#[from] IsolationError),
    /// An error in a data file, with its place.
    Data(#[from] DataError),
    /// Network, loss and examples do not fit each other.
    Delta(#[from] DeltaError),
    /// Powers of two that do not fit the network.
    LayerScaling(#[from] LayerScalingError),
    /// The same, found by a baseline.
    Fit(#[from] FitError),
    /// A trainer has found no weights at all.
    #[error("no weights were found: each regularization constant is too small")]
    NothingFound,
    /// A trainer that probes weights on a grid has none.
    #[error("this trainer has real weights, and no grid to probe")]
    NoGrid,
}
