//! [`CmaEs`]: covariance matrix adaptation evolution strategy over real weights, as a baseline.
//!
//! The algorithm is active CMA-ES, by `bitloop_evolution`, a generation at a time. Budgets, curriculum, patience,
//! validation and restarts are those of every trainer. A generation is evaluated in full and without a bound, since
//! ranks need every cost, by all threads. Weights beyond the largest one are mirrored back, so that the cost is a
//! continuous function of all real numbers. A candidate whose plant breaks costs more than any other.
//!
//! Every so many generations, the best candidate on the training episodes is rounded to the grid and validated. Where it is
//! at the target on these episodes and misses it on others, or goes on after it, they may be drawn anew; the best so far then gives way to the
//! first candidate on the new ones, and the distribution is kept. When the evaluations that are left do not fill a generation, its other candidates are not evaluated, so that a budget is
//! met exactly. A generation during which the time runs out does not count.
//!
//! Determinism: the same seed gives the same bits on the same machine, for any number of threads. The linear algebra of
//! `cmaes` picks instructions by the CPU, so another machine may give other bits. The crate cannot save its state; a
//! training that is resumed repeats the run that was interrupted.

use bitloop_blm::{ProbeControl, WeightGrid};
use bitloop_evolution::{Beginning, Candidates, Generation, Strategy};
use bitloop_random::{Purpose, Stream};
use bitloop_scenario as file;

use super::restarts::Start;
use super::sampling::Sampler;
use crate::error::TrainError;
use crate::outcome::Outcome;
use crate::progress::Event;
use crate::session::Session;
use crate::state::{Mark, Sample, SamplingState, StopReason, TrainingState};
use crate::state_check::check_sampling;
use crate::state_fault::StateFault;
use crate::task::{Task, Trial};
use crate::trainer::Trainer;

/// The most numbers in a matrix; with 2^24, one takes 128 MiB.
const MOST_IN_MATRIX: usize = 1 << 24;

/// CMA-ES.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CmaEs {
    settings: file::CmaEs,
    /// The grid that weights are rounded to; candidates stay within its range.
    grid: WeightGrid,
}

impl TryFrom<&file::CmaEs> for CmaEs {
    type Error = TrainError;

    fn try_from(settings: &file::CmaEs) -> Result<Self, TrainError> {
        let grid = WeightGrid::new(settings.bits, settings.max_weight)?;
        Ok(Self { settings: *settings, grid })
    }
}

impl<T: Task> Trainer<T> for CmaEs {
    fn name(&self) -> &'static str {
        "CmaEs"
    }

    fn grid(&self) -> Option<WeightGrid> {
        Some(self.grid)
    }

    /// A matrix of weights by weights is kept, and a generation of candidates by weights.
    fn check_size(&self, n_weights: usize) -> Result<(), String> {
        let population = self.settings.population.map_or(0, |n| n as usize);
        let n_rows = population.max(n_weights);
        if n_rows.saturating_mul(n_weights) > MOST_IN_MATRIX {
            return Err(format!(
                "CMA-ES keeps a matrix of {n_rows} by {n_weights} numbers, more than {MOST_IN_MATRIX} in all"
            ));
        }
        Ok(())
    }

    fn check_state(&self, state: &TrainingState, task: &T, _seed: u64) -> Result<(), StateFault> {
        check_sampling(state, task.network().n_weights(), self.grid)
    }

    fn train(&self, session: Session<'_, T>) -> Result<Option<Outcome>, TrainError> {
        let (sampler, isa) = (Sampler::new(&session), session.execution.isa);
        let has_come = {
            let deadline = session.deadline();
            move || deadline.has_come()
        };
        let cost = |stage: usize, weights: &[f64]| {
            let control = ProbeControl::alone(f64::INFINITY).stopped_by(&has_come);
            sampler.cost(&Trial { isa, stage, weights, control })
        };
        let candidates = Candidates::new(&cost, self.grid.weight_range());
        session.repeat(|session| self.run(session, &sampler, &candidates))
    }
}

