//! Statistics of independent runs: order statistics, success probability, costs to a success, and where to cut off.
//!
//! Knows runs only as numbers ([`RunFacts`]). A *cost* is an amount spent, such as evaluations; the expected cost to a
//! success is what all runs cost together over the number of successes, which is what independent restarts of the same
//! run cost on the mean until one succeeds (Hoos & Stützle, "Stochastic Local Search", Sec. 4.2; the "expected running
//! time" of Hansen et al., BBOB 2009).

use bitloop_random::{Purpose, Stream};

/// Resamples of a bootstrap interval.
const N_RESAMPLES: u64 = 2000;

/// Two-sided 95 % point of the normal distribution.
const Z_95: f64 = 1.959_963_984_540_054;

/// What statistics need to know of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunFacts {
    /// Its final error; NaN counts as infinite.
    pub error: f64,
    /// Whether it ended as a success, and the evaluation count from which on its kept controller was one.
    pub success_at: Option<u64>,
    /// Evaluations it took.
    pub evaluations: u64,
    /// Integration steps it took.
    pub plant_steps: u64,
    /// Seconds it took.
    pub wall_s: f64,
    /// Seconds times cores that it took.
    pub core_s: f64,
}

/// An interval, its ends included.
pub type Interval = [f64; 2];

/// An amount to be spent until a success, infinite if there was none, and its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ExpectedCost {
    /// Cost of all runs over successes.
    pub mean: f64,
    /// Percentile interval over bootstrap resamples of the runs; a resample without success counts as infinite.
    pub interval: Interval,
}

/// The evaluation count at which giving up a run and starting another one costs least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutoff {
    /// Evaluations after which to start anew.
    pub evaluations: u64,
    /// Expected evaluations to a success with it.
    pub expected_evaluations: f64,
}

/// What a set of independent runs comes to. Errors are NaN where there are no runs.
#[derive(Clone, Debug, PartialEq)]
pub struct Summary {
    /// Number of runs.
    pub n_runs: usize,
    /// Number of successes among them.
    pub n_successes: usize,
    /// Successes over runs.
    pub success_probability: f64,
    /// Its 95 % interval after Wilson.
    pub success_interval: Interval,
    /// Mean of the errors.
    pub mean_error: f64,
    /// Standard error of that mean, from the deviations of the runs; NaN for fewer than two.
    pub standard_error: f64,
    /// Smallest error.
    pub min_error: f64,
    /// Quartiles of the errors, see [`quantile`]; the second is the median.
    pub quartile_errors: [f64; 3],
    /// Median of the seconds of a run.
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
    /// Sums up runs that were spread over `n_cores` cores. The resamples of the intervals are drawn from the bootstrap
    /// stream of `seed`, and depend on nothing else but the number of runs.
    #[must_use]
    pub fn of(runs: &[RunFacts], n_cores: usize, seed: u64) -> Self {
        let n_successes = runs.iter().filter(|run| run.success_at.is_some()).count();
        let errors = sorted(runs.iter().map(|run| run.error));
        let resamples = Resamples::draw(runs, seed);
        let (mean_error, standard_error) = mean_and_standard_error(&errors);
        Self {
            n_runs: runs.len(),
            n_successes,
            success_probability: n_successes as f64 / runs.len() as f64,
            success_interval: wilson(n_successes, runs.len()),
            mean_error,
            standard_error,
            min_error: errors.first().copied().unwrap_or(f64::NAN),
            quartile_errors: [0.25, 0.5, 0.75].map(|p| quantile(&errors, p)),
            median_wall_s: quantile(&sorted(runs.iter().map(|run| run.wall_s)), 0.5),
            time_s: resamples.expected(|run| run.core_s / n_cores as f64),
            evaluations: resamples.expected(|run| run.evaluations as f64),
            plant_steps: resamples.expected(|run| run.plant_steps as f64),
            cutoff: best_cutoff(runs),
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

/// In ascending order, NaN as infinite.
fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
    let mut values: Vec<f64> =
        values.map(|value| if value.is_nan() { f64::INFINITY } else { value }).collect();
    values.sort_by(f64::total_cmp);
    values
}

/// The `p`-quantile of values in ascending order, NaN if there are none.
///
/// With n values and h = (n - 1) p, it lies between the values at positions floor(h) and floor(h) + 1, counted from 0, by
/// linear interpolation: type 7 of Hyndman & Fan (The American Statistician 50(4), 1996), the default of R and `NumPy`.
#[must_use]
pub fn quantile(ascending: &[f64], p: f64) -> f64 {
    let Some(last) = ascending.len().checked_sub(1) else { return f64::NAN };
    let h = last as f64 * p.clamp(0.0, 1.0);
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "from 0 to last")]
    let below = h.floor() as usize;
    let (low, high) = (ascending[below], ascending[last.min(below + 1)]);
    let share = h - below as f64;
    // Infinite errors are legal; their difference and their 0-fold are NaN.
    if low == high || share == 0.0 { low } else { low + share * (high - low) }
}

