//! What a campaign of many trainings is made of: the variants of a scenario, and the statistics of their results.
//!
//! [`Vary`] is a field with several values, and [`variants`] makes the scenarios. [`Summary`] holds the statistics of
//! independent trainings, of which it knows only the numbers in [`TrainingFacts`]. The crate must not print, read the
//! environment, or decide exit codes.

#![forbid(unsafe_code)]

mod statistics;
mod vary;

pub use statistics::{
    Cutoff, ExpectedCost, Interval, Summary, TrainingFacts, best_cutoff, quantile, wilson,
};
pub use vary::{Variant, Vary, VaryError, variants};
