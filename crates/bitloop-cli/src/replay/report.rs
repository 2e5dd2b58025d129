//! The report of a replay, for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use bitloop_replay::{Difference, Miss, Replay, ReplayOutcome, misses};
use bitloop_scenario::SavedController;
use bitloop_sim::{EpisodeEnd, Evaluation};
use bitloop_train::{BehaviorSummary, TrainError, WorstEpisode};
use serde::Serialize;

use super::episodes::{self, EpisodeJson};
use crate::args::{ReplayArgs, TestOptions};
use crate::behavior;
use crate::environment;
use crate::output::number::{counted, error, plain, span, with_prefix};
use crate::output::shell;
use crate::output::table::Facts;
use crate::output::target::is_stdout;

/// The most episodes that `--json` lists; more go to a file.
const MOST_LISTED: usize = 10_000;

/// Parts of the episodes of which the largest error is given.
const QUANTILES: [f64; 3] = [0.5, 0.9, 0.99];

/// A finished replay.
#[derive(Clone, Debug)]
pub struct Report<'a> {
    /// What was asked for.
    pub args: &'a ReplayArgs,
    /// The controller.
    pub controller: &'a SavedController,
    /// What was run.
    pub replay: &'a Replay,
    /// The result.
    pub outcome: &'a ReplayOutcome,
    /// The episode with the largest error.
    pub worst: Option<WorstEpisode>,
    /// With `--fixed`, the mean error of the same episodes in double precision.
    pub double_error: Option<f64>,
}

/// The result as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct ReplayJson {
    mean_error: f64,
    /// Without penalties, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    mean_own_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_mean_error: Option<f64>,
    max_error: f64,
    /// The index of the first episode with the largest error.
    worst_episode: Option<usize>,
    error_quantiles: QuantilesJson,
    failed_episodes: usize,
    episodes: usize,
    /// Whether it was interrupted, so that this is the result of the first of them.
    part: bool,
    unfinished_episodes: usize,
    unfinished_time_s: Option<f64>,
    unfinished_error: Option<f64>,
    horizon_s: f64,
    seed: u64,
    plant_steps: u64,
    wall_s: f64,
    trajectory_digest: Option<String>,
    /// Whether the error is that of the test at the end of the training, where that test is what was run.
    is_training_test_error: Option<bool>,
    differences: Vec<DifferenceJson>,
    /// Nothing without criteria, and for a part.
    passed: Option<bool>,
    missed: Vec<MissJson>,
    /// The worst episode's start and drawn parameters, and the command that replays it alone.
    worst: Option<WorstJson>,
    behavior: Option<BehaviorSummary>,
    /// Nothing for more than 10 000 episodes.
    episode_results: Option<Vec<EpisodeJson>>,
}

/// The episode with the largest error.
#[derive(Debug, Serialize)]
struct WorstJson {
    #[serde(flatten)]
    episode: WorstEpisode,
    command: String,
}

/// Quantiles of the errors of episodes.
#[derive(Debug, Serialize)]
pub struct QuantilesJson {
    median: f64,
    p90: f64,
    p99: f64,
}

impl QuantilesJson {
    /// Those of an evaluation.
    pub fn of(evaluation: &Evaluation) -> Self {
        let [median, p90, p99] = evaluation.quantiles(QUANTILES);
        Self { median, p90, p99 }
    }
}

/// A criterion that is missed.
#[derive(Debug, Serialize)]
pub struct MissJson {
    figure: &'static str,
    limit: f64,
    found: f64,
}

impl From<&Miss> for MissJson {
    fn from(&Miss { figure, limit, found }: &Miss) -> Self {
        Self { figure, limit, found }
    }
}

/// Criteria that are missed, in words.
pub fn misses_in_words(misses: &[Miss]) -> String {
    let words = misses.iter().map(|Miss { figure, limit, found }| {
        let found = match *figure {
            "settling_s" if *found == f64::INFINITY => "without end".to_owned(),
            // A count is no error.
            "failed" => plain(*found),
            _ => error(*found),
        };
        format!("{figure} {found}, at most {} passes", plain(*limit))
    });
    words.collect::<Vec<_>>().join("; ")
}

#[derive(Debug, Serialize)]
struct DifferenceJson {
    what: String,
    training: String,
    replay: String,
}

impl From<&Difference> for DifferenceJson {
    fn from(difference: &Difference) -> Self {
        let Difference { what, training, replay } = difference.clone();
        Self { what, training, replay }
    }
}

