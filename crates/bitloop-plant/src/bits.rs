//! Below [`Real`](crate::Real): truth values of lanes, and their bit patterns, which elementary functions work on and
//! plants do not need.

use std::ops::{BitAnd, BitOr, Not};

/// A truth value per lane, made by comparing [`Real`](crate::Real)s and used up by [`Real::select`](crate::Real::select).
pub trait Mask: Copy + BitAnd<Output = Self> + BitOr<Output = Self> + Not<Output = Self> {
    /// Whether any lane is true.
    fn any(self) -> bool;

    /// Whether lane `index` is true.
    fn lane(self, index: usize) -> bool;
}

/// Lanes as 64-bit words. Public only so that [`Real`](crate::Real) can require it; the module is private, so no other
/// crate can implement it or call it by name.
pub trait Bits: Copy {
    /// The truth values of comparisons.
    type Mask: Mask;
    /// A 64-bit word per lane.
    type Word: Copy;

    fn to_word(self) -> Self::Word;
    fn from_word(word: Self::Word) -> Self;
    fn word_splat(value: u64) -> Self::Word;
    fn word_add(a: Self::Word, b: Self::Word) -> Self::Word;
    fn word_sub(a: Self::Word, b: Self::Word) -> Self::Word;
    fn word_and(a: Self::Word, b: Self::Word) -> Self::Word;
    fn word_or(a: Self::Word, b: Self::Word) -> Self::Word;
    fn word_xor(a: Self::Word, b: Self::Word) -> Self::Word;
    /// Shifts every lane left, zeros coming in.
    fn word_shl<const BY: u32>(a: Self::Word) -> Self::Word;
    /// Shifts every lane right, zeros coming in.
    fn word_shr<const BY: u32>(a: Self::Word) -> Self::Word;
    /// True where the top bit of the word is set.
    fn word_sign(a: Self::Word) -> Self::Mask;

    /// The values as plain numbers, where a value is one number.
    fn as_numbers(values: &[Self]) -> Option<&[f64]> {
        let _ = values;
        None
    }
    /// As [`as_numbers`](Bits::as_numbers).
    fn as_mut_numbers(values: &mut [Self]) -> Option<&mut [f64]> {
        let _ = values;
        None
    }

    /// Applies `function` to each lane for which `mask` holds: the slow path of functions, out of line.
    fn replace_lanes(self, mask: Self::Mask, input: Self, function: fn(f64) -> f64) -> Self;
}
