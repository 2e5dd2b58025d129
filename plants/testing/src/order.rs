//! The order of an integrator, measured.

use crate::numbers::distance;

/// Checks that the error of the state `after(n)`, which `n` steps over some stretch of time lead to, falls by 2 to the
/// power of `order` where `n` is doubled.
///
/// # Panics
/// If the order comes out more than 0.1 off.
pub fn check_order(order: u32, n: u32, exact: &[f64], after: impl Fn(u32) -> Vec<f64>) {
    let ratio = distance(&after(n), exact) / distance(&after(2 * n), exact);
    let expected = f64::from(1_u32 << order);
    // The order is log2 of the ratio: within 0.1. 2^0.1 = 1.0718.
    let range = expected / 1.0718..expected * 1.0718;
    assert!(range.contains(&ratio), "{ratio} for {expected}");
}
