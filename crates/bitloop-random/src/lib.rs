//! Random numbers that are the same on any machine, with any number of threads, and in any version of bitloop.
//!
//! The crate owns the generators, the key of each [`Stream`], and how draws are made of its words: a [`Stream`] is read word by
//! word, [`threefry`] gives those of any place at once. It depends on nothing else of bitloop. Distributions over physical
//! quantities belong to the crates that draw from them.
//!
//! ```
//! use bitloop_random::{Purpose, Stream};
//!
//! let mut stream = Stream::new(1, Purpose::Initialization, 0, 0);
//! assert!(stream.index_below(6) < 6);
//! assert!((0.0..1.0).contains(&stream.uniform_f64()));
//! ```
#![forbid(unsafe_code)]

mod counter;
mod purpose;
mod stream;

pub use counter::{THREEFRY_PARITY, threefry};
pub use purpose::Purpose;
pub use stream::{Stream, unit_interval};
