//! [`Lqr`]: a linear-quadratic regulator for a plant in its closed loop.
//!
//! The crate finds controls that hold a plant at its default state, linearizes it there, solves the Riccati equation, and
//! returns gains and the controller that they make. It runs no episodes and knows neither scenarios nor trainings: what the
//! regulator achieves is for the caller to measure.

#![forbid(unsafe_code)]

mod error;
mod linearize;
mod lqr;
mod riccati;
mod trim;

pub use error::LqrError;
pub use lqr::Lqr;
pub use trim::{Rest, short_number};
