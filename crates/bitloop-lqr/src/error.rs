//! [`LqrError`]: why there is no linear-quadratic regulator.

use bitloop_plant::PlantCallError;

/// Why there is no linear-quadratic regulator.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum LqrError {
    /// The plant broke.
    #[error(transparent)]
    Plant(#[from] PlantCallError),
    /// The default state, or one nearby, is in the failure set.
    #[error("the plant fails at its default state or near it: LQR needs an equilibrium there")]
    Fails,
    /// Numbers near the default state are not finite.
    #[error("the plant is not finite near its default state")]
    NotFinite,
    /// The plant does not rest at its default state with its controls at their centers.
    #[error(
        "the default state is no equilibrium with {}: `{state}` moves by {} in a control period, by more than {}",
        in_words(.controls),
        short(*.moved),
        short(*.tolerance)
    )]
    NoEquilibrium {
        /// A state that moves.
        state: String,
        /// By how much, in a control period.
        moved: f64,
        /// How much it may.
        tolerance: f64,
        /// The controls by name, and what they are held at.
        controls: Vec<(String, f64)>,
    },
    /// The stage cost has a slope at the default state, which is thus not the goal.
    #[error(
        "the stage cost has a slope of {} along `{state}` at the default state, per scale of it, so that this state is not the goal",
        short(*.slope)
    )]
    CostSlope {
        /// The state along which it is.
        state: String,
        /// Per scale of that state.
        slope: f64,
    },
    /// The stage cost is not convex at the default state.
    #[error(
        "the stage cost is not convex at the default state: a second derivative is {}",
        short(*.eigenvalue)
    )]
    CostNotConvex {
        /// The least eigenvalue of its second derivatives.
        eigenvalue: f64,
    },
    /// The weight of the control is no positive number.
    #[error("the control weight must be positive and finite, found {found}")]
    ControlWeight {
        /// The weight that was given.
        found: f64,
    },
    /// There are fewer observations than states.
    #[error(
        "LQR needs full feedback, at least as many observations as states: there are {n_observations} of {n_states} states"
    )]
    ObservationCount {
        /// Those that are fed back.
        n_observations: usize,
        /// All of the plant's.
        n_states: usize,
    },
    /// The observations do not determine all states.
    #[error(
        "LQR needs full feedback, observations that determine all states near the equilibrium: they do not determine \
         `{state}`"
    )]
    DependentObservations {
        /// A state that they leave open.
        state: String,
    },
    /// An observation is not at its center at the equilibrium, so that zero feedback is not what holds it.
    #[error(
        "LQR needs observations that are 0 at the equilibrium after scaling: `{observation}` is {value} there, and its center \
         is {center}"
    )]
    OffCenter {
        /// The observation.
        observation: String,
        /// What it is at the equilibrium.
        value: f64,
        /// What the controller sees as 0.
        center: f64,
    },
    /// No linear feedback stabilizes the plant there, or the cost does not depend on something that does not fade by itself.
    #[error(
        "no linear feedback stabilizes the plant at its default state, or the stage cost does not see all that moves there"
    )]
    NotStabilizable,
}

impl LqrError {
    /// What can be done about it, if that is in a scenario.
    #[must_use]
    pub fn hint(&self) -> Option<String> {
        match self {
            Self::NoEquilibrium { .. } => Some(
                "write controls that hold the default state as their centers in `scaling`; `bitloop scenario new PLANT` looks for \
                 them"
                .to_owned(),
            ),
            Self::CostSlope { .. } => Some(
                "LQR holds the default state: where the goal is a set point elsewhere, give the plant the goal as its default state, \
                 and draw the starts around it in `initial`"
                    .to_owned(),
            ),
            Self::OffCenter { observation, value, .. } => {
                Some(format!("write `scaling: {{\"{observation}\": (center: {value}, scale: ..)}}`"))
            }
            _ => None,
        }
    }

    /// The reason in a few words that follow a comma.
    #[must_use]
    pub fn in_short(&self) -> String {
        match self {
            Self::Plant(_) => "the plant breaks near its default state".to_owned(),
            Self::Fails => "the plant fails at its default state or near it".to_owned(),
            Self::NotFinite => "the plant is not finite near its default state".to_owned(),
            Self::NoEquilibrium { state, moved, controls, .. } => format!(
                "no equilibrium at the default state, where with {} `{state}` moves by {} in a control period",
                in_words(controls),
                format!("{moved:.1e}").parse().unwrap_or(*moved)
            ),
            Self::CostSlope { state, slope } => format!(
                "the cost is not lowest at the default state, but falls where `{state}` is {}",
                if *slope > 0.0 { "below it" } else { "above it" }
            ),
            Self::CostNotConvex { .. } => {
                "the cost is not convex at the default state".to_owned()
            }
            Self::ControlWeight { .. } => "the control weight is not positive".to_owned(),
            Self::ObservationCount { .. } => "not all states are observed".to_owned(),
            Self::DependentObservations { state } => {
                format!("the observations do not determine `{state}`")
            }
            Self::OffCenter { observation, .. } => {
                format!("`{observation}` is not at its center at the default state")
            }
            Self::NotStabilizable => {
                "no linear feedback stabilizes the default state, or the cost does not see all that moves".to_owned()
            }
        }
    }

    /// Whether there are gains for the states, which the observations do not give.
    #[must_use]
    pub const fn is_of_feedback(&self) -> bool {
        matches!(
            self,
            Self::ObservationCount { .. }
                | Self::DependentObservations { .. }
                | Self::OffCenter { .. }
        )
    }
}

/// Controls by name, and what they are held at.
fn in_words(controls: &[(String, f64)]) -> String {
    let parts: Vec<String> =
        controls.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    if parts.is_empty() { "no control".to_owned() } else { parts.join(", ") }
}

/// Four digits: differences are not more exact than that.
fn short(value: f64) -> String {
    let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if (1e-3..1e6).contains(&short.abs()) { short.to_string() } else { format!("{short:e}") }
}
