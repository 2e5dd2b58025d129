//! The closed loop without early abort, to compare with the real one; the benchmark of early abort uses it too.

use bitloop_blm::{Change, Objective, Probe, ProbeControl};

/// An objective that runs every probe to its end, and compares with the bound only then.
pub struct InFull<O>(pub O);

impl<O: Objective> Objective for InFull<O> {
    type Scratch = O::Scratch;
    fn n_weights(&self) -> usize {
        self.0.n_weights()
    }
    fn scratch(&self) -> O::Scratch {
        self.0.scratch()
    }
    fn set(&mut self, weights: &[f64]) -> Option<f64> {
        self.0.set(weights)
    }
    fn probe(
        &self,
        scratch: &mut O::Scratch,
        changes: &[Change],
        control: ProbeControl<'_>,
    ) -> Probe {
        match self.0.probe(scratch, changes, control.with_bound(f64::INFINITY)) {
            Probe::Below(cost) => Probe::from_cost(cost, control.bound()),
            other => other,
        }
    }
    fn commit(&mut self, changes: &[Change], cost: f64) {
        self.0.commit(changes, cost);
    }
}
