//! [`Threshold`]: the output from which on the second of two classes is answered.

use serde::{Deserialize, Serialize};

/// The usual threshold.
pub(crate) const HALF: f64 = 0.5;

/// From which output on the second of two classes, in alphabetic order, is answered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Threshold {
    /// 0.5.
    #[default]
    Half,
    /// This one.
    At(f64),
    /// That of the highest balanced accuracy on the rows that select.
    ByBalancedAccuracy,
    /// That of the highest F1 of the second class on the rows that select.
    ByF1,
}

/// Rows whose output is at a threshold or above, by their class.
#[derive(Clone, Copy)]
struct Answered {
    n_first: f64,
    n_second: f64,
}

impl Threshold {
    /// Whether it is the default.
    #[must_use]
    pub fn is_half(&self) -> bool {
        *self == Self::Half
    }

    /// The threshold for a network whose output at each row that selects is given, with the target, 0 or 1; none for the usual one.
    ///
    /// Thresholds that are chosen are 0.5, the middle between each two outputs that are neighbors, and the lowest output, from which
    /// on all rows have the second class. Of equal merit, the one nearest to 0.5 is taken, the lower of two. Rows of one class
    /// choose nothing.
    #[must_use]
    pub fn chosen(self, outputs: &[f64], targets: &[f64]) -> Option<f64> {
        match self {
            Self::Half => None,
            Self::At(threshold) => Some(threshold),
            Self::ByBalancedAccuracy => best(outputs, targets, |all, found| {
                let recall_of_first = 1.0 - found.n_first / all.n_first;
                recall_of_first + found.n_second / all.n_second
            }),
            Self::ByF1 => best(outputs, targets, |all, found| {
                2.0 * found.n_second / (found.n_first + found.n_second + all.n_second)
            }),
        }
    }
}

/// The threshold of the highest merit, by the rows at it or above.
fn best(
    outputs: &[f64],
    targets: &[f64],
    merit: impl Fn(Answered, Answered) -> f64,
) -> Option<f64> {
    let mut rows: Vec<(f64, bool)> =
        outputs.iter().zip(targets).map(|(&output, &target)| (output, target >= HALF)).collect();
    let n_second = rows.iter().filter(|(_, is_second)| *is_second).count();
    let all = Answered { n_first: (rows.len() - n_second) as f64, n_second: n_second as f64 };
    if rows.iter().any(|(output, _)| !output.is_finite()) || n_second == 0 || n_second == rows.len()
    {
        return None;
    }
    rows.sort_by(|a, b| b.0.total_cmp(&a.0));
    let count = |is_second: bool| {
        rows.iter().filter(|row| row.0 >= HALF && row.1 == is_second).count() as f64
    };
    let at_half = Answered { n_first: count(false), n_second: count(true) };
    let mut chosen = (merit(all, at_half), HALF);
    let mut found = Answered { n_first: 0.0, n_second: 0.0 };
    for (at, &(upper, is_second)) in rows.iter().enumerate() {
        if is_second {
            found.n_second += 1.0;
        } else {
            found.n_first += 1.0;
        }
        let threshold = match rows.get(at + 1) {
            Some(&(lower, _)) if lower == upper => continue,
            Some(&(lower, _)) => {
                let middle = lower + (upper - lower) / 2.0;
                // Between neighboring numbers there is none.
                if middle > lower { middle } else { upper }
            }
            None => upper,
        };
        let merit = merit(all, found);
        let distance = |threshold: f64| (threshold - HALF).abs();
        // From the highest output down, so that the lower of two comes later.
        let is_nearer = distance(threshold) <= distance(chosen.1);
        if merit > chosen.0 || merit == chosen.0 && is_nearer {
            chosen = (merit, threshold);
        }
    }
    Some(chosen.1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rare_class_lowers_the_threshold() {
        // Of ten rows, two of the second class, which hardly reach 0.5.
        let outputs = [0.05, 0.1, 0.1, 0.15, 0.2, 0.2, 0.1, 0.3, 0.25, 0.45];
        let targets = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 1.0];
        // At 0.225, one of eight is wrong; at 0.375, one of two.
        let by = |threshold: Threshold| threshold.chosen(&outputs, &targets).unwrap();
        assert!((by(Threshold::ByBalancedAccuracy) - 0.225).abs() < 1e-15);
        // F1 of 4 / 5 against 2 / 3.
        assert!((by(Threshold::ByF1) - 0.225).abs() < 1e-15);
        assert_eq!(Threshold::At(0.3).chosen(&outputs, &targets), Some(0.3));
        assert_eq!(Threshold::Half.chosen(&outputs, &targets), None);
    }

    #[test]
    fn all_rows_may_have_the_second_class() {
        // F1 of 6 / 7 against 4 / 6 at 0.15.
        let (outputs, targets) = ([0.9, 0.3, 0.2, 0.1], [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(Threshold::ByF1.chosen(&outputs, &targets), Some(0.1));
    }

    #[test]
    fn of_equals_the_nearest_to_a_half_is_taken() {
        let by = |outputs: &[f64], targets: &[f64]| {
            Threshold::ByBalancedAccuracy.chosen(outputs, targets)
        };
        assert_eq!(by(&[0.1, 0.9], &[0.0, 1.0]), Some(0.5));
        assert_eq!(by(&[0.1, 0.2, 0.9], &[0.0, 1.0, 1.0]), Some(0.1 + (0.2 - 0.1) / 2.0));
        let above = 0.7_f64.next_up();
        assert_eq!(by(&[0.7, above], &[0.0, 1.0]), Some(above));
        assert_eq!(by(&[0.1, 0.9], &[1.0, 1.0]), None);
        assert_eq!(by(&[f64::NAN, 0.9], &[0.0, 1.0]), None);
    }
}
