//! Trainings through the library: settings that must not change the result, and rules that must end it.

mod abort;
mod aggregates;
mod baselines;
mod determinism;
mod first_scenario;
mod fresh_episodes;
mod hard_episodes;
mod in_full;
mod lqr;
mod lqr_start;
mod milder_stages;
mod refinement;
mod round_trips;
mod small_trainings;
mod start;
mod stopping;
mod support;
