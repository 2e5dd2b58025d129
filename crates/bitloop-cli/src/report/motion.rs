//! Records the episodes that a page plays.

use bitloop_look::{Film, Motion, MotionEpisode, RecordedEpisode, Thinned};
use bitloop_plant::Isa;
use bitloop_replay::{Replay, ReplayOutcome};
use bitloop_sim::{End, EpisodeEnd, Query, Recorder};
use bitloop_train::TrainError;
use std::sync::atomic::{AtomicBool, Ordering};

use super::choice::{Chosen, choose};
use crate::output::number::{error, plain};
use crate::plot::record::Source;
use crate::plot::scene::scene;
use crate::plot::signals::{Place, Signals};

/// The most episodes that a page has.
const MOST_EPISODES: usize = 8;

/// The most numbers of all episodes together, four bytes each: a page is to stay below 2 MB with its pictures.
const MOST_NUMBERS: usize = 280_000;

/// Numbers of a signal that is drawn over time.
const NUMBERS_OF_A_STRIP: usize = 1400;

/// The most samples that are kept at the beginning of an episode, and at its end.
const MOST_SAMPLES: usize = 4000;

/// Plays the worst episodes, the median and the best; nothing if it was interrupted.
pub fn motion(
    replay: &Replay,
    outcome: &ReplayOutcome,
    isa: Isa,
    interrupt: &AtomicBool,
) -> Result<Option<(Motion, Signals)>, TrainError> {
    let picture = replay.picture();
    let signals = Signals::of(replay, picture);
    let n_strips = signals.shown.iter().filter(|signal| signal.strip).count();
    let (strips, n_signals) = (n_strips * NUMBERS_OF_A_STRIP, signals.places.len());
    // At least 200 samples of each at both ends.
    let n_episodes = (MOST_NUMBERS / (strips + 500 * n_signals)).clamp(1, MOST_EPISODES);
    let left = (MOST_NUMBERS / n_episodes).saturating_sub(strips);
    // Beginning, end, and a quarter of that in the middle.
    let n_samples = (left * 4 / (9 * n_signals)).clamp(50, MOST_SAMPLES);
    let mut episodes = Vec::new();
    for chosen in choose(&outcome.evaluation.episodes, n_episodes) {
        if interrupt.load(Ordering::Relaxed) {
            return Ok(None);
        }
        let recorded = record(replay, outcome, isa, chosen, &signals, n_samples)?;
        episodes.push(MotionEpisode::from(recorded));
    }
    let step_s = replay.step_s();
    let motion = Motion {
        scene: picture.map(|picture| scene(picture, &signals)),
        horizon_s: replay.horizon_s(),
        step_s,
        query_s: step_s * replay.steps_per_query() as f64,
        signals: signals.shown.clone(),
        episodes,
    };
    Ok(Some((motion, signals)))
}

fn record(
    replay: &Replay,
    outcome: &ReplayOutcome,
    isa: Isa,
    chosen: Chosen,
    signals: &Signals,
    n_samples: usize,
) -> Result<RecordedEpisode, TrainError> {
    let index = outcome.indices[chosen.position];
    let result = outcome.evaluation.episodes[chosen.position];
    let bands = signals.shown.iter().map(|signal| {
        // Parts of the whole horizon, so that curves of episodes that end early end early.
        signal.strip.then(|| Thinned::new(replay.horizon_s()))
    });
    let mut recorder = MotionRecorder {
        places: &signals.places,
        step_s: replay.step_s(),
        film: Film::new(replay.n_queries(), n_samples),
        bands: bands.collect(),
        last: None,
    };
    replay.record(isa, index..index + 1, &mut recorder)?;
    let MotionRecorder { film, bands, .. } = recorder;
    let set = replay.draw(index..index + 1)?;
    let which =
        if chosen.which.is_empty() { String::new() } else { format!(" ({})", chosen.which) };
    let seconds = |tick: u64| plain(replay.decimal_seconds(tick));
    let end = match result.end {
        EpisodeEnd::Horizon => String::new(),
        EpisodeEnd::Failed { tick } => format!("failed at {} s", seconds(tick)),
        EpisodeEnd::Fault { tick } => format!("no finite state at {} s", seconds(tick)),
    };
    let ended = if end.is_empty() { String::new() } else { format!(", {end}") };
    let note = format!("Episode {index}, error {}{ended}.", error(result.error));
    Ok(RecordedEpisode {
        name: format!("{index}{which}: error {}{ended}", error(result.error)),
        end,
        note,
        parameters: set.parameters(0).clone(),
        film,
        bands,
    })
}

struct MotionRecorder<'a> {
    places: &'a [Place],
    step_s: f64,
    film: Film,
    bands: Vec<Option<Thinned>>,
    /// Tick, sum of costs and values at the query before.
    last: Option<(u64, f64, Vec<f64>)>,
}

impl MotionRecorder<'_> {
    fn add(&mut self, tick: u64, cost: f64, value: impl Fn(Source) -> Option<f64>) {
        let (ticks, costs) = match &self.last {
            Some((last, sum, _)) => (tick.saturating_sub(*last), cost - sum),
            None => (0, 0.0),
        };
        let values: Vec<f64> = self
            .places
            .iter()
            .enumerate()
            .map(|(at, place)| match *place {
                Place::Cost if ticks > 0 => costs / ticks as f64,
                Place::Cost => f64::NAN,
                // At the end, nothing is asked any more.
                Place::Loop(source) => value(source)
                    .or_else(|| self.last.as_ref().map(|last| last.2[at]))
                    .unwrap_or(f64::NAN),
            })
            .collect();
        for (band, &value) in self.bands.iter_mut().zip(&values) {
            if let Some(band) = band {
                band.add(tick as f64 * self.step_s, value);
            }
        }
        self.last = Some((tick, cost, values.clone()));
        self.film.add(tick, values);
    }
}

impl Recorder for MotionRecorder<'_> {
    fn query(&mut self, query: &Query<'_>) {
        // One episode alone, as long as it runs.
        if query.episodes.is_empty() {
            return;
        }
        self.add(query.tick, query.cost.row(0)[0], |source| Some(source.values(query)[0]));
    }

    fn end(&mut self, _episode: usize, end: &End<'_>) {
        self.add(end.tick, end.cost, |source| match source {
            Source::State(row) => Some(end.state[row]),
            Source::Observation(_) | Source::Control(_) => None,
        });
    }
}
