//! What a user meets: files that work, files that do not, and what is said about them.

mod bad_choices;
mod bad_controllers;
mod bad_files;
mod bad_scenarios;
mod choices;
mod controllers;
mod digests;
mod edits;
mod garbage;
mod round_trips;
mod scenarios;
mod supervised;
