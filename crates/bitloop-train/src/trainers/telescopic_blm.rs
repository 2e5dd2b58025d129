//! [`TelescopicBlm`]: local search over the bits of the weights, with telescoping (TBLM, Sec. III).

use std::num::NonZeroUsize;
use std::time::{Duration, Instant};

use bitloop_blm::{
    AnyExplorer, BlmError, Explorer, LocalSearch, SearchOptions, Step, WeightGrid, speculate,
};
use bitloop_scenario as file;

use crate::error::TrainError;
use crate::outcome::Outcome;
use crate::progress::Event;
use crate::session::TrainingError;
use crate::session::{Next, Session, Standing};
use crate::state::{Mark, StopReason, TrainingState};
use crate::state_check::another_search;
use crate::state_fault::StateFault;
use crate::task::{Task, TaskObjective};
use crate::trainer::Trainer;
use crate::weights::Weights;

/// Probes between two checks of the clock and of the interrupt: the first number, and the largest number, which is reached
/// only where the probes between two checks take less than `LONGEST_LOOK`.
const FIRST_PROBES: u64 = 64;
const MOST_PROBES: u64 = 1 << 14;
const LONGEST_LOOK: Duration = Duration::from_millis(100);

/// Telescopic binary learning machine.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TelescopicBlm {
    /// The search.
    pub options: SearchOptions,
    /// Accepted moves between two validations.
    pub validate_every: u64,
    /// Whether weights are also validated as soon as their training error is at or below the target.
    pub validate_at_target: bool,
}

impl TryFrom<&file::TelescopicBlm> for TelescopicBlm {
    type Error = TrainError;

    fn try_from(settings: &file::TelescopicBlm) -> Result<Self, TrainError> {
        let validate_every = u64::from(settings.validate_every);
        let validate_at_target = settings.validate_at_target;
        Ok(Self { options: settings.search_options()?, validate_every, validate_at_target })
    }
}

impl<T: Task> Trainer<T> for TelescopicBlm {
    fn name(&self) -> &'static str {
        "TelescopicBlm"
    }

    fn saves_within_run(&self) -> bool {
        true
    }

    fn grid(&self) -> Option<WeightGrid> {
        Some(self.options.grid)
    }

    fn n_zeros_at_start(&self, n_weights: usize) -> Option<usize> {
        self.options.sparsity.map(|sparsity| sparsity.n_zeros(n_weights))
    }

    fn check_state(&self, state: &TrainingState, task: &T, seed: u64) -> Result<(), StateFault> {
        let n_weights = task.network().n_weights();
        match (&state.search, &state.sampling) {
            (None, None) => Ok(()),
            (Some(search), None) if (search.seed, search.run) == (seed, state.run) => search
                .check(&self.options, n_weights)
                .map_err(|error| StateFault::new(error.to_string())),
            (Some(_), None) => Err(StateFault::new("its run has other random numbers")),
            (_, Some(_)) => Err(another_search()),
        }
    }

    fn train(&self, session: Session<'_, T>) -> Result<Option<Outcome>, TrainError> {
        let deadline = session.deadline();
        let has_come = move || deadline.has_come();
        let objective = session.task.objective(session.execution.isa, session.work, &has_come)?;
        let n_threads = session.task.useful_threads(session.execution.n_threads);
        speculate(objective, n_threads, |explorer| {
            session.repeat(|session| self.run(session, explorer))
        })
    }
}