/// The 95 % interval of a probability after Wilson (JASA 22, 1927): the probabilities that a normal test does not reject,
/// `(p + z²/2n ± z sqrt(p (1 - p) / n + z²/4n²)) / (1 + z²/n)`. Without any run all is possible.
#[must_use]
pub fn wilson(n_successes: usize, n_runs: usize) -> Interval {
    if n_runs == 0 {
        return [0.0, 1.0];
    }
    let n = n_runs as f64;
    let p = n_successes as f64 / n;
    let z2 = Z_95 * Z_95;
    let center = p + z2 / (2.0 * n);
    let half = Z_95 * (p * (1.0 - p) / n + z2 / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z2 / n;
    // At the ends of the scale the interval touches them, but for rounding.
    let low = if n_successes == 0 { 0.0 } else { (center - half) / scale };
    let high = if n_successes == n_runs { 1.0 } else { (center + half) / scale };
    [low, high]
}

/// The cut-off that makes independent restarts cheapest, in evaluations.
///
/// With runs cut off at c, those are successes whose kept controller was one at c or before, and each run costs c or what
/// it took, so that `E(c) = sum_i min(n_i, c) / #{i: t_i <= c}`, for c without bound the plain cost of all runs over
/// successes. As a function of c, E falls only where a success comes in, so the `t_i` are all that must be tried; ties go to
/// the smaller c. Like any minimum over a sample it is optimistic: with few successes, take it as a hint.
#[must_use]
pub fn best_cutoff(runs: &[RunFacts]) -> Option<Cutoff> {
    let mut times: Vec<u64> = runs.iter().filter_map(|run| run.success_at).collect();
    times.sort_unstable();
    times.dedup();
    let mut best: Option<Cutoff> = None;
    for evaluations in times {
        let cost: u64 = runs.iter().map(|run| run.evaluations.min(evaluations)).sum();
        let successes = runs.iter().filter_map(|run| run.success_at);
        let n_successes = successes.filter(|&at| at <= evaluations).count();
        let expected_evaluations = cost as f64 / n_successes as f64;
        if best.is_none_or(|best| expected_evaluations < best.expected_evaluations) {
            best = Some(Cutoff { evaluations, expected_evaluations });
        }
    }
    best
}

/// The runs, and how often each is drawn in each resample.
struct Resamples<'a> {
    runs: &'a [RunFacts],
    counts: Vec<Vec<u32>>,
}

impl<'a> Resamples<'a> {
    /// Draws as many runs as there are, with replacement, again and again: resample r from stream (seed, bootstrap, 0, r).
    fn draw(runs: &'a [RunFacts], seed: u64) -> Self {
        let resample = |index| {
            let mut stream = Stream::new(seed, Purpose::Bootstrap, 0, index);
            let mut counts = vec![0; runs.len()];
            for _ in runs {
                counts[stream.index_below(runs.len())] += 1;
            }
            counts
        };
        Self { runs, counts: (0..N_RESAMPLES).map(resample).collect() }
    }

