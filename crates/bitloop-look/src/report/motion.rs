//! [`Motion`]: the episodes that a page plays.

use serde::Serialize;

use super::film::Film;
use super::scene::Scene;
use super::track::Track;
use crate::thin::Thinned;

/// Episodes of a closed loop.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Motion {
    /// The plant's picture; a bar for each state without.
    pub scene: Option<Scene>,
    /// Length of an episode in seconds.
    pub horizon_s: f64,
    /// Seconds from one tick to the next.
    pub step_s: f64,
    /// Seconds from one query to the next.
    pub query_s: f64,
    /// What each episode has.
    pub signals: Vec<MotionSignal>,
    /// The one that is shown first comes first.
    pub episodes: Vec<MotionEpisode>,
}

/// A signal.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionSignal {
    /// Its name.
    pub name: String,
    /// Its unit, or nothing.
    pub unit: String,
    /// What it is.
    pub kind: SignalKind,
    /// Whether it is drawn over time; others only move the picture.
    pub strip: bool,
    /// Whether a value is held until the next one.
    pub held: bool,
    /// Whether jumps over more than half its range are turns, such as those of an angle.
    pub wraps: bool,
    /// Limits that are drawn.
    pub limits: Vec<f64>,
}

/// What a signal is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalKind {
    /// A state of the plant.
    State,
    /// What the controller sees.
    Observation,
    /// What the controller commands.
    Control,
    /// What is minimized.
    Cost,
}

/// An episode as the page has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MotionEpisode {
    name: String,
    end: String,
    note: String,
    parameters: Vec<f64>,
    runs: Vec<(u64, u64, u64)>,
    tracks: Vec<Track>,
    /// Of each signal that is drawn over time, its extremes in each part of the time.
    bands: Vec<Option<Track>>,
}

/// An episode as it was recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct RecordedEpisode {
    /// Its name in the list of episodes.
    pub name: String,
    /// How it ended, where that is not at the horizon.
    pub end: String,
    /// The text below the player.
    pub note: String,
    /// Parameters of the plant in this episode.
    pub parameters: Vec<f64>,
    /// All signals, for the picture.
    pub film: Film,
    /// The same, thinned, of those that are drawn over time.
    pub bands: Vec<Option<Thinned>>,
}

impl From<RecordedEpisode> for MotionEpisode {
    fn from(recorded: RecordedEpisode) -> Self {
        let RecordedEpisode { name, end, mut note, parameters, film, bands } = recorded;
        if film.is_thinned() {
            note.push_str(" Long: the beginning and the end move smoothly, the middle in steps.");
        }
        let track = |signal| Track::of(&film.signal(signal));
        Self {
            name,
            end,
            note,
            parameters,
            runs: film.runs(),
            tracks: (0..bands.len()).map(track).collect(),
            bands: bands
                .iter()
                .map(|band| band.as_ref().map(|band| Track::of(&band.extremes())))
                .collect(),
        }
    }
}

impl MotionEpisode {
    /// Bytes that it takes in the page, about.
    #[must_use]
    pub fn n_bytes(&self) -> usize {
        let bands = self.bands.iter().flatten();
        self.tracks.iter().chain(bands).map(Track::n_bytes).sum()
    }
}
