//! Elementary functions: the same bits over `f64` and every vector, on every machine.

mod exponential;
mod hyperbolic;
mod inverse_trigonometric;
mod large_angle;
mod logarithm;
mod power;
mod trigonometric;
mod words;

pub(crate) use exponential::{exp, expm1, logistic};
pub(crate) use hyperbolic::tanh;
pub(crate) use inverse_trigonometric::atan2;
pub(crate) use logarithm::ln;
pub(crate) use power::pow;
pub(crate) use trigonometric::{sin_cos, sin_cos_unless_large, tan};
pub(crate) use words::{round_ties_even, wrap_angle};
