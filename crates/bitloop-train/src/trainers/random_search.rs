//! [`RandomSearch`]: independent random weights, as a baseline.
//!
//! Candidate k of a run is drawn from stream (seed, [`Purpose::RandomSearch`], run, k), and the best is kept. A candidate is
//! dropped as soon as it is certain that it is not below the best. Several threads try the candidates of a batch at once,
//! each against the best before the batch; then their costs are compared in order, so that neither the number of threads
//! nor the size of the batch changes the result. A curriculum does not apply, since candidates are independent.

use bitloop_blm::{Initialization, Probe, ProbeControl, WeightGrid};
use bitloop_random::{Purpose, Stream};
use bitloop_scenario as file;
use rayon::prelude::*;

use super::sampling::Sampler;
use crate::error::TrainError;
use crate::outcome::Outcome;
use crate::progress::Event;
use crate::session::Session;
use crate::state::{Sample, StopReason, TrainingState};
use crate::state_check::check_sampling;
use crate::state_fault::StateFault;
use crate::task::{Task, Trial};
use crate::trainer::Trainer;

/// Candidates between two checks of the clock and of the interrupt.
const BATCH: u64 = 64;

/// Random search.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RandomSearch {
    /// The weights that can be drawn.
    pub grid: WeightGrid,
    /// How they are drawn.
    pub initialization: Initialization,
    /// Improvements between two validations.
    pub validate_every: u64,
}

impl TryFrom<&file::RandomSearch> for RandomSearch {
    type Error = TrainError;

    fn try_from(settings: &file::RandomSearch) -> Result<Self, TrainError> {
        let &file::RandomSearch { bits, max_weight, initialization, validate_every } = settings;
        let grid = WeightGrid::new(bits, max_weight)?;
        initialization.check(&grid, bits)?;
        Ok(Self { grid, initialization, validate_every: u64::from(validate_every) })
    }
}

impl<T: Task> Trainer<T> for RandomSearch {
    fn name(&self) -> &'static str {
        "RandomSearch"
    }

    fn saves_within_run(&self) -> bool {
        true
    }

    fn grid(&self) -> Option<WeightGrid> {
        Some(self.grid)
    }

    fn ends_by_itself(&self) -> bool {
        false
    }

    fn check_state(&self, state: &TrainingState, task: &T, _seed: u64) -> Result<(), StateFault> {
        check_sampling(state, task.network().n_weights(), self.grid)
    }

    fn train(&self, session: Session<'_, T>) -> Result<Option<Outcome>, TrainError> {
        let sampler = Sampler::new(&session);
        session.repeat(|session| self.run(session, &sampler))
    }
}

impl RandomSearch {
    /// One run: candidates until a budget or the patience is used up.
    fn run<T: Task>(
        &self,
        session: &mut Session<'_, T>,
        sampler: &Sampler<'_, T>,
    ) -> Result<Option<StopReason>, TrainError> {
        session.state.stage = session.task.n_stages() - 1;
        let is_new = session.state.sampling.is_none();
        session.show_best(if is_new { Event::RunStarted } else { Event::Resumed }, true);
        if session.sampling().best.is_none() {
            self.begin(session, sampler)?;
        }
        let mut reason = session.reason_to_stop();
        while reason.is_none() {
            let best_cost = session.best_cost();
            // Patience is looked at between batches, also by a training that was paused in the middle of one.
            let is_over = session.evaluations_left() == 0
                || n_left_of_batch(session) == BATCH && session.is_out_of_patience(best_cost);
            if is_over {
                break;
            }
            reason = self.batch(session, sampler)?;
            session.show_best(Event::Probing, true);
        }
        if let Some(pause) = reason.filter(|reason| reason.is_pause()) {
            session.show_best(Event::Pausing(pause), true);
        }
        session.validate_best(self.grid)?;
        session.show_best(Event::RunEnded, false);
        Ok(reason)
    }

