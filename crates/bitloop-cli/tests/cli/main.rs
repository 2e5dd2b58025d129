//! The binary as a user meets it: what it prints, what it writes, and how it ends.

mod bad_controllers;
mod bad_scenarios;
mod campaign;
mod command_line;
mod determinism;
mod export;
mod files;
mod found_by_name;
mod golden;
mod isolation;
mod kills;
mod libraries;
mod limits;
mod linked_plant;
mod outputs;
mod plant_check;
mod plant_new;
mod process_state;
mod results;
mod resume;
mod sandbox;
mod shipped_scenarios;
mod signals;
mod supervised;
mod supervised_data;
mod support;
