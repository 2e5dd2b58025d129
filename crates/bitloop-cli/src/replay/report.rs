//! What a replay came to, for people and for programs.

use bitloop_scenario::SavedController;
use bitloop_train::ReplayOutcome;
use serde::Serialize;

use crate::args::ReplayArgs;
use crate::output::number::{counted, error, plain, span, with_prefix};
use crate::output::table::Facts;

/// A finished replay.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was asked for.
    pub args: &'a ReplayArgs,
    /// The controller.
    pub controller: &'a SavedController,
    /// How it did.
    pub outcome: &'a ReplayOutcome,
    /// With `--fixed`, the mean error of the same episodes in double precision.
    pub double_error: Option<f64>,
}

/// The result as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct ReplayJson {
    mean_error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    double_mean_error: Option<f64>,
    max_error: f64,
    failed_episodes: usize,
    episodes: usize,
    horizon_s: f64,
    seed: u64,
    plant_steps: u64,
    wall_s: f64,
    trajectory_digest: Option<String>,
}

impl Report<'_> {
    /// For programs.
    pub fn json(&self) -> ReplayJson {
        let ReplayOutcome { evaluation, horizon_s, seed, trajectory_digest, wall_s } = self.outcome;
        ReplayJson {
            mean_error: evaluation.error,
            double_mean_error: self.double_error,
            max_error: evaluation.max_error(),
            failed_episodes: evaluation.n_failed(),
            episodes: evaluation.episodes.len(),
            horizon_s: *horizon_s,
            seed: *seed,
            plant_steps: evaluation.plant_steps,
            wall_s: *wall_s,
            trajectory_digest: trajectory_digest.clone(),
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        let ReplayOutcome { evaluation, horizon_s, seed, trajectory_digest, wall_s } = self.outcome;
        let mut facts = Facts::default();
        facts.add("mean error", format!("{}{}", error(evaluation.error), self.remark()));
        if let Some(double) = self.double_error {
            let cost = 100.0 * (evaluation.error / double - 1.0);
            let cost = if cost.is_finite() {
                format!("  (fixed point: {cost:+.3} %)")
            } else {
                String::new()
            };
            facts.add("in double precision", format!("{}{cost}", error(double)));
        }
        facts.add("max error", error(evaluation.max_error()));
        let n_episodes = evaluation.episodes.len();
        facts.add("failed episodes", format!("{} of {n_episodes}", evaluation.n_failed()));
        facts.add("plant steps", with_prefix(evaluation.plant_steps as f64));
        let rate = evaluation.plant_steps as f64 / wall_s.max(1e-9);
        facts.add("time", format!("{} ({} plant steps/s)", span(*wall_s), with_prefix(rate)));
        if let Some(digest) = trajectory_digest {
            facts.add("trajectories", digest.clone());
        }
        if let Some(csv) = &self.args.csv {
            facts.add("written to", csv.display().to_string());
        }
        format!(
            "replayed {} on {}: {} of {} s, seed {seed}\n{}",
            self.args.controller.display(),
            self.controller.plant.name,
            counted(n_episodes as u64, "episode"),
            plain(*horizon_s),
            facts.text(),
        )
    }

    /// Whether the test at the end of the training came out again, where that is what was run.
    fn remark(&self) -> &'static str {
        let ReplayArgs { scenario, episodes, horizon, seed, fixed, .. } = self.args;
        let is_the_test = !fixed
            && scenario.is_none()
            && episodes.is_none()
            && horizon.is_none()
            && seed.is_none();
        let Some(saved) = self.controller.errors.test.filter(|_| is_the_test) else { return "" };
        if saved.to_bits() == self.outcome.evaluation.error.to_bits() {
            "  (the test error of its training, to the last bit)"
        } else {
            "  (not the test error of its training: is this another version of the plant?)"
        }
    }
}
