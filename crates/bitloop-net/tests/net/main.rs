//! Tests of networks, from outside.

mod delta;
mod forward;
mod report;
mod scaling;
mod shapes;
