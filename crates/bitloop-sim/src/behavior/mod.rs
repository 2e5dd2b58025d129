//! Behavior: what a controller does in an episode, in numbers that a mean error hides.
//!
//! Owns the [figures](Figure) of an episode, how they are measured query by query over lanes
//! ([`BehaviorRecorder`]), their [summary](FigureSummary) over episodes, and which of them deserve a
//! [warning](BehaviorWarning). It must not know names, units and texts. Each episode is measured on its own lane, so that
//! neither threads nor lanes move a bit.

mod figure;
mod measure;
mod recorder;
mod table;
mod warning;

pub use figure::{Figure, Subject};
pub use recorder::BehaviorRecorder;
pub use table::{BehaviorShape, Behaviors, FigureSummary};
pub use warning::BehaviorWarning;
