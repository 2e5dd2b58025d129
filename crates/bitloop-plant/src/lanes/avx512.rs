//! Eight lanes in an AVX-512 register.

#![allow(unsafe_code, reason = "vector instructions")]

use std::arch::x86_64::{
    __m512d, __m512i, __mmask8, _CMP_EQ_OQ, _CMP_LE_OQ, _CMP_LT_OQ, _CMP_NLE_UQ, _CMP_NLT_UQ,
    _mm512_abs_pd, _mm512_add_epi64, _mm512_add_pd, _mm512_and_si512, _mm512_castpd_si512,
    _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd, _mm512_fmadd_pd, _mm512_loadu_pd,
    _mm512_mask_blend_pd, _mm512_movepi64_mask, _mm512_mul_pd, _mm512_or_si512, _mm512_set1_epi64,
    _mm512_set1_pd, _mm512_slli_epi64, _mm512_sqrt_pd, _mm512_srli_epi64, _mm512_storeu_pd,
    _mm512_sub_epi64, _mm512_sub_pd, _mm512_xor_pd, _mm512_xor_si512,
};
use std::ops::{Add, BitAnd, BitOr, Div, Mul, Neg, Not, Sub};

use super::functions::derive_functions;
use super::operators::derive_operators;
use crate::bits::{Bits, Mask};
use crate::real::Real;

/// Eight lanes. No value exists outside a call from [`dispatch`](crate::dispatch()) on a machine with the instructions, because no
/// other crate can name the type.
#[derive(Clone, Copy, Debug)]
pub struct Avx512(__m512d);

/// Calls a vector instruction.
macro_rules! simd {
    ($call:expr) => {
        // SAFETY: the instructions exist: a value of this module's type is only made in kernels that `dispatch` runs, and
        // it runs them with these vectors only on an `Isa` that was found on this machine.
        unsafe { $call }
    };
}

/// A truth value per lane, a bit each.
#[derive(Clone, Copy, Debug)]
pub struct Avx512Mask(__mmask8);

impl BitAnd for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn bitand(self, right: Self) -> Self {
        Self(self.0 & right.0)
    }
}

impl BitOr for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn bitor(self, right: Self) -> Self {
        Self(self.0 | right.0)
    }
}

impl Not for Avx512Mask {
    type Output = Self;
    #[inline(always)]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl Mask for Avx512Mask {
    #[inline(always)]
    fn any(self) -> bool {
        self.0 != 0
    }

    #[inline(always)]
    fn lane(self, index: usize) -> bool {
        self.0 >> index & 1 == 1
    }
}

impl Add for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn add(self, right: Self) -> Self {
        Self(simd!(_mm512_add_pd(self.0, right.0)))
    }
}

impl Sub for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn sub(self, right: Self) -> Self {
        Self(simd!(_mm512_sub_pd(self.0, right.0)))
    }
}

impl Mul for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn mul(self, right: Self) -> Self {
        Self(simd!(_mm512_mul_pd(self.0, right.0)))
    }
}

impl Div for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn div(self, right: Self) -> Self {
        Self(simd!(_mm512_div_pd(self.0, right.0)))
    }
}

impl Neg for Avx512 {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self(simd!(_mm512_xor_pd(self.0, _mm512_set1_pd(-0.0))))
    }
}

derive_operators!(Avx512);

impl Bits for Avx512 {
    type Mask = Avx512Mask;
    type Word = __m512i;

    #[inline(always)]
    fn to_word(self) -> __m512i {
        simd!(_mm512_castpd_si512(self.0))
    }
    #[inline(always)]
    fn from_word(word: __m512i) -> Self {
        Self(simd!(_mm512_castsi512_pd(word)))
    }
    #[inline(always)]
    fn word_splat(value: u64) -> __m512i {
        simd!(_mm512_set1_epi64(value.cast_signed()))
    }
    #[inline(always)]
    fn word_add(a: __m512i, b: __m512i) -> __m512i {
        simd!(_mm512_add_epi64(a, b))
    }
    #[inline(always)]
    fn word_sub(a: __m512i, b: __m512i) -> __m512i {
        simd!(_mm512_sub_epi64(a, b))
    }
    #[inline(always)]
    fn word_and(a: __m512i, b: __m512i) -> __m512i {
        simd!(_mm512_and_si512(a, b))
    }
    #[inline(always)]
    fn word_or(a: __m512i, b: __m512i) -> __m512i {
        simd!(_mm512_or_si512(a, b))
    }
    #[inline(always)]
    fn word_xor(a: __m512i, b: __m512i) -> __m512i {
        simd!(_mm512_xor_si512(a, b))
    }
    #[inline(always)]
    fn word_shl<const BY: u32>(a: __m512i) -> __m512i {
        simd!(_mm512_slli_epi64::<BY>(a))
    }
    #[inline(always)]
    fn word_shr<const BY: u32>(a: __m512i) -> __m512i {
        simd!(_mm512_srli_epi64::<BY>(a))
    }
    #[inline(always)]
    fn word_sign(a: __m512i) -> Avx512Mask {
        Avx512Mask(simd!(_mm512_movepi64_mask(a)))
    }
    #[inline(never)]
    #[cold]
    fn replace_lanes(self, mask: Avx512Mask, input: Self, function: fn(f64) -> f64) -> Self {
        let (mut lanes, mut inputs) = ([0.0; 8], [0.0; 8]);
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

impl Real for Avx512 {
    type Half = super::avx2::Avx2;

    const LANES: usize = 8;

    #[inline(always)]
    fn splat(value: f64) -> Self {
        Self(simd!(_mm512_set1_pd(value)))
    }
    #[inline(always)]
    fn load(source: &[f64]) -> Self {
        let source = &source[..8];
        // The slice holds 8 numbers, so the pointer is good for a whole vector.
        Self(simd!(_mm512_loadu_pd(source.as_ptr())))
    }
    #[inline(always)]
    fn store(self, target: &mut [f64]) {
        let target = &mut target[..8];
        // The slice holds 8 numbers, so the pointer is good for a whole vector.
        simd!(_mm512_storeu_pd(target.as_mut_ptr(), self.0));
    }
    #[inline(always)]
    fn mul_add(self, factor: Self, addend: Self) -> Self {
        Self(simd!(_mm512_fmadd_pd(self.0, factor.0, addend.0)))
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        Self(simd!(_mm512_sqrt_pd(self.0)))
    }
    #[inline(always)]
    fn abs(self) -> Self {
        Self(simd!(_mm512_abs_pd(self.0)))
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Avx512Mask {
        Avx512Mask(simd!(_mm512_cmp_pd_mask::<_CMP_LT_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn le(self, other: Self) -> Avx512Mask {
        Avx512Mask(simd!(_mm512_cmp_pd_mask::<_CMP_LE_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn eq(self, other: Self) -> Avx512Mask {
        Avx512Mask(simd!(_mm512_cmp_pd_mask::<_CMP_EQ_OQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn not_lt(self, other: Self) -> Avx512Mask {
        Avx512Mask(simd!(_mm512_cmp_pd_mask::<_CMP_NLT_UQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn not_le(self, other: Self) -> Avx512Mask {
        Avx512Mask(simd!(_mm512_cmp_pd_mask::<_CMP_NLE_UQ>(self.0, other.0)))
    }
    #[inline(always)]
    fn select(mask: Avx512Mask, if_true: Self, if_false: Self) -> Self {
        Self(simd!(_mm512_mask_blend_pd(mask.0, if_false.0, if_true.0)))
    }

    derive_functions!();
}
