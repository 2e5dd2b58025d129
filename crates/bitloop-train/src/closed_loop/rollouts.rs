//! [`Rollouts`]: evaluations of networks in closed loop, wherever the plant runs.

use std::fmt;
use std::sync::Arc;

use bitloop_blm::{Probe, ProbeControl};
use bitloop_net::Network;
use bitloop_plant::Isa;
use bitloop_sim::{
    BoundedEvaluation, ClosedLoop, Evaluation, NetworkController, Rollout, WorkQueue, Workspace,
};

use super::episode_sets::{EpisodeSets, Stage};
use crate::error::TrainError;
use crate::execution::Scoring;
use crate::score::{BoundedScore, SetName, WorkCounter};

/// Evaluations of a training's networks over its episodes: in this process ([`LocalRollouts`]), or in processes of their
/// own.
pub trait Rollouts: fmt::Debug + Send + Sync {
    /// The working memory of one probe at a time.
    type Workspace: Send;

    /// Working memory for one thread.
    fn workspace(&self) -> Self::Workspace;

    /// Err of `weights: [n_weights]` over the training episodes of `stage`, or not below the bound of `control`. A plant that
    /// breaks, or gives a cost that is negative or not finite, makes the candidate faulty.
    ///
    /// # Errors
    /// If the plant can no longer be run.
    fn probe(
        &self,
        isa: Isa,
        stage: usize,
        weights: &[f64],
        control: ProbeControl<'_>,
        workspace: &mut Self::Workspace,
        work: &WorkCounter,
    ) -> Result<Probe, TrainError>;

    /// Runs weights over a set in full, without a bound; on the test, their behavior is observed. None if it is called off.
    ///
    /// # Errors
    /// If the plant breaks, or can no longer be run.
    fn evaluate(
        &self,
        weights: &[f64],
        set: SetName,
        scoring: Scoring<'_>,
    ) -> Result<Option<Evaluation>, TrainError>;

    /// The error of weights on a set if it is below a bound, as [`Task::error_below`](crate::Task::error_below) has it; the
    /// default runs all episodes to their ends.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    fn error_below(
        &self,
        weights: &[f64],
        set: SetName,
        bound: f64,
        scoring: Scoring<'_>,
    ) -> Result<BoundedScore, TrainError> {
        let evaluation = self.evaluate(weights, set, scoring)?;
        Ok(BoundedScore::of(evaluation.map(|whole| (whole.error, whole.n_failed())), bound))
    }

    /// The first bad value of weights on the training episodes: a broken plant, a negative cost, a number that is not
    /// finite; in words. Nothing where there is none.
    fn diagnose(&self, isa: Isa, weights: &[f64]) -> Option<String>;

    /// Whether probes can be divided among threads. The default is false.
    fn divides_probes(&self) -> bool {
        false
    }

    /// Runs some episodes of a probe of another thread, if any are waiting; returns whether it did.
    fn help(
        &self,
        isa: Isa,
        stage: usize,
        workspace: &mut Self::Workspace,
        work: &WorkCounter,
    ) -> bool {
        let _ = (isa, stage, workspace, work);
        false
    }
}

/// Rollouts in this process.
#[derive(Debug)]
pub struct LocalRollouts {
    /// The closed loop.
    pub closed_loop: ClosedLoop,
    /// The controller's network.
    pub network: Network,
    /// The episodes.
    pub sets: Arc<EpisodeSets>,
    /// Episodes of probes that wait for an idle thread.
    queue: WorkQueue,
}

impl LocalRollouts {
    /// Rollouts of a network over episodes.
    pub fn new(closed_loop: ClosedLoop, network: Network, sets: Arc<EpisodeSets>) -> Self {
        Self { closed_loop, network, sets, queue: WorkQueue::default() }
    }
}

impl LocalRollouts {
    /// Does something with a stage, of whichever draw; see [`Task::n_stages`](crate::Task::n_stages).
    fn in_stage<T>(&self, stage: usize, run: impl FnOnce(&Stage) -> T) -> Result<T, TrainError> {
        let first = &self.sets.stages;
        if let Some(stage) = first.get(stage) {
            return Ok(run(stage));
        }
        let stages = self.sets.training.of_draw((stage / first.len()) as u64)?;
        Ok(run(&stages[stage % first.len()]))
    }
}

