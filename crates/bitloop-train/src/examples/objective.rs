//! [`ExamplesObjective`]: the cost over examples, with a regularization for each run.

use bitloop_blm::{Change, Objective, Probe, ProbeControl};
use bitloop_data::Supervised;
use bitloop_net::DeltaScratch;

use crate::error::TrainError;
use crate::task::TaskObjective;

/// The cost of a network over examples, as local search probes it.
#[derive(Debug)]
pub struct ExamplesObjective {
    cost: Supervised,
    /// Of each run, from the first one again after the last: at least one, and each 0 or more.
    regularizations: Vec<f64>,
}

impl ExamplesObjective {
    pub(super) const fn new(cost: Supervised, regularizations: Vec<f64>) -> Self {
        Self { cost, regularizations }
    }
}

impl Objective for ExamplesObjective {
    type Scratch = DeltaScratch;

    fn n_weights(&self) -> usize {
        self.cost.n_weights()
    }

    fn scratch(&self) -> DeltaScratch {
        self.cost.scratch()
    }

    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        self.cost.set(weights)
    }

    fn probe(
        &self,
        scratch: &mut DeltaScratch,
        changes: &[Change],
        control: ProbeControl<'_>,
    ) -> Probe {
        self.cost.probe(scratch, changes, control)
    }

    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.cost.commit(changes, cost);
    }
}

impl TaskObjective for ExamplesObjective {
    fn enter(&mut self, _stage: usize) {}

    fn begin_run(&mut self, run: u64) {
        self.cost.regularize(of_run(&self.regularizations, run)).expect("weights of 0 or more");
    }

    fn failure(&self) -> Option<TrainError> {
        None
    }
}

/// What a run has of values that are taken in turn, one at least.
pub(super) fn of_run(values: &[f64], run: u64) -> f64 {
    let at = run % values.len() as u64;
    values[usize::try_from(at).expect("a position in memory")]
}
