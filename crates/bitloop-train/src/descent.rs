//! [`Descents`]: repeated local search, descents of telescopic BLM from random weights.

use std::time::{Duration, Instant};

use bitloop_blm::{Explorer, LocalSearch, SearchOptions, SearchState, Step};

use crate::error::TrainError;
use crate::judge::{Judge, TrainingError};
use crate::objective::ClosedLoopObjective;
use crate::search::Search;
use crate::state::{Mark, StopReason};
use crate::training::{Event, Progress};

/// Probes between two looks at the clock and at the interrupt flag, if they do not take longer than this.
const PROBES_PER_LOOK: u64 = 64;
const LONGEST_LOOK: Duration = Duration::from_millis(200);

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
    fn advance_curriculum(&mut self, search: &mut LocalSearch) -> Result<(), TrainError> {
        let training = self.judge.training;
        while self.judge.ledger.state.stage + 1 < training.stages.len()
            && search.state().current_cost < training.curriculum.advance_below
        {
            self.judge.ledger.state.stage += 1;
            let stage = self.judge.ledger.state.stage;
            self.explorer.with_objective(|objective| objective.enter(stage));
            search.reevaluate(self.explorer);
            self.judge.check_plant()?;
            let state = search.state();
            self.judge.ledger.state.progress =
                Some(Mark { error: state.current_cost, n_evaluations: state.n_evaluations });
        }
        Ok(())
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
        if let Some(event) = self.judge.validate(&search.state().codes, training_error)? {
            self.note(search, event);
        }
        Ok(())
    }

    /// Makes the search part of the state that would be saved.
    fn keep(&mut self, search: &LocalSearch) {
        self.judge.ledger.state.search = Some(search.state().clone());
    }

    /// Shows how it goes.
    fn note(&mut self, search: &LocalSearch, event: Event) {
        let SearchState { current_cost, unlocked_bits, .. } = *search.state();
        self.show(current_cost, unlocked_bits, event);
    }

    fn show(&mut self, current_error: f64, unlocked_bits: u32, event: Event) {
        let work = self.work();
        self.judge.account(work);
        (self.watch)(&Progress {
            state: &self.judge.ledger.state,
            current_error,
            unlocked_bits,
            bits: self.options.grid.bits_per_weight(),
            plant_steps: self.judge.ledger.state.spent.plant_steps,
            event,
            is_resumable: matches!(event, Event::Probing | Event::Pausing(_)),
        });
    }

    /// How many probes to allow before the next look: fewer where they take long, so that the user does not wait for
    /// many. The number changes no result.
    fn probes_per_look(&self, last: u64, took: Duration) -> u64 {
        let least = self.judge.execution.n_threads.get() as u64;
        let next = if took > LONGEST_LOOK { last / 2 } else { last * 2 };
        next.clamp(least.min(PROBES_PER_LOOK), PROBES_PER_LOOK)
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

    fn tell(&mut self, event: Event) {
        let incumbent = self.judge.ledger.state.incumbent.as_ref();
        let error = incumbent.map_or(f64::INFINITY, |incumbent| incumbent.training_error);
        self.show(error, self.options.final_bits(), event);
    }

    fn descend(&mut self) -> Result<Option<StopReason>, TrainError> {
        let training = self.judge.training;
        let (options, descent) = (self.options, self.judge.ledger.state.descent);
        let stage = self.judge.ledger.state.stage;
        self.explorer.with_objective(|objective| objective.enter(stage));
        let saved = self.judge.ledger.state.search.take();
        let event = if saved.is_some() { Event::Resumed } else { Event::DescentStarted };
        let mut search = match saved {
            Some(saved) => LocalSearch::resume(options, saved, self.explorer)?,
            None => LocalSearch::begin(options, training.seed, descent, self.explorer)?,
        };
        self.judge.check_plant()?;
        self.keep(&search);
        self.note(&search, event);
        let mut stopped = None;
        let mut probes_per_look = PROBES_PER_LOOK;
        loop {
            // Here, and nowhere else, a saved state is taken up.
            self.note(&search, Event::Probing);
            let looked = Instant::now();
            self.advance_curriculum(&mut search)?;
            let n_evaluations = search.state().n_evaluations;
            let limit = self.judge.ledger.evaluations_left(n_evaluations).min(probes_per_look);
            let step = search.step(self.explorer, limit);
            self.judge.check_plant()?;
            match step {
                Step::Moved { .. } => {
                    if search.state().n_moves.is_multiple_of(training.validate_every) {
                        self.validate(&search)?;
                    }
                    self.keep(&search);
                    self.note(&search, Event::Moved);
                }
                Step::BitUnlocked { .. } => {
                    self.keep(&search);
                    self.note(&search, Event::BitUnlocked);
                    self.validate(&search)?;
                }
                Step::KickDue => self.validate(&search)?,
                Step::Kicked { .. } | Step::Paused => {}
                Step::LocalMinimum => break,
            }
            self.keep(&search);
            probes_per_look = self.probes_per_look(probes_per_look, looked.elapsed());
            let n_evaluations = search.state().n_evaluations;
            let is_over = self.judge.ledger.evaluations_left(n_evaluations) == 0
                || self.judge.ledger.is_out_of_patience(best_cost(&search), n_evaluations);
            stopped = self.judge.ledger.reason_to_stop();
            if is_over {
                // A descent that is at its end is ended first; then there is time to be interrupted.
                stopped = stopped.filter(|reason| !reason.is_pause());
                break;
            }
            if let Some(reason) = stopped {
                if reason.is_pause() {
                    self.note(&search, Event::Pausing(reason));
                }
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
