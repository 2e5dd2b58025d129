//! The hard episodes of a scenario, as the closed loop takes them.

use std::collections::BTreeMap;

use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{EpisodeSet as Lengths, FileError, HardEpisode, ScenarioFile};
use bitloop_sim::{Distribution, EpisodeSet, FixedEpisode};

use super::setup::{ClosedLoopSetup, distributions, of_episodes};
use super::uncertainty::Given;
use crate::error::TrainError;

/// The key of the noise of an episode that is the only one of its test, where nothing else is drawn.
#[must_use]
pub fn only_noise_key(seed: u64) -> [u64; 2] {
    let mut stream = Stream::new(seed, Purpose::TestEpisodes, 0, 0);
    [stream.next_u64(), stream.next_u64()]
}

/// The training episodes with the hard ones after them.
///
/// # Errors
/// A name or a value that the plant does not have, or sensors, actuators or disturbances that are not those of the scenario, at
/// the place in the file.
pub(super) fn with_hard_episodes(
    setup: &ClosedLoopSetup,
    file: &ScenarioFile,
    training: EpisodeSet,
    lengths: Lengths,
) -> Result<EpisodeSet, TrainError> {
    let hard = &file.value.against;
    if hard.is_empty() {
        return Ok(training);
    }
    let mut episodes: Vec<FixedEpisode> =
        (0..training.n_episodes()).map(|position| training.fixed(position)).collect();
    for (index, episode) in hard.iter().enumerate() {
        episodes.push(fixed(setup, file, index, episode)?);
    }
    let (horizon_s, transient_s) = (lengths.horizon_s, lengths.transient_s);
    EpisodeSet::of(&setup.closed_loop, &episodes, horizon_s, transient_s)
        .map_err(|error| of_episodes(file, "training", error))
}

fn fixed(
    setup: &ClosedLoopSetup,
    file: &ScenarioFile,
    index: usize,
    episode: &HardEpisode,
) -> Result<FixedEpisode, FileError> {
    let path = format!("against.{index}");
    let closed_loop = &setup.closed_loop;
    let plant = closed_loop.plant().description();
    let states = plant.states.iter().map(|it| (it.name.as_str(), it.default, (it.min, it.max)));
    let parameters = plant.parameters.iter();
    let parameters = parameters.map(|it| (it.name.as_str(), it.default, (it.min, it.max)));
    let own = closed_loop.uncertainty();
    let at = format!("{path}.uncertainty");
    let given = Given { file, path: &at, closed_loop }.all(&episode.uncertainty)?;
    let given = given.with_lags_as(own);
    if !given.is_one_of(own) {
        let message = "its sensors, actuators or disturbances are others than those of the scenario, or a delay is longer than any there";
        let hint = "search for the episode again, in this scenario; only what is drawn may differ";
        return Err(file.error_at(&at, message, hint));
    }
    let values = |kind, field: &str, given, variables: &[Bounded<'_>]| {
        values(file, &plant.name, (kind, &format!("{path}.{field}")), given, variables)
    };
    Ok(FixedEpisode {
        initial: values("state", "initial", &episode.initial, &states.collect::<Vec<_>>())?,
        parameters: {
            let parameters: Vec<_> = parameters.collect();
            values("parameter", "parameters", &episode.parameters, &parameters)?
        },
        uncertain: given.distributions().map(Distribution::middle).collect(),
        noise_key: only_noise_key(episode.seed),
    })
}

/// A variable: its name, its default and its bounds.
type Bounded<'a> = (&'a str, f64, (f64, f64));

/// A value for each variable, within its bounds: the given one, or the plant's default.
fn values(
    file: &ScenarioFile,
    plant: &str,
    (kind, path): (&str, &str),
    given: &BTreeMap<String, Distribution>,
    variables: &[Bounded<'_>],
) -> Result<Vec<f64>, FileError> {
    let defaults = variables.iter().map(|(name, default, _)| (*name, *default));
    let given = distributions(file, path, plant, kind, given, defaults)?;
    let value = |((name, _, (min, max)), value): (&Bounded<'_>, Distribution)| {
        let value = value.middle();
        if *min <= value && value <= *max {
            return Ok(value);
        }
        let message = format!("{value:?} leaves the bounds of the plant, from {min:?} to {max:?}");
        Err(file.error_at(&format!("{path}.{name}"), message, "change this value"))
    };
    variables.iter().zip(given).map(value).collect()
}
