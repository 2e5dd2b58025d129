//! [`Execution`]: how a training is carried out.

use std::fmt;
use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bitloop_plant::Isa;

use crate::score::WorkCounter;

/// An interrupt that does not come.
static NEVER: AtomicBool = AtomicBool::new(false);

/// How a training is carried out; none of it changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Threads to use.
    pub n_threads: NonZeroUsize,
    /// Set by another thread to interrupt the training.
    pub interrupt: &'a AtomicBool,
    /// How long the scores of the best so far may take after that, all together. Then they are called off.
    pub patience: Duration,
}

impl<'a> Execution<'a> {
    /// With two seconds of patience.
    #[must_use]
    pub const fn new(isa: Isa, n_threads: NonZeroUsize, interrupt: &'a AtomicBool) -> Self {
        Self { isa, n_threads, interrupt, patience: Duration::from_secs(2) }
    }
}

impl Execution<'static> {
    /// Without an interrupt.
    #[must_use]
    pub const fn uninterrupted(isa: Isa, n_threads: NonZeroUsize) -> Self {
        Self::new(isa, n_threads, &NEVER)
    }
}

/// How weights are scored on a set; none of it changes a score.
#[derive(Clone, Copy)]
pub struct Scoring<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Threads to use.
    pub n_threads: NonZeroUsize,
    /// Counts the work.
    pub work: &'a WorkCounter,
    /// Calls the scoring off once it answers true, which it must keep doing. It is asked by all threads, often.
    pub stop: &'a (dyn Fn() -> bool + Sync),
}

impl fmt::Debug for Scoring<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scoring")
            .field("isa", &self.isa)
            .field("n_threads", &self.n_threads)
            .finish_non_exhaustive()
    }
}
