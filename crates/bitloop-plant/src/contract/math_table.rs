//! [`MathTable`]: the elementary functions of [`Real`], for plants that are not written in Rust.

#![allow(unsafe_code, reason = "functions with target features")]

use super::vector_math::VectorMath;
use crate::isa::{Isa, Level};
#[allow(unused_imports, reason = "named in the docs")]
use crate::real::Real;

/// Elementary functions that give the same bits on every machine, and the same as in a plant written in Rust.
///
/// Those of the C library do not: their bits change with its version and with the processor. Each is at most 2 ULP off,
/// and follows C99 for special values. Angles are in radians.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct MathTable {
    /// `sizeof(BitloopMath)` as the host knows it.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Sine.
    pub sin: unsafe extern "C" fn(x: f64) -> f64,
    /// Cosine.
    pub cos: unsafe extern "C" fn(x: f64) -> f64,
    /// Sine and cosine at once, written to `sin` and `cos`.
    pub sin_cos: unsafe extern "C" fn(x: f64, sin: *mut f64, cos: *mut f64),
    /// Tangent.
    pub tan: unsafe extern "C" fn(x: f64) -> f64,
    /// The angle of the point (`x`, `y`), from -pi to pi.
    pub atan2: unsafe extern "C" fn(y: f64, x: f64) -> f64,
    /// e^x.
    pub exp: unsafe extern "C" fn(x: f64) -> f64,
    /// e^x - 1, exact near 0.
    pub expm1: unsafe extern "C" fn(x: f64) -> f64,
    /// The natural logarithm.
    pub ln: unsafe extern "C" fn(x: f64) -> f64,
    /// base^exponent.
    pub pow: unsafe extern "C" fn(base: f64, exponent: f64) -> f64,
    /// Hyperbolic tangent.
    pub tanh: unsafe extern "C" fn(x: f64) -> f64,
    /// 1 / (1 + e^-x).
    pub logistic: unsafe extern "C" fn(x: f64) -> f64,
    /// The square root, correctly rounded.
    pub sqrt: unsafe extern "C" fn(x: f64) -> f64,
    /// a * b + c, rounded once.
    pub fma: unsafe extern "C" fn(a: f64, b: f64, c: f64) -> f64,
    /// The functions over arrays, never null; there if `struct_size` covers it, which it does not in hosts from before it was
    /// appended.
    pub vectors: &'static VectorMath,
}

impl MathTable {
    /// The functions, compiled for an instruction set.
    #[must_use]
    pub const fn of(isa: Isa) -> &'static Self {
        match isa.level() {
            Level::Portable => &portable::TABLE,
            #[cfg(target_arch = "x86_64")]
            Level::Avx2 => &fused::TABLE,
            // Scalar code gains from fused products and sums, and from nothing else that AVX-512 has.
            #[cfg(target_arch = "x86_64")]
            Level::Avx512 => const { &Self { vectors: VectorMath::AVX512, ..fused::TABLE } },
        }
    }
}

/// The functions as a table, each compiled with the attributes given.
macro_rules! math_table {
    ($module:ident, $vectors:expr $(, #[$attribute:meta])?) => {
        mod $module {
            use super::{MathTable, VectorMath};
            use crate::contract::descriptor::struct_size_of;
            use crate::real::Real;

            pub(super) const TABLE: MathTable = MathTable {
                struct_size: struct_size_of::<MathTable>(),
                reserved: 0,
                sin,
                cos,
                sin_cos,
                tan,
                atan2,
                exp,
                expm1,
                ln,
                pow,
                tanh,
                logistic,
                sqrt,
                fma,
                vectors: $vectors,
            };

            $(#[$attribute])?
            unsafe extern "C" fn sin(x: f64) -> f64 {
                Real::sin(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn cos(x: f64) -> f64 {
                Real::cos(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn sin_cos(x: f64, sin: *mut f64, cos: *mut f64) {
                let (s, c) = Real::sin_cos(x);
                // SAFETY: the caller lends room for a number at each pointer.
                unsafe {
                    sin.write(s);
                    cos.write(c);
                }
            }

            $(#[$attribute])?
            unsafe extern "C" fn tan(x: f64) -> f64 {
                Real::tan(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn atan2(y: f64, x: f64) -> f64 {
                Real::atan2(y, x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn exp(x: f64) -> f64 {
                Real::exp(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn expm1(x: f64) -> f64 {
                Real::expm1(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn ln(x: f64) -> f64 {
                Real::ln(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn pow(base: f64, exponent: f64) -> f64 {
                Real::pow(base, exponent)
            }

            $(#[$attribute])?
            unsafe extern "C" fn tanh(x: f64) -> f64 {
                Real::tanh(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn logistic(x: f64) -> f64 {
                Real::logistic(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn sqrt(x: f64) -> f64 {
                Real::sqrt(x)
            }

            $(#[$attribute])?
            unsafe extern "C" fn fma(a: f64, b: f64, c: f64) -> f64 {
                Real::mul_add(a, b, c)
            }
        }
    };
}

math_table!(portable, VectorMath::PORTABLE);
#[cfg(target_arch = "x86_64")]
math_table!(fused, VectorMath::AVX2, #[target_feature(enable = "avx2,fma")]);
