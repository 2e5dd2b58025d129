//! [`Figure`]: what is measured of an episode.

/// What a figure is of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// The whole loop: one number.
    Loop,
    /// A number for each control.
    Control,
    /// A number for each state.
    State,
}

/// A figure of an episode.
///
/// `u_k` is the control commanded at query `k`, after saturation, of `n` queries; its range is the distance of its
/// bounds, or what the episode spans where a bound is missing. A control is at a limit within a thousandth of its range of
/// a bound. The steady part is the last tenth of the horizon. `c` is the stage cost, as its mean over each control period
/// after the transient.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Figure {
    /// Share of the queries at which a control is at a limit.
    AtLimit,
    /// `sum_k |u_k - u_(k-1)| / (n - 1) / range`.
    Variation,
    /// Share of the queries at which the control turns: its change has the other sign than the change before.
    Reversals,
    /// `sum_k ((u_k - center) / scale)^2 / n`.
    Effort,
    /// [`Variation`](Figure::Variation) in the steady part; NaN without one.
    SteadyVariation,
    /// [`Reversals`](Figure::Reversals) in the steady part; NaN without one.
    SteadyReversals,
    /// The error without penalties.
    OwnError,
    /// Mean of the plant's stage cost in the steady part; infinite for an episode that has not reached its horizon.
    SteadyError,
    /// The time in seconds after which `c` stays within 1 % of its largest value: of a quadratic cost, within a tenth of
    /// the largest deviation. Infinite where that is not so in the whole steady part, and for an episode that has not
    /// reached its horizon.
    SettlingTime,
    /// Largest magnitude of a state at the queries and the end.
    Largest,
    /// How far a state passes its default value, in its own unit, on the side that it did not start on; NaN for one that
    /// starts at the default value.
    Overshoot,
}

impl Figure {
    /// All, in the order in which they are stored and shown.
    pub const ALL: [Self; 11] = [
        Self::AtLimit,
        Self::Variation,
        Self::Reversals,
        Self::Effort,
        Self::SteadyVariation,
        Self::SteadyReversals,
        Self::OwnError,
        Self::SteadyError,
        Self::SettlingTime,
        Self::Largest,
        Self::Overshoot,
    ];

    /// Its name in files.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::AtLimit => "at_limit",
            Self::Variation => "variation",
            Self::Reversals => "reversals",
            Self::Effort => "effort",
            Self::SteadyVariation => "steady_variation",
            Self::SteadyReversals => "steady_reversals",
            Self::OwnError => "own_error",
            Self::SteadyError => "steady_error",
            Self::SettlingTime => "settling_s",
            Self::Largest => "largest",
            Self::Overshoot => "overshoot",
        }
    }

    /// What it is of.
    #[must_use]
    pub const fn subject(self) -> Subject {
        match self {
            Self::AtLimit
            | Self::Variation
            | Self::Reversals
            | Self::Effort
            | Self::SteadyVariation
            | Self::SteadyReversals => Subject::Control,
            Self::OwnError | Self::SteadyError | Self::SettlingTime => Subject::Loop,
            Self::Largest | Self::Overshoot => Subject::State,
        }
    }
}
