//! Delays that are drawn for each episode: values on their way, and which of them has arrived.
//!
//! The values of the last queries are kept in rows that are written in turn. An episode whose delay is D units has at s units
//! after query q the value of the newest query q - k with D <= k * (units between queries) + s.

use bitloop_plant::Real;

use crate::distribution::Distribution;

/// Checks a delay that is drawn: numbers of at least 0, and bounded, since memory is.
pub(super) fn check(lag: &Distribution) -> Result<(), String> {
    lag.check().map_err(|error| format!("its delay: {error}"))?;
    let is_bounded = !matches!(lag, Distribution::Normal { .. });
    if is_bounded && lag.least() >= 0.0 {
        return Ok(());
    }
    Err(format!("its delay is {lag}, which must be fixed or uniform, and at least 0"))
}

/// Rows for a delay of at most so many units, with `per_query` units from a query to the next; none if it is not drawn.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a cast keeps to the bounds of usize, and memory is checked against its limit"
)]
pub(super) fn n_rows(lag: &Distribution, delay: u64, per_query: u64) -> usize {
    if is_off(lag) {
        return 0;
    }
    let most = lag.largest().round() + delay as f64;
    ((most / per_query as f64).ceil() as usize).saturating_add(1)
}

/// Whether nothing is drawn.
pub(super) fn is_off(lag: &Distribution) -> bool {
    *lag == Distribution::Fixed(0.0)
}

/// Writes the value of a query.
#[inline(always)]
pub(super) fn write<R: Real>(
    value: R,
    (lane, query): (usize, u64),
    (rows, stride): (&mut [f64], usize),
) {
    let n = rows.len() / stride;
    value.store(&mut rows[slot(query, n) * stride + lane..]);
}

/// Makes a value that of all queries before the first.
#[inline(always)]
pub(super) fn fill<R: Real>(value: R, lane: usize, (rows, stride): (&mut [f64], usize)) {
    rows.chunks_exact_mut(stride).for_each(|row| value.store(&mut row[lane..]));
}

/// The value that has arrived `step` units after a query with a delay of `delay` units, `per_query` of them from query to query.
#[inline(always)]
pub(super) fn arrived<R: Real>(
    delay: R,
    (lane, query): (usize, u64),
    (step, per_query): (u64, u64),
    (rows, stride): (&[f64], usize),
) -> R {
    let n = rows.len() / stride;
    let row = |age: usize| {
        // Rows of queries before the first are those that would be written last.
        R::load(&rows[slot(query + (n - age) as u64, n) * stride + lane..])
    };
    let mut value = row(n - 1);
    for age in (0..n - 1).rev() {
        let has_come = delay.le(R::splat((age as u64 * per_query + step) as f64));
        value = R::select(has_come, row(age), value);
    }
    value
}

/// The row of a query, among `n` that are written in turn.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the remainder is below a usize")]
pub(super) fn slot(query: u64, n: usize) -> usize {
    (query % n as u64) as usize
}
