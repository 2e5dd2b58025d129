//! Pictures of closed loops: the test of a saved controller is run again.

use std::ops::Range;

use bitloop_look::{ErrorPoint, PhaseEpisode, Picture, Signal};
use bitloop_plant::{Description, Isa};
use bitloop_replay::{Replay, ReplayExecution, ReplayOutcome};
use bitloop_scenario::suggestion;
use bitloop_sim::{Distribution, EpisodeSet, Figure, Recorder};
use bitloop_train::TrainError;

use super::drawn;
use super::record::{PathRecorder, Recorded, SignalRecorder, Source, empty, sources};
use crate::args::PlotArgs;
use crate::environment;
use crate::failure::Failure;
use crate::output::number;
use crate::test_inputs::TestInputs;

/// The most episodes of a picture, each of which may have a mark.
const MOST_EPISODES: u32 = 100_000;

/// Episodes that are run side by side.
const AT_ONCE: usize = 64;

/// Episodes whose paths are drawn: more than these cannot be told apart.
const MOST_PATHS: usize = 5;

/// A horizon that shows how a loop settles, over the time that this takes.
const SHOWN_AFTER: f64 = 4.0;

/// A part of an episode is small where the whole is so many times as long.
const SMALL_PART: f64 = 10.0;

/// Queries of an episode beyond which not all points of a path are kept.
const MOST_QUERIES: f64 = 20_000.0;

/// A test that is made ready, and how its episodes end.
pub struct Test {
    isa: Isa,
    replay: Replay,
    outcome: ReplayOutcome,
    /// The episode that is shown.
    shown: usize,
}

impl Test {
    /// Runs the test that a picture is of.
    pub fn run(args: &PlotArgs) -> Result<Self, Failure> {
        let inputs = TestInputs::read(&args.source, &args.test, "plot")?;
        let isa = inputs.isa;
        if args.count.episodes.is_some_and(|n| n > MOST_EPISODES) {
            return Err(Failure::Usage {
                message: format!("a picture has at most {MOST_EPISODES} episodes"),
                hint: Some("--episodes 1000 shows as much".to_owned()),
            });
        }
        let failed = |error| Failure::of_training(&args.source, error);
        let replay = inputs.replay(args.test.replay(args.count.episodes))?;
        let n_threads = environment::n_cores().get();
        let execution = ReplayExecution {
            has_digest: false,
            has_behavior: args.kind.is_over_time(),
            ..ReplayExecution::new(isa, n_threads)
        };
        let outcome = replay.run_watched(execution, &mut |_| {}).map_err(|error| match error {
            bitloop_replay::ReplayError::Train(error) => failed(error),
            bitloop_replay::ReplayError::Trajectories(error) => Failure::output(&args.out, &error),
        })?;
        let n_episodes = replay.n_episodes();
        let shown = match args.episode {
            Some(episode) if episode >= n_episodes => {
                return Err(Failure::Usage {
                    message: format!("--episode {episode}: the last one is {}", n_episodes - 1),
                    hint: Some("name an earlier one, or ask for more with --episodes".to_owned()),
                });
            }
            Some(episode) => episode,
            None => outcome.evaluation.worst().unwrap_or(0),
        };
        Ok(Self { isa, replay, outcome, shown })
    }

    /// A test that was run already; the worst episode is shown.
    pub fn of(isa: Isa, replay: Replay, outcome: ReplayOutcome) -> Self {
        let shown = outcome.evaluation.worst().unwrap_or(0);
        Self { isa, replay, outcome, shown }
    }

    /// What was run.
    pub const fn replay(&self) -> &Replay {
        &self.replay
    }

    /// Which horizon shows how the loop settles, in words, where that is a small part of an episode.
    pub fn settling_part(&self) -> Option<String> {
        let behaviors = self.outcome.evaluation.behaviors.as_ref()?;
        let settles_s = behaviors.summary(Figure::SettlingTime, 0)?.median;
        let test = self.replay.test();
        let part_s = rounded_up(SHOWN_AFTER * settles_s.max(test.transient_s))?;
        let n_queries = part_s / self.replay.closed_loop().timing().sample_time_s();
        let is_whole = (n_queries - n_queries.round()).abs() < 1e-6;
        let is_small = part_s * SMALL_PART <= test.horizon_s;
        (is_small && is_whole && n_queries >= 1.0).then(|| {
            format!(
                "note: half of the episodes settle within {} s of {} s; `--horizon {}` draws that part",
                number::plain((1e4 * settles_s).round() / 1e4),
                number::plain(test.horizon_s),
                number::plain(part_s),
            )
        })
    }

