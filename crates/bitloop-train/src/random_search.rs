//! [`RandomDraws`]: uniform random search, the least that a search must beat.
//!
//! Candidate i of a descent is drawn on the grid from stream (seed, `RandomSearch`, descent, i), and the best is kept. A
//! candidate is dropped as soon as it is certain that it is not below the best. Several threads try the candidates of a
//! batch at once, each against the best before the batch; then they are gone through in order, so that neither the
//! number of threads nor the size of the batch shows in the result. A curriculum does not apply: nothing is learned from
//! one candidate for the next.

use bitloop_blm::{Initialization, Probe};
use bitloop_random::{Purpose, Stream};
use rayon::prelude::*;

use crate::error::TrainError;
use crate::judge::Judge;
use crate::sampling::{Sampling, Workspaces};
use crate::search::Search;
use crate::state::{Sample, StopReason};
use crate::training::Event;

/// Candidates between two looks at the clock and at the interrupt flag.
const BATCH: u64 = 64;

/// A random search under way.
pub(crate) struct RandomDraws<'a, 'w> {
    sampling: Sampling<'a, 'w>,
    initialization: Initialization,
    workspaces: Workspaces,
}

impl<'a, 'w> RandomDraws<'a, 'w> {
    pub fn new(sampling: Sampling<'a, 'w>, initialization: Initialization) -> Self {
        Self { sampling, initialization, workspaces: Workspaces::default() }
    }

    /// The weights of a candidate.
    fn candidate(&self, index: u64) -> Result<Vec<f64>, TrainError> {
        let training = self.sampling.judge.training;
        let descent = self.sampling.judge.ledger.state.descent;
        let mut stream = Stream::new(training.seed, Purpose::RandomSearch, descent, index);
        let (grid, n_weights) = (&training.grid, training.network.n_weights());
        let codes =
            self.initialization.draw_from(&mut stream, grid, grid.bits_per_weight(), n_weights)?;
        Ok(training.weights(&codes))
    }

    /// Tries candidates, those of a batch at once; of those below `bound`, the costs.
    fn try_all(&self, candidates: &[Vec<f64>], bound: f64) -> Vec<Option<f64>> {
        let stage = self.sampling.judge.training.stages.len() - 1;
        let (objective, workspaces) = (self.sampling.objective, &self.workspaces);
        let cost = |weights: &Vec<f64>| {
            let probe = workspaces
                .lend(objective, |work| objective.cost_of(work, stage, weights, bound, &|| false));
            match probe {
                Probe::Below(cost) => Some(cost),
                Probe::NotBelow => None,
            }
        };
        match &self.sampling.pool {
            Some(pool) => pool.install(|| candidates.par_iter().map(cost).collect()),
            None => candidates.iter().map(cost).collect(),
        }
    }

    /// The first candidate: the best so far, whatever it costs.
    fn begin(&mut self) -> Result<(), TrainError> {
        let weights = self.candidate(0)?;
        let cost = self.try_all(std::slice::from_ref(&weights), f64::INFINITY)[0];
        self.sampling.judge.check_plant()?;
        self.sampling.improve(Sample { weights, cost: cost.unwrap_or(f64::INFINITY) });
        self.sampling.state().n_evaluations = 1;
        Ok(())
    }

    /// Tries the next candidates, and validates every so many improvements. `Some` if the whole training must stop.
    fn batch(&mut self) -> Result<Option<StopReason>, TrainError> {
        let n_before = self.sampling.state().n_evaluations;
        let n_candidates = BATCH.min(self.sampling.evaluations_left());
        let candidates = (n_before..n_before + n_candidates)
            .map(|index| self.candidate(index))
            .collect::<Result<Vec<_>, _>>()?;
        let bound = self.sampling.best_cost();
        let costs = self.try_all(&candidates, bound);
        self.sampling.judge.check_plant()?;
        for (index, (weights, cost)) in (n_before..).zip(candidates.into_iter().zip(costs)) {
            self.sampling.state().n_evaluations = index + 1;
            let Some(cost) = cost.filter(|&cost| cost < self.sampling.best_cost()) else {
                continue;
            };
            self.sampling.improve(Sample { weights, cost });
            self.sampling.state().n_moves += 1;
            let every = self.sampling.judge.training.validate_every;
            if self.sampling.state().n_moves.is_multiple_of(every) {
                self.sampling.validate()?;
                // The target may be met: what was tried beyond this candidate does not count.
                if let Some(reason) = self.sampling.judge.ledger.reason_to_stop() {
                    return Ok(Some(reason));
                }
            }
        }
        Ok(self.sampling.judge.ledger.reason_to_stop())
    }
}

impl<'a> Search<'a> for RandomDraws<'a, '_> {
    fn judge(&mut self) -> &mut Judge<'a> {
        &mut self.sampling.judge
    }

    fn work(&mut self) -> (u64, u64) {
        self.sampling.work()
    }

    fn tell(&mut self, event: Event) {
        self.sampling.tell(event);
    }

    fn descend(&mut self) -> Result<Option<StopReason>, TrainError> {
        self.sampling.judge.ledger.state.stage = self.sampling.judge.training.stages.len() - 1;
        let is_new = self.sampling.judge.ledger.state.sampling.is_none();
        let event = if is_new { Event::DescentStarted } else { Event::Resumed };
        self.sampling.note(event, true);
        if self.sampling.state().best.is_none() {
            self.begin()?;
        }
        let mut stopped = self.sampling.judge.ledger.reason_to_stop();
        while stopped.is_none()
            && self.sampling.evaluations_left() > 0
            && !self.sampling.is_out_of_patience()
        {
            stopped = self.batch()?;
            self.sampling.note(Event::Probing, true);
        }
        if let Some(reason) = stopped.filter(|reason| reason.is_pause()) {
            self.sampling.note(Event::Pausing(reason), true);
        }
        self.sampling.validate()?;
        self.sampling.note(Event::DescentEnded, false);
        Ok(stopped)
    }
}
