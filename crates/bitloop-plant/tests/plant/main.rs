//! Tests of the plant crate, from outside; elementary functions have tests of their own.

mod blocks;
mod description;
mod handle;
mod header;
mod isa;
mod lane_matrix;
mod many_states;
mod picture;
mod real;
mod tank;
mod vector_math;
mod vectors_of_scalars;
