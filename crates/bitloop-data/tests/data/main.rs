//! Tests of data sets, from outside.

mod encoding;
mod objective;
mod real_files;
mod spirals;
mod tables;
