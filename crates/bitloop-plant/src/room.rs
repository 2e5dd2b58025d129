//! [`Room`]: where the values of a plant's variables lie while a block of lanes is worked on.

#![allow(unsafe_code, reason = "room that is not written is not read, and rows are checked once")]

use std::mem::MaybeUninit;

use crate::codes::MAX_VARIABLES;
use crate::real::Real;

/// Room on the stack for as many values as there may be variables, of which the first few are written and lent. The rest
/// stays as it is: to zero 256 vectors takes longer than many a plant's step. Where the number of variables is known when
/// the plant is compiled, no room is taken at all, and the values are registers.
///
/// It is borrowed rather than wrapped together with a length, since each move would copy all of it.
pub(crate) type Room<R> = [MaybeUninit<R>; MAX_VARIABLES];

/// Uninitialized room.
#[inline(always)]
pub(crate) const fn room<R>() -> Room<R> {
    [const { MaybeUninit::uninit() }; MAX_VARIABLES]
}

/// `n` zeros.
///
/// # Panics
/// If `n` is above [`MAX_VARIABLES`].
#[inline(always)]
pub(crate) fn zeros<R: Real>(room: &mut Room<R>, n: usize) -> &mut [R] {
    let values = &mut room[..n];
    for value in values.iter_mut() {
        value.write(R::splat(0.0));
    }
    // SAFETY: each was just written.
    unsafe { values.assume_init_mut() }
}

/// The first `n` rows of a matrix, at the block of lanes that begins with `first_lane`.
///
/// # Panics
/// If `n` is above [`MAX_VARIABLES`], or the matrix is smaller.
#[inline(always)]
pub(crate) fn load_rows<'a, R: Real>(
    room: &'a mut Room<R>,
    matrix: &[f64],
    stride: usize,
    first_lane: usize,
    n: usize,
) -> &'a mut [R] {
    check_rows::<R>(matrix, stride, first_lane, n);
    let values = &mut room[..n];
    for (index, value) in values.iter_mut().enumerate() {
        let start = index * stride + first_lane;
        // SAFETY: the block lies within row `index`, which the matrix has, as was just checked.
        value.write(R::load(unsafe { matrix.get_unchecked(start..start + R::LANES) }));
    }
    // SAFETY: each was just written.
    unsafe { values.assume_init_mut() }
}

/// Writes values where [`load_rows`] finds them.
///
/// # Panics
/// If the matrix is smaller.
#[inline(always)]
pub(crate) fn store_rows<R: Real>(
    rows: &[R],
    matrix: &mut [f64],
    stride: usize,
    first_lane: usize,
) {
    check_rows::<R>(matrix, stride, first_lane, rows.len());
    for (index, row) in rows.iter().enumerate() {
        let start = index * stride + first_lane;
        // SAFETY: the block lies within row `index`, which the matrix has, as was just checked.
        row.store(unsafe { matrix.get_unchecked_mut(start..start + R::LANES) });
    }
}

/// Checks once that a matrix has `n` rows with a block of lanes: a check for each row would take longer than to load it, and would
/// stay where a variable is not used.
#[inline(always)]
fn check_rows<R: Real>(matrix: &[f64], stride: usize, first_lane: usize, n: usize) {
    let is_in_row = first_lane <= stride && R::LANES <= stride - first_lane;
    assert!(is_in_row && n.saturating_mul(stride) <= matrix.len(), "a block within the matrix");
}
