//! How far a controller holds.

#![expect(clippy::unwrap_used, reason = "a test fails by it")]

mod maps;
mod margins;
mod support;
mod worst_episodes;
