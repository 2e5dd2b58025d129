//! [`Rollouts`]: evaluations of networks in closed loop, wherever the plant runs.

use std::fmt;

use bitloop_blm::{Idle, Probe};
use bitloop_net::Network;
use bitloop_plant::Isa;
use bitloop_sim::{ClosedLoop, Evaluation, Interest, NetworkController, Rollout, Workspace};

use super::episode_sets::EpisodeSets;
use super::exchange::{Exchange, Offer};
use crate::error::TrainError;
use crate::task::{SetName, WorkCounter};

/// Evaluations of a training's networks over its episodes: in this process ([`LocalRollouts`]), or in processes of their
/// own.
pub trait Rollouts: fmt::Debug + Send + Sync {
    /// The working memory of one probe at a time.
    type Workspace: Send;

    /// Working memory for one thread.
    fn workspace(&self) -> Self::Workspace;

    /// Err of `weights: [n_weights]` over the training episodes of `stage`, or not below `bound`. A plant that breaks, or
    /// gives a cost that is negative or not finite, makes the candidate worst: not below.
    ///
    /// # Errors
    /// If the plant can no longer be run.
    #[expect(clippy::too_many_arguments, reason = "all that a probe depends on")]
    fn probe(
        &self,
        isa: Isa,
        stage: usize,
        weights: &[f64],
        bound: f64,
        interest: &impl Interest,
        workspace: &mut Self::Workspace,
        work: &WorkCounter,
    ) -> Result<Probe, TrainError>;

    /// Runs weights over a set in full, without a bound.
    ///
    /// # Errors
    /// If the plant breaks, or can no longer be run.
    fn evaluate(
        &self,
        isa: Isa,
        weights: &[f64],
        set: SetName,
        n_threads: usize,
    ) -> Result<Evaluation, TrainError>;

    /// Lends an idle thread to the probes of others, until `idle` is over. Where probes cannot be divided, returns at
    /// once; the default does.
    fn help(
        &self,
        isa: Isa,
        stage: usize,
        exchange: &Exchange,
        idle: Idle<'_>,
        workspace: &mut Self::Workspace,
        work: &WorkCounter,
    ) {
        let _ = (isa, stage, exchange, idle, workspace, work);
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
    pub sets: EpisodeSets,
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
        bound: f64,
        interest: &impl Interest,
        workspace: &mut Workspace,
        work: &WorkCounter,
    ) -> Result<Probe, TrainError> {
        let controller = NetworkController { network: &self.network, weights };
        let set = &self.sets.stages[stage];
        let rollout = self.closed_loop.probe(isa, &controller, set, workspace, bound, interest);
        count(workspace, work);
        Ok(match rollout {
            Rollout::Below(cost) => Probe::Below(cost),
            Rollout::NotBelow => Probe::NotBelow,
        })
    }

    fn evaluate(
        &self,
        isa: Isa,
        weights: &[f64],
        set: SetName,
        n_threads: usize,
    ) -> Result<Evaluation, TrainError> {
        let controller = NetworkController { network: &self.network, weights };
        Ok(self.closed_loop.evaluate(isa, &controller, self.sets.named(set), n_threads)?)
    }

    fn help(
        &self,
        isa: Isa,
        stage: usize,
        exchange: &Exchange,
        idle: Idle<'_>,
        workspace: &mut Workspace,
        work: &WorkCounter,
    ) {
        let set = &self.sets.stages[stage];
        while let Some(Offer { weights, share }) = exchange.next(idle) {
            let controller = NetworkController { network: &self.network, weights: &weights };
            self.closed_loop.assist(isa, &controller, set, workspace, &share);
            count(workspace, work);
        }
    }
}

/// Moves what a workspace has counted to the counter of all threads.
fn count(workspace: &mut Workspace, work: &WorkCounter) {
    let is_fault = std::mem::take(&mut workspace.n_faults) > 0;
    work.add(std::mem::take(&mut workspace.plant_steps), is_fault);
}