    /// Expected cost to a success, with its percentile interval: of 2000 ascending values, number 50 and number 1950.
    fn expected(&self, cost: impl Fn(&RunFacts) -> f64) -> ExpectedCost {
        let of = |counts: &mut dyn Iterator<Item = u32>| {
            let (mut sum, mut n_successes) = (0.0, 0);
            for (run, count) in self.runs.iter().zip(counts) {
                sum += f64::from(count) * cost(run);
                n_successes += if run.success_at.is_some() { count } else { 0 };
            }
            if n_successes == 0 { f64::INFINITY } else { sum / f64::from(n_successes) }
        };
        let mean = of(&mut std::iter::repeat(1));
        let resampled = sorted(self.counts.iter().map(|counts| of(&mut counts.iter().copied())));
        let n = resampled.len();
        ExpectedCost { mean, interval: [resampled[n / 40 - 1], resampled[n - n / 40 - 1]] }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(error: f64, success_at: Option<u64>, evaluations: u64) -> RunFacts {
        RunFacts {
            error,
            success_at,
            evaluations,
            plant_steps: 10 * evaluations,
            wall_s: 2.0,
            core_s: 4.0,
        }
    }

    fn close(found: f64, expected: f64, tolerance: f64) {
        assert!((found - expected).abs() <= tolerance, "{found} is not {expected}");
    }

    #[test]
    fn wilson_agrees_with_the_literature() {
        // Newcombe, Statistics in Medicine 17 (1998) 857-872, table I, method 3: four digits are printed.
        for (n_successes, n_runs, low, high) in [
            (81, 263, 0.2553, 0.3662),
            (15, 148, 0.0624, 0.1605),
            (0, 20, 0.0, 0.1611),
            (1, 29, 0.0061, 0.1718),
        ] {
            let interval = wilson(n_successes, n_runs);
            close(interval[0], low, 5e-5);
            close(interval[1], high, 5e-5);
        }
        assert_eq!(wilson(0, 0), [0.0, 1.0]);
        assert_eq!(wilson(5, 5)[1], 1.0);
        // By hand: n = 1, p = 0 gives z²/(1 + z²) above.
        close(wilson(0, 1)[1], Z_95 * Z_95 / (1.0 + Z_95 * Z_95), 1e-15);
    }

    #[test]
    fn quantiles_are_those_of_type_7() {
        // numpy.quantile and R's quantile of 1, 2, 4, 8: 1.75, 3, 5.
        let values = [1.0, 2.0, 4.0, 8.0];
        assert_eq!([0.25, 0.5, 0.75].map(|p| quantile(&values, p)), [1.75, 3.0, 5.0]);
        assert_eq!([0.0, 1.0].map(|p| quantile(&values, p)), [1.0, 8.0]);
        assert_eq!(quantile(&[7.0], 0.25), 7.0);
        assert!(quantile(&[], 0.5).is_nan());
        let infinite = [1.0, f64::INFINITY, f64::INFINITY];
        assert_eq!(
            [0.0, 0.5, 0.75].map(|p| quantile(&infinite, p)),
            [1.0, f64::INFINITY, f64::INFINITY]
        );
    }

    #[test]
    fn the_cutoff_weighs_what_stuck_runs_cost_against_late_successes() {
        // E(10) = 40/1; E(30) = (10 + 30 + 30 + 30)/2 = 50; E(90) = (10 + 30 + 90 + 90)/3 = 73.3.
        let runs = [
            run(0.01, Some(10), 10),
            run(0.01, Some(30), 30),
            run(0.01, Some(90), 100),
            run(1.2, None, 1000),
        ];
        let cutoff = best_cutoff(&runs).unwrap();
        assert_eq!(cutoff, Cutoff { evaluations: 10, expected_evaluations: 40.0 });
        // A run that goes on after its success is paid for up to the cut-off: E(10) = 20, E(20) = 40/2.
        let runs = [run(0.01, Some(10), 50), run(0.01, Some(20), 50)];
        assert_eq!(best_cutoff(&runs).unwrap().evaluations, 10);
        // Stuck runs that end early by themselves need no cut-off: E(80) = 162/1, E(90) = 182/2.
        let runs = [run(1.2, None, 1), run(1.2, None, 1), run(0.01, Some(80), 90), {
            run(0.01, Some(90), 90)
        }];
        let cutoff = best_cutoff(&runs).unwrap();
        assert_eq!(cutoff, Cutoff { evaluations: 90, expected_evaluations: 91.0 });
        assert_eq!(best_cutoff(&[run(1.2, None, 5)]), None);
    }

    #[test]
    fn a_summary_by_hand() {
        let runs = [run(0.05, Some(60), 100), run(0.2, None, 300), run(f64::NAN, None, 200)];
        let summary = Summary::of(&runs, 2, 1);
        assert_eq!((summary.n_runs, summary.n_successes), (3, 1));
        assert_eq!(summary.success_probability, 1.0 / 3.0);
        assert_eq!(summary.min_error, 0.05);
        close(summary.quartile_errors[0], 0.125, 1e-15);
        assert_eq!(summary.quartile_errors[1..], [0.2, f64::INFINITY]);
        assert_eq!(summary.median_wall_s, 2.0);
        // 3 runs of 4 core-seconds over 1 success on 2 cores.
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
        let stuck = Summary::of(&[run(1.2, None, 5); 4], 2, 1);
        assert_eq!(stuck.evaluations.interval, [f64::INFINITY; 2]);
        assert_eq!(stuck.cutoff, None);
    }

    #[test]
    fn the_bootstrap_depends_on_the_seed_alone() {
        let runs: Vec<RunFacts> =
            (0..30).map(|i| run(0.1, (i % 3 == 0).then_some(50), 100 + 10 * i)).collect();
        let summary = Summary::of(&runs, 2, 7);
        assert_eq!(summary, Summary::of(&runs, 2, 7));
        assert_ne!(summary, Summary::of(&runs, 2, 8));
        let ExpectedCost { mean, interval } = summary.evaluations;
        assert_eq!(mean, 735.0);
        // 10 of 30 succeed. To first order the standard deviation of the logarithm is sqrt((1 - p) / (p n)) = 0.26, and
        // the interval spans about exp(-0.45) to exp(0.6) of the mean.
        assert!(interval[0] > 400.0 && interval[0] < 560.0, "{interval:?}");
        assert!(interval[1] > 1000.0 && interval[1] < 1600.0, "{interval:?}");
    }
}