impl CmaEs {
    /// One run: generations until the strategy has converged, or a budget or the patience is used up.
    fn run<T: Task>(
        &self,
        session: &mut Session<'_, T>,
        sampler: &Sampler<'_, T>,
        candidates: &Candidates<'_>,
    ) -> Result<Option<StopReason>, TrainError> {
        let (start, mean, seed) = self.start(session);
        let sigma = start.sigma.max(f64::MIN_POSITIVE);
        let beginning = Beginning { mean: mean.clone(), sigma, population: start.population, seed };
        let mut strategy = Strategy::begin(beginning, candidates);

        // The strategy cannot be saved: a resumed run is repeated from its beginning.
        let is_new = session.state.sampling.is_none();
        let state = &mut session.state;
        (state.stage, state.progress, state.best_of_run) = (0, None, None);
        (state.draw, state.was_validated_at_target, state.reached) = (0, false, None);
        // The mean is the best of the run until a candidate is evaluated.
        let best = Some(Sample { weights: mean, cost: f64::INFINITY });
        state.sampling = Some(SamplingState { best, ..SamplingState::new() });
        session.show_best(if is_new { Event::RunStarted } else { Event::Resumed }, true);

        let mut reason = None;
        loop {
            let n_evaluations = session.sampling().n_evaluations;
            let of_run =
                start.max_evaluations.map_or(u64::MAX, |n| n.saturating_sub(n_evaluations));
            let n_allowed = session.evaluations_left().min(of_run);
            let best_cost = session.best_cost();
            if reason.is_some() || n_allowed == 0 || session.is_out_of_patience(best_cost) {
                break;
            }
            let generation = generation(session, &mut strategy, sampler, n_allowed)?;
            if generation != Generation::Canceled {
                advance_curriculum(session);
                let n_generations = session.sampling().n_moves;
                if n_generations.is_multiple_of(u64::from(self.settings.validate_every))
                    && session.is_at_full_stage()
                {
                    session.validate_best(self.grid)?;
                    let best_cost = session.best_cost();
                    session.note_validation(session.task.error_of_cost(best_cost));
                    draw_anew(session);
                }
                session.show_best(Event::Probing, false);
            }
            reason = session.reason_to_stop();
            if generation != Generation::OneOfMany {
                break;
            }
        }
        if let Some(pause) = reason.filter(|reason| reason.is_pause()) {
            session.show_best(Event::Pausing(pause), false);
        }
        session.validate_best(self.grid)?;
        session.show_best(Event::RunEnded, false);
        // Last, since a state that was saved within the run must not know of its end.
        let n_evaluations = session.sampling().n_evaluations;
        session.state.restarts.record(&start, n_evaluations);
        Ok(reason)
    }

    /// How a run begins: its settings, its first mean, and the crate's random seed.
    fn start<T: Task>(&self, session: &Session<'_, T>) -> (Start, Vec<f64>, u64) {
        let n_weights = session.task.network().n_weights();
        let mut stream = Stream::new(session.seed, Purpose::Baseline, session.state.run, 0);
        let seed = stream.next_u64();
        let start = Start::of_run(&self.settings, n_weights, &session.state.restarts, &mut stream);
        let range = self.settings.initial_range;
        let random =
            || (0..n_weights).map(|_| range * (2.0 * stream.uniform_f64() - 1.0)).collect();
        let mean = session.start().map_or_else(random, <[f64]>::to_vec);
        (start, mean, seed)
    }
}

/// One generation, of `n_allowed` candidates at most.
fn generation<T: Task>(
    session: &mut Session<'_, T>,
    strategy: &mut Strategy<'_>,
    sampler: &Sampler<'_, T>,
    n_allowed: u64,
) -> Result<Generation, TrainError> {
    let stage = session.stage_number(session.state.stage);
    let generation = strategy.generation(stage, n_allowed, sampler.pool.as_ref());
    sampler.check()?;
    if generation == Generation::Canceled {
        return Ok(generation);
    }
    session.count_faults(strategy.n_faults());
    if let Some((weights, cost)) = strategy.best_below(session.best_cost()) {
        session.improve(Sample { weights, cost });
    }
    let state = session.sampling();
    state.n_evaluations += strategy.population().min(n_allowed);
    state.n_moves += 1;
    Ok(generation)
}

/// Enters the next stage of the curriculum if the training error allows it. The distribution is kept; the best so far is
/// replaced by the first candidate of the new stage, since their costs cannot be compared.
fn advance_curriculum<T: Task>(session: &mut Session<'_, T>) {
    if session.is_at_full_stage() || session.best_cost() >= session.task.advance_below() {
        return;
    }
    session.state.stage += 1;
    forget_costs(session);
}

/// Draws the training episodes anew after weights at the target on them were validated, from the next generation on.
fn draw_anew<T: Task>(session: &mut Session<'_, T>) {
    if session.state.was_validated_at_target {
        session.state.was_validated_at_target = false;
        session.state.draw += 1;
        forget_costs(session);
    }
}

/// Has the best so far replaced by the first candidate to come, since their costs are those of other episodes.
fn forget_costs<T: Task>(session: &mut Session<'_, T>) {
    let state = session.sampling();
    if let Some(best) = &mut state.best {
        best.cost = f64::INFINITY;
    }
    let mark = Mark { error: f64::INFINITY, n_evaluations: state.n_evaluations };
    session.state.progress = Some(mark);
}
