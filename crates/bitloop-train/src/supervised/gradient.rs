//! A descent along gradients over examples, as a baseline: one-step secant or backpropagation.
//!
//! Its state in the middle cannot be saved: a training that goes on begins its last descent anew.

use bitloop_data::{
    Backpropagation, BackpropagationOptions, Descent, DescentStep, OneStepSecant, initial_weights,
};

use crate::error::TrainError;
use crate::state::{SamplingState, StopReason};
use crate::supervised::examiner::{Examiner, Standing};
use crate::training::Event;

/// How it is done.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Options {
    /// Of backpropagation; one-step secant has none.
    pub backpropagation: Option<BackpropagationOptions>,
    pub initial_range: f64,
    /// Steps between two validations.
    pub validate_every: u64,
}

/// One descent from new random weights. `Some` when the whole training must stop.
pub(crate) fn descend(
    examiner: &mut Examiner<'_, '_>,
    options: Options,
) -> Result<Option<StopReason>, TrainError> {
    begin(examiner);
    let function = examiner.fitting.error_function()?;
    let (seed, run) = (examiner.fitting.seed, examiner.ledger.state.descent);
    let weights = initial_weights(function.n_weights(), options.initial_range, seed, run);
    let mut descent: Box<dyn Descent> = match options.backpropagation {
        None => Box::new(OneStepSecant::new(function, weights)),
        Some(options) => Box::new(Backpropagation::new(function, options, weights)?),
    };
    let mut stopped = None;
    loop {
        let step = descent.step();
        let counts = descent.counts();
        let n_evaluations = counts.n_values + counts.n_gradients;
        let state = examiner.ledger.state.sampling.get_or_insert_with(SamplingState::new);
        state.n_evaluations = n_evaluations;
        state.n_moves += u64::from(step == DescentStep::Moved);
        let is_due = state.n_moves.is_multiple_of(options.validate_every);
        if step != DescentStep::Moved {
            break;
        }
        if is_due {
            validate(examiner, &*descent)?;
        }
        let standing = standing(examiner, &*descent);
        examiner.note(standing, Event::Moved, false);
        let is_over = examiner.ledger.evaluations_left(n_evaluations) == 0
            || examiner.ledger.is_out_of_patience(descent.cost(), n_evaluations);
        stopped = examiner.ledger.reason_to_stop();
        if is_over {
            stopped = stopped.filter(|reason| !reason.is_pause());
            break;
        }
        if let Some(reason) = stopped {
            if reason.is_pause() {
                examiner.note(standing, Event::Pausing(reason), false);
            }
            break;
        }
    }
    validate(examiner, &*descent)?;
    let standing = standing(examiner, &*descent);
    examiner.note(standing, Event::DescentEnded, false);
    Ok(stopped)
}

/// Begins a descent whose only state to go on from is its beginning.
pub(crate) fn begin(examiner: &mut Examiner<'_, '_>) {
    let bits = examiner.bits();
    let state = &mut examiner.ledger.state;
    let event = if state.sampling.is_some() { Event::Resumed } else { Event::DescentStarted };
    // What a training goes on from: nothing of the descent done yet.
    state.sampling = Some(SamplingState::new());
    state.best_of_descent = None;
    state.progress = None;
    let standing = Standing { cost: f64::INFINITY, unlocked_bits: bits };
    examiner.note(standing, event, true);
}

fn validate(examiner: &mut Examiner<'_, '_>, descent: &dyn Descent) -> Result<(), TrainError> {
    if let Some(event) = examiner.validate(&[], descent.weights())? {
        let standing = standing(examiner, descent);
        examiner.note(standing, event, false);
    }
    Ok(())
}

fn standing(examiner: &Examiner<'_, '_>, descent: &dyn Descent) -> Standing {
    Standing { cost: descent.cost(), unlocked_bits: examiner.bits() }
}
