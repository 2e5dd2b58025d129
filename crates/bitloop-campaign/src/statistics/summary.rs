//! [`Summary`]: the statistics of a set of trainings.

use bitloop_sim::{quantile, sorted};

use super::bootstrap::{ExpectedCost, expected};
use super::cutoff::{Cutoff, best_cutoff};
use super::facts::TrainingFacts;
use super::wilson::{Interval, wilson};

/// Statistics of a set of independent trainings. Errors are NaN where there are no trainings.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Number of trainings.
    pub n_trainings: usize,
    /// Number of successes among them.
    pub n_successes: usize,
    /// Successes over trainings.
    pub success_probability: f64,
    /// Its 95 % interval after Wilson.
    pub success_interval: Interval,
    /// Mean of the errors.
    pub mean_error: f64,
    /// Standard error of that mean, from the deviations of the trainings; NaN for fewer than two.
    pub standard_error: f64,
    /// Smallest error.
    pub min_error: f64,
    /// Quartiles of the errors, see [`quantile`]; the second is the median.
    pub quartile_errors: [f64; 3],
    /// Median of the seconds of a training.
    pub median_wall_s: f64,
    /// Seconds to a success, with all cores at work.
    pub time_s: ExpectedCost,
    /// Evaluations to a success.
    pub evaluations: ExpectedCost,
    /// Integration steps to a success.
    pub plant_steps: ExpectedCost,
    /// Where to cut off; none without a success.
    pub cutoff: Option<Cutoff>,
}

impl Summary {
    /// Statistics of trainings that were spread over `n_cores` cores. The resamples of the intervals are drawn from the bootstrap
    /// stream of `seed`, and depend on nothing else but the number of trainings.
    #[must_use]
    pub fn of(trainings: &[TrainingFacts], n_cores: usize, seed: u64) -> Self {
        let n_successes = trainings.iter().filter(|training| training.success_at.is_some()).count();
        let errors = sorted(trainings.iter().map(|training| training.error));
        let n_cores = n_cores as f64;
        let [time_s, evaluations, plant_steps] = expected(trainings, seed, |training| {
            [training.core_s / n_cores, training.evaluations as f64, training.plant_steps]
        });
        let (mean_error, standard_error) = mean_and_standard_error(&errors);
        Self {
            n_trainings: trainings.len(),
            n_successes,
            success_probability: n_successes as f64 / trainings.len() as f64,
            success_interval: wilson(n_successes, trainings.len()),
            mean_error,
            standard_error,
            min_error: errors.first().copied().unwrap_or(f64::NAN),
            quartile_errors: [0.25, 0.5, 0.75].map(|p| quantile(&errors, p)),
            median_wall_s: quantile(&sorted(trainings.iter().map(|training| training.wall_s)), 0.5),
            time_s,
            evaluations,
            plant_steps,
            cutoff: best_cutoff(trainings),
        }
    }
}

/// The mean of values, and its standard error `sqrt(sum (v - mean)^2 / (n - 1) / n)`.
fn mean_and_standard_error(values: &[f64]) -> (f64, f64) {
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    let square_sum: f64 = values.iter().map(|value| (value - mean) * (value - mean)).sum();
    (mean, (square_sum / (n - 1.0) / n).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::facts::tests::facts;

    fn assert_close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    #[test]
    fn a_summary_by_hand() {
        let trainings =
            [facts(0.05, Some(60), 100), facts(0.2, None, 300), facts(f64::NAN, None, 200)];
        let summary = Summary::of(&trainings, 2, 1);
        assert_eq!((summary.n_trainings, summary.n_successes), (3, 1));
        assert_eq!(summary.success_probability, 1.0 / 3.0);
        assert_eq!(summary.min_error, 0.05);
        assert_close(summary.quartile_errors[0], 0.125, 1e-15);
        assert_eq!(summary.quartile_errors[1..], [0.2, f64::INFINITY]);
        assert_eq!(summary.median_wall_s, 2.0);
        // 3 trainings of 4 core-seconds over 1 success on 2 cores.
        assert_eq!(summary.time_s.mean, 6.0);
        assert_eq!(summary.evaluations.mean, 600.0);
        assert_eq!(summary.plant_steps.mean, 6000.0);
        assert_eq!(summary.cutoff, Some(Cutoff { evaluations: 60, expected_evaluations: 180.0 }));
        // A resample misses the success with probability (2/3)^3 = 0.30, so the upper end is not known.
        assert_eq!(summary.evaluations.interval[1], f64::INFINITY);
        // Three times the success, with probability 1/27 = 0.037, is the lowest possible value.
        assert_eq!(summary.evaluations.interval[0], 100.0);
    }

    #[test]
    fn without_runs_or_successes_nothing_is_made_up() {
        let none = Summary::of(&[], 2, 1);
        assert!(none.min_error.is_nan() && none.success_probability.is_nan());
        assert_eq!(none.success_interval, [0.0, 1.0]);
        assert_eq!(none.evaluations.mean, f64::INFINITY);
        let stuck = Summary::of(&[facts(1.2, None, 5); 4], 2, 1);
        assert_eq!(stuck.evaluations.interval, [f64::INFINITY; 2]);
        assert_eq!(stuck.cutoff, None);
    }

    #[test]
    fn the_bootstrap_depends_on_the_seed_alone() {
        let trainings: Vec<TrainingFacts> =
            (0..30).map(|i| facts(0.1, (i % 3 == 0).then_some(50), 100 + 10 * i)).collect();
        let summary = Summary::of(&trainings, 2, 7);
        assert_eq!(summary, Summary::of(&trainings, 2, 7));
        assert_ne!(summary, Summary::of(&trainings, 2, 8));
        let ExpectedCost { mean, interval } = summary.evaluations;
        assert_eq!(mean, 735.0);
        // 10 of 30 succeed. To first order the standard deviation of the logarithm is sqrt((1 - p) / (p n)) = 0.26, and
        // the interval spans about exp(-0.45) to exp(0.6) of the mean.
        assert!(interval[0] > 400.0 && interval[0] < 560.0, "{interval:?}");
        assert!(interval[1] > 1000.0 && interval[1] < 1600.0, "{interval:?}");
    }
}
