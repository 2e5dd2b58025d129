//! [`ExpectedCost`]: the cost of a success, with an interval by bootstrap.

use bitloop_random::{Purpose, Stream};

use super::facts::TrainingFacts;
use super::wilson::Interval;
use bitloop_sim::sorted;

/// Resamples of a bootstrap interval.
const N_RESAMPLES: u64 = 2000;

/// An amount to be spent until a success, infinite if there was none, and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedCost {
    /// Cost of all trainings over successes.
    pub mean: f64,
    /// Percentile interval over bootstrap resamples of the trainings; a resample without success counts as infinite.
    pub interval: Interval,
}

/// The trainings, and how often each is drawn in each resample.
pub(super) struct Resamples<'a> {
    trainings: &'a [TrainingFacts],
    counts: Vec<Vec<u32>>,
}

impl<'a> Resamples<'a> {
    /// Draws as many trainings as there are, with replacement, again and again: resample r from stream (seed, bootstrap, 0, r).
    pub(super) fn draw(trainings: &'a [TrainingFacts], seed: u64) -> Self {
        let resample = |index| {
            let mut stream = Stream::new(seed, Purpose::Bootstrap, 0, index);
            let mut counts = vec![0; trainings.len()];
            for _ in trainings {
                counts[stream.index_below(trainings.len())] += 1;
            }
            counts
        };
        Self { trainings, counts: (0..N_RESAMPLES).map(resample).collect() }
    }

    /// Expected cost to a success, with its percentile interval: of 2000 ascending values, number 50 and number 1950.
    pub(super) fn expected(&self, cost: impl Fn(&TrainingFacts) -> f64) -> ExpectedCost {
        let of = |counts: &mut dyn Iterator<Item = u32>| {
            let (mut sum, mut n_successes) = (0.0, 0);
            for (training, count) in self.trainings.iter().zip(counts) {
                sum += f64::from(count) * cost(training);
                n_successes += if training.success_at.is_some() { count } else { 0 };
            }
            if n_successes == 0 { f64::INFINITY } else { sum / f64::from(n_successes) }
        };
        let mean = of(&mut std::iter::repeat(1));
        let resampled = sorted(self.counts.iter().map(|counts| of(&mut counts.iter().copied())));
        let n = resampled.len();
        ExpectedCost { mean, interval: [resampled[n / 40 - 1], resampled[n - n / 40 - 1]] }
    }
}
