//! `f64` as one lane: the portable path, and the arithmetic of plants that branch too wildly for lanes.

use super::functions::derive_functions;
use crate::bits::{Bits, Mask};
use crate::real::Real;

impl Mask for bool {
    #[inline(always)]
    fn any(self) -> bool {
        self
    }

    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        debug_assert_eq!(index, 0);
        self
    }
}

impl Bits for f64 {
    type Mask = bool;
    type Word = u64;

    #[inline(always)]
    fn to_word(self) -> u64 {
        self.to_bits()
    }
    #[inline(always)]
    fn from_word(word: u64) -> Self {
        Self::from_bits(word)
    }
    #[inline(always)]
    fn word_splat(value: u64) -> u64 {
        value
    }
    #[inline(always)]
    fn word_add(a: u64, b: u64) -> u64 {
        a.wrapping_add(b)
    }
    #[inline(always)]
    fn word_sub(a: u64, b: u64) -> u64 {
        a.wrapping_sub(b)
    }
    #[inline(always)]
    fn word_and(a: u64, b: u64) -> u64 {
        a & b
    }
    #[inline(always)]
    fn word_or(a: u64, b: u64) -> u64 {
        a | b
    }
    #[inline(always)]
    fn word_xor(a: u64, b: u64) -> u64 {
        a ^ b
    }
    #[inline(always)]
    fn word_shl<const BY: u32>(a: u64) -> u64 {
        a << BY
    }
    #[inline(always)]
    fn word_shr<const BY: u32>(a: u64) -> u64 {
        a >> BY
    }
    #[inline(always)]
    fn word_sign(a: u64) -> bool {
        a >> 63 == 1
    }
    #[inline(always)]
    fn as_numbers(values: &[f64]) -> Option<&[f64]> {
        Some(values)
    }
    #[inline(always)]
    fn as_mut_numbers(values: &mut [f64]) -> Option<&mut [f64]> {
        Some(values)
    }
    #[inline(always)]
    fn replace_lanes(self, mask: bool, input: Self, function: fn(f64) -> f64) -> Self {
        if mask { function(input) } else { self }
    }
}

impl Real for f64 {
    type Half = f64;

    const LANES: usize = 1;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }
    #[inline(always)]
    fn load(source: &[f64]) -> Self {
        source[0]
    }
    #[inline(always)]
    fn store(self, target: &mut [f64]) {
        target[0] = self;
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self::mul_add(self, factor, addend)
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self::sqrt(self)
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self::abs(self)
    }
    #[inline(always)]
    fn lt(self, other: Self) -> bool {
        self < other
    }
    #[inline(always)]
    fn le(self, other: Self) -> bool {
        self <= other
    }
    #[inline(always)]
    fn eq(self, other: Self) -> bool {
        self == other
    }
    #[inline(always)]
    fn select(mask: bool, if_true: Self, if_false: Self) -> Self {
        if mask { if_true } else { if_false }
    }

    derive_functions!();
}
