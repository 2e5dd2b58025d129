//! [`Generations`]: CMA-ES, the peer that telescopic BLM is measured against.
//!
//! The algorithm is that of the crate `cmaes`: active CMA-ES, a generation at a time. Around it the usual books are kept:
//! budgets, curriculum, patience, validation, restarts. A generation is evaluated in full and without a bound, since
//! ranks need every cost, by all threads. Weights beyond the largest one are mirrored back, so that the cost is a
//! continuous function of all real numbers; a plant that breaks costs more than any that does not.
//!
//! The best candidate on the training episodes is what is validated, rounded to the grid, every so many generations.
//! When the evaluations that are left do not fill a generation, the rest of it is left out, so that a budget is met
//! exactly; so is a generation during which the time is over.
//!
//! Determinism: the same seed gives the same bits on the same machine, for any number of threads. The linear algebra of
//! `cmaes` picks instructions by the CPU, so another machine may give other bits. The crate cannot save its state; a
//! training that is resumed repeats the run that was under way.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};

use bitloop_blm::Probe;
use bitloop_random::{Purpose, Stream};
use cmaes::{CMAES, CMAESOptions, DVector, ObjectiveFunction, ParallelObjectiveFunction};

use crate::error::TrainError;
use crate::judge::Judge;
use crate::ledger::Urge;
use crate::objective::ClosedLoopObjective;
use crate::restarts::{CmaEsOptions, Start};
use crate::sampling::{Sampling, Workspaces};
use crate::search::Search;
use crate::state::{Mark, Sample, SamplingState, StopReason};
use crate::training::Event;

/// What a candidate costs that makes the plant break: finite, since the crate takes differences of costs.
const WORST: f64 = 1e300;

/// A training by CMA-ES under way.
pub(crate) struct Generations<'a, 'w> {
    sampling: Sampling<'a, 'w>,
    options: CmaEsOptions,
}

impl<'a, 'w> Generations<'a, 'w> {
    pub fn new(sampling: Sampling<'a, 'w>, options: CmaEsOptions) -> Self {
        Self { sampling, options }
    }

    /// How the run begins: its settings, its first mean, and the crate's random seed.
    fn start(&self) -> (Start, Vec<f64>, u64) {
        let Judge { training, ledger, .. } = &self.sampling.judge;
        let state = &ledger.state;
        let n_weights = training.network.n_weights();
        let mut stream = Stream::new(training.seed, Purpose::Baseline, state.descent, 0);
        let seed = stream.next_u64();
        let start = self.options.start(n_weights, &state.restarts, &mut stream);
        let range = self.options.initial_range;
        let mean = (0..n_weights).map(|_| range * (2.0 * stream.uniform_f64() - 1.0)).collect();
        (start, mean, seed)
    }

    /// One generation, of `n_allowed` candidates at most.
    fn generation(
        &mut self,
        strategy: &mut CMAES<&Candidates<'_>>,
        candidates: &Candidates<'_>,
        n_allowed: u64,
    ) -> Generation {
        let population = strategy.parameters().lambda() as u64;
        candidates.prepare(self.sampling.judge.ledger.state.stage, n_allowed);
        // Which candidates are left out of an unfinished generation is settled only if they come one after another.
        let end = match &self.sampling.pool {
            Some(pool) if population <= n_allowed => pool.install(|| strategy.next_parallel()),
            _ => strategy.next(),
        };
        if candidates.is_canceled.load(Ordering::Relaxed) {
            return Generation::Canceled;
        }
        if let Some(best) = strategy.current_best_individual()
            && best.value < self.sampling.best_cost().min(WORST)
        {
            let weights = mirrored(&best.point, candidates.max_weight);
            let cost = best.value;
            self.sampling.improve(Sample { weights, cost });
        }
        let state = self.sampling.state();
        state.n_evaluations += population.min(n_allowed);
        state.n_moves += 1;
        if end.is_some() { Generation::Last } else { Generation::OneOfMany }
    }

    /// Goes on to the next stage of the curriculum if the error allows it. The distribution stays as it is; the best so
    /// far gives way to the first candidate of the new stage.
    fn advance_curriculum(&mut self) {
        let advance_below = self.sampling.judge.training.curriculum.advance_below;
        if self.sampling.judge.is_at_full_stage() || self.sampling.best_cost() >= advance_below {
            return;
        }
        let state = self.sampling.state();
        if let Some(best) = &mut state.best {
            best.cost = f64::INFINITY;
        }
        let mark = Mark { error: f64::INFINITY, n_evaluations: state.n_evaluations };
        self.sampling.judge.ledger.state.stage += 1;
        self.sampling.judge.ledger.state.progress = Some(mark);
    }
}

impl<'a> Search<'a> for Generations<'a, '_> {
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
        let (start, mean, seed) = self.start();
        let training = self.sampling.judge.training;
        let candidates = Candidates::new(&self.sampling);
        let mut strategy = CMAESOptions::new(mean.clone(), start.sigma.max(f64::MIN_POSITIVE))
            .population_size(start.population)
            .seed(seed)
            .build(&candidates)
            .expect("a network has weights, and the options were checked");

        // What a saved state may hold of this run is done over again: only its beginning can be taken up.
        let is_new = self.sampling.judge.ledger.state.sampling.is_none();
        let state = &mut self.sampling.judge.ledger.state;
        (state.stage, state.progress, state.best_of_descent) = (0, None, None);
        // The best until there is a better one.
        let best = Some(Sample { weights: mean, cost: f64::INFINITY });
        state.sampling = Some(SamplingState { best, ..SamplingState::new() });
        let event = if is_new { Event::DescentStarted } else { Event::Resumed };
        self.sampling.note(event, true);

