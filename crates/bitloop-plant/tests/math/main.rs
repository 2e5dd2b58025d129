//! The elementary functions of `Real`: how far they are from the true values, their special cases, and that their bits are
//! the same on every path.
//!
//! Sweeps compare with a reference in double-double arithmetic of the test's own ([`reference`]), which is itself compared
//! with values by mpmath (`reference_table.txt`, made by `reference_table.py`). A pure-Rust multi-precision library was
//! tried: 20 to 80 microseconds a value, too slow for millions.
//!
//! `BITLOOP_MATH_POINTS` sets how many points each sweep takes of each range.

mod accuracy;
mod double_double;
mod functions;
mod points;
mod reference;
mod same_bits;
mod special_cases;
