//! [`Descents`]: repeated local search, descents of telescopic BLM from random weights.

use bitloop_blm::{Explorer, LocalSearch, SearchOptions, Step};

use crate::error::TrainError;
use crate::judge::{Judge, TrainingError};
use crate::objective::ClosedLoopObjective;
use crate::search::Search;
use crate::state::{Mark, StopReason};
use crate::training::{Event, Progress};

/// Probes between two looks at the clock and at the interrupt flag.
const PROBES_PER_LOOK: u64 = 64;

/// A training by telescopic BLM under way.
pub(crate) struct Descents<'a, 'w, E> {
    judge: Judge<'a>,
    options: SearchOptions,
    explorer: &'w mut E,
    watch: &'w mut dyn FnMut(&Progress<'_>),
}

impl<'a, 'b, 'w, E> Descents<'a, 'w, E>
where
    E: Explorer<Objective = ClosedLoopObjective<'b>>,
{
    pub fn new(
        judge: Judge<'a>,
        options: SearchOptions,
        explorer: &'w mut E,
        watch: &'w mut dyn FnMut(&Progress<'_>),
    ) -> Self {
        Self { judge, options, explorer, watch }
    }

    /// Goes on to the next stage of the curriculum while the error allows it.
    fn advance_curriculum(&mut self, search: &mut LocalSearch) {
        let training = self.judge.training;
        while self.judge.state.stage + 1 < training.stages.len()
            && search.state().current_cost < training.curriculum.advance_below
        {
            self.judge.state.stage += 1;
            let stage = self.judge.state.stage;
            self.explorer.with_objective(|objective| objective.enter(stage));
            search.reevaluate(self.explorer);
            let state = search.state();
            self.judge.state.progress =
                Some(Mark { error: state.current_cost, n_evaluations: state.n_evaluations });
        }
    }

    /// Validates the current weights, once the training episodes are the full ones.
    fn validate(&mut self, search: &LocalSearch) -> Result<(), TrainError> {
        if self.judge.is_at_full_stage() {
            self.validate_in(search, TrainingError::Known(search.state().current_cost))
        } else {
            Ok(())
        }
    }

    fn validate_in(
        &mut self,
        search: &LocalSearch,
        training_error: TrainingError,
    ) -> Result<(), TrainError> {
        // So that whoever is told of a new best is told the evaluations that it took.
        self.keep(search);
        if self.judge.validate(&search.state().codes, training_error)? {
            self.note(search, Event::Validated);
        }
        Ok(())
    }

    /// Makes the search part of the state that would be saved.
    fn keep(&mut self, search: &LocalSearch) {
        self.judge.state.search = Some(search.state().clone());
    }

    /// Shows how it goes.
    fn note(&mut self, search: &LocalSearch, event: Event) {
        let plant_steps =
            self.judge.plant_steps + self.explorer.with_objective(|o| o.plant_steps());
        (self.watch)(&Progress {
            state: &self.judge.state,
            current_error: search.state().current_cost,
            unlocked_bits: search.state().unlocked_bits,
            bits: search.options().grid.bits_per_weight(),
            plant_steps,
            event,
        });
    }
}

impl<'a, 'b, E> Search<'a> for Descents<'a, '_, E>
where
    E: Explorer<Objective = ClosedLoopObjective<'b>>,
{
    fn judge(&mut self) -> &mut Judge<'a> {
        &mut self.judge
    }

    fn work(&mut self) -> (u64, u64) {
        self.explorer.with_objective(|objective| (objective.plant_steps(), objective.n_faults()))
    }

    fn descend(&mut self) -> Result<Option<StopReason>, TrainError> {
        let training = self.judge.training;
        let (options, descent) = (self.options, self.judge.state.descent);
        let stage = self.judge.state.stage;
        self.explorer.with_objective(|objective| objective.enter(stage));
        let mut search = match self.judge.state.search.take() {
            Some(saved) => LocalSearch::resume(options, saved, self.explorer)?,
            None => LocalSearch::begin(options, training.seed, descent, self.explorer)?,
        };
        self.keep(&search);
        self.note(&search, Event::DescentStarted);
        let mut stopped = None;
        loop {
            self.advance_curriculum(&mut search);
            let n_evaluations = search.state().n_evaluations;
            let limit = self.judge.evaluations_left(n_evaluations).min(PROBES_PER_LOOK);
            match search.step(self.explorer, limit) {
                Step::Moved { .. } => {
                    if search.state().n_moves.is_multiple_of(training.validate_every) {
                        self.validate(&search)?;
                    }
                    self.note(&search, Event::Moved);
                }
                Step::BitUnlocked { .. } => {
                    self.validate(&search)?;
                    self.note(&search, Event::BitUnlocked);
                }
                Step::KickDue => self.validate(&search)?,
                Step::Kicked { .. } => {}
                Step::Paused => self.note(&search, Event::Probing),
                Step::LocalMinimum => break,
            }
            self.keep(&search);
            let n_evaluations = search.state().n_evaluations;
            stopped = self.judge.reason_to_stop();
            if stopped.is_some()
                || self.judge.evaluations_left(n_evaluations) == 0
                || self.judge.is_out_of_patience(best_cost(&search), n_evaluations)
            {
                break;
            }
        }
        self.keep(&search);
        if self.judge.is_at_full_stage() {
            self.validate(&search)?;
        } else {
            // Of a curriculum that was not finished: what it came to, in the full episodes.
            self.validate_in(&search, TrainingError::Unknown { unrounded: None })?;
        }
        self.note(&search, Event::DescentEnded);
        Ok(stopped)
    }
}

/// The lowest cost of a descent so far, kicks aside.
fn best_cost(search: &LocalSearch) -> f64 {
    let state = search.state();
    state.home.as_ref().map_or(state.current_cost, |home| home.cost.min(state.current_cost))
}
