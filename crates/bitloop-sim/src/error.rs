//! Why a closed loop cannot be set up or run.

use std::fmt;

use bitloop_plant::PlantCallError;

/// Why a closed loop cannot be set up or run. How an episode ends is no error, but an
/// [`EpisodeEnd`](crate::EpisodeEnd).
#[derive(Clone, Debug, PartialEq)]
pub enum SimError {
    /// A time is zero, negative, NaN or infinite.
    NotPositive {
        /// Which time.
        what: &'static str,
        /// Its value in seconds.
        value_s: f64,
    },
    /// A time is no multiple of the one that it is counted in.
    NotMultiple {
        /// Which time.
        what: &'static str,
        /// Its value in seconds.
        value_s: f64,
        /// What it must be a multiple of.
        of: &'static str,
        /// The value of that, in seconds.
        of_s: f64,
    },
    /// A count or time is over its limit.
    TooLarge {
        /// Which count.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The limit.
        limit: f64,
    },
    /// The transient leaves nothing of the horizon.
    NothingCounts {
        /// The horizon in seconds.
        horizon_s: f64,
        /// The transient in seconds.
        transient_s: f64,
    },
    /// A distribution makes no sense, or draws outside a variable's bounds.
    BadDistribution {
        /// The state or parameter.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The controller has other numbers of inputs or outputs than the loop.
    ControllerMismatch {
        /// `inputs` or `outputs`.
        what: &'static str,
        /// What the loop has.
        expected: usize,
        /// What the controller has.
        found: usize,
    },
    /// An input or output of the controller names no variable of the plant, or its numbers make no sense.
    BadChannel {
        /// `input` or `output`.
        what: &'static str,
        /// Its position among them.
        channel: usize,
        /// What is wrong.
        why: String,
    },
    /// The plant cannot be run with this integrator.
    Integrator(String),
    /// The failure cost of an episode is negative, NaN or infinite.
    BadFailureCost(f64),
    /// The plant broke.
    Plant(PlantCallError),
}

impl fmt::Display for SimError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotPositive { what, value_s } => {
                write!(f, "the {what} is {value_s} s: it must be a positive number of seconds")
            }
            Self::NotMultiple { what, value_s, of, of_s } => {
                write!(f, "the {what} of {value_s} s is no multiple of the {of} of {of_s} s")
            }
            Self::TooLarge { what, value, limit } => {
                write!(f, "{value} {what}: at most {limit} are allowed")
            }
            Self::NothingCounts { horizon_s, transient_s } => write!(
                f,
                "the transient of {transient_s} s leaves nothing of the horizon of {horizon_s} s: shorten it"
            ),
            Self::BadDistribution { name, why } => write!(f, "`{name}`: {why}"),
            Self::ControllerMismatch { what, expected, found } => {
                write!(f, "the controller has {found} {what}, but the loop has {expected}")
            }
            Self::BadChannel { what, channel, why } => write!(f, "{what} {channel}: {why}"),
            Self::Integrator(why) => f.write_str(why),
            Self::BadFailureCost(cost) => {
                write!(f, "the failure cost is {cost}: it must be a number of at least 0")
            }
            Self::Plant(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SimError {}

impl From<PlantCallError> for SimError {
    fn from(error: PlantCallError) -> Self {
        Self::Plant(error)
    }
}
