//! Logarithms and powers of ten, of places on paper.

#[expect(clippy::disallowed_methods, reason = "places on paper, which enter no result")]
/// The logarithm; NaN of what has none.
pub fn log10(value: f64) -> f64 {
    if value > 0.0 { value.log10() } else { f64::NAN }
}

#[expect(clippy::disallowed_methods, reason = "places on paper, which enter no result")]
/// Ten to this power.
pub fn power(exponent: f64) -> f64 {
    10_f64.powf(exponent)
}