    /// Shows the episode that is shown, alone, to a recorder.
    pub fn record_shown(
        &self,
        args: &PlotArgs,
        recorder: &mut dyn Recorder,
    ) -> Result<(), Failure> {
        self.record(args, self.shown..self.shown + 1, recorder)
    }

    /// The episode that is shown, drawn again.
    pub fn shown_set(&self, args: &PlotArgs) -> Result<EpisodeSet, Failure> {
        let set = self.replay.draw(self.shown..self.shown + 1);
        set.map_err(|error| Failure::of_training(&args.source, error))
    }

    fn plant(&self) -> &Description {
        self.replay.plant()
    }

    /// What the picture is of.
    pub fn title(&self, args: &PlotArgs) -> String {
        let name = args.source.file_name().unwrap_or_default().to_string_lossy();
        format!("{name} on {}", self.plant().name)
    }

    /// Shows some episodes to a recorder.
    fn record(
        &self,
        args: &PlotArgs,
        episodes: Range<usize>,
        recorder: &mut dyn Recorder,
    ) -> Result<(), Failure> {
        let recorded = self.replay.record(self.isa, episodes, recorder);
        recorded.map_err(|error| Failure::of_training(&args.source, error))
    }

    /// Signals of the episode that is shown; with their range over all episodes where that is asked for.
    fn signals(
        &self,
        args: &PlotArgs,
        sources: &[Source],
        has_all: bool,
    ) -> Result<Vec<Signal>, Failure> {
        let mut signals: Vec<Recorded> =
            sources.iter().map(|&source| empty(&self.replay, source, has_all)).collect();
        let episodes = if has_all { self.replay.indices() } else { self.shown..self.shown + 1 };
        for first in episodes.clone().step_by(AT_ONCE) {
            let part = first..(first + AT_ONCE).min(episodes.end);
            let shown = part.contains(&self.shown).then(|| self.shown - first);
            let step_s = self.replay.step_s();
            let mut recorder = SignalRecorder { signals: &mut signals, step_s, shown };
            self.record(args, part, &mut recorder)?;
        }
        Ok(signals.into_iter().map(Recorded::finished).collect())
    }

    /// The names of the episode that is shown and of all.
    pub fn names(&self) -> (String, String) {
        let n_episodes = self.replay.n_episodes();
        let which = if self.outcome.evaluation.worst() == Some(self.shown) && n_episodes > 1 {
            ", the worst"
        } else {
            ""
        };
        (format!("episode {}{which}", self.shown), format!("range of all {n_episodes}"))
    }

    /// All signals over time.
    pub fn trajectory(&self, args: &PlotArgs) -> Result<Picture, Failure> {
        let has_all = self.replay.n_episodes() > 1;
        let signals = self.signals(args, &sources(&self.replay), has_all)?;
        let (episode, all) = self.names();
        drawn(args, bitloop_look::signals(&self.title(args), &episode, &all, &signals))
    }

    /// Controls over time.
    pub fn control(&self, args: &PlotArgs) -> Result<Picture, Failure> {
        let controls: Vec<Source> = (0..self.plant().controls.len()).map(Source::Control).collect();
        let signals = self.signals(args, &controls, false)?;
        let (episode, all) = self.names();
        drawn(args, bitloop_look::signals(&self.title(args), &episode, &all, &signals))
    }

    /// Two states against each other.
    pub fn phase(&self, args: &PlotArgs) -> Result<Picture, Failure> {
        let plant = self.plant();
        let names: Vec<&str> = plant.states.iter().map(|state| state.name.as_str()).collect();
        let position = |option: &str, name: &Option<String>, usual: usize| match name {
            None => Ok(usual),
            Some(name) => {
                names.iter().position(|other| other == name).ok_or_else(|| Failure::Usage {
                    message: format!("--{option} {name}: plant `{}` has no such state", plant.name),
                    hint: Some(suggestion(name, &names, "it has")),
                })
            }
        };
        let (x, y) = usual_plane(&names);
        let states = (position("x", &args.x, x)?, position("y", &args.y, y)?);
        let shown = match args.episode {
            Some(episode) => episode..episode + 1,
            None => 0..self.replay.n_episodes().min(MOST_PATHS),
        };
        let n_queries =
            self.replay.horizon_s() / (self.replay.step_s() * self.replay.steps_per_query() as f64);
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at least 1")]
        let every = (n_queries / MOST_QUERIES).ceil().max(1.0) as u64;
        let paths = vec![Vec::new(); shown.len()];
        let mut recorder = PathRecorder { states, paths, every, n_queries: 0 };
        self.record(args, shown.clone(), &mut recorder)?;
        let episodes: Vec<PhaseEpisode> = shown
            .zip(recorder.paths)
            .map(|(index, points)| PhaseEpisode { name: format!("episode {index}"), points })
            .collect();
        let of =
            |state: usize| (plant.states[state].name.as_str(), plant.states[state].unit.as_str());
        let title = self.title(args);
        drawn(args, bitloop_look::phase(&title, of(states.0), of(states.1), &episodes))
    }

