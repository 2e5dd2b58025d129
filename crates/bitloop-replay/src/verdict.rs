//! What a test asks of a result, and how two controllers compare on the same episodes.

use bitloop_scenario::Pass;
use bitloop_sim::{Evaluation, Figure};
use statrs::distribution::{ContinuousCDF as _, StudentsT};

/// A figure that exceeds what passes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Miss {
    /// Its name in the criteria.
    pub figure: &'static str,
    /// The largest value that passes.
    pub limit: f64,
    /// The value that was found.
    pub found: f64,
}

/// The criteria that a result misses, in the order in which they are written.
#[must_use]
pub fn misses(pass: &Pass, evaluation: &Evaluation) -> Vec<Miss> {
    let [median, p90, p99] = evaluation.quantiles([0.5, 0.9, 0.99]);
    let figures = [
        ("mean_error", pass.mean_error, evaluation.error),
        ("median", pass.median, median),
        ("p90", pass.p90, p90),
        ("p99", pass.p99, p99),
        ("worst", pass.worst, evaluation.max_error()),
        ("failed", pass.failed.map(f64::from), evaluation.n_failed() as f64),
        ("settling_s", pass.settling_s, largest(evaluation, Figure::SettlingTime)),
        ("steady_error", pass.steady_error, largest(evaluation, Figure::SteadyError)),
    ];
    let missed = figures.into_iter().filter_map(|(figure, limit, found)| {
        // What is no number does not pass.
        let is_within = |limit: &f64| found <= *limit;
        let limit = limit.filter(|limit| !is_within(limit))?;
        Some(Miss { figure, limit, found })
    });
    missed.collect()
}

/// The largest value of a figure of the loop over all episodes; NaN if one does not have it, or it was not measured.
fn largest(evaluation: &Evaluation, figure: Figure) -> f64 {
    let Some(all) = evaluation.behaviors.as_ref().filter(|all| all.n_episodes() > 0) else {
        return f64::NAN;
    };
    let values = (0..all.n_episodes()).map(|position| all.figure(position, figure)[0]);
    values.fold(
        0.0,
        |largest: f64, value| {
            if largest.is_nan() || value <= largest { largest } else { value }
        },
    )
}

/// The mean of the differences of errors over the same episodes, with the half width of its interval of 95 % (Student's t
/// with one degree of freedom fewer than there are episodes); none for fewer than two episodes, or errors that are not finite.
#[must_use]
pub fn paired_difference(errors: &Evaluation, reference: &Evaluation) -> Option<(f64, f64)> {
    let n = errors.episodes.len();
    if n < 2 || reference.episodes.len() != n {
        return None;
    }
    let pairs = errors.episodes.iter().zip(&reference.episodes);
    let differences: Vec<f64> = pairs.map(|(a, b)| a.error - b.error).collect();
    let mean = differences.iter().sum::<f64>() / n as f64;
    let squares: f64 = differences.iter().map(|one| (one - mean) * (one - mean)).sum();
    let freedom = (n - 1) as f64;
    let half_width = students_t(freedom)? * (squares / freedom / n as f64).sqrt();
    (mean.is_finite() && half_width.is_finite()).then_some((mean, half_width))
}

/// Where an interval of 95 % ends, in standard errors, by Student's t with so many degrees of freedom.
fn students_t(freedom: f64) -> Option<f64> {
    const UPPER_POINT: f64 = 0.975;
    // The same of the normal distribution.
    const Z: f64 = 1.959_963_984_540_054;
    // From here on two terms of the expansion about the normal distribution are exact to 1e-8. The search for the root loses digits
    // with more degrees of freedom, and with a hundred million it does not end.
    const MANY: f64 = 1000.0;
    if freedom < MANY {
        return Some(StudentsT::new(0.0, 1.0, freedom).ok()?.inverse_cdf(UPPER_POINT));
    }
    let cube = Z * Z * Z;
    let fifth = cube * Z * Z;
    let first = (cube + Z) / (4.0 * freedom);
    let second = (5.0 * fifth + 16.0 * cube + 3.0 * Z) / (96.0 * freedom * freedom);
    Some(Z + first + second)
}

#[cfg(test)]
mod tests {
    use bitloop_sim::{BehaviorShape, Behaviors, EpisodeEnd, EpisodeResult};

    use super::*;

