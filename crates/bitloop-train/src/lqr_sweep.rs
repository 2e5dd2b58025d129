//! [`LqrSweep`]: the weight of the controls of a linear-quadratic regulator, chosen on the training episodes.
//!
//! A plant whose stage cost does not punish control has no best gains without such a weight, and one far from its
//! equilibrium may fall under large gains. Which weight is best depends on the plant's units and on where episodes start,
//! so a few are tried, and more beyond the last of them while that is the best.

use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;

use bitloop_lqr::{Lqr, LqrError};
use bitloop_plant::Isa;
use bitloop_sim::{ClosedLoop, EpisodeSet};

use crate::error::TrainError;

/// Powers of ten of the weights that are tried, of the squared controls, each over its scale, beside the stage cost.
const EXPONENTS: RangeInclusive<i32> = -4..=2;
/// Those that are tried at most.
const ALL_EXPONENTS: RangeInclusive<i32> = -8..=8;

/// Errors within this factor of the lowest are alike.
const ALIKE: f64 = 1.01;

/// Which weights are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reach {
    /// Seven: a training that starts from their best starts from the same ever after.
    Few,
    /// Those, and further ones while they are better.
    AsFarAsBetter,
}

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

/// Weights for which there is no regulator.
#[derive(Clone, Debug, PartialEq)]
pub struct RefusedWeights {
    /// The weights, in ascending order.
    pub weights: Vec<f64>,
    /// Why the first of them that was tried is refused.
    pub reason: LqrError,
}

/// The regulator that is best on the training episodes.
#[derive(Clone, Debug)]
pub(crate) struct LqrSweep {
    /// The loop that they were tried in.
    pub closed_loop: ClosedLoop,
    pub lqr: Lqr,
    /// What it came to.
    pub best: LqrTrial,
    /// All that were tried, in ascending order of the weight.
    pub trials: Vec<LqrTrial>,
    /// Those that there are no gains for.
    pub refused: Option<RefusedWeights>,
}

impl LqrSweep {
    /// Whether it keeps most of the episodes from failing.
    pub fn is_of_use(&self, n_episodes: usize) -> bool {
        2 * self.best.n_failed <= n_episodes
    }

    /// Tries each weight on `training`, for a plant with `parameters: [n_parameters]`, and, as far as `reach` allows, goes on
    /// beyond the least or the largest of them while that is better than all others. Of those whose errors are alike, the largest
    /// wins, whose gains are the smallest.
    ///
    /// # Errors
    /// Why there is no regulator with any of the weights, or that the plant broke.
    pub fn new(
        closed_loop: &ClosedLoop,
        parameters: &[f64],
        training: &EpisodeSet,
        isa: Isa,
        n_threads: NonZeroUsize,
        reach: Reach,
    ) -> Result<Self, TrainError> {
        let mut attempts = Attempts {
            closed_loop,
            parameters,
            training,
            isa,
            n_threads,
            tried: BTreeMap::new(),
            refused: BTreeMap::new(),
        };
        for exponent in EXPONENTS {
            attempts.add(exponent)?;
        }
        if reach == Reach::Few {
            return attempts.best();
        }
        let (mut least, mut most) = (*EXPONENTS.start(), *EXPONENTS.end());
        while least > *ALL_EXPONENTS.start() && attempts.is_ahead(least) {
            least -= 1;
            attempts.add(least)?;
        }
        while most < *ALL_EXPONENTS.end() && attempts.is_ahead(most) {
            most += 1;
            attempts.add(most)?;
        }
        attempts.best()
    }
}

/// The weights that were tried, by their exponents.
struct Attempts<'a> {
    closed_loop: &'a ClosedLoop,
    parameters: &'a [f64],
    training: &'a EpisodeSet,
    isa: Isa,
    n_threads: NonZeroUsize,
    tried: BTreeMap<i32, (Lqr, LqrTrial)>,
    refused: BTreeMap<i32, LqrError>,
}

impl Attempts<'_> {
    fn add(&mut self, exponent: i32) -> Result<(), TrainError> {
        let control_weight = weight(exponent);
        match Lqr::new(self.closed_loop, self.parameters, control_weight) {
            Ok(lqr) => {
                let n_threads = self.n_threads.get();
                let evaluation = self.closed_loop.evaluate(
                    self.isa,
                    &lqr.controller,
                    self.training,
                    n_threads,
                )?;
                let error =
                    if evaluation.error.is_nan() { f64::INFINITY } else { evaluation.error };
                let n_failed = evaluation.n_failed();
                self.tried.insert(exponent, (lqr, LqrTrial { control_weight, error, n_failed }));
            }
            Err(error) => {
                self.refused.insert(exponent, error);
            }
        }
        Ok(())
    }

    /// Whether a weight is better than all others, by more than what is alike.
    fn is_ahead(&self, exponent: i32) -> bool {
        let Some((_, trial)) = self.tried.get(&exponent) else { return false };
        let mut others = self.tried.iter().filter(|(other, _)| **other != exponent);
        trial.error.is_finite() && others.all(|(_, (_, other))| other.error > ALIKE * trial.error)
    }

    fn best(self) -> Result<LqrSweep, TrainError> {
        let closed_loop = self.closed_loop.clone();
        let trials: Vec<LqrTrial> = self.tried.values().map(|(_, trial)| *trial).collect();
        let weights = self.refused.keys().map(|exponent| weight(*exponent)).collect();
        let refused =
            self.refused.into_values().next().map(|reason| RefusedWeights { weights, reason });
        let lowest = trials.iter().fold(f64::INFINITY, |lowest, trial| lowest.min(trial.error));
        let chosen =
            self.tried.into_values().rev().find(|(_, trial)| trial.error <= ALIKE * lowest);
        match (chosen, refused) {
            (Some((lqr, best)), refused) => {
                Ok(LqrSweep { closed_loop, lqr, best, trials, refused })
            }
            (None, refused) => {
                Err(refused.expect("each weight gave gains or a refusal").reason.into())
            }
        }
    }
}

/// A power of ten, to the last bit.
fn weight(exponent: i32) -> f64 {
    format!("1e{exponent}").parse().expect("a number")
}
