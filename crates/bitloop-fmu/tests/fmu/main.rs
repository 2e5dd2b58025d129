//! Tests of what is read of an FMU. Those that run one are in `bitloop-host`.

mod expressions;
mod templates;
