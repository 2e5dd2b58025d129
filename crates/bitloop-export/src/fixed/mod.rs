//! Fixed point: the arithmetic of controllers for processors without double precision in hardware.
//!
//! Signals are 32-bit integers in units of 2^-24, sums are 64-bit integers in units of the weights' step, and each neuron
//! takes one product and two shifts from its sum to the argument of its transfer function. Every operation is on integers,
//! so the same bits come out on any machine. What does not fit saturates; what could overflow is refused beforehand.
//!
//! The exports in C and Rust take the same steps; tests compare them with these bit for bit.

#[expect(
    clippy::cast_possible_truncation,
    reason = "also the text of an export, for compilers without these lints"
)]
mod arithmetic;
mod controller;
mod factor;
mod packed;
mod plan;
mod sigmoid;

/// The text of the arithmetic, for exports to Rust.
pub(crate) const ARITHMETIC: &str = include_str!("arithmetic.rs");

pub use controller::Fixed;
pub(crate) use factor::Factor;
pub(crate) use packed::packed;
pub(crate) use plan::{FixedInput, FixedLayer, FixedOutput, Plan};
pub(crate) use sigmoid::nodes;
