//! Settings of CMA-ES, the peer that BLM is measured against.

use serde::{Deserialize, Serialize};

/// Covariance matrix adaptation evolution strategy over real weights, the best of which are rounded to
/// the scenario's grid in the end.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct CmaEs {
    /// Bits of a weight in the saved controller, from 2 to 24. Default: 16.
    pub bits: u32,
    /// Largest weight, above 0; candidates stay within plus and minus it. Default: 10.
    pub max_weight: f64,
    /// Standard deviation of the first generation, in units of a weight, above 0 and at most
    /// `max_weight`. Default: 0.5.
    pub sigma: f64,
    /// Candidates in a generation, from 4 to 100000; with restarts, those of the first run. Default:
    /// 4 + floor(3 ln n) for n weights.
    pub population: Option<u32>,
    /// How a run that has converged is followed by another. Default: `Bipop`.
    pub restarts: CmaRestarts,
    /// The mean of the first generation is uniform within plus and minus this bound, from 0 to
    /// `max_weight`. Default: 0, which starts at the origin.
    pub initial_range: f64,
    /// Generations between two validations, at least 1. Default: 10.
    pub validate_every: u32,
}

impl Default for CmaEs {
    fn default() -> Self {
        CmaEs {
            bits: 16,
            max_weight: 10.0,
            sigma: 0.5,
            population: None,
            restarts: CmaRestarts::default(),
            initial_range: 0.0,
            validate_every: 10,
        }
    }
}

/// How a run of CMA-ES that has converged is followed by another, while the stopping rules allow it. Each run counts as a
/// run of the training.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum CmaRestarts {
    /// By a run like the first, with other random numbers.
    None,
    /// With the population doubled each time (Auger & Hansen, CEC 2005).
    Ipop,
    /// By turns with doubled populations, and with small ones at small sigma (Hansen, BBOB 2009).
    #[default]
    Bipop,
}
