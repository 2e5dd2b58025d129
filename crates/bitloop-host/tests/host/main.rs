//! Tests of the host crate against real libraries, compiled from C on the spot.

mod bad_libraries;
mod fmu;
mod found_by_name;
mod instances;
mod machine_bits;
mod rebuilt;
mod registry;
mod support;