impl Rollouts for LocalRollouts {
    type Workspace = Workspace;

    fn workspace(&self) -> Workspace {
        let weights = vec![0.0; self.network.n_weights()];
        let controller = NetworkController { network: &self.network, weights: &weights };
        Workspace::new(&self.closed_loop, &controller, self.sets.full().n_episodes())
    }

    fn probe(
        &self,
        isa: Isa,
        stage: usize,
        weights: &[f64],
        control: ProbeControl<'_>,
        workspace: &mut Workspace,
        work: &WorkCounter,
    ) -> Result<Probe, TrainError> {
        let controller = NetworkController { network: &self.network, weights };
        let queue = Some(&self.queue);
        let rollout = self.in_stage(stage, |Stage { closed_loop, episodes }| {
            closed_loop.probe(isa, &controller, episodes, workspace, control, queue)
        })?;
        work.add(std::mem::take(&mut workspace.plant_steps));
        Ok(probe_of(rollout))
    }

    fn evaluate(
        &self,
        weights: &[f64],
        set: SetName,
        scoring: Scoring<'_>,
    ) -> Result<Option<Evaluation>, TrainError> {
        let Scoring { isa, n_threads, work, stop } = scoring;
        let controller = NetworkController { network: &self.network, weights };
        let (closed_loop, episodes) = (&self.closed_loop, self.sets.named(set));
        let (n_threads, control) =
            (n_threads.get(), ProbeControl::alone(f64::INFINITY).stopped_by(stop));
        let evaluation = match set {
            SetName::Test => {
                closed_loop.observe_until(isa, &controller, episodes, n_threads, control)?
            }
            _ => closed_loop.evaluate_until(isa, &controller, episodes, n_threads, control)?,
        };
        work.add(evaluation.as_ref().map_or(0, |evaluation| evaluation.plant_steps));
        Ok(evaluation)
    }

    fn error_below(
        &self,
        weights: &[f64],
        set: SetName,
        bound: f64,
        scoring: Scoring<'_>,
    ) -> Result<BoundedScore, TrainError> {
        let Scoring { isa, n_threads, work, stop } = scoring;
        let controller = NetworkController { network: &self.network, weights };
        let control = ProbeControl::alone(bound).stopped_by(stop);
        let (episodes, n_threads) = (self.sets.named(set), n_threads.get());
        let BoundedEvaluation { rollout, n_failed, plant_steps } =
            self.closed_loop.probe_on_threads(isa, &controller, episodes, n_threads, control)?;
        work.add(plant_steps);
        if rollout == Rollout::Faulty {
            // Says what broke, if a plant did.
            self.evaluate(weights, set, scoring)?;
        }
        Ok(BoundedScore { probe: probe_of(rollout), n_failed })
    }

    fn diagnose(&self, isa: Isa, weights: &[f64]) -> Option<String> {
        let controller = NetworkController { network: &self.network, weights };
        let control = ProbeControl::alone(f64::INFINITY);
        let fault = self.closed_loop.diagnose(isa, &controller, self.sets.full(), control);
        fault.map(|fault| fault.to_string())
    }

    fn divides_probes(&self) -> bool {
        true
    }

    fn help(&self, isa: Isa, stage: usize, workspace: &mut Workspace, work: &WorkCounter) -> bool {
        let Some(task) = self.queue.take() else { return false };
        let weights = task.controller_parameters();
        let controller = NetworkController { network: &self.network, weights };
        let ran = self.in_stage(stage, |Stage { closed_loop, episodes }| {
            closed_loop.run_task(isa, &controller, episodes, workspace, &task);
        });
        // The task was not begun: its probe takes it back.
        if ran.is_err() {
            return false;
        }
        work.add(std::mem::take(&mut workspace.plant_steps));
        true
    }
}

const fn probe_of(rollout: Rollout) -> Probe {
    match rollout {
        Rollout::Below(cost) => Probe::Below(cost),
        Rollout::NotBelow => Probe::NotBelow,
        Rollout::Faulty => Probe::Faulty,
        Rollout::CalledOff => Probe::CalledOff,
    }
}
