//! [`GradientDescent`]: one-step secant or backpropagation over examples, as baselines.
//!
//! A run cannot be saved in its middle: a resumed training repeats its last run from the beginning.

use bitloop_data::{
    Backpropagation, BackpropagationOptions, Descent, DescentStep, OneStepSecant, initial_weights,
};

use crate::error::TrainError;
use crate::examples::task::ExamplesTask;
use crate::outcome::Outcome;
use crate::progress::Event;
use crate::session::TrainingError;
use crate::session::{Next, Session, Standing};
use crate::state::{SamplingState, StopReason};
use crate::task::Task;
use crate::trainer::Trainer;
use crate::weights::Weights;

/// A descent along gradients.
#[derive(Clone, Copy, Debug)]
pub struct GradientDescent {
    /// Options of backpropagation; one-step secant has none.
    pub backpropagation: Option<BackpropagationOptions>,
    /// Initial weights are uniform within plus and minus this.
    pub initial_range: f64,
    /// Steps between two validations.
    pub validate_every: u64,
}

impl Trainer<ExamplesTask> for GradientDescent {
    fn name(&self) -> &'static str {
        if self.backpropagation.is_some() { "Backpropagation" } else { "OneStepSecant" }
    }

    fn train(&self, session: Session<'_, ExamplesTask>) -> Result<Option<Outcome>, TrainError> {
        session.repeat(|session| self.run(session))
    }
}

impl GradientDescent {
    /// One run: steps from random weights until none lowers the cost, or a budget or the patience is used up.
    fn run(
        &self,
        session: &mut Session<'_, ExamplesTask>,
    ) -> Result<Option<StopReason>, TrainError> {
        begin_anew(session);
        let (seed, run) = (session.seed, session.state.run);
        let function = session.task.error_function(run)?;
        let n_weights = function.n_weights();
        let weights = session.start().map_or_else(
            || initial_weights(n_weights, self.initial_range, seed, run),
            <[f64]>::to_vec,
        );
        let mut descent: Box<dyn Descent> = match self.backpropagation {
            None => Box::new(OneStepSecant::new(function, weights)),
            Some(options) => Box::new(Backpropagation::new(function, options, weights)?),
        };
        let reason = loop {
            let step = descent.step();
            let counts = descent.counts();
            let state = session.sampling();
            state.n_evaluations = counts.n_values + counts.n_gradients;
            if step != DescentStep::Moved {
                break None;
            }
            state.n_moves += 1;
            if state.n_moves.is_multiple_of(self.validate_every) {
                validate(session, &*descent)?;
            }
            session.show(standing(&*descent), Event::Moved, false);
            match session.next(standing(&*descent), descent.cost(), false) {
                Next::Continue => {}
                Next::End(reason) => break reason,
            }
        };
        validate(session, &*descent)?;
        session.show(standing(&*descent), Event::RunEnded, false);
        Ok(reason)
    }
}

/// Begins a run whose only resumable state is its beginning.
pub(super) fn begin_anew<T: Task>(session: &mut Session<'_, T>) {
    let state = &mut session.state;
    let event = if state.sampling.is_some() { Event::Resumed } else { Event::RunStarted };
    state.sampling = Some(SamplingState::new());
    (state.best_of_run, state.progress) = (None, None);
    session.show(Standing { cost: f64::INFINITY, unlocked_bits: None }, event, true);
}

fn validate<T: Task>(
    session: &mut Session<'_, T>,
    descent: &dyn Descent,
) -> Result<(), TrainError> {
    let weights = Weights::Real(descent.weights().to_vec());
    session.validate(&weights, TrainingError::Unknown { unrounded: None }, standing(descent))
}

fn standing(descent: &dyn Descent) -> Standing {
    Standing { cost: descent.cost(), unlocked_bits: None }
}
