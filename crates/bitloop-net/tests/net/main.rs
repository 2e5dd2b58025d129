//! Tests of networks, from outside.

mod delta;
mod delta_misfits;
mod forward;
mod report;
mod scaling;
mod shapes;
