//! [`ClosedLoopObjective`]: the closed loop as the objective of a local search.

use std::fmt;
use std::sync::OnceLock;

use bitloop_blm::{Change, Objective, Probe, ProbeControl};
use bitloop_plant::Isa;

use super::rollouts::Rollouts;
use crate::error::TrainError;
use crate::score::WorkCounter;
use crate::task::TaskObjective;

/// Err of a network's weights over the episodes of a stage, the last of which is the full training set, with the exact
/// early abort of `bitloop_sim`.
///
/// A plant that breaks, or gives a cost that is negative or not finite, makes the candidate faulty: it is worse than any
/// other, and its cost is infinite.
pub struct ClosedLoopObjective<'a, R: Rollouts> {
    rollouts: &'a R,
    isa: Isa,
    stage: usize,
    /// The current weights.
    weights: Vec<f64>,
    work: &'a WorkCounter,
    /// Calls all evaluations off.
    stop: &'a (dyn Fn() -> bool + Sync),
    /// The failure after which no evaluation is possible.
    failure: OnceLock<TrainError>,
}

impl<R: Rollouts> fmt::Debug for ClosedLoopObjective<'_, R> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ClosedLoopObjective").field("stage", &self.stage).finish_non_exhaustive()
    }
}

/// The working memory of a probe.
#[derive(Debug)]
pub struct ProbeScratch<W> {
    weights: Vec<f64>,
    workspace: W,
}

impl<'a, R: Rollouts> ClosedLoopObjective<'a, R> {
    /// The objective of networks with so many weights, in the first stage of the curriculum. Work is counted by `work`;
    /// all evaluations are called off once `stop` answers true.
    pub fn new(
        rollouts: &'a R,
        n_weights: usize,
        isa: Isa,
        work: &'a WorkCounter,
        stop: &'a (dyn Fn() -> bool + Sync),
    ) -> Self {
        let weights = vec![0.0; n_weights];
        Self { rollouts, isa, stage: 0, weights, work, stop, failure: OnceLock::new() }
    }

    fn cost(
        &self,
        weights: &[f64],
        control: ProbeControl<'_>,
        workspace: &mut R::Workspace,
    ) -> Probe {
        let (isa, stage, work) = (self.isa, self.stage, self.work);
        self.rollouts.probe(isa, stage, weights, control, workspace, work).unwrap_or_else(|error| {
            // The first failure is the cause of all later ones.
            let _ = self.failure.set(error);
            Probe::CalledOff
        })
    }
}

impl<R: Rollouts> Objective for ClosedLoopObjective<'_, R> {
    type Scratch = ProbeScratch<R::Workspace>;

    fn n_weights(&self) -> usize {
        self.weights.len()
    }

    fn scratch(&self) -> Self::Scratch {
        ProbeScratch { weights: self.weights.clone(), workspace: self.rollouts.workspace() }
    }

    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        let control = ProbeControl::alone(f64::INFINITY).stopped_by(self.stop);
        let cost = match self.cost(weights, control, &mut self.rollouts.workspace()) {
            Probe::Below(cost) => cost,
            Probe::NotBelow | Probe::Faulty => f64::INFINITY,
            Probe::CalledOff => return None,
        };
        self.weights.copy_from_slice(weights);
        Some(cost)
    }

    fn probe(
        &self,
        scratch: &mut Self::Scratch,
        changes: &[Change],
        control: ProbeControl<'_>,
    ) -> Probe {
        let ProbeScratch { weights, workspace } = scratch;
        weights.copy_from_slice(&self.weights);
        for change in changes {
            weights[change.weight_index] = change.value;
        }
        self.cost(weights, control.stopped_by(self.stop), workspace)
    }

    fn commit(&mut self, changes: &[Change], _cost: f64) {
        for change in changes {
            self.weights[change.weight_index] = change.value;
        }
    }

    fn divides_probes(&self) -> bool {
        self.rollouts.divides_probes()
    }

    fn help(&self, scratch: &mut Self::Scratch) -> bool {
        self.rollouts.help(self.isa, self.stage, &mut scratch.workspace, self.work)
    }
}

impl<R: Rollouts> TaskObjective for ClosedLoopObjective<'_, R> {
    fn enter(&mut self, stage: usize) {
        self.stage = stage;
    }

    fn failure(&self) -> Option<TrainError> {
        self.failure.get().cloned()
    }
}
