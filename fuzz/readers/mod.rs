//! What is fuzzed: each reader is given any bytes, and must neither panic, nor hang, nor take memory without measure.
//! What it accepts, it must read again as the same from its own text.
//!
//! These files are part of the fuzz targets, and of a test that replays the corpora and all that ever failed.

pub mod checkpoint;
pub mod controller;
pub mod descriptor;
pub mod fmu;
pub mod instances;
pub mod model;
mod saved;
pub mod scenario;