impl TelescopicBlm {
    /// One run: local search from random weights, or from a saved state, to a local minimum at full precision.
    fn run<T, E>(
        &self,
        session: &mut Session<'_, T>,
        explorer: &mut E,
    ) -> Result<Option<StopReason>, TrainError>
    where
        T: Task,
        E: Explorer<Objective: TaskObjective>,
    {
        let stage = session.stage_number(session.state.stage);
        let run = session.state.run;
        explorer.with_objective(|objective| {
            objective.begin_run(run);
            objective.enter(stage);
        });
        let saved = session.state.search.clone();
        let is_new = saved.is_none();
        let event = if saved.is_some() { Event::Resumed } else { Event::RunStarted };
        let search = match saved {
            Some(saved) => LocalSearch::resume(self.options, saved, explorer),
            None => self.begin(session, explorer),
        };
        let mut search = match search {
            Err(BlmError::CalledOff) => return called_off_at_start(session, explorer),
            search => search?,
        };
        save(session, &search);
        if is_new {
            session.note_progress(best_cost(&search));
        }
        session.show(standing(&search), event, false);
        // A given start may be at the target already.
        if is_new && self.is_at_target(session, &search) {
            self.validate_at_full_stage(session, &search)?;
            session.note_validation(training_error(session, &search));
        }

        let mut n_probes = FIRST_PROBES;
        let reason = loop {
            // Only states recorded here, or at a pause, can be resumed.
            session.show(standing(&search), Event::Probing, true);
            let started = Instant::now();
            // What was called off comes first when the training is resumed.
            let is_ready = Self::draw_anew(session, &mut search, explorer)
                && Self::advance_curriculum(session, &mut search, explorer);
            let step = if is_ready {
                search.step(explorer, Self::n_allowed(session).min(n_probes))
            } else {
                Step::CalledOff
            };
            check_objective(explorer)?;
            // Saved before the observer is shown anything, so that it sees the evaluations up to now.
            save(session, &search);
            match step {
                Step::Moved { .. } => {
                    if self.is_validation_due(session, &search) {
                        self.validate_at_full_stage(session, &search)?;
                        session.note_validation(training_error(session, &search));
                    }
                    session.show(standing(&search), Event::Moved, false);
                }
                Step::BitUnlocked { .. } => {
                    session.show(standing(&search), Event::BitUnlocked, false);
                    self.validate_at_full_stage(session, &search)?;
                }
                Step::KickDue => self.validate_at_full_stage(session, &search)?,
                Step::Kicked { .. } | Step::Paused | Step::CalledOff => {}
                Step::LocalMinimum => break None,
            }
            n_probes = next_n_probes(n_probes, started.elapsed(), session.execution.n_threads);
            match session.next(standing(&search), best_cost(&search), true) {
                Next::Continue => {}
                Next::End(reason) => break reason,
            }
        };
        let training_error = if session.is_at_full_stage() {
            known_error(session, &search)
        } else {
            // The curriculum was not finished: the error on the full training set is unknown.
            TrainingError::Unknown { unrounded: None }
        };
        self.validate(session, &search, training_error)?;
        session.show(standing(&search), Event::RunEnded, false);
        Ok(reason)
    }

    /// The most evaluations until a rule must be asked that depends on their number, so that it is asked at the same number
    /// however often the clock is.
    fn n_allowed<T: Task>(session: &Session<'_, T>) -> u64 {
        session
            .evaluations_left()
            .min(session.evaluations_until_fresh())
            .min(session.evaluations_of_patience())
    }

    /// Begins the search of a run, from the given weights or from random ones.
    fn begin<T: Task, E: Explorer>(
        &self,
        session: &Session<'_, T>,
        explorer: &mut E,
    ) -> Result<LocalSearch, BlmError> {
        let (options, seed, run) = (self.options, session.seed, session.state.run);
        let codes = match session.start() {
            None => {
                let mut codes = options.initial_codes(explorer.n_weights(), seed, run)?;
                for &weight in session.task.integrator_weights() {
                    codes[weight] = code_of_integrator(options.grid);
                }
                codes
            }
            Some(weights) => {
                weights.iter().map(|&weight| options.grid.nearest_code(weight)).collect()
            }
        };
        LocalSearch::begin_at(options, codes, seed, run, explorer)
    }

    /// Draws the training episodes anew if it is time to, and evaluates the current weights on them.
    fn draw_anew<T, E>(
        session: &mut Session<'_, T>,
        search: &mut LocalSearch,
        explorer: &mut E,
    ) -> bool
    where
        T: Task,
        E: Explorer<Objective: TaskObjective>,
    {
        if !session.is_draw_due() || session.evaluations_left() == 0 {
            return true;
        }
        let before = session.stage_number(session.state.stage);
        session.state.draw += 1;
        let number = session.stage_number(session.state.stage);
        let Some(error) = enter(search, explorer, number, before) else {
            // The run still has the episodes before.
            session.state.draw -= 1;
            return false;
        };
        session.state.was_validated_at_target = false;
        save(session, search);
        // Errors on other episodes are no progress, nor the lack of it.
        if let Some(mark) = &mut session.state.progress {
            mark.error = error;
        }
        true
    }

    /// Enters the next stage of the curriculum while the training error allows it.
    fn advance_curriculum<T, E>(
        session: &mut Session<'_, T>,
        search: &mut LocalSearch,
        explorer: &mut E,
    ) -> bool
    where
        T: Task,
        E: Explorer<Objective: TaskObjective>,
    {
        while !session.is_at_full_stage()
            && search.state().current_cost < session.task.advance_below()
        {
            let stage = session.state.stage + 1;
            let number = session.stage_number(stage);
            let Some(error) = enter(search, explorer, number, number - 1) else { return false };
            session.state.stage = stage;
            save(session, search);
            let n_evaluations = search.state().n_evaluations;
            session.state.progress = Some(Mark { error, n_evaluations });
        }
        true
    }

