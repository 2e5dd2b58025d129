//! Where an episode's initial state and parameters come from.

use bitloop_plant::Real;

/// No draw is this many standard deviations from the mean: sqrt(-2 ln 2^-53) is 8.6.
const MAX_DEVIATIONS: f64 = 9.0;

/// A distribution over numbers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Distribution {
    /// Always the same number.
    Fixed(f64),
    /// Uniform over `[low, high)`.
    Uniform {
        /// The least value.
        low: f64,
        /// The bound above, reached by rounding alone.
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

impl Distribution {
    /// What is wrong with the distribution, if anything.
    #[must_use]
    pub fn fault(&self) -> Option<String> {
        match *self {
            Self::Fixed(value) if !value.is_finite() => {
                Some(format!("{value} is no finite number"))
            }
            Self::Uniform { low, high } if !(low <= high && (high - low).is_finite()) => {
                Some(format!("Uniform({low}, {high}) needs finite bounds in order"))
            }
            Self::Normal { mean, standard_deviation }
                if !(standard_deviation >= 0.0
                    && (mean.abs() + MAX_DEVIATIONS * standard_deviation).is_finite()) =>
            {
                Some(format!(
                    "Normal({mean}, {standard_deviation}) needs finite numbers and a deviation of at least 0"
                ))
            }
            _ => None,
        }
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

/// The top 53 bits of a word as a number in [0, 1).
fn unit_interval(word: u64) -> f64 {
    (word >> 11) as f64 * (1.0 / 9_007_199_254_740_992.0)
}
