//! Tests of the closed loop, from outside.

mod bad_input;
mod behavior;
mod delay_states;
mod diagnosis;
mod digests;
mod distributions;
mod disturbances;
mod division;
mod early_abort;
mod ends;
mod faulty_plants;
mod memory;
mod paper;
mod paused;
mod penalties;
mod plant_kinds;
mod plants;
mod recorder;
mod reference;
mod statistics;
mod support;
mod uncertainty;
