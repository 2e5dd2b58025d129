//! Data sets, and learning from examples.
//!
//! This crate owns the way from a table of numbers and words to scaled [`Examples`], and what is trained on them by other
//! means than telescopic BLM. It must not know plants, closed loops, scenarios or the search.
//!
//! Examples lie variable by variable, one sample behind the other, since all that is done with them goes over the
//! samples lane by lane.

#![forbid(unsafe_code)]

mod examples;

pub use examples::Examples;
