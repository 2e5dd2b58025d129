//! Tests of data sets, from outside.

mod arrow_files;
mod encoding;
mod objective;
mod parquet_files;
mod real_files;
mod spirals;
mod tables;
