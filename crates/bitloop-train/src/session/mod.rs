//! [`Session`]: a training in progress, and the paper's search over runs.

mod model_selection;

use std::sync::OnceLock;
use std::time::Instant;

use bitloop_blm::WeightGrid;
use bitloop_scenario::Stop;

use crate::budget::{Budget, Deadline};
use crate::error::TrainError;
use crate::execution::Execution;
use crate::outcome::Outcome;
use crate::progress::{Event, Progress};
use crate::score::{SetName, WorkCounter};
use crate::state::{Candidate, Reached, SamplingState, StopReason, TrainingState};
use crate::task::Task;
use crate::weights::Weights;

pub use model_selection::TrainingError;

/// A training in progress: trainers report to it, and ask it whether to stop.
#[derive(Debug)]
pub struct Session<'a, T: Task> {
    /// What is trained.
    pub task: &'a T,
    /// Root of all random streams.
    pub seed: u64,
    /// How it is carried out.
    pub execution: Execution<'a>,
    /// Work of all threads.
    pub work: &'a WorkCounter,
    /// The state that is saved.
    pub state: TrainingState,
    budget: Budget<'a>,
    /// Faulty evaluations since the training began or was resumed.
    n_faults: u64,
    observer: Observer<'a>,
    /// The grid of the trainer's weights, if it has one.
    grid: Option<WeightGrid>,
    /// The weights that the first run starts from.
    start: Option<&'a [f64]>,
    /// When the interrupt was seen by a score.
    interrupted: OnceLock<Instant>,
    /// Whether it has called a score off, so that the state misses it and cannot be resumed.
    is_cut_short: bool,
    /// Whether the observer has been shown a pause.
    is_pausing: bool,
}

/// What a session trains, and within which rules.
pub(crate) struct Setup<'a, T: Task> {
    /// What is trained.
    pub task: &'a T,
    /// The grid of the trainer's weights, if it has one.
    pub grid: Option<WeightGrid>,
    /// The weights that the first run starts from; random ones if there are none.
    pub start: Option<&'a [f64]>,
    /// When to stop.
    pub stop: &'a Stop,
    /// Root of all random streams.
    pub seed: u64,
}

struct Observer<'a>(&'a mut dyn FnMut(&Progress<'_>));

impl std::fmt::Debug for Observer<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Observer")
    }
}

/// The current weights of a search, as an observer is shown them.
#[derive(Clone, Copy, Debug)]
pub struct Standing {
    /// Their cost on the training set of the stage.
    pub cost: f64,
    /// Bits of each weight that may flip; none if all may.
    pub unlocked_bits: Option<u32>,
}

/// How a run continues after a step of its search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Another step.
    Continue,
    /// The run ends, and the training with it if there is a reason.
    End(Option<StopReason>),
}

