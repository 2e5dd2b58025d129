//! Tests of networks, from outside.

mod forward;
mod shapes;
