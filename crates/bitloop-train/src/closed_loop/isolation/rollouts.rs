//! [`IsolatedRollouts`]: the rollouts of a training whose plant runs in processes of its own.

use std::sync::Arc;

use bitloop_blm::{Probe, ProbeControl, WeightGrid};
use bitloop_plant::Isa;
use bitloop_sim::Evaluation;

use super::{Isolation, Probed};
use crate::closed_loop::candidate::candidate;
use crate::closed_loop::rollouts::Rollouts;
use crate::error::TrainError;
use crate::execution::Scoring;
use crate::score::{SetName, WorkCounter};

/// Rollouts by workers, each of which runs a whole evaluation.
#[derive(Debug)]
pub struct IsolatedRollouts {
    isolation: Arc<Isolation>,
    /// The grid of the weights, so that messages can name their codes.
    grid: WeightGrid,
    /// The seed of the training and its number of stages, for messages.
    seed: u64,
    n_stages: usize,
}

impl IsolatedRollouts {
    pub(crate) const fn new(
        isolation: Arc<Isolation>,
        grid: WeightGrid,
        seed: u64,
        n_stages: usize,
    ) -> Self {
        Self { isolation, grid, seed, n_stages }
    }

    /// Names weights for a message, so that they can be run again.
    fn candidate(&self, weights: &[f64]) -> String {
        candidate(self.seed, &self.grid, weights)
    }
}

impl Rollouts for IsolatedRollouts {
    /// The workers have their own.
    type Workspace = ();

    fn workspace(&self) {}

    fn probe(
        &self,
        isa: Isa,
        stage: usize,
        weights: &[f64],
        control: ProbeControl<'_>,
        (): &mut (),
        work: &WorkCounter,
    ) -> Result<Probe, TrainError> {
        let during = || {
            let (draw, of_draw) = (stage / self.n_stages, stage % self.n_stages);
            let drawn = if draw > 0 { format!(", drawn anew {draw} times") } else { String::new() };
            let candidate = self.candidate(weights);
            format!("on the training episodes of stage {}{drawn}, with {candidate}", of_draw + 1)
        };
        let Probed { cost, plant_steps, is_faulty } =
            self.isolation.probe(isa, stage, weights, control.bound(), during)?;
        work.add(plant_steps);
        Ok(match cost {
            Some(cost) => Probe::Below(cost),
            None if is_faulty => Probe::Faulty,
            None => Probe::NotBelow,
        })
    }

    fn evaluate(
        &self,
        weights: &[f64],
        set: SetName,
        scoring: Scoring<'_>,
    ) -> Result<Option<Evaluation>, TrainError> {
        self.isolation.evaluate(set, weights, scoring, || self.candidate(weights))
    }

    fn diagnose(&self, isa: Isa, weights: &[f64]) -> Option<String> {
        self.isolation.diagnose(isa, weights, || self.candidate(weights))
    }
}