impl Report<'_> {
    /// For programs.
    pub fn json(&self) -> Result<ReplayJson, TrainError> {
        let ReplayOutcome { evaluation, horizon_s, seed, trajectory_digest, wall_s, .. } =
            self.outcome;
        let (unfinished_time_s, unfinished_error) = self.unfinished();
        let is_listed = evaluation.episodes.len() <= MOST_LISTED;
        let episode_results =
            is_listed.then(|| episodes::json(self.replay, self.outcome)).transpose()?;
        Ok(ReplayJson {
            mean_error: evaluation.error,
            mean_own_error: evaluation.own_error(),
            double_mean_error: self.double_error,
            max_error: evaluation.max_error(),
            worst_episode: self.worst(),
            worst: self.worst.clone().map(|episode| WorstJson {
                command: format!("{} --episode {}", self.command(), episode.episode),
                episode,
            }),
            error_quantiles: QuantilesJson::of(evaluation),
            behavior: self.outcome.behavior(self.replay.plant()),
            failed_episodes: evaluation.n_failed(),
            episodes: evaluation.episodes.len(),
            part: self.outcome.is_part(),
            unfinished_episodes: self.outcome.unfinished.len(),
            unfinished_time_s,
            unfinished_error,
            horizon_s: *horizon_s,
            seed: *seed,
            plant_steps: evaluation.plant_steps,
            wall_s: *wall_s,
            trajectory_digest: trajectory_digest.clone(),
            is_training_test_error: self.is_training_test_error(),
            differences: self.replay.differences().iter().map(Into::into).collect(),
            passed: self.passed(),
            missed: self.misses().iter().map(Into::into).collect(),
            episode_results,
        })
    }

    /// What was found, line by line.
    pub fn facts(&self) -> Facts {
        let ReplayOutcome { evaluation, trajectory_digest, wall_s, .. } = self.outcome;
        let n_episodes = evaluation.episodes.len();
        let mut facts = Facts::default();
        if self.outcome.is_part() {
            facts.add("interrupted", self.interruption());
        }
        if n_episodes > 0 {
            facts.add("mean error", format!("{}{}", error(evaluation.error), self.remark()));
            if let Some(own) = evaluation.own_error() {
                behavior::add_own_error(&mut facts, own, evaluation.error);
            }
            if let Some(double) = self.double_error {
                let cost = 100.0 * (evaluation.error / double - 1.0);
                let cost = if cost.is_finite() {
                    format!("  (fixed point: {cost:+.3} %)")
                } else {
                    String::new()
                };
                facts.add("in double precision", format!("{}{cost}", error(double)));
            }
            let [median, p90, p99] = evaluation.quantiles(QUANTILES).map(error);
            if n_episodes > 1 {
                facts.add("quantiles", format!("median {median}, 90 % {p90}, 99 % {p99}"));
            }
            facts.add("max error", format!("{}{}", error(evaluation.max_error()), self.which()));
            facts.add("failed episodes", self.failures());
        }
        if let Some(behaviors) = &evaluation.behaviors {
            let (plant, worst) = (self.replay.plant(), self.worst.as_ref());
            behavior::add(&mut facts, plant, behaviors, worst, &self.command());
        }
        match self.passed() {
            None => {}
            Some(true) => facts.add("verdict", "pass"),
            Some(false) => {
                facts.add("verdict", format!("MISSED: {}", misses_in_words(&self.misses())));
            }
        }
        facts.add("plant steps", with_prefix(evaluation.plant_steps as f64));
        let rate = evaluation.plant_steps as f64 / wall_s.max(1e-9);
        facts.add("time", format!("{} ({} plant steps/s)", span(*wall_s), with_prefix(rate)));
        if let Some(digest) = trajectory_digest {
            facts.add("trajectories", digest.clone());
        }
        for Difference { what, training, replay } in self.replay.differences() {
            facts.add("not as trained", format!("{what}: {replay} here, {training} in training"));
        }
        let each = if self.args.per_episode { ", a file for each episode" } else { "" };
        let written = [(self.args.trajectories(), each), (self.args.episodes_csv.as_deref(), "")];
        for (path, each) in written {
            if let Some(path) = path.filter(|path| !is_stdout(path)) {
                facts.add("written to", format!("{}{each}", path.display()));
            }
        }
        facts
    }

    /// For people.
    pub fn text(&self) -> String {
        let ReplayOutcome { horizon_s, seed, .. } = self.outcome;
        let what = match self.args.episode {
            Some(episode) => format!("episode {episode}"),
            None => counted(self.outcome.n_episodes as u64, "episode"),
        };
        format!(
            "replayed {} on {}: {what} of {} s, seed {seed}\n{}",
            self.args.controller.display(),
            self.controller.plant.name,
            plain(*horizon_s),
            self.facts().text(),
        )
    }

    /// The command of this replay, without what it writes.
    pub fn command(&self) -> String {
        let (program, controller) = (environment::program(), &self.args.controller);
        format!("{program} replay {}{}", shell::quoted(controller), self.options())
    }

    /// The options of this command.
    pub fn options(&self) -> String {
        let ReplayArgs { test, count, fixed, .. } = self.args;
        let TestOptions { scenario, horizon, seed, plant, yes } = test;
        let mut options = String::new();
        let plant = plant.as_ref().map(|plant| plant.text().to_owned());
        let scenario = scenario.as_ref().map(|path| path.display().to_string());
        for (option, value) in [
            ("scenario", scenario),
            ("plant", plant),
            ("episodes", count.episodes.map(|n| n.to_string())),
            ("horizon", horizon.map(|seconds| seconds.to_string())),
            ("seed", seed.map(|seed| seed.to_string())),
        ] {
            if let Some(value) = value {
                // Writing to a string cannot fail.
                let _ = write!(options, " --{option} {}", shell::quoted(Path::new(&value)));
            }
        }
        options + if *yes { " --yes" } else { "" } + if *fixed { " --fixed" } else { "" }
    }

    /// A warning where the replay should have given the error that is stored in the controller, and did not.
    pub fn warning(&self) -> Option<String> {
        (self.is_training_test_error() == Some(false)).then(|| {
            "warning: this is not the test error of the controller's training: another version of the plant?"
                .to_owned()
        })
    }

    /// The criteria that are missed; a part of a replay has no verdict.
    pub fn misses(&self) -> Vec<Miss> {
        let pass = self.args.pass.filter(|_| !self.outcome.is_part());
        pass.map(|pass| misses(&pass, &self.outcome.evaluation)).unwrap_or_default()
    }

    fn passed(&self) -> Option<bool> {
        let has_verdict = self.args.pass.is_some() && !self.outcome.is_part();
        has_verdict.then(|| self.misses().is_empty())
    }

    /// The index of the worst episode.
    fn worst(&self) -> Option<usize> {
        self.outcome.evaluation.worst().map(|position| self.outcome.indices[position])
    }

    /// Which episode is the worst, and when it ended if it failed.
    fn which(&self) -> String {
        let evaluation = &self.outcome.evaluation;
        let Some(position) = evaluation.worst().filter(|_| evaluation.episodes.len() > 1) else {
            return String::new();
        };
        let end = self.failed_after(position);
        let end = end.map_or(String::new(), |end| format!(", which failed after {end}"));
        format!("  (episode {}{end})", self.outcome.indices[position])
    }

    /// The time at which an episode failed, if it did.
    fn failed_after(&self, position: usize) -> Option<String> {
        match self.outcome.evaluation.episodes[position].end {
            EpisodeEnd::Horizon => None,
            EpisodeEnd::Failed { tick } | EpisodeEnd::Fault { tick } => {
                Some(format!("{} s", plain(self.replay.decimal_seconds(tick))))
            }
        }
    }

    /// How many episodes failed, and when if there is one episode alone.
    fn failures(&self) -> String {
        let evaluation = &self.outcome.evaluation;
        let n_episodes = evaluation.episodes.len();
        let alone = if n_episodes == 1 { self.failed_after(0) } else { None };
        let alone = alone.map_or(String::new(), |end| format!("  (after {end})"));
        format!("{} of {n_episodes}{alone}", evaluation.n_failed())
    }

    /// The least time that the unfinished episodes have reached, and their mean error so far.
    fn unfinished(&self) -> (Option<f64>, Option<f64>) {
        let unfinished = &self.outcome.unfinished;
        let time_s = unfinished.iter().map(|episode| episode.time_s).reduce(f64::min);
        let errors = unfinished.iter().map(|episode| episode.error).collect::<Option<Vec<_>>>();
        let mean = |errors: Vec<f64>| errors.iter().sum::<f64>() / errors.len() as f64;
        (time_s, errors.filter(|errors| !errors.is_empty()).map(mean))
    }

    /// What is known of a replay that was interrupted.
    fn interruption(&self) -> String {
        let ReplayOutcome { indices, unfinished, n_episodes, .. } = self.outcome;
        let ended = format!("{} of {n_episodes} episodes have ended", indices.len());
        let (Some(time_s), so_far) = self.unfinished() else { return ended };
        let so_far = so_far
            .map_or(String::new(), |so_far| format!(", with a mean error of {}", error(so_far)));
        let n_more = unfinished.len();
        format!("{ended}; {n_more} more had run at least {} s{so_far}", plain(time_s))
    }

    /// Whether the error is that of the test at the end of the training; nothing if something else was run.
    fn is_training_test_error(&self) -> Option<bool> {
        let ReplayArgs { test, count, episode, fixed, .. } = self.args;
        let TestOptions { scenario, horizon, seed, .. } = test;
        let is_the_test = !fixed
            && scenario.is_none()
            && count.episodes.is_none()
            && horizon.is_none()
            && seed.is_none()
            && episode.is_none()
            && !self.outcome.is_part();
        let saved = self.controller.errors.test.filter(|_| is_the_test)?;
        Some(saved.to_bits() == self.outcome.evaluation.error.to_bits())
    }

    fn remark(&self) -> &'static str {
        match self.is_training_test_error() {
            None => "",
            Some(true) => "  (the test error of its training, to the last bit)",
            Some(false) => {
                "  (not the test error of its training: is this another version of the plant?)"
            }
        }
    }
}
