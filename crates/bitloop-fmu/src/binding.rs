//! Where values come from, and where they go to.

/// Where the value of a name in an expression comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Slot {
    /// A state, by its position.
    State(usize),
    /// A control, by its position.
    Control(usize),
    /// A parameter, by its position.
    Parameter(usize),
    /// The time in seconds.
    Time,
    /// A variable that the model computes, by its position in the outputs of the [`Plan`](crate::Plan).
    Output(usize),
}

/// What a variable of the model is set to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A control, by its position.
    Control(usize),
    /// A parameter, by its position.
    Parameter(usize),
}

impl Source {
    /// Its value, among controls and parameters.
    #[must_use]
    pub const fn value(self, u: &[f64], p: &[f64]) -> f64 {
        match self {
            Self::Control(index) => u[index],
            Self::Parameter(index) => p[index],
        }
    }
}
