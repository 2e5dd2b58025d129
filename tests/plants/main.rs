//! The inverted pendulum as a library, from Rust and from C: the same bits as the one that is linked in.

mod built;
mod same_bits;
mod soak;
mod training;
