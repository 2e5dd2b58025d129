//! Tests of the baselines, from outside.

mod descents;
mod extreme_learning;
mod gradients;
mod sets;
