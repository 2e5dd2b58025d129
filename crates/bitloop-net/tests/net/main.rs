//! Tests of networks, from outside.

mod delta;
mod forward;
mod shapes;
