//! Two vectors that go through the equations side by side, so that one's latency hides behind the other's work.

use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::functions::derive_functions;
use super::operators::derive_operators;
use crate::bits::{Bits, Mask};
use crate::real::Real;

/// Two vectors as one with the lanes of both: those of the first come first. Mostly both are of the same type; the last
/// lanes of a batch may take a narrower second one.
#[derive(Clone, Copy, Debug)]
pub struct Pair<A, B = A>(A, B);

macro_rules! binary {
    ($trait:ident, $method:ident) => {
        impl<A: Real, B: Real> $trait for Pair<A, B> {
            type Output = Self;
            #[inline(always)]
            fn $method(self, right: Self) -> Self {
                Self($trait::$method(self.0, right.0), $trait::$method(self.1, right.1))
            }
        }
    };
}

binary!(Add, add);
binary!(Sub, sub);
binary!(Mul, mul);
binary!(Div, div);
derive_operators!(Pair<A, B>, A, B);

impl<A: Real, B: Real> Neg for Pair<A, B> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(-self.0, -self.1)
    }
}

/// The truth values of a [`Pair`].
#[derive(Clone, Copy, Debug)]
pub struct PairMask<M, N> {
    masks: (M, N),
    /// Lanes of the first mask.
    split: usize,
}

impl<M: Mask, N: Mask> BitAnd for PairMask<M, N> {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, right: Self) -> Self {
        Self { masks: (self.masks.0 & right.masks.0, self.masks.1 & right.masks.1), ..self }
    }
}

impl<M: Mask, N: Mask> BitOr for PairMask<M, N> {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, right: Self) -> Self {
        Self { masks: (self.masks.0 | right.masks.0, self.masks.1 | right.masks.1), ..self }
    }
}

impl<M: Mask, N: Mask> Not for PairMask<M, N> {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self { masks: (!self.masks.0, !self.masks.1), ..self }
    }
}

impl<M: Mask, N: Mask> Mask for PairMask<M, N> {
    #[inline(always)]
    fn any(self) -> bool {
        self.masks.0.any() | self.masks.1.any()
    }

    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        if index < self.split {
            self.masks.0.lane(index)
        } else {
            self.masks.1.lane(index - self.split)
        }
    }
}

impl<A: Real, B: Real> Pair<A, B> {
    #[inline(always)]
    fn mask(first: A::Mask, second: B::Mask) -> PairMask<A::Mask, B::Mask> {
        PairMask { masks: (first, second), split: A::LANES }
    }
}

impl<A: Real, B: Real> Bits for Pair<A, B> {
    type Mask = PairMask<A::Mask, B::Mask>;
    type Word = (A::Word, B::Word);

    #[inline(always)]
    fn to_word(self) -> Self::Word {
        (self.0.to_word(), self.1.to_word())
    }
    #[inline(always)]
    fn from_word(word: Self::Word) -> Self {
        Self(A::from_word(word.0), B::from_word(word.1))
    }
    #[inline(always)]
    fn word_splat(value: u64) -> Self::Word {
        (A::word_splat(value), B::word_splat(value))
    }
    #[inline(always)]
    fn word_add(a: Self::Word, b: Self::Word) -> Self::Word {
        (A::word_add(a.0, b.0), B::word_add(a.1, b.1))
    }
    #[inline(always)]
    fn word_sub(a: Self::Word, b: Self::Word) -> Self::Word {
        (A::word_sub(a.0, b.0), B::word_sub(a.1, b.1))
    }
    #[inline(always)]
    fn word_and(a: Self::Word, b: Self::Word) -> Self::Word {
        (A::word_and(a.0, b.0), B::word_and(a.1, b.1))
    }
    #[inline(always)]
    fn word_or(a: Self::Word, b: Self::Word) -> Self::Word {
        (A::word_or(a.0, b.0), B::word_or(a.1, b.1))
    }
    #[inline(always)]
    fn word_xor(a: Self::Word, b: Self::Word) -> Self::Word {
        (A::word_xor(a.0, b.0), B::word_xor(a.1, b.1))
    }
    #[inline(always)]
    fn word_shl<const BY: u32>(a: Self::Word) -> Self::Word {
        (A::word_shl::<BY>(a.0), B::word_shl::<BY>(a.1))
    }
    #[inline(always)]
    fn word_shr<const BY: u32>(a: Self::Word) -> Self::Word {
        (A::word_shr::<BY>(a.0), B::word_shr::<BY>(a.1))
    }
    #[inline(always)]
    fn word_sign(a: Self::Word) -> Self::Mask {
        Self::mask(A::word_sign(a.0), B::word_sign(a.1))
    }
    #[inline(always)]
    fn replace_lanes(self, mask: Self::Mask, input: Self, function: fn(f64) -> f64) -> Self {
        Self(
            self.0.replace_lanes(mask.masks.0, input.0, function),
            self.1.replace_lanes(mask.masks.1, input.1, function),
        )
    }
}

impl<A: Real, B: Real> Real for Pair<A, B> {
    type Half = A;

    const LANES: usize = A::LANES + B::LANES;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(A::splat(value), B::splat(value))
    }
    #[inline(always)]
    fn load(source: &[f64]) -> Self {
        Self(A::load(source), B::load(&source[A::LANES..]))
    }
    #[inline(always)]
    fn store(self, target: &mut [f64]) {
        self.0.store(target);
        self.1.store(&mut target[A::LANES..]);
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(self.0.mul_add(factor.0, addend.0), self.1.mul_add(factor.1, addend.1))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(self.0.sqrt(), self.1.sqrt())
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(self.0.abs(), self.1.abs())
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self::Mask {
        Self::mask(self.0.lt(other.0), self.1.lt(other.1))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self::Mask {
        Self::mask(self.0.le(other.0), self.1.le(other.1))
    }
    #[inline(always)]
    fn not_lt(self, other: Self) -> Self::Mask {
        Self::mask(self.0.not_lt(other.0), self.1.not_lt(other.1))
    }
    #[inline(always)]
    fn not_le(self, other: Self) -> Self::Mask {
        Self::mask(self.0.not_le(other.0), self.1.not_le(other.1))
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Self::Mask {
        Self::mask(self.0.eq(other.0), self.1.eq(other.1))
    }
    #[inline(always)]
    fn select(mask: Self::Mask, if_true: Self, if_false: Self) -> Self {
        Self(
            A::select(mask.masks.0, if_true.0, if_false.0),
            B::select(mask.masks.1, if_true.1, if_false.1),
        )
    }

    derive_functions!();
}
