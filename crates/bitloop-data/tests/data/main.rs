//! Tests of data sets, from outside.

mod encoding;
mod real_files;
mod spirals;
mod tables;
