//! [`Queue`]: which training is next, and how many threads it may use.

use std::num::NonZeroUsize;
use std::sync::{Mutex, PoisonError};

/// The place of a training: its variant and its number.
pub(crate) type Place = (usize, usize);

/// Missing trainings, and threads that are not in use.
#[derive(Debug)]
pub(crate) struct Queue(Mutex<(std::vec::IntoIter<Place>, usize)>);

impl Queue {
    pub fn new(missing: Vec<Place>, n_threads: NonZeroUsize) -> Self {
        Self(Mutex::new((missing.into_iter(), n_threads.get())))
    }

    /// The next training, and how many threads it may use: its even share of the free ones.
    pub fn take(&self) -> Option<(Place, NonZeroUsize)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn threads(n: usize) -> NonZeroUsize {
        NonZeroUsize::new(n).unwrap()
    }

    #[test]
    fn the_last_trainings_share_spare_threads() {
        let shares = |n_trainings: usize, n_threads: usize| {
            let missing = (0..n_trainings).map(|number| (0, number)).collect();
            let queue = Queue::new(missing, threads(n_threads));
            std::iter::from_fn(|| queue.take()).map(|(_, share)| share.get()).collect::<Vec<_>>()
        };
        assert_eq!(shares(1, 4), [4]);
        assert_eq!(shares(2, 4), [2, 2]);
        assert_eq!(shares(3, 4), [1, 1, 2]);
        assert_eq!(shares(4, 4), [1, 1, 1, 1]);
        assert_eq!(shares(3, 2), [1, 1, 1]);
        let queue = Queue::new(vec![(0, 0), (0, 1), (0, 2)], threads(2));
        let (_, first) = queue.take().unwrap();
        queue.take().unwrap();
        queue.give_back(first);
        assert_eq!(queue.take().unwrap().1, threads(1));
    }
}
