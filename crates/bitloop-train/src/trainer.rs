//! [`Trainer`]: which search trains.

use bitloop_blm::{Initialization, SearchOptions};

use crate::restarts::CmaEsOptions;

/// The search of a training, with its options.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trainer {
    /// Telescopic BLM.
    TelescopicBlm(SearchOptions),
    /// CMA-ES over real weights, which are rounded to the grid for validation.
    CmaEs(CmaEsOptions),
    /// Random search: independent candidates, drawn alike.
    RandomSearch(Initialization),
}

impl Trainer {
    /// Whether each of its descents ends without a budget.
    #[must_use]
    pub const fn ends_by_itself(&self) -> bool {
        !matches!(self, Self::RandomSearch(_))
    }
}
