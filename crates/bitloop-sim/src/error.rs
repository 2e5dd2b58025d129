//! Why a closed loop cannot be set up or run.

use bitloop_plant::PlantCallError;

/// Why a closed loop cannot be set up or run. How an episode ends is no error, but an
/// [`EpisodeEnd`](crate::EpisodeEnd).
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum SimError {
    /// A time is zero, negative, NaN or infinite.
    #[error("the {what} is {value_s} s: it must be a positive number of seconds")]
    NotPositive {
        /// Which time.
        what: &'static str,
        /// Its value in seconds.
        value_s: f64,
    },
    /// A time is no multiple of the one that it is counted in.
    #[error("the {what} of {value_s} s is no multiple of the {of} of {of_s} s{}", nearest(*value_s, *of_s))]
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
    #[error("{value} {what}: at most {limit} are allowed")]
    TooLarge {
        /// Which count.
        what: &'static str,
        /// Its value.
        value: f64,
        /// The limit.
        limit: f64,
    },
    /// A recording cannot be resumed from there.
    #[error("what was paused are other episodes than these")]
    OtherEpisodes,
    /// The transient leaves nothing of the horizon.
    #[error(
        "the transient of {transient_s} s leaves nothing of the horizon of {horizon_s} s: shorten it"
    )]
    NothingCounts {
        /// The horizon in seconds.
        horizon_s: f64,
        /// The transient in seconds.
        transient_s: f64,
    },
    /// A distribution is invalid, or draws outside a variable's bounds.
    #[error("`{name}`: {why}")]
    BadDistribution {
        /// The state or parameter.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The controller has other numbers of inputs or outputs than the loop.
    #[error("the controller has {found} {what}, but the loop has {expected}")]
    ControllerMismatch {
        /// `inputs` or `outputs`.
        what: &'static str,
        /// What the loop has.
        expected: usize,
        /// What the controller has.
        found: usize,
    },
    /// An input or output of the controller names no variable of the plant, or its numbers are invalid.
    #[error("{what} {channel}: {why}")]
    BadChannel {
        /// `input` or `output`.
        what: &'static str,
        /// Its position among them.
        channel: usize,
        /// What is wrong.
        why: String,
    },
    /// The plant cannot be run with this integrator.
    #[error("{0}")]
    Integrator(String),
    /// A sensor or actuator names no variable of the plant, or its numbers are invalid.
    #[error("`{name}`: {why}")]
    BadUncertainty {
        /// The observation or control.
        name: String,
        /// What is wrong.
        why: String,
    },
    /// The failure cost of an episode is negative, NaN or infinite.
    #[error("the failure cost is {0}: it must be a number of at least 0")]
    BadFailureCost(f64),
    /// The plant broke.
    #[error(transparent)]
    Plant(#[from] PlantCallError),
}

/// The multiples of a unit beside a value, in words; nothing where rounding would blur them.
fn nearest(value_s: f64, of_s: f64) -> String {
    let below = (value_s / of_s).floor();
    let above = below + 1.0;
    let is_exact = above < 1e12;
    // Products such as 3 * 0.1 have a tail that no reader wants.
    let multiple = |n: f64| format!("{:.12e}", n * of_s).parse().unwrap_or(n * of_s);
    let (below, above): (f64, f64) = (multiple(below), multiple(above));
    match (is_exact, below > 0.0) {
        (false, _) => String::new(),
        (true, false) => format!("; the nearest is {above} s"),
        (true, true) => format!("; the nearest are {below} s and {above} s"),
    }
}
