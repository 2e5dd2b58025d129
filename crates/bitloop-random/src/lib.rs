//! Random numbers that are the same on any machine, with any number of threads, and in any version of bitloop.
//!
//! The crate owns the generator, the key of each [`Stream`], and how draws are made of its words. It depends on nothing else
//! of bitloop. Distributions over physical quantities belong to the crates that draw from them.
//!
//! ```
//! use bitloop_random::{Purpose, Stream};
//!
//! let mut stream = Stream::new(1, Purpose::Initialization, 0, 0);
//! assert!(stream.index_below(6) < 6);
//! assert!((0.0..1.0).contains(&stream.uniform_f64()));
//! ```
#![forbid(unsafe_code)]

mod purpose;
mod stream;

pub use purpose::Purpose;
pub use stream::{Stream, unit_interval};
