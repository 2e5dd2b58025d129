//! [`LaneMatrix`]: rows of numbers, a column (lane) per episode, aligned for vector loads.

#![allow(unsafe_code, reason = "aligned storage seen as plain numbers, and fetched ahead")]

use std::fmt;
use std::ops::Range;

use crate::blocks::LANE_STEP;

/// Rows are as long as a multiple of this many, so that each starts at a cache line.
pub const LANE_UNIT: usize = 8;

/// A cache line of numbers.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
struct Line([f64; LANE_UNIT]);

/// `n_rows` rows of `n_lanes` numbers, row after row: variable by variable, lanes innermost. Rows start at cache lines.
#[derive(Clone)]
pub struct LaneMatrix {
    lines: Vec<Line>,
    n_rows: usize,
    n_lanes: usize,
}

impl LaneMatrix {
    /// Zeros: `n_rows` rows of `n_lanes` numbers.
    ///
    /// # Panics
    /// If `n_lanes` is no multiple of [`LANE_UNIT`], or the size overflows.
    #[must_use]
    pub fn zeros(n_rows: usize, n_lanes: usize) -> Self {
        assert!(n_lanes.is_multiple_of(LANE_UNIT), "{n_lanes} lanes: no multiple of {LANE_UNIT}");
        let n_lines =
            n_rows.checked_mul(n_lanes / LANE_UNIT).expect("sizes are limited at the edge");
        Self { lines: vec![Line([0.0; LANE_UNIT]); n_lines], n_rows, n_lanes }
    }

    /// The smallest multiple of [`LANE_UNIT`] that holds `n` lanes.
    #[must_use]
    pub const fn padded(n: usize) -> usize {
        n.next_multiple_of(LANE_UNIT)
    }

    /// The smallest multiple of [`LANE_STEP`] that holds `n` lanes: how many are computed for `n` live ones.
    #[must_use]
    pub const fn covered(n: usize) -> usize {
        n.next_multiple_of(LANE_STEP)
    }

    /// How many rows there are.
    #[must_use]
    pub const fn n_rows(&self) -> usize {
        self.n_rows
    }

    /// The length of a row.
    #[must_use]
    pub const fn n_lanes(&self) -> usize {
        self.n_lanes
    }

    /// All numbers, row after row.
    #[inline]
    #[must_use]
    pub fn as_slice(&self) -> &[f64] {
        // SAFETY: a `Line` is LANE_UNIT numbers without padding (64 bytes, checked below), all initialized, and
        // alignment only grows.
        unsafe {
            std::slice::from_raw_parts(self.lines.as_ptr().cast(), self.lines.len() * LANE_UNIT)
        }
    }

    /// All numbers, row after row.
    #[inline]
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [f64] {
        // SAFETY: as in `as_slice`; the borrow of `self` is exclusive, and every bit pattern is a number.
        unsafe {
            std::slice::from_raw_parts_mut(
                self.lines.as_mut_ptr().cast(),
                self.lines.len() * LANE_UNIT,
            )
        }
    }

    /// Row `index`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    #[must_use]
    pub fn row(&self, index: usize) -> &[f64] {
        &self.as_slice()[index * self.n_lanes..][..self.n_lanes]
    }

    /// Row `index`.
    ///
    /// # Panics
    /// If there is no such row.
    #[inline]
    #[must_use]
    pub fn row_mut(&mut self, index: usize) -> &mut [f64] {
        let n_lanes = self.n_lanes;
        &mut self.as_mut_slice()[index * n_lanes..][..n_lanes]
    }

    /// Prefetches some lanes of row `index` into the caches.
    ///
    /// # Panics
    /// If there is no such row, or no such lanes.
    #[inline(always)]
    pub fn prefetch(&self, index: usize, lanes: Range<usize>) {
        for line in self.row(index)[lanes].chunks(LANE_UNIT) {
            prefetch_line(line);
        }
    }

    /// Copies lane `from` over lane `to`, in every row.
    pub fn copy_lane(&mut self, from: usize, to: usize) {
        let n_lanes = self.n_lanes;
        for row in self.as_mut_slice().chunks_exact_mut(n_lanes) {
            row[to] = row[from];
        }
    }

    /// Lanes `a` and `b` change places, in every row.
    pub fn swap_lanes(&mut self, a: usize, b: usize) {
        let n_lanes = self.n_lanes;
        for row in self.as_mut_slice().chunks_exact_mut(n_lanes) {
            row.swap(a, b);
        }
    }

    /// Sets every number to `value`.
    pub fn fill(&mut self, value: f64) {
        self.as_mut_slice().fill(value);
    }
}

const _: () = assert!(size_of::<Line>() == LANE_UNIT * size_of::<f64>());

#[inline(always)]
fn prefetch_line(line: &[f64]) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: part of every x86-64; the pointer is that of a slice, and a hint changes nothing that a program sees.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(line.as_ptr().cast()) }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = line;
}

impl fmt::Debug for LaneMatrix {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries((0..self.n_rows).map(|row| self.row(row))).finish()
    }
}
