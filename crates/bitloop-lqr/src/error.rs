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
    /// The plant does not rest at its default state with zero control.
    #[error(
        "the default state with zero control is no equilibrium: `{state}` moves by {} in a control period",
        short(*.moved)
    )]
    NoEquilibrium {
        /// A state that moves.
        state: String,
        /// By how much, in a control period.
        moved: f64,
    },
    /// The stage cost has a slope at the default state, which is thus not the goal.
    #[error(
        "the stage cost is not at its minimum at the default state: it has a slope of {}",
        short(*.slope)
    )]
    CostSlope {
        /// Per scale of a variable.
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
    /// The observations do not determine all states, or are not 0 at the equilibrium.
    #[error(
        "LQR needs full feedback: as many observations as states, independent of each other, and 0 at the equilibrium \
         after scaling"
    )]
    NotFullFeedback,
    /// No linear feedback stabilizes the plant there, or the cost does not depend on something that does not fade by itself.
    #[error(
        "no linear feedback stabilizes the plant at its default state, or the stage cost does not see all that moves there"
    )]
    NotStabilizable,
}

/// Four digits: differences are not more exact than that.
fn short(value: f64) -> String {
    let short: f64 = format!("{value:.3e}").parse().unwrap_or(value);
    if (1e-3..1e6).contains(&short.abs()) { short.to_string() } else { format!("{short:e}") }
}
