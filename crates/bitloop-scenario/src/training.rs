//! How a controller is trained: which search, each with its settings in a module of its own.

use serde::{Deserialize, Serialize};

use crate::{cma_es::CmaEs, random_search::RandomSearch, telescopic_blm::TelescopicBlm};

/// The search.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Training {
    /// Telescopic binary learning machine: local search over the bits of the weights.
    TelescopicBlm(TelescopicBlm),
    /// Covariance matrix adaptation evolution strategy over real weights, as a baseline.
    CmaEs(CmaEs),
    /// Independent random weights, as a baseline.
    RandomSearch(RandomSearch),
}
