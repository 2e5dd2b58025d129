//! [`Lqr`]: a linear-quadratic regulator for a plant in its closed loop.
//!
//! The crate linearizes a plant about its default state, solves the Riccati equation, and returns gains and the controller
//! that they make. It runs no episodes and knows neither scenarios nor trainings: what the regulator achieves is for the
//! caller to measure.

#![forbid(unsafe_code)]

mod error;
mod linearize;
mod lqr;
mod riccati;

pub use error::LqrError;
pub use lqr::Lqr;
