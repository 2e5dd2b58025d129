//! [`Training`]: descents, validation, confirmation, restarts, and when to stop.
//!
//! Four sets of episodes have a part, each with its own streams. The search minimizes over the training set. The best of a
//! descent is the one with the lowest error on the validation set, which is run in full every so many accepted moves, at
//! each new bit, and at the end. The best of a descent meets the confirmation set, whose episodes are as long as those of
//! the test: a controller that balances for 100 s may fall after 500. A target is met when validation and confirmation
//! agree on it; without one, the descent with the lowest confirmation error wins. The test set is run once, at the end.

use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use bitloop_blm::{Explorer, LocalSearch, Purpose, SearchOptions, Step, WeightGrid, speculate};
use bitloop_host::Registry;
use bitloop_net::Network;
use bitloop_plant::Isa;
use bitloop_scenario::{self as file, ScenarioFile, Stop};
use bitloop_sim::{EpisodeSet, Evaluation, NetworkController};

use crate::convert::{file_network, network, search_options};
use crate::error::TrainError;
use crate::objective::ClosedLoopObjective;
use crate::rig::Rig;
use crate::state::{Candidate, StopReason, TrainingState};

/// Probes between two looks at the clock and at the interrupt flag.
const PROBES_PER_LOOK: u64 = 64;

/// A scenario made ready to train.
#[derive(Debug)]
pub struct Training {
    /// The closed loop and its episodes.
    pub rig: Rig,
    /// The controller's shape, as it will be saved.
    pub shape: file::Network,
    /// The controller's shape.
    pub network: Network,
    /// The search.
    pub options: SearchOptions,
    /// When to stop.
    pub stop: Stop,
    seed: u64,
    validate_every: u64,
    training: EpisodeSet,
    validation: EpisodeSet,
    confirmation: EpisodeSet,
    test: EpisodeSet,
}

/// How a training goes, for whoever watches.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// All that is known.
    pub state: &'a TrainingState,
    /// Error of the current weights over the training episodes.
    pub current_error: f64,
    /// Bits of each weight that may flip.
    pub unlocked_bits: u32,
    /// Bits of each weight.
    pub bits: u32,
    /// Integration steps simulated so far.
    pub plant_steps: u64,
    /// What just happened.
    pub event: Event,
}

/// What happened in a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A descent started from random weights.
    DescentStarted,
    /// A look around between probes.
    Probing,
    /// A bit was unlocked.
    BitUnlocked,
    /// The current weights are the best of the descent on validation.
    Validated,
    /// The descent ended and its best met the confirmation set.
    DescentEnded,
}

/// What came of a training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainingOutcome {
    /// The controller that won.
    pub best: Candidate,
    /// What it did on the test set.
    pub test: Evaluation,
    /// Why the training ended.
    pub stop_reason: StopReason,
    /// Descents begun.
    pub n_descents: u64,
    /// Accepted moves.
    pub n_moves: u64,
    /// Evaluations of the objective.
    pub n_evaluations: u64,
    /// Integration steps simulated, validation and test included.
    pub plant_steps: u64,
    /// Rollouts in which the plant broke, or gave a negative or NaN cost.
    pub n_faults: u64,
    /// Seconds from start to end.
    pub wall_s: f64,
}

/// How the run is carried out; none of it changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Threads to use.
    pub n_threads: NonZeroUsize,
    /// Set from elsewhere to end the training early.
    pub interrupt: &'a AtomicBool,
}

impl Training {
    /// Makes a scenario ready.
    ///
    /// # Errors
    /// What is missing or makes no sense, at its place in the file.
    pub fn new(scenario: &ScenarioFile, registry: &Registry) -> Result<Self, TrainError> {
        let plan = scenario.require_training()?;
        let rig = Rig::new(scenario, registry)?;
        let interface = rig.closed_loop.interface();
        let (n_inputs, n_outputs) = (interface.inputs.len(), interface.outputs.len());
        let shape = file_network(plan.controller, n_outputs);
        let network = network(&shape, n_inputs).map_err(|error| {
            scenario.error_at("controller", error.to_string(), "make it smaller")
        })?;
        let file::Training::TelescopicBlm(blm) = plan.training;
        let options = search_options(blm)
            .map_err(|error| scenario.error_at("training", error.to_string(), "change this"))?;
        let draw = |name, set, purpose| rig.episodes(scenario, name, set, purpose);
        Ok(Self {
            training: draw("training", plan.training_episodes, Purpose::TrainingEpisodes)?,
            validation: draw("validation", plan.validation_episodes, Purpose::ValidationEpisodes)?,
            confirmation: draw(
                "confirmation",
                plan.confirmation_episodes,
                Purpose::ConfirmationEpisodes,
            )?,
            test: draw("test", plan.test_episodes, Purpose::TestEpisodes)?,
            seed: scenario.scenario.seed,
            validate_every: u64::from(blm.validate_every),
            stop: plan.stop.clone(),
            rig,
            shape,
            network,
            options,
        })
    }

