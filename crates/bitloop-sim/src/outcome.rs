//! The outcomes of an episode, of a set of them, and of a rollout under a bound.

use serde::{Deserialize, Serialize};

use crate::aggregate::Aggregate;
use crate::behavior::Behaviors;
use crate::quantile::{quantile, sorted};

/// How an episode ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum EpisodeEnd {
    /// It reached its horizon.
    Horizon,
    /// Its state was in the failure set after integration step `tick`.
    Failed {
        /// The integration step.
        tick: u64,
    },
    /// The plant gave a cost that is negative or NaN.
    Fault {
        /// The integration step.
        tick: u64,
    },
}

/// The outcome of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpisodeResult {
    /// Its error, infinite after a fault.
    pub error: f64,
    /// How it ended.
    pub end: EpisodeEnd,
}

/// An episode that was called off while it ran.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct UnfinishedEpisode {
    /// Its position in the set.
    pub position: usize,
    /// The integration step that it has reached.
    pub tick: u64,
    /// The mean of its stage costs so far; none during the transient.
    pub error: Option<f64>,
}

/// The outcome of a set of episodes that were all run to their end.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// The error of the set: the mean over the episodes, unless the set has another aggregate; infinite after a fault.
    pub error: f64,
    /// Episode by episode.
    pub episodes: Vec<EpisodeResult>,
    /// Integration steps taken, summed over episodes.
    pub plant_steps: u64,
    /// Their behavior, where it was observed.
    pub behaviors: Option<Behaviors>,
}

impl Evaluation {
    /// The outcome of these episodes, in order of their index, with their mean error; their behavior was not observed.
    #[must_use]
    pub fn of(episodes: Vec<EpisodeResult>, plant_steps: u64) -> Self {
        Self::aggregated(Aggregate::Mean, episodes, plant_steps)
    }

    /// The same with another aggregate of the errors.
    pub(crate) fn aggregated(
        aggregate: Aggregate,
        episodes: Vec<EpisodeResult>,
        plant_steps: u64,
    ) -> Self {
        Self {
            error: aggregate.of(episodes.iter().map(|episode| episode.error)),
            episodes,
            plant_steps,
            behaviors: None,
        }
    }

    /// An aggregate of the errors.
    #[must_use]
    pub fn aggregate(&self, aggregate: Aggregate) -> f64 {
        aggregate.of(self.episodes.iter().map(|episode| episode.error))
    }

    /// The mean error without penalties, where they make a difference and behavior was observed.
    #[must_use]
    pub fn own_error(&self) -> Option<f64> {
        let own = self.behaviors.as_ref().filter(|all| all.n_episodes() > 0)?.own_error();
        (own.to_bits() != self.error.to_bits()).then_some(own)
    }

    /// How many episodes did not reach their horizon.
    #[must_use]
    pub fn n_failed(&self) -> usize {
        n_failed(&self.episodes)
    }

    /// The position of the worst episode, the first of equals; none if there are no episodes.
    #[must_use]
    pub fn worst(&self) -> Option<usize> {
        let errors = self.episodes.iter().map(|episode| episode.error).enumerate();
        errors.reduce(|worst, next| if next.1 > worst.1 { next } else { worst }).map(|(at, _)| at)
    }

    /// Quantiles of the errors, see [`quantile`]; NaN if there are no episodes.
    #[must_use]
    pub fn quantiles<const N: usize>(&self, parts: [f64; N]) -> [f64; N] {
        let errors = sorted(self.episodes.iter().map(|episode| episode.error));
        parts.map(|part| quantile(&errors, part))
    }

    /// The error of the worst episode.
    #[must_use]
    pub fn max_error(&self) -> f64 {
        self.episodes.iter().map(|episode| episode.error).fold(0.0, f64::max)
    }
}

/// The outcome of a rollout under a bound.
#[derive(Clone, Copy, Debug, PartialEq)]
#[must_use]
pub enum Rollout {
    /// The error of the set, below the bound, exact to the bit.
    Below(f64),
    /// The error is not below the bound.
    NotBelow,
    /// Before that was certain, the plant broke, or gave a cost that is negative or NaN, or the error became infinite. The
    /// same for any number of threads.
    Faulty,
    /// The rollout was called off.
    CalledOff,
}

/// A rollout under a bound, with what is known of its episodes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct BoundedEvaluation {
    /// Its outcome.
    pub rollout: Rollout,
    /// How many episodes did not reach their horizon; known where the error is below the bound, so that all have ended.
    pub n_failed: Option<usize>,
    /// Integration steps taken, summed over episodes.
    pub plant_steps: u64,
}

impl BoundedEvaluation {
    /// A rollout whose episodes, where it is below its bound, came to these results.
    pub(crate) fn of(rollout: Rollout, episodes: &[EpisodeResult], plant_steps: u64) -> Self {
        let is_below = matches!(rollout, Rollout::Below(_));
        Self { rollout, n_failed: is_below.then(|| n_failed(episodes)), plant_steps }
    }
}

/// How many episodes did not reach their horizon.
#[must_use]
pub fn n_failed(episodes: &[EpisodeResult]) -> usize {
    episodes.iter().filter(|episode| episode.end != EpisodeEnd::Horizon).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(errors: &[f64]) -> Evaluation {
        let end = EpisodeEnd::Horizon;
        Evaluation::of(errors.iter().map(|&error| EpisodeResult { error, end }).collect(), 0)
    }

    #[test]
    fn quantiles_are_those_of_the_errors() {
        let ten = of(&[9.0, 1.0, 8.0, 2.0, 7.0, 3.0, 6.0, 4.0, 5.0, f64::INFINITY]);
        assert_eq!(ten.quantiles([0.0, 0.1, 0.5, 0.9]), [1.0, 1.9, 5.5, f64::INFINITY]);
        assert_eq!((ten.worst(), of(&[1.0, 3.0, 3.0]).worst()), (Some(9), Some(1)));
        assert!(of(&[]).quantiles([0.5])[0].is_nan());
        assert_eq!(of(&[]).worst(), None);
    }
}
