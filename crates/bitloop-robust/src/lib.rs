//! Robustness of a controller: maps of its results over starts and parameters, margins, worst episodes.
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
pub use map::{Axis, CHUNK, Cell, CellEnd, MAX_CELLS, Map};
pub use margins::{Level, Margins, Source, Sweep};
pub use tested::{LinearLoop, Running, Tested};
pub use worst::{Worst, WorstOptions, WorstProgress, worst};
