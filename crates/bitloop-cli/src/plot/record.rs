//! Recorders of what is drawn of a closed loop.

use bitloop_look::{Signal, Thinned};
use bitloop_replay::Replay;
use bitloop_sim::{End, EpisodeEnd, Query, Recorder};

/// Where the values of a signal are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    State(usize),
    Observation(usize),
    Control(usize),
}

/// A signal with its place.
#[derive(Clone, Debug)]
pub struct Recorded {
    pub source: Source,
    signal: Signal,
    /// The last values of episodes that fail, most of them between two queries, when the others have no sample.
    ends: Thinned,
}

impl Recorded {
    /// The signal, with its range up to the end of each episode.
    pub fn finished(mut self) -> Signal {
        if let Some(all) = &mut self.signal.all {
            all.add_ends(&self.ends);
        }
        self.signal
    }
}

impl Source {
    /// Its values in a query, of all lanes.
    pub fn values<'a>(self, query: &'a Query<'_>) -> &'a [f64] {
        match self {
            Self::State(row) => query.state.row(row),
            Self::Observation(row) => query.observation.row(row),
            Self::Control(row) => query.control.row(row),
        }
    }
}

/// All signals of a replay: states, the observations that are shown beside them, controls.
pub fn sources(replay: &Replay) -> Vec<Source> {
    let plant = replay.plant();
    let observations =
        replay.shown_observations().into_iter().map(|(at, _)| Source::Observation(at));
    let (states, controls) = (0..plant.states.len(), 0..plant.controls.len());
    states.map(Source::State).chain(observations).chain(controls.map(Source::Control)).collect()
}

/// Signals of one episode, and their range over all.
pub struct SignalRecorder<'a> {
    pub signals: &'a mut [Recorded],
    pub step_s: f64,
    /// The position of the one episode among those of the block, if it is one of them.
    pub shown: Option<usize>,
}

impl Recorder for SignalRecorder<'_> {
    fn query(&mut self, query: &Query<'_>) {
        let time_s = query.tick as f64 * self.step_s;
        for Recorded { source, signal, .. } in &mut *self.signals {
            let values = source.values(query);
            for (&episode, &value) in query.episodes.iter().zip(values) {
                if let Some(all) = &mut signal.all {
                    all.add(time_s, value);
                }
                if Some(episode) == self.shown {
                    signal.episode.add(time_s, value);
                }
            }
        }
    }

    fn end(&mut self, episode: usize, end: &End<'_>) {
        let time_s = end.tick as f64 * self.step_s;
        for Recorded { source, signal, ends } in &mut *self.signals {
            let Source::State(row) = *source else { continue };
            match &mut signal.all {
                Some(all) if end.result.end == EpisodeEnd::Horizon => {
                    all.add(time_s, end.state[row]);
                }
                Some(_) => ends.add(time_s, end.state[row]),
                None => {}
            }
            if Some(episode) == self.shown {
                signal.episode.add(time_s, end.state[row]);
            }
        }
    }
}

/// A signal that has no samples yet.
pub fn empty(replay: &Replay, source: Source, has_all: bool) -> Recorded {
    let (plant, horizon_s) = (replay.plant(), replay.horizon_s());
    let (variable, bounds) = match source {
        Source::State(at) => (&plant.states[at], Vec::new()),
        Source::Observation(at) => (&plant.observations[at], Vec::new()),
        Source::Control(at) => {
            let control = &plant.controls[at];
            (control, vec![control.min, control.max])
        }
    };
    let is_source = |(at, _): &(usize, String)| source == Source::Observation(*at);
    let shown = replay.shown_observations().into_iter().find(is_source);
    let signal = Signal {
        name: shown.map_or_else(|| variable.name.clone(), |(_, name)| name),
        unit: variable.unit.clone(),
        episode: Thinned::new(horizon_s),
        all: has_all.then(|| Thinned::new(horizon_s)),
        is_held: matches!(source, Source::Control(_)),
        bounds,
    };
    Recorded { source, signal, ends: Thinned::new(horizon_s) }
}

/// Paths of episodes in the plane of two states.
pub struct PathRecorder {
    pub states: (usize, usize),
    pub paths: Vec<Vec<(f64, f64)>>,
    /// Queries from one point to the next.
    pub every: u64,
    pub n_queries: u64,
}

impl Recorder for PathRecorder {
    fn query(&mut self, query: &Query<'_>) {
        self.n_queries += 1;
        if !(self.n_queries - 1).is_multiple_of(self.every) {
            return;
        }
        let (xs, ys) = (query.state.row(self.states.0), query.state.row(self.states.1));
        for ((&episode, &x), &y) in query.episodes.iter().zip(xs).zip(ys) {
            self.paths[episode].push((x, y));
        }
    }

    fn end(&mut self, episode: usize, end: &End<'_>) {
        self.paths[episode].push((end.state[self.states.0], end.state[self.states.1]));
    }
}
