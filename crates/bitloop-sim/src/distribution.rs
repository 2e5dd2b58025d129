//! Where an episode's initial state and parameters come from.

use std::fmt;

use bitloop_plant::Real;
use bitloop_random::unit_interval;

/// No draw is this many standard deviations from the mean: sqrt(-2 ln 2^-53) is 8.6.
const MAX_DEVIATIONS: f64 = 9.0;

/// How many standard deviations from the mean draws are still to be expected: all but 0.3 % of them.
const EXPECTED_DEVIATIONS: f64 = 3.0;

/// A distribution over numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same number.
    Fixed(f64),
    /// Uniform over `[low, high)`.
    Uniform {
        /// The least value.
        low: f64,
        /// The upper bound, reached only by rounding.
        high: f64,
    },
    /// Normal, by the transform of Box and Muller.
    Normal {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        standard_deviation: f64,
    },
}

impl fmt::Display for Distribution {
    /// As scenarios write it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Fixed(value) => write!(f, "{value:?}"),
            Self::Uniform { low, high } => write!(f, "Uniform({low:?}, {high:?})"),
            Self::Normal { mean, standard_deviation } => {
                write!(f, "Normal(mean: {mean:?}, sd: {standard_deviation:?})")
            }
        }
    }
}

/// Why nothing can be drawn from a distribution.
#[derive(Clone, Copy, Debug, PartialEq, thiserror::Error)]
pub enum DistributionError {
    /// A fixed value that is NaN or infinite.
    #[error("{0} is not a finite number")]
    NotFinite(f64),
    /// Bounds in the wrong order, or NaN.
    #[error("the lower bound {low:?} is not at or below the upper bound {high:?}")]
    Reversed {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// Bounds whose difference is not finite.
    #[error("the range from {low:?} to {high:?} is too wide to be drawn from")]
    TooWide {
        /// The lower bound.
        low: f64,
        /// The upper bound.
        high: f64,
    },
    /// A standard deviation that is negative, NaN or infinite.
    #[error("the standard deviation must be a number of 0 or more, found {0:?}")]
    Deviation(f64),
    /// Draws that are not finite numbers.
    #[error(
        "draws around {mean:?} with a standard deviation of {standard_deviation:?} are too large for a number"
    )]
    TooFar {
        /// The mean.
        mean: f64,
        /// The standard deviation.
        standard_deviation: f64,
    },
}

impl Distribution {
    /// # Errors
    /// Numbers from which nothing can be drawn.
    pub fn check(&self) -> Result<(), DistributionError> {
        match *self {
            Self::Fixed(value) if !value.is_finite() => Err(DistributionError::NotFinite(value)),
            Self::Uniform { low, high } if low.is_nan() || high.is_nan() || low > high => {
                Err(DistributionError::Reversed { low, high })
            }
            Self::Uniform { low, high } if !(high - low).is_finite() => {
                Err(DistributionError::TooWide { low, high })
            }
            Self::Normal { standard_deviation, .. }
                if !(standard_deviation >= 0.0 && standard_deviation.is_finite()) =>
            {
                Err(DistributionError::Deviation(standard_deviation))
            }
            Self::Normal { mean, standard_deviation }
                if !(mean.abs() + MAX_DEVIATIONS * standard_deviation).is_finite() =>
            {
                Err(DistributionError::TooFar { mean, standard_deviation })
            }
            _ => Ok(()),
        }
    }

    /// The value in the middle.
    #[must_use]
    pub fn middle(&self) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { low, high } => low + 0.5 * (high - low),
            Self::Normal { mean, .. } => mean,
        }
    }

    /// The least value that is to be expected: of a normal distribution, three standard deviations below the mean.
    #[must_use]
    pub fn least(&self) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { low, .. } => low,
            Self::Normal { mean, standard_deviation } => {
                mean - EXPECTED_DEVIATIONS * standard_deviation
            }
        }
    }

    /// The distribution of a multiple of its numbers.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        match *self {
            Self::Fixed(value) => Self::Fixed(value * factor),
            Self::Uniform { low, high } => Self::Uniform { low: low * factor, high: high * factor },
            Self::Normal { mean, standard_deviation } => Self::Normal {
                mean: mean * factor,
                standard_deviation: standard_deviation * factor,
            },
        }
    }

    /// The largest value that is to be expected: of a normal distribution, three standard deviations above the mean.
    #[must_use]
    pub fn largest(&self) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { high, .. } => high,
            Self::Normal { mean, standard_deviation } => {
                mean + EXPECTED_DEVIATIONS * standard_deviation
            }
        }
    }

    /// Whether bounds cut off draws that are to be expected: those of a normal distribution within three standard
    /// deviations of the mean. Other distributions within bounds are never cut off.
    #[must_use]
    pub fn is_cut_off_by(&self, min: f64, max: f64) -> bool {
        matches!(self, Self::Normal { .. }) && (self.least() < min || self.largest() > max)
    }

    /// Draws a number from the 64-bit words of `next_word`: none, one or two of them.
    pub fn draw(&self, mut next_word: impl FnMut() -> u64) -> f64 {
        match *self {
            Self::Fixed(value) => value,
            Self::Uniform { low, high } => low + (high - low) * unit_interval(next_word()),
            Self::Normal { mean, standard_deviation } => {
                // 1 - u is in (0, 1], so that its logarithm is finite.
                let radius = (-2.0 * Real::ln(1.0 - unit_interval(next_word()))).sqrt();
                let cos = Real::cos(std::f64::consts::TAU * unit_interval(next_word()));
                mean + standard_deviation * (radius * cos)
            }
        }
    }
}
