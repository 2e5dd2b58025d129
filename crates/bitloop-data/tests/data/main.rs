//! Tests of data sets, from outside.

mod encoding;
mod objective;
mod parquet_files;
mod real_files;
mod spirals;
mod tables;
