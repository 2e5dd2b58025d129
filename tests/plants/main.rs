//! The inverted pendulum as a library, from Rust and from C, and the other plants as libraries: the same bits as those that
//! are linked in.

mod built;
mod compilers;
mod other_plants;
mod owned_state;
mod same_bits;
mod soak;
mod training;
