//! [`ExtremeLearningMachine`]: a random hidden layer under a linear one that is solved for, as a baseline on examples.

use bitloop_data::{ExtremeLearning, ExtremeLearningOptions, ExtremeLearningStep};

use super::gradient_descent::begin_anew;
use crate::error::TrainError;
use crate::examples::task::ExamplesTask;
use crate::outcome::Outcome;
use crate::progress::Event;
use crate::session::TrainingError;
use crate::session::{Session, Standing};
use crate::state::StopReason;
use crate::trainer::Trainer;
use crate::weights::Weights;

/// An extreme learning machine.
#[derive(Clone, Debug)]
pub struct ExtremeLearningMachine {
    /// The hidden layer, and the regularization constants to be tried.
    pub options: ExtremeLearningOptions,
}

impl Trainer<ExamplesTask> for ExtremeLearningMachine {
    fn name(&self) -> &'static str {
        "ExtremeLearning"
    }

    fn train(&self, session: Session<'_, ExamplesTask>) -> Result<Option<Outcome>, TrainError> {
        session.repeat(|session| self.run(session))
    }
}

impl ExtremeLearningMachine {
    /// One run: a hidden layer is drawn, and the output layer solved for.
    fn run(
        &self,
        session: &mut Session<'_, ExamplesTask>,
    ) -> Result<Option<StopReason>, TrainError> {
        begin_anew(session);
        let (data, options) = (&session.task.data, &self.options);
        let (seed, run) = (session.seed, session.state.run);
        let mut machine =
            ExtremeLearning::new(&data.training, &data.validation, options, seed, run)?;
        let standing = Standing { cost: f64::INFINITY, unlocked_bits: None };
        while machine.step() == ExtremeLearningStep::Working {
            session.show(standing, Event::Probing, false);
            // A budget in seconds does not end it early, since an unfinished one has no weights.
            if session.deadline().is_interrupted() {
                let reason = StopReason::Interrupted;
                session.show(standing, Event::Pausing(reason), false);
                return Ok(Some(reason));
            }
        }
        let state = session.sampling();
        (state.n_evaluations, state.n_moves) = (options.ridges.len() as u64, 1);
        let fit = machine.best().ok_or(TrainError::NothingFound)?;
        let weights = Weights::Real(fit.weights.clone());
        session.validate(&weights, TrainingError::Unknown { unrounded: None }, standing)?;
        session.show(standing, Event::RunEnded, false);
        Ok(session.reason_to_stop().filter(|reason| !reason.is_pause()))
    }
}
