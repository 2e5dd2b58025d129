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

/// Expected costs to a success, with their percentile intervals: of 2000 ascending values, number 50 and number 1950. `costs` gives
/// those of a training.
///
/// Resample r draws as many trainings as there are, with replacement, from stream (seed, bootstrap, 0, r). One resample at a
/// time is held, so that ten thousand trainings take no more memory than a hundred.
pub(super) fn expected<const N: usize>(
    trainings: &[TrainingFacts],
    seed: u64,
    costs: impl Fn(&TrainingFacts) -> [f64; N],
) -> [ExpectedCost; N] {
    let costs: Vec<[f64; N]> = trainings.iter().map(costs).collect();
    let of = |counts: &mut dyn Iterator<Item = u32>| {
        let (mut sums, mut n_successes) = ([0.0; N], 0);
        for ((training, costs), count) in trainings.iter().zip(&costs).zip(counts) {
            for (sum, cost) in sums.iter_mut().zip(costs) {
                *sum += f64::from(count) * cost;
            }
            n_successes += if training.success_at.is_some() { count } else { 0 };
        }
        let mean =
            |sum| if n_successes == 0 { f64::INFINITY } else { sum / f64::from(n_successes) };
        sums.map(mean)
    };
    let means = of(&mut std::iter::repeat(1));
    let mut counts = vec![0; trainings.len()];
    let resampled: Vec<[f64; N]> = (0..N_RESAMPLES)
        .map(|index| {
            let mut stream = Stream::new(seed, Purpose::Bootstrap, 0, index);
            counts.fill(0);
            for _ in trainings {
                counts[stream.index_below(trainings.len())] += 1;
            }
            of(&mut counts.iter().copied())
        })
        .collect();
    std::array::from_fn(|which| {
        let values = sorted(resampled.iter().map(|of_resample| of_resample[which]));
        let n = values.len();
        ExpectedCost { mean: means[which], interval: [values[n / 40 - 1], values[n - n / 40 - 1]] }
    })
}