    /// Whether the weights that a move has led to are validated.
    fn is_validation_due<T: Task>(&self, session: &Session<'_, T>, search: &LocalSearch) -> bool {
        search.state().n_moves.is_multiple_of(self.validate_every)
            || self.is_at_target(session, search)
    }

    /// Whether weights are validated since their training error is at or below the target.
    fn is_at_target<T: Task>(&self, session: &Session<'_, T>, search: &LocalSearch) -> bool {
        self.validate_at_target && session.is_at_target(training_error(session, search))
    }

    fn validate_at_full_stage<T: Task>(
        &self,
        session: &mut Session<'_, T>,
        search: &LocalSearch,
    ) -> Result<(), TrainError> {
        if session.is_at_full_stage() {
            self.validate(session, search, known_error(session, search))
        } else {
            Ok(())
        }
    }

    fn validate<T: Task>(
        &self,
        session: &mut Session<'_, T>,
        search: &LocalSearch,
        training_error: TrainingError,
    ) -> Result<(), TrainError> {
        let (grid, codes) = (self.options.grid, search.state().codes.clone());
        session.validate(&Weights::Codes { grid, codes }, training_error, standing(search))
    }
}

/// The code of the largest weight up to 1: an integrator with more would grow without end.
fn code_of_integrator(grid: WeightGrid) -> i32 {
    let code = grid.nearest_code(1.0);
    if grid.weight(code) > 1.0 { code - 1 } else { code }
}

/// The error of the current weights on the training episodes that they are evaluated on.
fn training_error<T: Task>(session: &Session<'_, T>, search: &LocalSearch) -> f64 {
    session.task.error_of_cost(search.state().current_cost)
}

/// The training error of the current weights at the full stage, where the cost is that error: one on the first training episodes.
fn known_error<T: Task>(session: &Session<'_, T>, search: &LocalSearch) -> TrainingError {
    if session.task.cost_is_error() && session.state.draw == 0 {
        TrainingError::Known(search.state().current_cost)
    } else {
        TrainingError::Unknown { unrounded: None }
    }
}

/// Has the objective evaluate by the training episodes of another number, and gives the error of the current codes there; none if
/// that was called off, and the objective has those of the number before.
fn enter<E: Explorer<Objective: TaskObjective>>(
    search: &mut LocalSearch,
    explorer: &mut E,
    number: usize,
    before: usize,
) -> Option<f64> {
    explorer.with_objective(|objective| objective.enter(number));
    let error = search.reevaluate(explorer);
    if error.is_none() {
        explorer.with_objective(|objective| objective.enter(before));
    }
    error
}

/// Makes the state of the search part of what is saved, and counts its faulty evaluations.
fn save<T: Task>(session: &mut Session<'_, T>, search: &LocalSearch) {
    let n_counted = session.state.search.as_ref().map_or(0, |state| state.n_faulty);
    session.count_faults(search.state().n_faulty - n_counted);
    match &mut session.state.search {
        // The codes keep their place in memory.
        Some(state) => state.clone_from(search.state()),
        None => session.state.search = Some(search.state().clone()),
    }
}

/// The end of a run whose first evaluation was called off: by the deadline, since nothing else does, or by a failure. The
/// state is still the one that the run would begin with, so that rules about finished runs must not be asked.
fn called_off_at_start<T: Task, E: Explorer<Objective: TaskObjective>>(
    session: &mut Session<'_, T>,
    explorer: &mut E,
) -> Result<Option<StopReason>, TrainError> {
    check_objective(explorer)?;
    let reason = session.deadline().reason();
    if let Some(pause) = reason {
        let standing = Standing { cost: f64::INFINITY, unlocked_bits: None };
        session.show(standing, Event::Pausing(pause), true);
    }
    Ok(reason)
}

fn standing(search: &LocalSearch) -> Standing {
    let state = search.state();
    Standing { cost: state.current_cost, unlocked_bits: Some(state.unlocked_bits) }
}

/// The lowest cost of a run so far, kicks aside.
fn best_cost(search: &LocalSearch) -> f64 {
    let state = search.state();
    state.home.as_ref().map_or(state.current_cost, |home| home.cost.min(state.current_cost))
}

/// How many probes to allow before the next check: fewer where they take long, so that an interrupt is noticed soon, but
/// enough for all threads. The number changes no result.
fn next_n_probes(last: u64, took: Duration, n_threads: NonZeroUsize) -> u64 {
    let next = if took > LONGEST_LOOK { last / 2 } else { last * 2 };
    next.clamp((n_threads.get() as u64).min(FIRST_PROBES), MOST_PROBES)
}

/// Whether the objective can still be evaluated.
fn check_objective<E: Explorer<Objective: TaskObjective>>(
    explorer: &mut E,
) -> Result<(), TrainError> {
    explorer.with_objective(|objective| objective.failure()).map_or(Ok(()), Err)
}
