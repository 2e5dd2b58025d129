//! [`Function`]: the functions of a plant by their names.

/// Which function of a plant to call.
#[derive(Clone, Copy)]
pub(crate) enum Function {
    Advance,
    Observe,
    TerminalCost,
    FailureCost,
}

impl Function {
    /// As messages have it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Advance => "advance",
            Self::Observe => "observe",
            Self::TerminalCost => "terminal_cost",
            Self::FailureCost => "failure_cost",
        }
    }
}
