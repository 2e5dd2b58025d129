//! [`Judge`]: which controller is kept, whatever the search.

use bitloop_sim::{Evaluation, NetworkController};

use crate::error::TrainError;
use crate::isolation::{IsolationError, SetName, candidate};
use crate::ledger::Ledger;
use crate::state::{Candidate, Spent, StopReason, TrainingState};
use crate::training::{Event, Execution, Training, TrainingOutcome};

/// What a search knows of the training error of codes.
#[derive(Clone, Copy, Debug)]
pub(crate) enum TrainingError {
    /// The error of these very codes.
    Known(f64),
    /// Nothing, but perhaps the error of the real weights that they are rounded from.
    Unknown { unrounded: Option<f64> },
}

/// Examines the controllers of a training under way: validation, confirmation, test.
pub(crate) struct Judge<'a> {
    pub training: &'a Training,
    pub execution: Execution<'a>,
    pub ledger: Ledger<'a>,
    /// Integration steps of validation, confirmation and test.
    plant_steps: u64,
    /// Their evaluations that were worst.
    n_faults: u64,
}

impl<'a> Judge<'a> {
    pub fn new(training: &'a Training, execution: Execution<'a>, state: TrainingState) -> Self {
        let ledger = Ledger::new(&training.stop, execution.interrupt, state, true);
        Self { training, execution, ledger, plant_steps: 0, n_faults: 0 }
    }

    /// Whether the training episodes are the full ones.
    pub fn is_at_full_stage(&self) -> bool {
        self.ledger.state.stage + 1 >= self.training.stages.len()
    }

    /// Validates codes; the best of the descent is kept, and confirmed where it meets the target. Tells how it went,
    /// unless these are the best already.
    pub fn validate(
        &mut self,
        codes: &[i32],
        training: TrainingError,
    ) -> Result<Option<Event>, TrainError> {
        if self.ledger.state.best_of_descent.as_ref().is_some_and(|best| best.codes == *codes) {
            return Ok(None);
        }
        let validation_error = self.evaluate(codes, SetName::Validation)?.error;
        let best = self.ledger.state.best_of_descent.as_ref();
        if best.is_some_and(|best| validation_error >= best.validation_error) {
            return Ok(Some(Event::Validated { error: validation_error, is_best: false }));
        }
        let (training_error, unrounded_training_error) = match training {
            TrainingError::Known(error) => (error, None),
            TrainingError::Unknown { unrounded } => {
                (self.evaluate(codes, SetName::Training)?.error, unrounded)
            }
        };
        let is_at_target =
            self.training.stop.target.is_some_and(|target| validation_error <= target);
        let confirmation_error = if is_at_target {
            Some(self.evaluate(codes, SetName::Confirmation)?.error)
        } else {
            None
        };
        self.ledger.state.best_of_descent = Some(Candidate {
            codes: codes.to_vec(),
            weights: Vec::new(),
            descent: self.ledger.state.descent,
            training_error,
            unrounded_training_error,
            validation_error,
            confirmation_error,
        });
        Ok(Some(Event::Validated { error: validation_error, is_best: true }))
    }

    /// Ends a descent: its best meets the confirmation set, and becomes the incumbent if it is better on the worse of the
    /// two sets. Tells whether it has.
    pub fn end_descent(&mut self) -> Result<bool, TrainError> {
        let mut best = self.ledger.state.best_of_descent.take();
        if let Some(best) = &mut best
            && best.confirmation_error.is_none()
        {
            let confirmation = self.evaluate(&best.codes, SetName::Confirmation)?;
            best.confirmation_error = Some(confirmation.error);
        }
        Ok(self.ledger.end_descent(best))
    }

    /// Brings the account up to date. `work` are the integration steps and the faults of the search in this sitting.
    pub fn account(&mut self, work: (u64, u64)) {
        let (plant_steps, n_faults) = work;
        self.ledger.account(plant_steps + self.plant_steps, n_faults + self.n_faults);
    }

    /// Tests the winner, once, and tells how it all went. `work` are the integration steps and the faults of the search.
    pub fn conclude(
        &mut self,
        stop_reason: StopReason,
        work: (u64, u64),
    ) -> Result<TrainingOutcome, TrainError> {
        let best = self.ledger.state.incumbent.clone();
        let best = best.expect("the first descent leaves an incumbent");
        let test = self.evaluate(&best.codes, SetName::Test)?;
        self.account(work);
        let Spent { wall_s, plant_steps, n_faults } = self.ledger.state.spent;
        Ok(TrainingOutcome {
            best,
            test,
            stop_reason,
            n_descents: self.ledger.state.descent + 1,
            n_moves: self.ledger.state.n_moves(),
            n_evaluations: self.ledger.state.n_evaluations(),
            plant_steps,
            n_faults,
            wall_s,
        })
    }

    /// Whether the plant still lives, if it is isolated. To be asked after all that may have evaluated, and before what
    /// came of it is kept.
    pub fn check_plant(&self) -> Result<(), IsolationError> {
        self.training.isolation.as_ref().map_or(Ok(()), |isolation| isolation.check())
    }

    /// Runs codes over a set in full, without a bound.
    pub fn evaluate(&mut self, codes: &[i32], set: SetName) -> Result<Evaluation, TrainError> {
        let Training { network, rig, seed, isolation, .. } = self.training;
        let weights = self.training.weights(codes);
        let Execution { isa, n_threads, .. } = self.execution;
        let evaluation = if let Some(isolation) = isolation {
            let candidate = || candidate(codes, *seed);
            isolation.evaluate(isa, set, &weights, n_threads.get(), candidate)?
        } else {
            let controller = NetworkController { network, weights: &weights };
            let set = self.training.set(set);
            rig.closed_loop.evaluate(isa, &controller, set, n_threads.get())?
        };
        self.plant_steps += evaluation.plant_steps;
        self.n_faults += u64::from(!evaluation.error.is_finite());
        Ok(evaluation)
    }
}
