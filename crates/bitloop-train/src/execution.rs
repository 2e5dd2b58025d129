//! [`Execution`]: how a training is carried out.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use bitloop_plant::Isa;

/// An interrupt that does not come.
pub(crate) static NEVER: AtomicBool = AtomicBool::new(false);

/// How a training is carried out; none of it changes the result.
#[derive(Clone, Copy, Debug)]
pub struct Execution<'a> {
    /// The instruction set.
    pub isa: Isa,
    /// Threads to use.
    pub n_threads: NonZeroUsize,
    /// Set by another thread to interrupt the training.
    pub interrupt: &'a AtomicBool,
}

impl Execution<'static> {
    /// Without an interrupt.
    #[must_use]
    pub const fn uninterrupted(isa: Isa, n_threads: NonZeroUsize) -> Self {
        Self { isa, n_threads, interrupt: &NEVER }
    }
}
