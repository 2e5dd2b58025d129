//! Exports are compiled, run and compared with bitloop, bit for bit where bits are promised.
//!
//! A test that needs a tool which is not there says so on standard error and passes. `.ci/install-export-tools` installs
//! them.

mod devices;
mod episodes;
mod exact_c;
mod fixed;
mod fixed_c;
mod folders;
mod guide;
mod networks;
mod python;
mod rust;
mod tools;
