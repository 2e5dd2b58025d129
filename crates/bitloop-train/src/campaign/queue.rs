//! [`Queue`]: which run is next, and how many threads it may use.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// Missing runs, and free threads.
#[derive(Debug)]
pub(super) struct Queue(Mutex<(std::vec::IntoIter<(usize, usize)>, usize)>);

impl Queue {
    pub fn new(missing: Vec<(usize, usize)>, n_threads: NonZeroUsize) -> Self {
        Self(Mutex::new((missing.into_iter(), n_threads.get())))
    }

    /// The next run, and how many threads it may use: its even share of the free ones.
    pub fn take(&self) -> Option<((usize, usize), NonZeroUsize)> {
        let mut inner = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (missing, free) = &mut *inner;
        let n_missing = missing.len();
        let place = missing.next()?;
        let share = NonZeroUsize::new(*free / n_missing).unwrap_or(NonZeroUsize::MIN);
        *free = free.saturating_sub(share.get());
        Some((place, share))
    }

    pub fn give_back(&self, share: NonZeroUsize) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).1 += share.get();
    }
}
