//! [`LqrSweep`]: the weight of the controls of a linear-quadratic regulator, chosen on the training episodes.
//!
//! A plant whose stage cost does not punish control has no best gains without such a weight, and one far from its
//! equilibrium may fall under large gains. Which weight is best depends on the plant's units and on where episodes start,
//! so a few are tried.

use std::num::NonZeroUsize;

use bitloop_lqr::Lqr;
use bitloop_plant::Isa;
use bitloop_sim::{ClosedLoop, EpisodeSet};

use crate::error::TrainError;

/// The weights that are tried, of the squared controls, each over its scale, beside the stage cost.
const CONTROL_WEIGHTS: [f64; 7] = [1e-4, 1e-3, 1e-2, 0.1, 1.0, 10.0, 100.0];

/// Errors within this factor of the lowest are alike.
const ALIKE: f64 = 1.01;

/// A weight that was tried, and what it came to on the training episodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LqrTrial {
    /// The weight of the controls, as in [`Lqr::new`].
    pub control_weight: f64,
    /// Mean error.
    pub error: f64,
    /// Episodes that failed.
    pub n_failed: usize,
}

/// The regulator that is best on the training episodes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LqrSweep {
    pub lqr: Lqr,
    /// What it came to.
    pub best: LqrTrial,
    /// All that were tried, in ascending order of the weight.
    pub trials: Vec<LqrTrial>,
}

impl LqrSweep {
    /// Tries each weight on `training`, for a plant with `parameters: [n_parameters]`. Of those whose errors are alike, the largest wins, whose gains are the smallest.
    ///
    /// # Errors
    /// Why there is no regulator with any of the weights, or that the plant broke.
    pub fn new(
        closed_loop: &ClosedLoop,
        parameters: &[f64],
        training: &EpisodeSet,
        isa: Isa,
        n_threads: NonZeroUsize,
    ) -> Result<Self, TrainError> {
        let (mut tried, mut refusal) = (Vec::new(), None);
        for control_weight in CONTROL_WEIGHTS {
            let lqr = match Lqr::new(closed_loop, parameters, control_weight) {
                Ok(lqr) => lqr,
                Err(error) => {
                    refusal.get_or_insert(error);
                    continue;
                }
            };
            let evaluation =
                closed_loop.evaluate(isa, &lqr.controller, training, n_threads.get())?;
            let error = if evaluation.error.is_nan() { f64::INFINITY } else { evaluation.error };
            tried.push((lqr, LqrTrial { control_weight, error, n_failed: evaluation.n_failed() }));
        }
        let trials: Vec<LqrTrial> = tried.iter().map(|(_, trial)| *trial).collect();
        let lowest = trials.iter().fold(f64::INFINITY, |lowest, trial| lowest.min(trial.error));
        let chosen = tried.into_iter().rev().find(|(_, trial)| trial.error <= ALIKE * lowest);
        match (chosen, refusal) {
            (Some((lqr, best)), _) => Ok(Self { lqr, best, trials }),
            (None, refusal) => Err(refusal.expect("each weight gave gains or a refusal").into()),
        }
    }
}
