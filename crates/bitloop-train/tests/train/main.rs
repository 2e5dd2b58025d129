//! Trainings and replays through the library: settings that must not change the result, and rules that must end it.

mod abort;
mod baselines;
mod determinism;
mod in_full;
mod lqr;
mod lqr_start;
mod replay;
mod round_trips;
mod start;
mod stopping;
mod support;
