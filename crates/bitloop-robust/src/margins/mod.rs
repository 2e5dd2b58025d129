//! [`Sweep`]: the results of a controller under growing levels of one source, and the margin that follows.
//!
//! A margin is the largest level tried without a failure in so many episodes, and all levels below it had none either. It is
//! what was seen, and never a bound that is proved.

mod source;

use bitloop_campaign::wilson;
use bitloop_host::Registry;
use bitloop_replay::{Replay, ReplayOptions};
use bitloop_scenario::{ControllerFile, ScenarioFile};
use bitloop_sim::EpisodeEnd;
use serde::{Deserialize, Serialize};

pub use source::Source;

use crate::error::RobustError;
use crate::tested::{LinearLoop, Running, Tested};

/// The test that sources are added to.
#[derive(Debug)]
pub struct Margins<'a> {
    /// The controller.
    pub controller: &'a ControllerFile,
    /// What is changed of its test.
    pub options: ReplayOptions,
    /// The plants.
    pub registry: &'a Registry,
    /// An episode with a larger error than this counts as failed, too.
    pub limit: Option<f64>,
    /// What is tested in the place of the saved controller.
    pub linear: Option<&'a LinearLoop>,
}

/// A level of a source, and the results of its episodes.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Level {
    /// The level.
    pub level: f64,
    /// Episodes that failed.
    pub n_failed: usize,
    /// Episodes in all.
    pub n_episodes: usize,
    /// The 95 % interval of the probability that an episode fails, after Wilson.
    pub interval: [f64; 2],
    /// The mean error.
    pub error: f64,
}

/// All levels of a source that were tried.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sweep {
    /// The source.
    pub source: Source,
    /// In order, up to the first at which at least half of the episodes failed.
    pub levels: Vec<Level>,
    /// Whether there are more levels, which the plant cannot have.
    pub ends_at_bounds: bool,
}

impl Sweep {
    /// The largest level tried without a failure, with none below it; none if the first failed.
    #[must_use]
    pub fn margin(&self) -> Option<f64> {
        let sound = self.levels.iter().take_while(|level| level.n_failed == 0);
        sound.last().map(|level| level.level)
    }

    /// The first level with a failure.
    #[must_use]
    pub fn first_failure(&self) -> Option<Level> {
        self.levels.iter().find(|level| level.n_failed > 0).copied()
    }
}

impl Margins<'_> {
    /// The test of a scenario, or else of the one that the controller was trained in.
    ///
    /// # Errors
    /// If the controller does not fit its scenario.
    pub fn test(&self, scenario: Option<&ScenarioFile>) -> Result<Tested, RobustError> {
        let options = self.options.clone();
        let tested = Tested::of(Replay::new(self.controller, scenario, options, self.registry)?);
        match self.linear {
            None => Ok(tested),
            Some(linear) => tested.with_linear(linear),
        }
    }

    /// The test without any source; none if it is called off.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn baseline(
        &self,
        nominal: &Tested,
        running: Running<'_>,
    ) -> Result<Option<Level>, RobustError> {
        self.level(nominal, 0.0, running)
    }

    /// Tries the levels of a source; none if they are called off.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn sweep(
        &self,
        nominal: &Tested,
        source: &Source,
        running: Running<'_>,
    ) -> Result<Option<Sweep>, RobustError> {
        let mut sweep = Sweep { source: source.clone(), levels: Vec::new(), ends_at_bounds: false };
        for level in source.levels(nominal) {
            let Some(scenario) = source.applied(level, nominal) else {
                sweep.ends_at_bounds = true;
                break;
            };
            let text = nominal.replay().scenario().source.clone();
            let Ok(scenario) = ScenarioFile::inside(scenario, text) else {
                sweep.ends_at_bounds = true;
                break;
            };
            let tested = self.test(Some(&scenario))?;
            let Some(level) = self.level(&tested, level, running)? else { return Ok(None) };
            sweep.levels.push(level);
            if 2 * level.n_failed >= level.n_episodes {
                break;
            }
        }
        Ok(Some(sweep))
    }

    fn level(
        &self,
        tested: &Tested,
        level: f64,
        running: Running<'_>,
    ) -> Result<Option<Level>, RobustError> {
        let set = tested.replay().draw(tested.replay().indices())?;
        let Some(evaluation) = tested.run(&set, running, false)? else { return Ok(None) };
        let limit = self.limit.unwrap_or(f64::INFINITY);
        let failed = evaluation
            .episodes
            .iter()
            .filter(|episode| episode.end != EpisodeEnd::Horizon || episode.error > limit);
        let (n_failed, n_episodes) = (failed.count(), evaluation.episodes.len());
        let interval = wilson(n_failed, n_episodes);
        Ok(Some(Level { level, n_failed, n_episodes, interval, error: evaluation.error }))
    }
}
