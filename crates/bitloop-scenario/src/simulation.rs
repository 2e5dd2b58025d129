//! How a plant is stepped in time.

use bitloop_plant::Integrator;
use serde::{Deserialize, Serialize};

/// Integrator and step sizes; what is left out is the plant's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Simulation {
    /// Integrator. Default: the plant's.
    #[serde(default)]
    pub integrator: Option<Integrator>,
    /// Integration step in seconds. Default: the plant's.
    #[serde(default)]
    pub step_s: Option<f64>,
    /// Control period in seconds, a whole multiple of the step: the controller is asked once in it,
    /// and its answer held. Default: the plant's.
    #[serde(default)]
    pub sample_time_s: Option<f64>,
}

/// How many times `part` fits into `whole`, if that is a whole number, at least 1, but for rounding
/// (1e-9, and a few bits of the quotient): 0.1 holds 0.01 ten times although neither is exact.
///
/// A step from the file and a sample time from the plant are compared only when both are known, so
/// this is offered to the caller that knows them.
pub fn whole_ratio(whole: f64, part: f64) -> Option<u64> {
    /// Beyond this, an f64 cannot distinguish neighbors, and a loop would never end.
    const LARGEST: f64 = 1e12;
    let ratio = whole / part;
    let rounded = ratio.round();
    let tolerance = 1e-9 + 4.0 * f64::EPSILON * ratio.abs();
    let whole_number = (ratio - rounded).abs() <= tolerance && (1.0..=LARGEST).contains(&rounded);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole number from 1 to 1e12"
    )]
    whole_number.then_some(rounded as u64)
}

#[cfg(test)]
mod tests {
    use super::whole_ratio;

    #[test]
    fn decimal_multiples_count_as_whole() {
        assert_eq!(whole_ratio(0.1, 0.01), Some(10));
        assert_eq!(whole_ratio(0.3, 0.1), Some(3));
        assert_eq!(whole_ratio(1000.0, 0.1), Some(10_000));
        assert_eq!(whole_ratio(0.1, 0.03), None);
        assert_eq!(whole_ratio(0.01, 0.1), None);
        assert_eq!(whole_ratio(1.0, 0.0), None);
        assert_eq!(whole_ratio(f64::NAN, 1.0), None);
    }
}
