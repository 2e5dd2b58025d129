//! Four lanes in an AVX2 register.

#![allow(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::{
    __m256d, __m256i, _CMP_EQ_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NLE_UQ, _CMP_NLT_UQ,
    _mm_cvtsi64_si128, _mm256_add_epi64, _mm256_add_pd, _mm256_and_pd, _mm256_and_si256,
    _mm256_andnot_pd, _mm256_blendv_pd, _mm256_castpd_si256, _mm256_castsi256_pd, _mm256_cmp_pd,
    _mm256_div_pd, _mm256_fmadd_pd, _mm256_loadu_pd, _mm256_movemask_pd, _mm256_mul_pd,
    _mm256_or_pd, _mm256_or_si256, _mm256_set1_epi64x, _mm256_set1_pd, _mm256_sll_epi64,
    _mm256_sqrt_pd, _mm256_srl_epi64, _mm256_storeu_pd, _mm256_sub_epi64, _mm256_sub_pd,
    _mm256_xor_pd, _mm256_xor_si256,
};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::functions::derive_functions;
use super::operators::derive_operators;
use crate::bits::{Bits, Mask};
use crate::real::Real;

/// Four lanes. No value exists outside a call from [`dispatch`](crate::dispatch()) on a machine with the instructions, because no
/// other crate can name the type.
#[derive(Clone, Copy, Debug)]
pub struct Avx2(__m256d);

/// Calls a vector instruction.
macro_rules! simd {
    ($call:expr) => {
        // SAFETY: the instructions exist: a value of this module's type is only made in kernels that `dispatch` runs, and
        // it runs them with these vectors only on an `Isa` that was found on this machine.
        unsafe { $call }
    };
}

/// A truth value per lane: the top bit of each lane decides.
#[derive(Clone, Copy, Debug)]
pub struct Avx2Mask(__m256d);

impl BitAnd for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, right: Self) -> Self {
        Self(simd!(_mm256_and_pd(self.0, right.0)))
    }
}

impl BitOr for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, right: Self) -> Self {
        Self(simd!(_mm256_or_pd(self.0, right.0)))
    }
}

impl Not for Avx2Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(simd!(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))))
    }
}

impl Mask for Avx2Mask {
    #[inline(always)]
    fn any(self) -> bool {
        simd!(_mm256_movemask_pd(self.0)) != 0
    }

    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        simd!(_mm256_movemask_pd(self.0)) >> index & 1 == 1
    }
}

impl Add for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn add(self, right: Self) -> Self {
        Self(simd!(_mm256_add_pd(self.0, right.0)))
    }
}

impl Sub for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, right: Self) -> Self {
        Self(simd!(_mm256_sub_pd(self.0, right.0)))
    }
}

impl Mul for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, right: Self) -> Self {
        Self(simd!(_mm256_mul_pd(self.0, right.0)))
    }
}

impl Div for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn div(self, right: Self) -> Self {
        Self(simd!(_mm256_div_pd(self.0, right.0)))
    }
}

impl Neg for Avx2 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(simd!(_mm256_xor_pd(self.0, _mm256_set1_pd(-0.0))))
    }
}

derive_operators!(Avx2);

impl Bits for Avx2 {
    type Mask = Avx2Mask;
    type Word = __m256i;

    #[inline(always)]
    fn to_word(self) -> __m256i {
        simd!(_mm256_castpd_si256(self.0))
    }
    #[inline(always)]
    fn from_word(word: __m256i) -> Self {
        Self(simd!(_mm256_castsi256_pd(word)))
    }
    #[inline(always)]
    fn word_splat(value: u64) -> __m256i {
        simd!(_mm256_set1_epi64x(value.cast_signed()))
    }
    #[inline(always)]
    fn word_add(a: __m256i, b: __m256i) -> __m256i {
        simd!(_mm256_add_epi64(a, b))
    }
    #[inline(always)]
    fn word_sub(a: __m256i, b: __m256i) -> __m256i {
        simd!(_mm256_sub_epi64(a, b))
    }
    #[inline(always)]
    fn word_and(a: __m256i, b: __m256i) -> __m256i {
        simd!(_mm256_and_si256(a, b))
    }
    #[inline(always)]
    fn word_or(a: __m256i, b: __m256i) -> __m256i {
        simd!(_mm256_or_si256(a, b))
    }
    #[inline(always)]
    fn word_xor(a: __m256i, b: __m256i) -> __m256i {
        simd!(_mm256_xor_si256(a, b))
    }
    #[inline(always)]
    fn word_shl<const BY: u32>(a: __m256i) -> __m256i {
        simd!(_mm256_sll_epi64(a, _mm_cvtsi64_si128(i64::from(BY))))
    }
    #[inline(always)]
    fn word_shr<const BY: u32>(a: __m256i) -> __m256i {
        simd!(_mm256_srl_epi64(a, _mm_cvtsi64_si128(i64::from(BY))))
    }
    #[inline(always)]
    fn word_sign(a: __m256i) -> Avx2Mask {
        Avx2Mask(simd!(_mm256_castsi256_pd(a)))
    }
    #[inline(never)]
    #[cold]
    fn replace_lanes(self, mask: Avx2Mask, input: Self, function: fn(f64) -> f64) -> Self {
        let (mut lanes, mut inputs) = ([0.0; 4], [0.0; 4]);
        self.store(&mut lanes);
        input.store(&mut inputs);
        for (index, lane) in lanes.iter_mut().enumerate() {
            if mask.lane(index) {
                *lane = function(inputs[index]);
            }
        }
        Self::load(&lanes)
    }
}

impl Real for Avx2 {
    type Half = Self;

    const LANES: usize = 4;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(simd!(_mm256_set1_pd(value)))
    }
    #[inline(always)]
    fn load(source: &[f64]) -> Self {
        let source = &source[..4];
        // The slice holds 4 numbers, so the pointer is good for a whole vector.
        Self(simd!(_mm256_loadu_pd(source.as_ptr())))
    }
    #[inline(always)]
    fn store(self, target: &mut [f64]) {
        let target = &mut target[..4];
        // The slice holds 4 numbers, so the pointer is good for a whole vector.
        simd!(_mm256_storeu_pd(target.as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(simd!(_mm256_fmadd_pd(self.0, factor.0, addend.0)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(simd!(_mm256_sqrt_pd(self.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(simd!(_mm256_andnot_pd(_mm256_set1_pd(-0.0), self.0)))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Avx2Mask {
        Avx2Mask(simd!(_mm256_cmp_pd::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Avx2Mask {
        Avx2Mask(simd!(_mm256_cmp_pd::<_CMP_LE_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Avx2Mask {
        Avx2Mask(simd!(_mm256_cmp_pd::<_CMP_EQ_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn not_lt(self, other: Self) -> Avx2Mask {
        Avx2Mask(simd!(_mm256_cmp_pd::<_CMP_NLT_UQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn not_le(self, other: Self) -> Avx2Mask {
        Avx2Mask(simd!(_mm256_cmp_pd::<_CMP_NLE_UQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn select(mask: Avx2Mask, if_true: Self, if_false: Self) -> Self {
        Self(simd!(_mm256_blendv_pd(if_false.0, if_true.0, mask.0)))
    }

    derive_functions!();
}
