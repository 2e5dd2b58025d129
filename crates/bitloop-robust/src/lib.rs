//! How far a controller holds: maps of its results over starts and parameters, margins, worst cases.
//!
//! Owns which variants of a test are run and what is concluded from them. It must not know how a loop is run or trained, nor
//! print: its results are values.

#![forbid(unsafe_code)]

mod error;
mod map;
mod margins;
mod tested;
mod worst;

pub use error::{AxisError, RobustError};
pub use map::{Axis, Cell, CellEnd, MAX_CELLS, Map};
pub use margins::{Contender, Level, Margins, Source, Sweep};
pub use tested::{Running, Tested};
pub use worst::{Worst, WorstOptions, worst};
