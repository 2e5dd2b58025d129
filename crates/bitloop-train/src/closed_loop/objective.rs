//! [`ClosedLoopObjective`]: the closed loop as the objective of a local search.

use std::sync::OnceLock;

use bitloop_blm::{Cancel, Change, Idle, Objective, Probe};
use bitloop_plant::Isa;

use super::exchange::{Exchange, ProbeInterest};
use super::rollouts::Rollouts;
use crate::error::TrainError;
use crate::task::{TaskObjective, WorkCounter};

/// Err of a network's weights over the episodes of a stage, the last of which is the full training set, with the exact
/// early abort of `bitloop_sim`.
///
/// A plant that breaks, or gives a cost that is negative or not finite, makes the candidate worst: its cost is infinite.
#[derive(Debug)]
pub struct ClosedLoopObjective<'a, R: Rollouts> {
    rollouts: &'a R,
    isa: Isa,
    stage: usize,
    /// The current weights.
    weights: Vec<f64>,
    work: &'a WorkCounter,
    exchange: Exchange,
    /// Why nothing can be evaluated any more.
    failure: OnceLock<TrainError>,
}

/// The working memory of a probe.
#[derive(Debug)]
pub struct ProbeScratch<W> {
    weights: Vec<f64>,
    workspace: W,
}

impl<'a, R: Rollouts> ClosedLoopObjective<'a, R> {
    /// The objective of networks with so many weights, in the first stage of the curriculum. Work is counted by `work`.
    pub fn new(rollouts: &'a R, n_weights: usize, isa: Isa, work: &'a WorkCounter) -> Self {
        Self {
            rollouts,
            isa,
            stage: 0,
            weights: vec![0.0; n_weights],
            work,
            exchange: Exchange::default(),
            failure: OnceLock::new(),
        }
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

    fn set(&mut self, weights: &[f64]) -> f64 {
        self.weights.copy_from_slice(weights);
        let mut scratch = self.scratch();
        match self.probe(&mut scratch, &[], f64::INFINITY, Cancel::never(0)) {
            Probe::Below(cost) => cost,
            Probe::NotBelow => f64::INFINITY,
        }
    }

    fn probe(
        &self,
        scratch: &mut Self::Scratch,
        changes: &[Change],
        bound: f64,
        cancel: Cancel<'_>,
    ) -> Probe {
        let ProbeScratch { weights, workspace } = scratch;
        weights.copy_from_slice(&self.weights);
        for change in changes {
            weights[change.weight_index] = change.value;
        }
        let interest = ProbeInterest { cancel, weights, exchange: &self.exchange };
        let (isa, stage, work) = (self.isa, self.stage, self.work);
        let probe = self.rollouts.probe(isa, stage, weights, bound, &interest, workspace, work);
        probe.unwrap_or_else(|error| {
            // The first failure is the cause of all later ones.
            let _ = self.failure.set(error);
            Probe::NotBelow
        })
    }

    fn commit(&mut self, changes: &[Change], _cost: f64) {
        for change in changes {
            self.weights[change.weight_index] = change.value;
        }
    }

    fn help(&self, scratch: &mut Self::Scratch, idle: Idle<'_>) {
        let workspace = &mut scratch.workspace;
        self.rollouts.help(self.isa, self.stage, &self.exchange, idle, workspace, self.work);
    }

    fn is_lost(&self) -> bool {
        self.failure.get().is_some()
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
