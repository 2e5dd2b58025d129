//! The closed loop as an objective of the search: the mean error over the training episodes.

use std::sync::atomic::{AtomicU64, Ordering};

use bitloop_blm::{Cancel, Change, Idle, Objective, Probe};
use bitloop_net::Network;
use bitloop_plant::Isa;
use bitloop_sim::{ClosedLoop, EpisodeSet, Interest, NetworkController, Rollout, Workspace};

use crate::exchange::{Exchange, Offer, ProbeInterest};
use crate::isolation::{Probed, candidate};
use crate::training::Training;

/// Err of a network's weights over the episodes of a stage, the last of which is the full training set, with the exact early abort of `bitloop_sim`.
///
/// A plant that breaks, or gives a cost that is negative or not finite, makes the candidate worst: its cost is infinite.
#[derive(Debug)]
pub struct ClosedLoopObjective<'a> {
    training: &'a Training,
    closed_loop: &'a ClosedLoop,
    isa: Isa,
    network: &'a Network,
    stages: &'a [EpisodeSet],
    stage: usize,
    weights: Vec<f64>,
    plant_steps: AtomicU64,
    n_faults: AtomicU64,
    exchange: Exchange,
}

/// What a probe needs of its own.
#[derive(Debug)]
pub struct ProbeScratch {
    weights: Vec<f64>,
    work: Workspace,
}

impl<'a> ClosedLoopObjective<'a> {
    /// The objective of a training, in the first stage of its curriculum.
    #[must_use]
    pub fn of(training: &'a Training, isa: Isa) -> Self {
        Self {
            training,
            closed_loop: &training.rig.closed_loop,
            isa,
            network: &training.network,
            stages: &training.stages,
            stage: 0,
            weights: vec![0.0; training.network.n_weights()],
            plant_steps: AtomicU64::new(0),
            n_faults: AtomicU64::new(0),
            exchange: Exchange::default(),
        }
    }

    /// Goes on to another stage; costs told before are those of another objective.
    pub fn enter(&mut self, stage: usize) {
        self.stage = stage;
    }

    /// Err of `weights: [n_weights]` over the episodes of `stage`, or not below `bound`, whatever the current weights.
    ///
    /// # Panics
    /// If there is no such stage, or the number of weights is another.
    pub fn cost_of(
        &self,
        work: &mut Workspace,
        stage: usize,
        weights: &[f64],
        bound: f64,
        interest: &impl Interest,
    ) -> Probe {
        if let Some(probed) = self.isolated_cost_of(stage, weights, bound) {
            return probed;
        }
        let controller = NetworkController { network: self.network, weights };
        let set = &self.stages[stage];
        let rollout = self.closed_loop.probe(self.isa, &controller, set, work, bound, interest);
        self.account(work);
        match rollout {
            Rollout::Below(cost) => Probe::Below(cost),
            Rollout::NotBelow => Probe::NotBelow,
        }
    }

    /// What a worker makes of it, if the plant is isolated. Once a worker is lost, nothing is below any bound, and the
    /// training ends before it believes that.
    fn isolated_cost_of(&self, stage: usize, weights: &[f64], bound: f64) -> Option<Probe> {
        let Training { isolation, grid, seed, .. } = self.training;
        let isolation = isolation.as_ref()?;
        let candidate = || {
            let codes: Vec<i32> = weights.iter().map(|&weight| grid.nearest_code(weight)).collect();
            candidate(&codes, *seed)
        };
        let probed = isolation.probe(self.isa, stage, weights, bound, candidate);
        let Some(Probed { cost, plant_steps, n_faults }) = probed else {
            return Some(Probe::NotBelow);
        };
        self.plant_steps.fetch_add(plant_steps, Ordering::Relaxed);
        self.n_faults.fetch_add(n_faults, Ordering::Relaxed);
        Some(cost.map_or(Probe::NotBelow, Probe::Below))
    }

    /// What a thread needs for [`cost_of`](Self::cost_of).
    #[must_use]
    pub fn workspace(&self) -> Workspace {
        let controller = NetworkController { network: self.network, weights: &self.weights };
        Workspace::new(self.closed_loop, &controller, self.stages[self.stage].n_episodes())
    }

    /// Integration steps simulated so far, of all probes, dropped and wasted ones too.
    pub fn plant_steps(&self) -> u64 {
        self.plant_steps.load(Ordering::Relaxed)
    }

    /// Evaluations in which the plant broke, or gave a cost that is negative or not finite.
    pub fn n_faults(&self) -> u64 {
        self.n_faults.load(Ordering::Relaxed)
    }

    fn account(&self, work: &mut Workspace) {
        self.plant_steps.fetch_add(std::mem::take(&mut work.plant_steps), Ordering::Relaxed);
        let is_faulty = std::mem::take(&mut work.n_faults) > 0;
        self.n_faults.fetch_add(u64::from(is_faulty), Ordering::Relaxed);
    }
}

impl Objective for ClosedLoopObjective<'_> {
    type Scratch = ProbeScratch;

    fn n_weights(&self) -> usize {
        self.network.n_weights()
    }

    fn scratch(&self) -> ProbeScratch {
        ProbeScratch { weights: self.weights.clone(), work: self.workspace() }
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
        scratch: &mut ProbeScratch,
        changes: &[Change],
        bound: f64,
        cancel: Cancel<'_>,
    ) -> Probe {
        let ProbeScratch { weights, work } = scratch;
        weights.copy_from_slice(&self.weights);
        for change in changes {
            weights[change.weight_index] = change.value;
        }
        let interest = ProbeInterest { cancel, weights, exchange: &self.exchange };
        self.cost_of(work, self.stage, weights, bound, &interest)
    }

    fn commit(&mut self, changes: &[Change], _cost: f64) {
        for change in changes {
            self.weights[change.weight_index] = change.value;
        }
    }

    fn help(&self, scratch: &mut ProbeScratch, idle: Idle<'_>) {
        // A worker process runs a whole evaluation.
        if self.training.isolation.is_some() {
            return;
        }
        let work = &mut scratch.work;
        let set = &self.stages[self.stage];
        while let Some(Offer { weights, share }) = self.exchange.next(idle) {
            let controller = NetworkController { network: self.network, weights: &weights };
            self.closed_loop.assist(self.isa, &controller, set, work, &share);
            self.account(work);
        }
    }
}
