//! [`Progress`] and [`Event`]: the arguments of an observer of a training.

use crate::state::{StopReason, TrainingState};

/// The state of a training, as an observer is shown it at each event.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    /// The whole state.
    pub state: &'a TrainingState,
    /// Training error of the current weights; of trainers that try whole weight vectors, of the best of the run, infinite
    /// at first.
    pub current_error: f64,
    /// Bits of each weight that may flip.
    pub unlocked_bits: u32,
    /// Bits of each weight.
    pub bits: u32,
    /// What just happened.
    pub event: Event,
    /// Whether a training that resumes this state continues exactly from here: its later events are the later events of
    /// this training.
    pub is_resumable: bool,
}

/// What happened in a training.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Event {
    /// A run started.
    RunStarted,
    /// A saved state was resumed in the middle of a run, or at its beginning if its search cannot be saved.
    Resumed,
    /// Between two steps of the search, the clock and the interrupt are checked.
    Probing,
    /// A move was accepted.
    Moved,
    /// A bit was unlocked.
    BitUnlocked,
    /// The current weights were validated.
    Validated {
        /// Their error on the validation set.
        error: f64,
        /// Whether they are the best of the run now.
        is_best: bool,
    },
    /// The search of the run ended; its best is about to be confirmed.
    RunEnded,
    /// The best of the run was compared with the incumbent.
    RunFinished {
        /// Whether it is the new incumbent.
        is_best: bool,
    },
    /// The clock or the user ends the search. The best so far is still confirmed and tested, and no later state is
    /// resumable.
    Pausing(StopReason),
}