impl<'a, T: Task> Session<'a, T> {
    pub(crate) fn new(
        Setup { task, grid, start, stop, seed }: Setup<'a, T>,
        state: TrainingState,
        execution: Execution<'a>,
        work: &'a WorkCounter,
        observer: &'a mut dyn FnMut(&Progress<'_>),
    ) -> Self {
        let is_confirmed = task.has(SetName::Confirmation);
        Self {
            budget: Budget::new(stop, execution.interrupt, state.spent, is_confirmed),
            grid,
            start,
            task,
            seed,
            execution,
            work,
            n_faults: 0,
            state,
            observer: Observer(observer),
            interrupted: OnceLock::new(),
            is_cut_short: false,
            is_pausing: false,
        }
    }

    /// Repeated local search (TBLM, Sec. II): runs from random weights until it is time to stop, then one test of the
    /// winner. `run` does one run, from a new start or from the saved state; it keeps the best of the run in the state, and
    /// returns a reason when the whole training must stop. Returns none if it is stopped before it has found any weights.
    /// A score that an interrupt calls off is missing in the outcome, which is that of an interrupted training.
    ///
    /// # Errors
    /// Those of `run` and of evaluations.
    pub fn repeat(
        mut self,
        mut run: impl FnMut(&mut Self) -> Result<Option<StopReason>, TrainError>,
    ) -> Result<Option<Outcome>, TrainError> {
        loop {
            // Run from random weights; the best on the validation set is kept.
            let mut reason = run(&mut self)?;
            let is_paused = reason.is_some_and(StopReason::is_pause) || self.is_cut_short;
            if is_paused && self.has_found_nothing() {
                self.show_cut_short();
                return Ok(None);
            }
            // Confirm the best of the run, and compare it with the incumbent.
            let is_best = self.finish_run()?;
            self.show_incumbent(Event::RunFinished { is_best }, false);
            if self.is_cut_short {
                return self.test(StopReason::Interrupted).map(Some);
            }
            // Restart, unless a rule says stop.
            if reason.is_none() {
                reason = self.budget.reason_to_stop(&self.state);
                if let Some(pause) = reason.filter(|reason| reason.is_pause()) {
                    // A resumed training begins the next run, which this one does not.
                    self.state.run += 1;
                    self.show_incumbent(Event::Pausing(pause), true);
                    self.state.run -= 1;
                }
            }
            // Test the winner, once.
            if let Some(reason) = reason {
                return self.test(reason).map(Some);
            }
            self.state.run += 1;
        }
    }

    /// How the run continues after a step of the search: the lowest cost of the run so far is `cost`, after `n_evaluations`
    /// evaluations. A pause is shown with the state as it is, which may be resumable or not.
    pub fn next(&mut self, standing: Standing, best_cost: f64, is_resumable: bool) -> Next {
        let is_over = self.is_run_over(best_cost);
        let reason = self.budget.reason_to_stop(&self.state);
        if is_over {
            // A run that is at its end is finished before a pause is considered.
            return Next::End(reason.filter(|reason| !reason.is_pause()));
        }
        let Some(reason) = reason else { return Next::Continue };
        if reason.is_pause() {
            self.show(standing, Event::Pausing(reason), is_resumable);
        }
        Next::End(Some(reason))
    }

    /// Whether the run has used up its budget or its patience.
    fn is_run_over(&mut self, best_cost: f64) -> bool {
        self.evaluations_left() == 0 || self.is_out_of_patience(best_cost)
    }

    /// Whether the run, whose lowest cost so far is `best_cost`, has used up its patience.
    pub fn is_out_of_patience(&mut self, best_cost: f64) -> bool {
        self.note_progress(best_cost);
        self.evaluations_of_patience() == 0
    }

    /// Lets the patience of the run begin anew if its lowest cost so far is progress.
    pub fn note_progress(&mut self, best_cost: f64) {
        let (n_evaluations, _) = self.state.of_run();
        self.budget.note_progress(&mut self.state, best_cost, n_evaluations);
    }

    /// Evaluations until the patience of the run is used up, if there is no progress until then.
    pub fn evaluations_of_patience(&self) -> u64 {
        let (n_evaluations, _) = self.state.of_run();
        self.budget.evaluations_of_patience(&self.state, n_evaluations)
    }

    /// The weights that the current run starts from, `[n_weights]`; the trainer draws them if there are none.
    #[must_use]
    pub fn start(&self) -> Option<&'a [f64]> {
        self.start.filter(|_| self.state.run == 0)
    }

    /// Why the whole training must stop now, if it must.
    pub fn reason_to_stop(&self) -> Option<StopReason> {
        self.budget.reason_to_stop(&self.state)
    }

    /// Evaluations that the budgets still allow the current run.
    pub fn evaluations_left(&self) -> u64 {
        let (n_evaluations, _) = self.state.of_run();
        self.budget.evaluations_left(&self.state, n_evaluations)
    }

    pub(crate) const fn deadline(&self) -> Deadline<'a> {
        self.budget.deadline()
    }

    pub(crate) const fn target(&self) -> Option<f64> {
        self.budget.target()
    }

    pub(crate) fn is_at_target(&self, error: f64) -> bool {
        self.target().is_some_and(|target| error <= target)
    }

    /// Counts evaluations of the search that were faulty: the plant broke, or gave a negative or infinite cost.
    pub fn count_faults(&mut self, n_faults: u64) {
        self.n_faults += n_faults;
    }

    /// Whether the training set is the full one.
    pub fn is_at_full_stage(&self) -> bool {
        self.state.stage + 1 >= self.task.n_stages()
    }

    /// The number of a stage, of the training episodes that are drawn now.
    pub(crate) fn stage_number(&self, stage: usize) -> usize {
        // A number that no memory holds would be reached after as many evaluations.
        let draw = usize::try_from(self.state.draw).unwrap_or(usize::MAX);
        draw.saturating_mul(self.task.n_stages()).saturating_add(stage)
    }

    /// Evaluations of the run until its training episodes are drawn anew.
    pub(crate) fn evaluations_until_fresh(&self) -> u64 {
        let next = |every: u64| every.saturating_mul(self.state.draw + 1);
        self.task
            .fresh_every()
            .map_or(u64::MAX, |every| next(every).saturating_sub(self.state.of_run().0))
    }

    /// Whether the training episodes of the run are to be drawn anew.
    pub(crate) fn is_draw_due(&self) -> bool {
        self.state.was_validated_at_target || self.evaluations_until_fresh() == 0
    }

    /// Notes when the target is reached first.
    pub(crate) fn note_target(&mut self) {
        if self.state.reached.is_none() && self.budget.target_is_met(&self.state) {
            let spent = self.budget.spent(self.work, self.n_faults);
            let n_evaluations = self.state.n_evaluations();
            self.state.reached = Some(Reached { n_evaluations, spent });
        }
    }

    /// Has the training episodes drawn anew if the weights that were just validated, whose error on them is `training_error`,
    /// are at the target there, and the training goes on: they have missed it elsewhere, since they fit these episodes and no
    /// others, or are refined, and so that they do not fit these alone.
    pub(crate) fn note_validation(&mut self, training_error: f64) {
        self.state.was_validated_at_target |= self.task.fresh_after_miss()
            && self.is_at_full_stage()
            && self.is_at_target(training_error)
            && self.reason_to_stop() != Some(StopReason::Target);
    }

    /// The state of the current run, of trainers without weights in codes.
    pub fn sampling(&mut self) -> &mut SamplingState {
        self.state.sampling.get_or_insert_with(SamplingState::new)
    }

    /// Shows the observer an event within a run.
    pub fn show(&mut self, standing: Standing, event: Event, is_resumable: bool) {
        let error = self.task.error_of_cost(standing.cost);
        let unlocked_bits = standing.unlocked_bits.unwrap_or(self.bits());
        self.observe(error, unlocked_bits, event, is_resumable);
    }

    /// Shows the observer that the training pauses, if a score was called off and that is new to it.
    fn show_cut_short(&mut self) {
        if self.is_cut_short && !self.is_pausing {
            self.show_incumbent(Event::Pausing(StopReason::Interrupted), false);
        }
    }

    /// Shows the observer an event between two runs.
    fn show_incumbent(&mut self, event: Event, is_resumable: bool) {
        let incumbent = self.state.incumbent.as_ref();
        let error = incumbent.and_then(|best| best.training_error).unwrap_or(f64::INFINITY);
        self.observe(error, self.bits(), event, is_resumable);
    }

    /// Bits of a weight: all those of a number, where there is no grid.
    fn bits(&self) -> u32 {
        self.grid.map_or(f64::MANTISSA_DIGITS, |grid| grid.bits_per_weight())
    }

    fn observe(
        &mut self,
        current_error: f64,
        unlocked_bits: u32,
        event: Event,
        is_resumable: bool,
    ) {
        let bits = self.bits();
        self.is_pausing |= matches!(event, Event::Pausing(_));
        self.state.spent = self.budget.spent(self.work, self.n_faults);
        (self.observer.0)(&Progress {
            state: &self.state,
            current_error,
            unlocked_bits,
            bits,
            event,
            is_resumable: is_resumable && !self.is_cut_short,
        });
    }

    /// Tests the winner, and makes the outcome of the training.
    fn test(mut self, stop_reason: StopReason) -> Result<Outcome, TrainError> {
        let best = self.state.incumbent.clone().ok_or(TrainError::NothingFound)?;
        let weights = self.weights_of(&best);
        let scores = self.report(&weights)?;
        self.show_cut_short();
        let stop_reason = if self.is_cut_short { StopReason::Interrupted } else { stop_reason };
        self.state.spent = self.budget.spent(self.work, self.n_faults);
        let state = &self.state;
        Ok(Outcome {
            best,
            weights,
            scores,
            stop_reason,
            reached: state.reached,
            n_runs: state.run + 1,
            n_moves: state.n_moves(),
            n_evaluations: state.n_evaluations(),
            plant_steps: state.spent.plant_steps,
            n_faults: state.spent.n_faults,
            wall_s: state.spent.wall_s,
        })
    }

    pub(crate) fn weights_of(&self, candidate: &Candidate) -> Weights {
        Weights::of(candidate, self.grid)
    }
}