    fn of(errors: &[f64]) -> Evaluation {
        let end = EpisodeEnd::Horizon;
        Evaluation::of(errors.iter().map(|&error| EpisodeResult { error, end }).collect(), 0)
    }

    #[test]
    fn a_figure_at_its_limit_passes_and_what_is_no_number_does_not() {
        let evaluation = of(&[1.0, 2.0, 3.0]);
        let exact = Pass {
            mean_error: Some(2.0),
            median: Some(2.0),
            p90: Some(3.0),
            p99: Some(3.0),
            worst: Some(3.0),
            failed: Some(0),
            ..Pass::default()
        };
        assert_eq!(misses(&exact, &evaluation), []);
        let strict = Pass { mean_error: Some(1.9), worst: Some(2.9), ..exact };
        let found: Vec<_> = misses(&strict, &evaluation).iter().map(|miss| miss.figure).collect();
        assert_eq!(found, ["mean_error", "worst"]);
        assert_eq!(misses(&exact, &of(&[])).len(), 4, "no episodes have no mean");
        assert_eq!(misses(&Pass::default(), &of(&[])), []);
    }

    #[test]
    fn an_episode_that_does_not_settle_or_was_not_measured_misses() {
        let shape = BehaviorShape { n_controls: 0, n_states: 0 };
        // Own error, steady error, settling time.
        let measured = |episodes: &[[f64; 3]]| Evaluation {
            behaviors: Behaviors::of(shape, episodes.as_flattened().to_vec()),
            ..of(&vec![1.0; episodes.len()])
        };
        let pass = Pass { settling_s: Some(5.0), steady_error: Some(0.5), ..Pass::default() };
        let missed = |evaluation: &Evaluation| -> Vec<_> {
            misses(&pass, evaluation).iter().map(|miss| miss.figure).collect()
        };
        let good = [1.0, 0.5, 5.0];
        assert_eq!(missed(&measured(&[good, [1.0, 0.1, 0.0]])), [""; 0]);
        assert_eq!(missed(&measured(&[[1.0, 0.6, 0.0], good])), ["steady_error"]);
        for settling_s in [5.1, f64::INFINITY, f64::NAN] {
            let found = missed(&measured(&[good, [1.0, 0.1, settling_s], good]));
            assert_eq!(found, ["settling_s"], "{settling_s}");
        }
        assert_eq!(missed(&of(&[1.0])), ["settling_s", "steady_error"]);
    }

    #[test]
    fn differences_are_those_of_pairs() {
        let (a, b) = (of(&[1.0, 2.0, 4.0]), of(&[0.5, 1.0, 2.5]));
        let (mean, half_width) = paired_difference(&a, &b).unwrap();
        assert_eq!(mean, 1.0);
        assert!((half_width / (0.25_f64 / 3.0).sqrt() - 4.302_652_73).abs() < 1e-8);
        assert_eq!(paired_difference(&a, &of(&[1.0])), None);
        assert_eq!(paired_difference(&of(&[f64::INFINITY; 2]), &of(&[1.0; 2])), None);
    }

    #[test]
    fn intervals_of_few_episodes_are_wider() {
        // Two-sided points of 95 % from tables of Student's t, by episodes.
        for (n, point) in [
            (2, 12.706_205),
            (5, 2.776_445),
            (31, 2.042_272),
            (101, 1.983_972),
            (100_001, 1.959_988),
        ] {
            // Differences of 1 and -1 in turn, and 0 where they are odd.
            let sign = |at: usize| {
                if at + 1 == n && n % 2 == 1 { 0.0 } else { 1.0 - 2.0 * (at % 2) as f64 }
            };
            let errors: Vec<f64> = (0..n).map(sign).collect();
            let squares = (n - n % 2) as f64;
            let deviation = (squares / (n - 1) as f64 / n as f64).sqrt();
            let (_, half_width) = paired_difference(&of(&errors), &of(&vec![0.0; n])).unwrap();
            assert!((half_width / deviation / point - 1.0).abs() < 1e-6, "{n}: {half_width}");
        }
        // Both ways agree where they meet, and very many take no time.
        let [before, after] = [999.999, 1000.0].map(|freedom| students_t(freedom).unwrap());
        assert!((before - after).abs() < 1e-7 && before > after, "{before} {after}");
        assert!((students_t(1e9).unwrap() - 1.959_963_985).abs() < 1e-8);
    }
}