    /// Errors over where episodes start.
    pub fn error_map(&self, args: &PlotArgs) -> Result<Picture, Failure> {
        let plant = self.plant();
        let axes = axes(self, args)?;
        let mut points = Vec::new();
        let (indices, results) = (&self.outcome.indices, &self.outcome.evaluation.episodes);
        for (part, results) in indices.chunks(AT_ONCE).zip(results.chunks(AT_ONCE)) {
            let failed = |error: TrainError| Failure::of_training(&args.source, error);
            let set = self.replay.draw(part[0]..part[0] + part.len()).map_err(failed)?;
            for (position, result) in results.iter().enumerate() {
                let value = |axis: StartAxis| match axis {
                    StartAxis::State(at) => set.start(position)[at],
                    StartAxis::Parameter(at) => set.parameters(position)[at],
                };
                let y = axes.1.map_or(0.0, value);
                points.push(ErrorPoint { x: value(axes.0), y, error: result.error });
            }
        }
        let of = |axis: StartAxis| match axis {
            StartAxis::State(at) => {
                (plant.states[at].name.as_str(), plant.states[at].unit.as_str())
            }
            StartAxis::Parameter(at) => {
                (plant.parameters[at].name.as_str(), plant.parameters[at].unit.as_str())
            }
        };
        drawn(args, bitloop_look::error_map(&self.title(args), of(axes.0), axes.1.map(of), &points))
    }
}

/// The last state with a derivative beside it, by its name, and that derivative; or else the first two states.
fn usual_plane(names: &[&str]) -> (usize, usize) {
    let derivative = |name: &str| {
        let candidates = [format!("{name}_dot"), format!("d{name}"), format!("{name}_rate")];
        names.iter().position(|other| candidates.iter().any(|candidate| candidate == other))
    };
    let mut pairs = names.iter().enumerate().filter_map(|(at, name)| Some((at, derivative(name)?)));
    pairs.next_back().unwrap_or((0, 1.min(names.len().saturating_sub(1))))
}

/// Something that is drawn at random at the start of an episode.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum StartAxis {
    State(usize),
    Parameter(usize),
}

/// What the axes of an error map are: as named, or else the first two that are drawn at random; one, if there is no more.
fn axes(test: &Test, args: &PlotArgs) -> Result<(StartAxis, Option<StartAxis>), Failure> {
    let plant = test.plant();
    let is_drawn = |values: &Distribution| !matches!(values, Distribution::Fixed(_));
    let states = test.replay.initial().iter().enumerate().filter(|(_, values)| is_drawn(values));
    let parameters =
        test.replay.parameters().iter().enumerate().filter(|(_, values)| is_drawn(values));
    let drawn: Vec<(StartAxis, &str)> = states
        .map(|(at, _)| (StartAxis::State(at), plant.states[at].name.as_str()))
        .chain(
            parameters
                .map(|(at, _)| (StartAxis::Parameter(at), plant.parameters[at].name.as_str())),
        )
        .collect();
    let names: Vec<&str> = drawn.iter().map(|one| one.1).collect();
    let named = |option: &str, name: &Option<String>, usual: usize| match name {
        Some(name) => {
            drawn.iter().find(|one| one.1 == name).map(|one| one.0).ok_or_else(|| Failure::Usage {
                message: format!("--{option} {name}: nothing of this name is drawn at random"),
                hint: Some(suggestion(name, &names, "there are")),
            })
        }
        None => match drawn.get(usual) {
            Some(one) => Ok(one.0),
            None => Err(Failure::Usage {
                message: "all episodes start in the same state, with the same parameters"
                    .to_owned(),
                hint: Some("name a test that draws them, with --scenario".to_owned()),
            }),
        },
    };
    let x = named("x", &args.x, 0)?;
    let y = drawn.iter().position(|one| one.0 != x);
    let y = match (&args.y, y) {
        (None, None) => None,
        (_, usual) => Some(named("y", &args.y, usual.unwrap_or(0))?),
    };
    Ok((x, y))
}

/// The next of 0.001, 0.002, 0.005, 0.01, ..., 5e8, if there is one.
fn rounded_up(value: f64) -> Option<f64> {
    let steps = (-3..9).flat_map(|power| [1, 2, 5].map(|step| format!("{step}e{power}")));
    // Read as text, so that each is the number that is printed.
    steps.filter_map(|text| text.parse().ok()).find(|rounded| *rounded >= value)
}
