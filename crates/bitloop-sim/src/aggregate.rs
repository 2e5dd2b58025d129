//! [`Aggregate`]: how the errors of the episodes of a set become one.
//!
//! Each aggregate grows with each error, in floating-point arithmetic too, so that early abort stays lossless for all of
//! them: the aggregate of partial sums never exceeds that of the final errors. For the mean that is the sum in order of
//! index, whose additions and division are monotone. The worst is a maximum. For `CVaR`, put the partial errors `a` and the final
//! errors `b` in descending order. No final error is below its partial sum, so at least i of the `b` are not below the i-th `a`,
//! and the i-th `a` is not above the i-th `b`. The first k are added from the largest on. Addition is monotone in both
//! operands, so the sum of the first k `a` is not above that of the first k `b`. Costs are at least 0, so episodes of which
//! nothing is known count as 0, and only lower it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How the errors of episodes become the error of their set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Aggregate {
    /// Their mean.
    #[default]
    Mean,
    /// The largest of them.
    Worst,
    /// Conditional value at risk: the mean of the worst share of the episodes, rounded up to whole ones.
    CVaR(f64),
}

impl fmt::Display for Aggregate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mean => f.write_str("the mean error of episodes"),
            Self::Worst => f.write_str("the worst error of episodes"),
            Self::CVaR(share) => {
                // A product such as 100 * 0.07 has a tail that nobody wrote.
                let percent = (share * 1e10).round() / 1e8;
                write!(f, "the mean error of the worst {percent} % of episodes")
            }
        }
    }
}

impl Aggregate {
    /// Whether it is the mean.
    #[must_use]
    pub fn is_mean(&self) -> bool {
        *self == Self::Mean
    }

    /// The error of a set whose episodes have these, in order of their index.
    pub(crate) fn of(self, errors: impl ExactSizeIterator<Item = f64>) -> f64 {
        self.of_part(errors.len(), errors)
    }

    /// A lower bound of the error of a set of `n_episodes`, from the errors of some of them; its error if they are all.
    pub(crate) fn of_part(self, n_episodes: usize, errors: impl Iterator<Item = f64>) -> f64 {
        match self {
            Self::Mean => errors.fold(0.0, |sum, error| sum + error) / n_episodes as f64,
            Self::Worst => errors.fold(0.0, f64::max),
            Self::CVaR(share) => {
                let n_worst = n_worst(share, n_episodes);
                let mut errors: Vec<f64> = errors.collect();
                if n_worst < errors.len() {
                    errors.select_nth_unstable_by(n_worst, |a, b| b.total_cmp(a));
                    errors.truncate(n_worst);
                }
                errors.sort_unstable_by(|a, b| b.total_cmp(a));
                errors.iter().fold(0.0, |sum, error| sum + error) / n_worst as f64
            }
        }
    }
}

/// How many episodes a share is, at least one. Products such as 0.07 * 100 have a tail that is no further episode.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "clamped to the number of episodes, and a NaN becomes 0"
)]
fn n_worst(share: f64, n_episodes: usize) -> usize {
    let n = (share * n_episodes as f64 - 1e-9).ceil().min(n_episodes as f64);
    (n as usize).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(aggregate: Aggregate, errors: &[f64]) -> f64 {
        aggregate.of(errors.iter().copied())
    }

    #[test]
    fn aggregates_are_those_of_their_definitions() {
        let errors = [3.0, 0.5, 7.0, 1.0, 4.0];
        assert_eq!(of(Aggregate::Mean, &errors), 3.1);
        assert_eq!(of(Aggregate::Worst, &errors), 7.0);
        assert_eq!(of(Aggregate::CVaR(0.4), &errors), 5.5);
        assert_eq!(of(Aggregate::CVaR(0.41), &errors), 14.0 / 3.0);
        assert_eq!(of(Aggregate::CVaR(1e-6), &errors), 7.0);
        assert_eq!(of(Aggregate::CVaR(1.0), &errors), 3.1);
        for share in [0.4, 1.0] {
            let faulty = [1.0, f64::INFINITY, 2.0];
            assert_eq!(of(Aggregate::CVaR(share), &faulty), f64::INFINITY);
        }
    }

    #[test]
    fn a_share_is_shown_as_it_was_written() {
        for (share, percent) in
            [(0.07, " 7 %"), (0.29, " 29 %"), (0.125, " 12.5 %"), (1.0, " 100 %")]
        {
            let text = Aggregate::CVaR(share).to_string();
            assert!(text.contains(percent), "{text}");
        }
    }

    #[test]
    fn a_share_is_the_episodes_that_it_says() {
        for (share, n, expected) in
            [(0.07, 100, 7), (0.1, 50, 5), (0.11, 50, 6), (0.3, 10, 3), (1e-300, 8, 1), (1.0, 7, 7)]
        {
            assert_eq!(n_worst(share, n), expected, "{share} of {n}");
        }
    }

    #[test]
    fn a_part_is_never_above_the_whole() {
        let errors = [0.1, 0.7, 0.2, 0.3, 0.6, 0.0, 1e-17, 0.7];
        for aggregate in [Aggregate::Mean, Aggregate::Worst, Aggregate::CVaR(0.5)] {
            let whole = of(aggregate, &errors);
            for n in 0..errors.len() {
                let part = aggregate.of_part(errors.len(), errors[..n].iter().copied());
                assert!(part <= whole, "{aggregate:?}: {part} of {whole}");
            }
        }
    }
}