    /// The weights of integer codes.
    #[must_use]
    pub fn weights(&self, codes: &[i32]) -> Vec<f64> {
        let grid: WeightGrid = self.options.grid;
        codes.iter().map(|&code| grid.weight(code)).collect()
    }

    /// Trains from `state` on, which is [`TrainingState::new`] at first.
    ///
    /// # Errors
    /// [`TrainError`] if the search refuses its options, or the plant breaks on a validation or test.
    pub fn run(
        &self,
        state: TrainingState,
        execution: Execution<'_>,
        watch: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<TrainingOutcome, TrainError> {
        let objective = ClosedLoopObjective::new(
            &self.rig.closed_loop,
            execution.isa,
            &self.network,
            &self.training,
        );
        speculate(objective, execution.n_threads, |explorer| {
            let run = Run {
                training: self,
                execution,
                started: Instant::now(),
                state,
                validation_steps: 0,
                explorer,
                watch,
            };
            run.to_the_end()
        })
    }
}

/// A training under way.
struct Run<'a, 'w, E> {
    training: &'a Training,
    execution: Execution<'a>,
    started: Instant,
    state: TrainingState,
    validation_steps: u64,
    explorer: &'a mut E,
    watch: &'w mut dyn FnMut(&Progress<'_>),
}

impl<'a, 'b, E> Run<'a, '_, E>
where
    E: Explorer<Objective = ClosedLoopObjective<'b>>,
{
    /// Repeated local search: descents from random weights until it is time to stop.
    fn to_the_end(mut self) -> Result<TrainingOutcome, TrainError> {
        let stop_reason = loop {
            let ended = self.descend()?;
            self.confirm_best_of_descent()?;
            if let Some(reason) = ended.or_else(|| self.reason_to_stop()) {
                break reason;
            }
            self.state.descent += 1;
        };
        let best = self.state.incumbent.clone().expect("the first descent leaves an incumbent");
        let test = self.evaluate(&best.codes, &self.training.test)?;
        let (plant_steps, n_faults) = self
            .explorer
            .with_objective(|objective| (objective.plant_steps(), objective.n_faults()));
        Ok(TrainingOutcome {
            best,
            test,
            stop_reason,
            n_descents: self.state.descent + 1,
            n_moves: self.state.n_moves(),
            n_evaluations: self.state.n_evaluations(),
            plant_steps: plant_steps + self.validation_steps,
            n_faults,
            wall_s: self.started.elapsed().as_secs_f64(),
        })
    }

    /// One descent, from random weights or from where a saved state left it. `Some` when the whole training must stop.
    fn descend(&mut self) -> Result<Option<StopReason>, TrainError> {
        let Training { options, seed, validate_every, .. } = *self.training;
        let mut search = match self.state.search.take() {
            Some(saved) => LocalSearch::resume(options, saved, self.explorer)?,
            None => LocalSearch::begin(options, seed, self.state.descent, self.explorer)?,
        };
        self.note(&search, Event::DescentStarted);
        let mut stopped = None;
        loop {
            let limit = self.probes_left(&search).min(PROBES_PER_LOOK);
            match search.step(self.explorer, limit) {
                Step::Moved { .. } if search.state().n_moves.is_multiple_of(validate_every) => {
                    self.validate(&search)?;
                }
                Step::Moved { .. } => {}
                Step::BitUnlocked { .. } => {
                    self.validate(&search)?;
                    self.note(&search, Event::BitUnlocked);
                }
                Step::Paused => self.note(&search, Event::Probing),
                Step::LocalMinimum => break,
            }
            self.state.search = Some(search.state().clone());
            stopped = self.reason_to_stop();
            if stopped.is_some() || self.probes_left(&search) == 0 {
                break;
            }
        }
        self.state.search = Some(search.state().clone());
        self.validate(&search)?;
        Ok(stopped)
    }

    /// Probes that the budgets still allow.
    fn probes_left(&self, search: &LocalSearch) -> u64 {
        let Stop { evaluations, descent_evaluations, .. } = self.training.stop;
        let of_descent = search.state().n_evaluations;
        let of_all = self.state.evaluations_before + of_descent;
        let left_of_all = evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_all));
        let left_of_descent =
            descent_evaluations.map_or(u64::MAX, |limit| limit.saturating_sub(of_descent));
        left_of_all.min(left_of_descent)
    }

    /// Why the whole training must stop now, if it must.
    fn reason_to_stop(&self) -> Option<StopReason> {
        let stop = &self.training.stop;
        let is_in_descent = self.state.search.is_some();
        if self.target_is_met() {
            Some(StopReason::Target)
        } else if self.execution.interrupt.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if stop.evaluations.is_some_and(|limit| self.state.n_evaluations() >= limit) {
            Some(StopReason::Evaluations)
        } else if stop.seconds.is_some_and(|limit| self.started.elapsed().as_secs_f64() >= limit) {
            Some(StopReason::Seconds)
        } else if !is_in_descent
            && stop.descents.is_some_and(|limit| self.state.descent + 1 >= u64::from(limit))
        {
            Some(StopReason::Descents)
        } else {
            None
        }
    }

    /// Whether the best of this descent, or the incumbent, is at or below the target on both sets.
    fn target_is_met(&self) -> bool {
        let Some(target) = self.training.stop.target else { return false };
        [&self.state.best_of_descent, &self.state.incumbent].into_iter().flatten().any(|best| {
            best.validation_error <= target
                && best.confirmation_error.is_some_and(|error| error <= target)
        })
    }

    /// Validates the current weights; the best of the descent is kept, and confirmed where it meets the target.
    fn validate(&mut self, search: &LocalSearch) -> Result<(), TrainError> {
        let codes = &search.state().codes;
        if self.state.best_of_descent.as_ref().is_some_and(|best| best.codes == *codes) {
            return Ok(());
        }
        let validation_error = self.evaluate(codes, &self.training.validation)?.error;
        let best = self.state.best_of_descent.as_ref();
        if best.is_some_and(|best| validation_error >= best.validation_error) {
            return Ok(());
        }
        let is_at_target =
            self.training.stop.target.is_some_and(|target| validation_error <= target);
        let confirmation_error = if is_at_target {
            Some(self.evaluate(codes, &self.training.confirmation)?.error)
        } else {
            None
        };
        self.state.best_of_descent = Some(Candidate {
            codes: codes.clone(),
            descent: self.state.descent,
            training_error: search.state().current_cost,
            validation_error,
            confirmation_error,
        });
        self.note(search, Event::Validated);
        Ok(())
    }

    /// Ends a descent: its best meets the confirmation set, and becomes the incumbent if it is better there.
    fn confirm_best_of_descent(&mut self) -> Result<(), TrainError> {
        if let Some(mut best) = self.state.best_of_descent.take() {
            let error = match best.confirmation_error {
                Some(error) => error,
                None => self.evaluate(&best.codes, &self.training.confirmation)?.error,
            };
            best.confirmation_error = Some(error);
            let incumbent = self.state.incumbent.as_ref().and_then(|old| old.confirmation_error);
            if incumbent.is_none_or(|old| error < old) {
                self.state.incumbent = Some(best);
            }
        }
        if let Some(search) = self.state.search.take() {
            self.state.evaluations_before += search.n_evaluations;
            self.state.moves_before += search.n_moves;
        }
        Ok(())
    }

    /// Runs codes over a set in full, without a bound.
    fn evaluate(&mut self, codes: &[i32], set: &EpisodeSet) -> Result<Evaluation, TrainError> {
        let Training { network, rig, .. } = self.training;
        let weights = self.training.weights(codes);
        let controller = NetworkController { network, weights: &weights };
        let Execution { isa, n_threads, .. } = self.execution;
        let evaluation = rig.closed_loop.evaluate(isa, &controller, set, n_threads.get())?;
        self.validation_steps += evaluation.plant_steps;
        Ok(evaluation)
    }

    /// Shows how it goes.
    fn note(&mut self, search: &LocalSearch, event: Event) {
        let plant_steps = self.validation_steps
            + self.explorer.with_objective(|objective| objective.plant_steps());
        (self.watch)(&Progress {
            state: &self.state,
            current_error: search.state().current_cost,
            unlocked_bits: search.state().unlocked_bits,
            bits: search.options().grid.bits_per_weight(),
            plant_steps,
            event,
        });
    }
}
