//! [`PlantFault`]: the first bad value of an evaluation, with its time and its state.

use std::fmt;

use bitloop_plant::PlantCallError;

/// Why an evaluation is faulty: what went wrong first, in which episode, when, and in which state.
#[derive(Clone, Debug, PartialEq)]
pub struct PlantFault {
    /// The episode, by its index.
    pub episode: usize,
    /// The integration steps up to the state.
    pub tick: u64,
    /// The same in seconds.
    pub time_s: f64,
    /// The state that it was computed from, each variable with its name: the one before the step where a state is bad.
    pub state: Vec<(String, f64)>,
    /// What went wrong.
    pub cause: FaultCause,
}

/// What went wrong in an evaluation.
#[derive(Clone, Debug, PartialEq)]
pub enum FaultCause {
    /// A number is NaN, infinite, or a negative cost.
    Value {
        /// The function of the plant that gave it; or `controller`.
        function: &'static str,
        /// Which number, such as "state `theta`" or "stage cost".
        quantity: String,
        /// The number.
        value: f64,
    },
    /// The plant broke.
    Call(PlantCallError),
    /// All numbers of the episodes are sound, but the mean of their errors is infinite.
    MeanOverflow,
    /// The episode was faulty, but was not when it was run once more by itself, a step at a time.
    NotRepeated,
}

impl fmt::Display for PlantFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { episode, time_s, state, cause, .. } = self;
        write!(f, "episode {episode}, at {time_s} s: {cause}")?;
        for (index, (name, value)) in state.iter().enumerate() {
            let before = if index == 0 { "; state: " } else { ", " };
            write!(f, "{before}{name} = {value:?}")?;
        }
        Ok(())
    }
}

impl fmt::Display for FaultCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Value { function, quantity, value } => {
                write!(f, "`{function}` gave {value:?} for the {quantity}")
            }
            Self::Call(error) => error.fmt(f),
            Self::MeanOverflow => f.write_str("the mean of the errors is too large for a number"),
            Self::NotRepeated => f.write_str(
                "the plant gave a bad value, but not again when the episode was run once more: are its steps a function \
                 of state, control and time alone?",
            ),
        }
    }
}
