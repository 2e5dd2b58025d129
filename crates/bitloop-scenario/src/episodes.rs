//! How many episodes, how long, for each of the four sets.
//!
//! Owns the rules by which one set's settings follow from another's, so that a scenario need say
//! only what differs. They are applied while reading: [`Episodes`] always holds complete sets.

use serde::{Deserialize, Serialize};

/// Default number of episodes in a set.
const DEFAULT_COUNT: u32 = 50;

/// Default number of confirmation episodes: a failure rate of 2 % shows in 98 of 100 trainings, where 50 episodes would
/// miss it in 36.
const CONFIRMATION_COUNT: u32 = 200;

/// Default length of a test episode, in training horizons.
const TEST_HORIZONS: f64 = 10.0;

/// One set of episodes, all of the same length. Each set draws from its own random stream.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EpisodeSet {
    /// Number of episodes. Default: 50.
    #[serde(default = "default_count")]
    pub count: u32,
    /// Length in seconds.
    pub horizon_s: f64,
    /// Seconds at the start which do not count into the error, less than the horizon. Default: 0.
    #[serde(default)]
    pub transient_s: f64,
}

impl EpisodeSet {
    /// The number of episodes where none is given.
    pub(crate) const DEFAULT_COUNT: u32 = DEFAULT_COUNT;
}

fn default_count() -> u32 {
    DEFAULT_COUNT
}

/// The four sets. A set is missing only if there is no set whose length it could take.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "EpisodesInFile")]
pub struct Episodes {
    /// What the search minimizes over.
    pub training: Option<EpisodeSet>,
    /// What picks the best controller of a search. Default: like training.
    pub validation: Option<EpisodeSet>,
    /// What must agree before a target counts as met. Default: 200 episodes like those of the test.
    pub confirmation: Option<EpisodeSet>,
    /// What is reported in the end, used once. Default: 50 episodes, ten times as long as in training,
    /// with its transient.
    pub test: Option<EpisodeSet>,
}

/// The sets as the file gives them.
#[derive(Deserialize)]
#[serde(rename = "Episodes", deny_unknown_fields)]
struct EpisodesInFile {
    #[serde(default)]
    training: Option<EpisodeSet>,
    #[serde(default)]
    validation: Option<SetInFile>,
    #[serde(default)]
    confirmation: Option<SetInFile>,
    #[serde(default)]
    test: Option<SetInFile>,
}

/// A set of which only the differences are given.
#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename = "EpisodeSet", deny_unknown_fields)]
struct SetInFile {
    #[serde(default)]
    count: Option<u32>,
    #[serde(default)]
    horizon_s: Option<f64>,
    #[serde(default)]
    transient_s: Option<f64>,
}

impl SetInFile {
    fn over(self, defaults: Option<EpisodeSet>) -> Option<EpisodeSet> {
        Some(EpisodeSet {
            count: self.count.or(defaults.map(|set| set.count)).unwrap_or(DEFAULT_COUNT),
            horizon_s: self.horizon_s.or(defaults.map(|set| set.horizon_s))?,
            transient_s: self.transient_s.or(defaults.map(|set| set.transient_s)).unwrap_or(0.0),
        })
    }
}

impl Episodes {
    /// The length of the longest episode of all sets, if there are any.
    #[must_use]
    pub fn longest_s(&self) -> Option<f64> {
        let sets = [self.training, self.validation, self.confirmation, self.test];
        sets.into_iter().flatten().map(|set| set.horizon_s).max_by(f64::total_cmp)
    }
}

impl TryFrom<EpisodesInFile> for Episodes {
    type Error = String;

    fn try_from(file: EpisodesInFile) -> Result<Self, String> {
        let training = file.training;
        let long = training.map(|set| EpisodeSet {
            count: DEFAULT_COUNT,
            horizon_s: TEST_HORIZONS * set.horizon_s,
            transient_s: set.transient_s,
        });
        let test = file.test.unwrap_or_default().over(long);
        let like_test = test.map(|set| EpisodeSet { count: CONFIRMATION_COUNT, ..set });
        let validation = file.validation.unwrap_or_default().over(training);
        let confirmation = file.confirmation.unwrap_or_default().over(like_test);
        let said_but_unknown = [
            ("validation", file.validation.is_some() && validation.is_none()),
            ("confirmation", file.confirmation.is_some() && confirmation.is_none()),
            ("test", file.test.is_some() && test.is_none()),
        ];
        match said_but_unknown.iter().find(|(_, unknown)| *unknown) {
            Some((name, _)) => Err(format!(
                "the {name} episodes have no `horizon_s`, and no training episodes to take it from"
            )),
            None => Ok(Episodes { training, validation, confirmation, test }),
        }
    }
}
