//! [`Progress`]: how an error grew over time, so that threads which are at different ticks of one rollout can be compared at
//! the same tick.

use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

/// The most marks over a horizon.
const MAX_MARKS: u64 = 256;

/// Evenly spaced ticks of a rollout, at which errors are recorded.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Marks {
    ticks_per_mark: u64,
    n_marks: usize,
}

impl Marks {
    /// Marks up to a horizon, a whole number of slices apart.
    pub fn new(horizon: u64, ticks_per_slice: u64) -> Self {
        let n_slices = horizon / ticks_per_slice;
        let ticks_per_mark = ticks_per_slice * n_slices.div_ceil(MAX_MARKS).max(1);
        let n_marks = usize::try_from(horizon / ticks_per_mark).expect("a few hundred") + 1;
        Self { ticks_per_mark, n_marks }
    }

    /// The number of the mark at a tick, if there is one.
    pub fn at(self, tick: u64) -> Option<usize> {
        tick.is_multiple_of(self.ticks_per_mark)
            .then(|| usize::try_from(tick / self.ticks_per_mark).expect("a few hundred"))
    }

    /// An empty record from mark `first` on, where it is `value`.
    pub fn progress_from(self, first: usize, value: f64) -> Progress {
        let values: Box<[_]> = (first..self.n_marks).map(|_| AtomicU64::new(0)).collect();
        let progress = Progress { first, values, n_known: AtomicUsize::new(0) };
        progress.record(value);
        progress
    }
}

/// A growing error, mark by mark: written by one thread, read by others.
#[derive(Debug)]
pub(crate) struct Progress {
    /// The first mark.
    first: usize,
    values: Box<[AtomicU64]>,
    /// How many values are recorded; `COMPLETE` when it does not grow any more.
    n_known: AtomicUsize,
}

const COMPLETE: usize = usize::MAX;

impl Progress {
    /// Records the value at the next mark.
    pub fn record(&self, value: f64) {
        let n_known = self.n_known.load(Ordering::Relaxed);
        if let Some(next) = self.values.get(n_known) {
            next.store(value.to_bits(), Ordering::Relaxed);
            self.n_known.store(n_known + 1, Ordering::Release);
        }
    }

    /// Records the value from the next mark on, for good.
    pub fn complete(&self, value: f64) {
        let n_known = self.n_known.load(Ordering::Relaxed);
        for later in self.values.get(n_known..).unwrap_or_default() {
            later.store(value.to_bits(), Ordering::Relaxed);
        }
        self.n_known.store(COMPLETE, Ordering::Release);
    }

    /// The last mark at which the value is known; `usize::MAX` if it is complete.
    pub fn known_up_to(&self) -> usize {
        match self.n_known.load(Ordering::Acquire) {
            COMPLETE => usize::MAX,
            n_known => self.first + n_known - 1,
        }
    }

    /// The value at a mark up to [`known_up_to`](Self::known_up_to); 0 before the first one.
    pub fn at(&self, mark: usize) -> f64 {
        let Some(index) = mark.checked_sub(self.first) else { return 0.0 };
        let index = index.min(self.values.len() - 1);
        f64::from_bits(self.values[index].load(Ordering::Relaxed))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_few_and_lie_between_slices() {
        for (horizon, ticks_per_slice) in [(10_000, 40), (10_007, 40), (7, 40), (1 << 40, 12)] {
            let marks = Marks::new(horizon, ticks_per_slice);
            assert!(marks.n_marks <= 258 && marks.ticks_per_mark.is_multiple_of(ticks_per_slice));
            assert_eq!(marks.at(marks.ticks_per_mark), Some(1));
            assert_eq!(marks.at(marks.ticks_per_mark + 1), None);
        }
    }

    #[test]
    fn values_are_known_mark_by_mark_and_then_for_good() {
        let progress = Marks::new(100, 10).progress_from(3, 0.5);
        assert_eq!((progress.known_up_to(), progress.at(3), progress.at(2)), (3, 0.5, 0.0));
        progress.record(1.0);
        assert_eq!((progress.known_up_to(), progress.at(4)), (4, 1.0));
        progress.complete(2.0);
        assert_eq!([3, 4, 5, 10, 99].map(|mark| progress.at(mark)), [0.5, 1.0, 2.0, 2.0, 2.0]);
        assert_eq!(progress.known_up_to(), usize::MAX);
    }
}