    /// The first candidate, which is the best at any cost.
    fn begin<T: Task>(
        &self,
        session: &mut Session<'_, T>,
        sampler: &Sampler<'_, T>,
    ) -> Result<(), TrainError> {
        let weights = match session.start() {
            Some(start) => self.on_grid(start.iter().map(|&weight| self.grid.nearest_code(weight))),
            None => self.candidate(session, 0)?,
        };
        let costs = costs(session, sampler, std::slice::from_ref(&weights), f64::INFINITY)?;
        let cost = if let Probe::Below(cost) = costs[0] { cost } else { f64::INFINITY };
        session.count_faults(u64::from(costs[0] == Probe::Faulty));
        session.improve(Sample { weights, cost });
        session.sampling().n_evaluations = 1;
        Ok(())
    }

    /// Tries the next candidates, and validates every so many improvements. `Some` if the whole training must stop.
    fn batch<T: Task>(
        &self,
        session: &mut Session<'_, T>,
        sampler: &Sampler<'_, T>,
    ) -> Result<Option<StopReason>, TrainError> {
        let n_before = session.sampling().n_evaluations;
        let n_candidates = n_left_of_batch(session).min(session.evaluations_left());
        let candidates = (n_before..n_before + n_candidates)
            .map(|index| self.candidate(session, index))
            .collect::<Result<Vec<_>, _>>()?;
        let bound = session.best_cost();
        let costs = costs(session, sampler, &candidates, bound)?;
        for (index, (weights, cost)) in (n_before..).zip(candidates.into_iter().zip(costs)) {
            session.sampling().n_evaluations = index + 1;
            session.count_faults(u64::from(cost == Probe::Faulty));
            let Probe::Below(cost) = cost else { continue };
            if cost >= session.best_cost() {
                continue;
            }
            session.improve(Sample { weights, cost });
            session.sampling().n_moves += 1;
            if session.sampling().n_moves.is_multiple_of(self.validate_every) {
                session.validate_best(self.grid)?;
                // The target may be met; then later candidates of the batch do not count.
                if let Some(reason) = session.reason_to_stop() {
                    return Ok(Some(reason));
                }
            }
        }
        Ok(session.reason_to_stop())
    }

    /// The weights of a candidate.
    fn candidate<T: Task>(
        &self,
        session: &Session<'_, T>,
        index: u64,
    ) -> Result<Vec<f64>, TrainError> {
        let run = session.state.run;
        let mut stream = Stream::new(session.seed, Purpose::RandomSearch, run, index);
        let (grid, n_weights) = (&self.grid, session.task.network().n_weights());
        let codes =
            self.initialization.draw_from(&mut stream, grid, grid.bits_per_weight(), n_weights)?;
        Ok(self.on_grid(codes.into_iter()))
    }

    fn on_grid(&self, codes: impl Iterator<Item = i32>) -> Vec<f64> {
        codes.map(|code| self.grid.weight(code)).collect()
    }
}

/// Candidates until the current batch is complete. The first candidate of a run is in none.
fn n_left_of_batch<T: Task>(session: &mut Session<'_, T>) -> u64 {
    BATCH - session.sampling().n_evaluations.saturating_sub(1) % BATCH
}

/// The costs of candidates where they are below `bound`, several at once.
fn costs<T: Task>(
    session: &Session<'_, T>,
    sampler: &Sampler<'_, T>,
    candidates: &[Vec<f64>],
    bound: f64,
) -> Result<Vec<Probe>, TrainError> {
    let (isa, stage) = (session.execution.isa, session.state.stage);
    let cost = |weights: &Vec<f64>| {
        sampler.cost(&Trial { isa, stage, weights, control: ProbeControl::alone(bound) })
    };
    let costs = match &sampler.pool {
        Some(pool) => pool.install(|| candidates.par_iter().map(cost).collect()),
        None => candidates.iter().map(cost).collect(),
    };
    sampler.check()?;
    Ok(costs)
}
