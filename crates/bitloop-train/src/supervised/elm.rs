//! An extreme learning machine over examples, as a baseline. Each descent draws a hidden layer, and solves for the output.

use bitloop_data::{ExtremeLearning, ExtremeLearningOptions, ExtremeLearningStep};

use crate::error::TrainError;
use crate::state::{SamplingState, StopReason};
use crate::supervised::examiner::{Examiner, Standing};
use crate::supervised::gradient::begin;
use crate::training::Event;

/// One hidden layer drawn and fitted. `Some` when the whole training must stop.
pub(crate) fn descend(
    examiner: &mut Examiner<'_, '_>,
    options: &ExtremeLearningOptions,
) -> Result<Option<StopReason>, TrainError> {
    begin(examiner);
    let fitting = examiner.fitting;
    let (seed, run) = (fitting.seed, examiner.ledger.state.descent);
    let data = &fitting.data;
    let mut machine = ExtremeLearning::new(&data.training, &data.validation, options, seed, run)?;
    let standing = Standing { cost: f64::INFINITY, unlocked_bits: examiner.bits() };
    while machine.step() == ExtremeLearningStep::Working {
        examiner.note(standing, Event::Probing, false);
        // It takes as long as it takes: a part of it is worth nothing.
        if examiner.ledger.urge().is_interrupted() {
            let reason = StopReason::Interrupted;
            examiner.note(standing, Event::Pausing(reason), false);
            return Ok(Some(reason));
        }
    }
    let state = examiner.ledger.state.sampling.get_or_insert_with(SamplingState::new);
    (state.n_evaluations, state.n_moves) = (options.ridges.len() as u64, 1);
    let fit = machine.best().ok_or(TrainError::NothingFound)?;
    if let Some(event) = examiner.validate(&[], &fit.weights)? {
        examiner.note(standing, event, false);
    }
    examiner.note(standing, Event::DescentEnded, false);
    Ok(examiner.ledger.reason_to_stop().filter(|reason| !reason.is_pause()))
}
