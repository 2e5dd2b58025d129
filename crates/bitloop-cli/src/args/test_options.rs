//! [`TestOptions`]: which test of a saved controller is run, and [`EpisodeCount`]: how much of it.

use std::path::PathBuf;

use bitloop_scenario::PlantChoice;
use bitloop_train::ReplayOptions;
use clap::Args;

use super::{parse_plant, parse_seconds, replay::MAX_EPISODES};

/// Which test of a saved controller is run, and what of it is changed.
#[derive(Clone, Debug, Default, Args)]
pub struct TestOptions {
    /// Scenario whose test to run, instead of the one that the controller was trained in
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Length of an episode in seconds, instead of the test's
    #[arg(long, value_name = "S", value_parser = parse_seconds, allow_negative_numbers = true)]
    pub horizon: Option<f64>,
    /// Root of the random numbers of the episodes, instead of the scenario's
    #[arg(long, value_name = "N")]
    pub seed: Option<u64>,
    /// Plant to use instead of the scenario's: a name, or the path of a library
    #[arg(long, value_name = "NAME|PATH", value_parser = parse_plant)]
    pub plant: Option<PlantChoice>,
}

/// How many episodes of a test are run.
#[derive(Clone, Debug, Default, Args)]
pub struct EpisodeCount {
    /// Number of episodes, instead of the test's
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=MAX_EPISODES))]
    pub episodes: Option<u32>,
}

impl TestOptions {
    /// What a replay of so many episodes, instead of the test's, is asked for.
    pub fn replay(&self, n_episodes: Option<u32>) -> ReplayOptions {
        let TestOptions { horizon, seed, ref plant, .. } = *self;
        ReplayOptions { plant: plant.clone(), n_episodes, horizon_s: horizon, seed, episode: None }
    }
}
