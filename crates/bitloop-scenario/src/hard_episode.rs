//! [`HardEpisode`]: an episode that is part of the training set as it is, and not drawn.

use std::collections::BTreeMap;

use bitloop_sim::Distribution;
use bitloop_text::{Checked, FileError, Problem, RawField};
use serde::{Deserialize, Serialize};

use crate::check::check_distributions;
use crate::distribution::{by_name, raw_field};
use crate::disturbance::Disturbance;
use crate::episodes::EpisodeSet;
use crate::plant_choice::PlantChoice;
use crate::scenario::{Scenario, default_seed};
use crate::scenario_file::ScenarioFile;
use crate::uncertainty::Uncertainty;

/// The most hard episodes of a scenario.
const MOST: usize = 10_000;

/// An episode with nothing left to be drawn but its noise, such as `bitloop worst` finds. It is as long as the other training
/// episodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HardEpisode {
    /// Where it starts, a number by name of the state. Default: the plant's start.
    #[serde(default, with = "by_name")]
    pub initial: BTreeMap<String, Distribution>,
    /// Plant parameters, a number by name. Default: the plant's.
    #[serde(default, with = "by_name")]
    pub parameters: BTreeMap<String, Distribution>,
    /// Its sensors, actuators and disturbances: those of the scenario, with a number for all that is drawn there. Default: none.
    #[serde(default, skip_serializing_if = "Uncertainty::is_none")]
    pub uncertainty: Uncertainty,
    /// Root of its noise. Default: 1.
    #[serde(default = "default_seed")]
    pub seed: u64,
}

impl HardEpisode {
    /// The fields whose values have several shapes.
    pub(crate) fn raw_fields() -> Vec<RawField> {
        let uncertain = Uncertainty::raw_fields().into_iter().map(|raw| raw.inside("uncertainty"));
        let named = ["initial.*", "parameters.*"].map(raw_field);
        uncertain.chain(named).map(|raw| raw.inside("*")).collect()
    }

    /// The test of a scenario, which must be one episode with nothing to be drawn.
    fn of_test(file: &ScenarioFile) -> Result<Self, FileError> {
        let Scenario { initial, parameters, uncertainty, seed, .. } = file.value.clone();
        let test = file.require_test()?;
        if test.count != 1 {
            let message =
                format!("its test has {} episodes, and a hard episode is one", test.count);
            return Err(file.error_at("episodes.test.count", message, HINT));
        }
        let episode = Self { initial, parameters, uncertainty, seed };
        episode.check(Some(test.horizon_s)).map_err(|problem| problem.place_in(&file.source))?;
        Ok(episode)
    }

    fn check(&self, longest_s: Option<f64>) -> Checked {
        check_distributions("initial", &self.initial)?;
        check_distributions("parameters", &self.parameters)?;
        self.uncertainty.check(longest_s)?;
        let in_file = |course: &Disturbance| matches!(course, Disturbance::Profile(profile) if profile.file.is_some());
        if let Some((path, _)) = self.uncertainty.courses().find(|(_, course)| in_file(course)) {
            let message = "a hard episode has its profiles in itself, and not in a file";
            let hint = "write its points in place of the file";
            return Err(Problem::new(&format!("uncertainty.{path}"), message, hint));
        }
        for (field, values) in [("initial", &self.initial), ("parameters", &self.parameters)] {
            if let Some((name, value)) = values.iter().find(|(_, value)| !is_fixed(value)) {
                return Err(Problem::in_map(field, name, drawn(value), HINT));
            }
        }
        match self.uncertainty.distributions().find(|(_, value)| !is_fixed(value)) {
            Some((path, value)) => {
                Err(Problem::new(&format!("uncertainty.{path}"), drawn(value), HINT))
            }
            None => Ok(()),
        }
    }
}

const HINT: &str = "name a file that `bitloop worst` has written";

fn is_fixed(distribution: &Distribution) -> bool {
    matches!(distribution, Distribution::Fixed(_))
}

fn drawn(distribution: &Distribution) -> String {
    format!("{distribution} is drawn, and a hard episode is fixed")
}

pub(crate) fn check(hard: &[HardEpisode], longest_s: Option<f64>) -> Checked {
    if hard.len() > MOST {
        let message = format!("{} hard episodes, more than {MOST}", hard.len());
        return Err(Problem::new("against", message, "keep the latest ones"));
    }
    for (index, episode) in hard.iter().enumerate() {
        let placed = |problem: Problem| problem.inside(&index.to_string()).inside("against");
        episode.check(longest_s).map_err(placed)?;
    }
    Ok(())
}

impl ScenarioFile {
    /// Adds the test of another scenario, which is one episode with nothing to be drawn, to the training episodes.
    ///
    /// # Errors
    /// At its place in the other file: a test of several episodes or of another length than the training's, a plant of another
    /// name, a value that is drawn.
    pub fn add_hard_episode(&mut self, other: &ScenarioFile) -> Result<(), FileError> {
        let mut other = other.clone();
        other.embed_profiles()?;
        let other = &other;
        let episode = HardEpisode::of_test(other)?;
        if let (PlantChoice::Named(own), PlantChoice::Named(theirs)) =
            (&self.value.plant, &other.value.plant)
            && own != theirs
        {
            let message = format!("its plant is `{theirs}`, and that of the training `{own}`");
            return Err(other.error_at("plant", message, "name an episode of the same plant"));
        }
        let horizon_s = other.require_test()?.horizon_s;
        if let Some(EpisodeSet { horizon_s: own_s, .. }) = self.value.episodes.training
            && own_s != horizon_s
        {
            let message =
                format!("the episode lasts {horizon_s} s, and those of the training {own_s} s");
            let hint =
                format!("search for one of that length, by `bitloop worst --horizon {own_s}`");
            return Err(other.error_at("episodes.test.horizon_s", message, hint));
        }
        self.value.against.push(episode);
        self.value.check().map_err(|problem| problem.place_in(&self.source))
    }
}