        let mut stopped = None;
        loop {
            let n_evaluations = self.sampling.state().n_evaluations;
            let of_run =
                start.max_evaluations.map_or(u64::MAX, |n| n.saturating_sub(n_evaluations));
            let n_allowed = self.sampling.evaluations_left().min(of_run);
            if stopped.is_some() || n_allowed == 0 || self.sampling.is_out_of_patience() {
                break;
            }
            let generation = self.generation(&mut strategy, &candidates, n_allowed);
            self.sampling.judge.check_plant()?;
            if generation != Generation::Canceled {
                self.advance_curriculum();
                let n_generations = self.sampling.state().n_moves;
                if n_generations.is_multiple_of(training.validate_every)
                    && self.sampling.judge.is_at_full_stage()
                {
                    self.sampling.validate()?;
                }
                self.sampling.note(Event::Probing, false);
            }
            stopped = self.sampling.judge.ledger.reason_to_stop();
            if generation != Generation::OneOfMany {
                break;
            }
        }
        if let Some(reason) = stopped.filter(|reason| reason.is_pause()) {
            self.sampling.note(Event::Pausing(reason), false);
        }
        self.sampling.validate()?;
        self.sampling.note(Event::DescentEnded, false);
        // Last, since a state that was saved within the run must not know of its end.
        let n_evaluations = self.sampling.state().n_evaluations;
        self.sampling.judge.ledger.state.restarts.record(&start, n_evaluations);
        Ok(stopped)
    }
}

/// What came of a generation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Generation {
    OneOfMany,
    /// The run has converged.
    Last,
    /// The time was over before the end of the generation, which does not count.
    Canceled,
}

/// The cost of candidates, as the crate asks for it.
struct Candidates<'a> {
    objective: &'a ClosedLoopObjective<'a>,
    workspaces: Workspaces,
    max_weight: f64,
    urge: Urge<'a>,
    stage: AtomicUsize,
    /// Candidates that are still evaluated in this generation; the others get the worst cost.
    n_left: AtomicU64,
    is_canceled: AtomicBool,
}

impl<'a> Candidates<'a> {
    fn new<'b: 'a>(sampling: &Sampling<'b, 'a>) -> Self {
        Self {
            objective: sampling.objective,
            workspaces: Workspaces::default(),
            max_weight: sampling.judge.training.grid.weight_range(),
            urge: sampling.judge.ledger.urge(),
            stage: AtomicUsize::new(0),
            n_left: AtomicU64::new(0),
            is_canceled: AtomicBool::new(false),
        }
    }

    /// Gets ready for a generation.
    fn prepare(&self, stage: usize, n_allowed: u64) {
        self.stage.store(stage, Ordering::Relaxed);
        self.n_left.store(n_allowed, Ordering::Relaxed);
        self.is_canceled.store(false, Ordering::Relaxed);
    }

    fn cost(&self, point: &DVector<f64>) -> f64 {
        let is_allowed = |n_left: u64| n_left.checked_sub(1);
        let allowed = self.n_left.fetch_update(Ordering::Relaxed, Ordering::Relaxed, is_allowed);
        if allowed.is_err() || self.is_canceled.load(Ordering::Relaxed) {
            return WORST;
        }
        let weights = mirrored(point, self.max_weight);
        let stage = self.stage.load(Ordering::Relaxed);
        let probe = self.workspaces.lend(self.objective, |work| {
            let is_urgent = || self.urge.is_urgent();
            self.objective.cost_of(work, stage, &weights, f64::INFINITY, &is_urgent)
        });
        match probe {
            Probe::Below(cost) => cost.min(WORST),
            Probe::NotBelow => {
                // Given up, or else a fault.
                self.is_canceled.fetch_or(self.urge.is_urgent(), Ordering::Relaxed);
                WORST
            }
        }
    }
}

impl ObjectiveFunction for &Candidates<'_> {
    fn evaluate(&mut self, point: &DVector<f64>) -> f64 {
        self.cost(point)
    }
}

impl ParallelObjectiveFunction for &Candidates<'_> {
    fn evaluate_parallel(&self, point: &DVector<f64>) -> f64 {
        self.cost(point)
    }
}

/// Weights within plus and minus `max_weight`, by reflection at both as often as it takes.
fn mirrored(point: &DVector<f64>, max_weight: f64) -> Vec<f64> {
    let period = 4.0 * max_weight;
    point
        .iter()
        .map(|&x| {
            if x.abs() <= max_weight {
                return x;
            }
            // From the lower bound on, up for half a period, then down.
            let phase = (x + max_weight).rem_euclid(period);
            let distance = if phase <= 0.5 * period { phase } else { period - phase };
            (distance - max_weight).clamp(-max_weight, max_weight)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn weights_are_mirrored_at_the_largest_one() {
        let points = DVector::from(vec![0.25, -2.0, 2.5, -2.5, 6.0, 7.0, -7.0, 10.5, 1e300]);
        let within = mirrored(&points, 2.0);
        assert_eq!(within[..8], [0.25, -2.0, 1.5, -1.5, -2.0, -1.0, 1.0, 1.5]);
        assert!(within[8].abs() <= 2.0);
    }
}
