//! [`Film`]: samples of an episode, all of them at both ends and few in the middle.

use std::collections::VecDeque;

/// Samples of a motion in order of time: each one at the beginning and at the end, and some in between, so that its size has a limit
/// whatever its length.
#[derive(Clone, Debug, PartialEq)]
pub struct Film {
    head: Vec<Sample>,
    middle: Vec<Sample>,
    tail: VecDeque<Sample>,
    /// Samples that are kept at the beginning, and as many at the end.
    most: usize,
    /// Samples from one in the middle to the next.
    stride: u64,
    n_passed: u64,
}

/// The values of all signals at a tick.
type Sample = (u64, Vec<f64>);

/// The middle keeps one for so many of the samples that the beginning keeps.
const SPARSE: u64 = 4;

impl Film {
    /// No samples yet of about `n_samples`, of which `most` at the beginning and `most` at the end are to be kept.
    #[must_use]
    pub fn new(n_samples: u64, most: usize) -> Self {
        let most = most.max(1);
        let stride = (n_samples * SPARSE).div_ceil(most as u64).max(1);
        Self {
            head: Vec::new(),
            middle: Vec::new(),
            tail: VecDeque::new(),
            most,
            stride,
            n_passed: 0,
        }
    }

    /// Adds a sample, later than those before.
    pub fn add(&mut self, tick: u64, values: Vec<f64>) {
        if self.head.len() < self.most {
            self.head.push((tick, values));
            return;
        }
        self.tail.push_back((tick, values));
        if self.tail.len() > self.most
            && let Some(passed) = self.tail.pop_front()
        {
            if self.n_passed.is_multiple_of(self.stride) {
                self.middle.push(passed);
            }
            self.n_passed += 1;
        }
    }

    /// Whether samples are missing in the middle.
    #[must_use]
    pub const fn is_thinned(&self) -> bool {
        self.n_passed > 0 && self.stride > 1
    }

    /// All samples that are kept.
    fn samples(&self) -> impl Iterator<Item = &Sample> {
        self.head.iter().chain(&self.middle).chain(&self.tail)
    }

    /// The values of one signal.
    pub(super) fn signal(&self, index: usize) -> Vec<f64> {
        self.samples().map(|sample| sample.1[index]).collect()
    }

    /// The ticks as runs of a first one, a stride, and a count.
    pub(super) fn runs(&self) -> Vec<(u64, u64, u64)> {
        let mut runs: Vec<(u64, u64, u64)> = Vec::new();
        for &(tick, _) in self.samples() {
            match runs.last_mut() {
                Some((first, stride, count)) if *count == 1 => {
                    (*stride, *count) = (tick.saturating_sub(*first), 2);
                }
                Some((first, stride, count)) if tick == *first + *stride * *count => *count += 1,
                _ => runs.push((tick, 1, 1)),
            }
        }
        runs
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn beginning_and_end_are_whole_and_the_size_has_a_limit() {
        let mut film = Film::new(1_000_000, 100);
        for tick in 0..1_000_000 {
            film.add(5 * tick, vec![tick as f64]);
        }
        let values = film.signal(0);
        assert!(values.len() <= 230, "{}", values.len());
        assert!((0..100).all(|at| values[at] == at as f64));
        assert!((0..100).all(|at| values[values.len() - 1 - at] == (999_999 - at) as f64));
        assert!(values.is_sorted() && film.is_thinned());
        let times: Vec<f64> = film
            .runs()
            .iter()
            .flat_map(|&(first, stride, count)| (0..count).map(move |at| first + at * stride))
            .map(|tick| (tick / 5) as f64)
            .collect();
        assert_eq!(times, values);
        assert!(film.runs().len() < 6, "{:?}", film.runs());
    }

    #[test]
    fn a_short_motion_is_kept_as_it_is() {
        let mut film = Film::new(5, 100);
        for tick in [0, 10, 20, 30, 33] {
            film.add(tick, vec![0.0]);
        }
        assert!(!film.is_thinned());
        assert_eq!(film.runs(), [(0, 10, 4), (33, 1, 1)]);
        assert_eq!(Film::new(0, 0).runs(), []);
    }
}
