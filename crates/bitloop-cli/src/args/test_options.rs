//! [`TestOptions`]: which test of a saved controller is run, and [`EpisodeCount`]: how much of it.

use std::path::{Path, PathBuf};

use bitloop_replay::ReplayOptions;
use bitloop_scenario::PlantChoice;
use clap::Args;
use serde::{Deserialize, Serialize};

use super::{
    number::{parse_seconds, whole},
    parse_plant,
    replay::MAX_EPISODES,
};

/// Which test of a saved controller is run, and what of it is changed.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
pub struct TestOptions {
    /// Scenario whose test to run, instead of the one that the controller was trained in
    #[arg(long, value_name = "FILE")]
    pub scenario: Option<PathBuf>,
    /// Length of an episode in seconds, instead of the test's
    #[arg(long, value_name = "S", value_parser = parse_seconds)]
    pub horizon: Option<f64>,
    /// Root of the random numbers of the episodes, instead of the scenario's
    #[arg(long, value_name = "N", value_parser = whole::<u64>(0..=u64::MAX))]
    pub seed: Option<u64>,
    /// Plant to use instead of the scenario's: a name, or the path of a library or FMU
    #[arg(long, value_name = "NAME|PATH", value_parser = parse_plant)]
    #[serde(default, with = "plant_text")]
    pub plant: Option<PlantChoice>,
    /// Run episodes of more than 1e9 integration steps, too, which are refused otherwise
    #[arg(long)]
    #[serde(default)]
    pub yes: bool,
}

/// How many episodes of a test are run.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
pub struct EpisodeCount {
    /// Number of episodes, instead of the test's
    #[arg(long, value_name = "N", value_parser = whole::<u32>(1..=MAX_EPISODES))]
    pub episodes: Option<u32>,
}

impl TestOptions {
    /// What a replay of so many episodes, instead of the test's, is asked for.
    pub fn replay(&self, n_episodes: Option<u32>) -> ReplayOptions {
        let TestOptions { horizon, seed, ref plant, yes, .. } = *self;
        ReplayOptions {
            plant: plant.clone(),
            n_episodes,
            horizon_s: horizon,
            seed,
            episode: None,
            allows_long: yes,
        }
    }

    /// The files that a test of these controllers reads: the controllers, and the scenario if one is named.
    pub fn files<'a>(&'a self, controllers: &'a [PathBuf]) -> Vec<&'a Path> {
        controllers.iter().map(PathBuf::as_path).chain(self.scenario.as_deref()).collect()
    }

    /// Leaves only names of the same files, and of plants.
    pub fn forget_folders(&mut self, controllers: &mut [PathBuf]) {
        for path in controllers.iter_mut().chain(&mut self.scenario) {
            if let Some(name) = path.file_name() {
                *path = PathBuf::from(name);
            }
        }
        if let Some(path) = self.plant.as_mut().and_then(PlantChoice::path_mut) {
            let name = Path::new(path).file_name().map(|name| name.to_string_lossy().into_owned());
            *path = name.unwrap_or_default();
        }
    }
}

/// A plant as it is written on the command line.
mod plant_text {
    use bitloop_scenario::PlantChoice;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error as _};

    use super::parse_plant;

    #[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
    pub fn serialize<S: Serializer>(plant: &Option<PlantChoice>, to: S) -> Result<S::Ok, S::Error> {
        plant.as_ref().map(PlantChoice::text).serialize(to)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        from: D,
    ) -> Result<Option<PlantChoice>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| parse_plant(&text)).transpose().map_err(D::Error::custom)
    }
}
