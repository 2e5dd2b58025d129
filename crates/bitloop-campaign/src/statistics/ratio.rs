//! Ratios of costs, over several plants.

use bitloop_plant::Real;

/// The geometric mean `exp(sum(ln r) / n)` of ratios: what one kind of training costs over another on the mean, where no plant
/// counts more than another. None if there is no ratio.
#[must_use]
pub fn geometric_mean(ratios: &[f64]) -> Option<f64> {
    let n = ratios.len() as f64;
    let sum: f64 = ratios.iter().map(|ratio| Real::ln(*ratio)).sum();
    (!ratios.is_empty()).then(|| Real::exp(sum / n))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ratio_and_its_inverse_cancel() {
        let mean = geometric_mean(&[4.0, 0.25, 8.0]).unwrap();
        assert!((mean - 2.0).abs() < 1e-15, "{mean}");
        assert_eq!(geometric_mean(&[]), None);
    }
}
