//! [`quantile`]: order statistics of errors and other figures.

/// In ascending order, NaN as infinite.
#[must_use]
pub fn sorted(values: impl Iterator<Item = f64>) -> Vec<f64> {
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

#[cfg(test)]
mod tests {
    use super::*;

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
}
