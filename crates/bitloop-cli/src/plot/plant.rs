//! The plant at some moments of an episode, as its own picture says.

use bitloop_look::{Moment, Picture, still};
use bitloop_replay::Replay;
use bitloop_sim::{End, Query, Recorder};

use super::drawn;
use super::loops::Test;
use super::record::Source;
use super::scene::scene;
use super::signals::{Place, Signals};
use crate::args::PlotArgs;
use crate::failure::Failure;
use crate::output::number::plain;

/// The most moments of a picture.
const MOST_MOMENTS: usize = 60;

/// Parts of the episode at which it is shown, unless moments are named: most happens at the beginning.
const USUAL_PARTS: [f64; 6] = [0.0, 0.005, 0.01, 0.02, 0.05, 1.0];

/// The picture.
pub fn plant(args: &PlotArgs, test: &Test) -> Result<Picture, Failure> {
    let replay = test.replay();
    let Some(picture) = replay.picture() else {
        return Err(Failure::NothingFound {
            message: format!("plant `{}` does not say what it looks like", replay.plant().name),
            hint: Some("`bitloop plot trajectory` draws its states".to_owned()),
        });
    };
    let times = times(args, replay)?;
    let signals = Signals::of(replay, Some(picture));
    let mut recorder = MomentRecorder {
        places: &signals.places,
        step_s: replay.step_s(),
        times: &times,
        found: Vec::new(),
    };
    test.record_shown(args, &mut recorder)?;
    let set = test.shown_set(args)?;
    let moments = recorder.found.into_iter().map(|(time_s, values)| Moment {
        caption: format!("{} s", plain((1e6 * time_s).round() / 1e6)),
        signals: values,
        parameters: set.parameters(0),
    });
    let moments: Vec<Moment> = moments.collect();
    let (episode, _) = test.names();
    drawn(args, still(&test.title(args), &episode, &scene(picture, &signals), &moments))
}

/// When the plant is shown, in seconds.
fn times(args: &PlotArgs, replay: &Replay) -> Result<Vec<f64>, Failure> {
    let refused =
        |message: String, hint: &str| Err(Failure::Usage { message, hint: Some(hint.to_owned()) });
    let horizon_s = replay.horizon_s();
    if args.times.is_empty() {
        return Ok(USUAL_PARTS.map(|part| part * horizon_s).to_vec());
    }
    if let Some(time) = args.times.iter().find(|time| !(0.0..=horizon_s).contains(*time)) {
        let message = format!("--times {time}: an episode lasts from 0 to {} s", plain(horizon_s));
        return refused(message, "name earlier moments, or a longer --horizon");
    }
    if args.times.len() > MOST_MOMENTS {
        return refused(format!("a picture has at most {MOST_MOMENTS} moments"), "name fewer");
    }
    let mut times = args.times.clone();
    times.sort_by(f64::total_cmp);
    Ok(times)
}

/// Keeps the first query at or after each moment.
struct MomentRecorder<'a> {
    places: &'a [Place],
    step_s: f64,
    times: &'a [f64],
    found: Vec<(f64, Vec<f64>)>,
}

impl MomentRecorder<'_> {
    fn add(&mut self, tick: u64, value: impl Fn(Source) -> Option<f64>) {
        let time_s = tick as f64 * self.step_s;
        while let Some(&wanted) = self.times.get(self.found.len()) {
            if time_s < wanted - 0.5 * self.step_s {
                return;
            }
            let last = self.found.last().map(|last| last.1.clone());
            let of = |(at, place): (usize, &Place)| match *place {
                Place::Cost => f64::NAN,
                // At the end, nothing is asked any more.
                Place::Loop(source) => {
                    value(source).or_else(|| last.as_ref().map(|last| last[at])).unwrap_or(f64::NAN)
                }
            };
            let values = self.places.iter().enumerate().map(of).collect();
            self.found.push((time_s, values));
        }
    }
}

impl Recorder for MomentRecorder<'_> {
    fn query(&mut self, query: &Query<'_>) {
        if query.episodes.is_empty() {
            return;
        }
        self.add(query.tick, |source| Some(source.values(query)[0]));
    }

    fn end(&mut self, _episode: usize, end: &End<'_>) {
        self.add(end.tick, |source| match source {
            Source::State(row) => Some(end.state[row]),
            Source::Observation(_) | Source::Control(_) => None,
        });
    }
}
