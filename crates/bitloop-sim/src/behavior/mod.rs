//! Behavior: what a controller does in an episode, in numbers that a mean error hides.
//!
//! Owns the [figures](Figure) of an episode, their [summary](FigureSummary) over episodes, and which of them deserve a
//! [warning](BehaviorWarning). It must not know how they are measured, nor names, units and texts.

mod figure;
mod table;
mod warning;

pub use figure::{Figure, Subject};
pub use table::{BehaviorShape, Behaviors, FigureSummary};
pub use warning::BehaviorWarning;
