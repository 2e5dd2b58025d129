//! [`VectorMath`]: the elementary functions of [`Real`] over arrays, for plants that are not written in Rust.

#![allow(unsafe_code, reason = "functions with target features, and raw pointers")]

use std::marker::PhantomData;
use std::ops::ControlFlow;

use super::descriptor::struct_size_of;
use crate::blocks::{LANE_STEP, LaneWork, for_each_vector};
#[cfg(target_arch = "x86_64")]
use crate::lanes::{avx2::Avx2, avx512::Avx512};
use crate::math;
use crate::real::Real;

/// The elementary functions of `BitloopMath` over arrays of `n` numbers, a multiple of 4, at the speed of vectors.
///
/// Each number gives the bits that the function of `BitloopMath` gives for it. Results are written after all inputs of
/// the same place are read, so that an array of results may be one of the inputs; else arrays do not overlap. They need
/// the alignment of a double.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct VectorMath {
    /// `sizeof(BitloopVectorMath)` as the host knows it.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Sine.
    pub sin: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// Cosine.
    pub cos: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// Sine and cosine at once, written to `sin` and `cos`, two arrays.
    pub sin_cos: unsafe extern "C" fn(x: *const f64, sin: *mut f64, cos: *mut f64, n: u32),
    /// Tangent.
    pub tan: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// The angles of the points (`x`, `y`), from -pi to pi.
    pub atan2: unsafe extern "C" fn(y: *const f64, x: *const f64, result: *mut f64, n: u32),
    /// e^x.
    pub exp: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// e^x - 1, exact near 0.
    pub expm1: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// The natural logarithm.
    pub ln: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// base^exponent.
    pub pow: unsafe extern "C" fn(base: *const f64, exponent: *const f64, result: *mut f64, n: u32),
    /// Hyperbolic tangent.
    pub tanh: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
    /// 1 / (1 + e^-x).
    pub logistic: unsafe extern "C" fn(x: *const f64, result: *mut f64, n: u32),
}

impl VectorMath {
    pub(super) const PORTABLE: &'static Self = &portable::TABLE;
    #[cfg(target_arch = "x86_64")]
    pub(super) const AVX2: &'static Self = &avx2::TABLE;
    #[cfg(target_arch = "x86_64")]
    pub(super) const AVX512: &'static Self = &avx512::TABLE;
}

/// A function of up to two numbers that has up to two results.
trait Function {
    /// The function without calls of others; none if a lane needs such a call.
    #[inline(always)]
    fn usual<R: Real>(x: R, y: R) -> Option<(R, R)> {
        Some(Self::general(x, y))
    }

    /// The function everywhere.
    fn general<R: Real>(x: R, y: R) -> (R, R);
}

/// The addresses of a call. Where the function has one input or one result, both addresses are the same.
#[derive(Clone, Copy)]
struct Arrays {
    inputs: [*const f64; 2],
    results: [*mut f64; 2],
}

impl Arrays {
    /// # Safety
    /// The inputs hold a vector from `first_lane` on.
    #[inline(always)]
    unsafe fn load<R: Real>(self, first_lane: usize) -> [R; 2] {
        // SAFETY: promised by the caller.
        self.inputs.map(|input| unsafe {
            R::load(std::slice::from_raw_parts(input.add(first_lane), R::LANES))
        })
    }

    /// # Safety
    /// The results have room for a vector from `first_lane` on.
    #[inline(always)]
    unsafe fn store<R: Real>(self, first_lane: usize, (first, second): (R, R)) {
        let [to_first, to_second] = self.results;
        // SAFETY: promised by the caller; no other slice is in use. The first result is stored last, since it is the one that
        // stays where both addresses are the same.
        unsafe {
            second.store(std::slice::from_raw_parts_mut(to_second.add(first_lane), R::LANES));
            first.store(std::slice::from_raw_parts_mut(to_first.add(first_lane), R::LANES));
        }
    }
}

/// A function over arrays of any length.
struct Blocks<F> {
    arrays: Arrays,
    function: PhantomData<F>,
}

impl<F: Function> LaneWork for Blocks<F> {
    #[inline(always)]
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
        // SAFETY: the arrays hold this block.
        unsafe {
            let [x, y] = self.arrays.load::<R>(first_lane);
            self.arrays.store(first_lane, F::general(x, y));
        }
        ControlFlow::Continue(())
    }
}

/// The usual call, of one vector: done if no lane needs another function. Whatever calls others is left to [`all`], so that this
/// one saves no registers.
///
/// # Safety
/// The arrays hold `n` numbers.
#[inline(always)]
unsafe fn one_vector<R: Real, F: Function>(arrays: Arrays, n: u32) -> bool {
    // No call has fewer numbers than a step of lanes.
    if const { R::LANES < LANE_STEP } || n as usize != R::LANES {
        return false;
    }
    // SAFETY: a vector is as long as the arrays.
    unsafe {
        let [x, y] = arrays.load::<R>(0);
        let results = F::usual(x, y);
        if let Some(results) = results {
            arrays.store(0, results);
        }
        results.is_some()
    }
}

/// Any call. Plants mostly ask for one vector, so that vectors one after the other will do here.
///
/// # Safety
/// The arrays hold `n` numbers, a multiple of 4.
#[inline(always)]
unsafe fn all<R: Real, F: Function>(arrays: Arrays, n: u32) {
    let mut blocks = Blocks::<F> { arrays, function: PhantomData };
    let _ = for_each_vector::<R>(&mut blocks, 0..n as usize);
}

/// The functions as types.
macro_rules! functions {
    ($($name:ident: |$x:ident, $y:ident| $results:expr;)*) => {
        $(
            struct $name;

            impl Function for $name {
                #[inline(always)]
                fn general<R: Real>($x: R, $y: R) -> (R, R) {
                    $results
                }
            }
        )*
    };
    ($($name:ident except large angles: |$x:ident| $usual:expr, $general:expr;)*) => {
        $(
            struct $name;

            impl Function for $name {
                #[inline(always)]
                fn usual<R: Real>($x: R, _: R) -> Option<(R, R)> {
                    $usual
                }

                #[inline(always)]
                fn general<R: Real>($x: R, _: R) -> (R, R) {
                    $general
                }
            }
        )*
    };
}

functions! {
    Sin except large angles: |x| math::sin_cos_unless_large(x).map(|(sin, _)| (sin, x)), (x.sin(), x);
    Cos except large angles: |x| math::sin_cos_unless_large(x).map(|(_, cos)| (cos, x)), (x.cos(), x);
    SinCos except large angles: |x| math::sin_cos_unless_large(x), x.sin_cos();
}

functions! {
    Tan: |x, y| (x.tan(), y);
    Atan2: |x, y| (x.atan2(y), y);
    Exp: |x, y| (x.exp(), y);
    Expm1: |x, y| (x.expm1(), y);
    Ln: |x, y| (x.ln(), y);
    Pow: |x, y| (x.pow(y), y);
    Tanh: |x, y| (x.tanh(), y);
    Logistic: |x, y| (x.logistic(), y);
}

/// A function of a table.
macro_rules! vector_function {
    ($real:ty $(, #[$attribute:meta])?; $name:ident($x:ident) -> ($result:ident): $function:ident) => {
        vector_function!(
            $real $(, #[$attribute])?; $name, $function, ($x), ($result), [$x; 2], [$result; 2]
        );
    };
    ($real:ty $(, #[$attribute:meta])?;
        $name:ident($x:ident) -> ($a:ident, $b:ident): $function:ident) => {
        vector_function!($real $(, #[$attribute])?; $name, $function, ($x), ($a, $b), [$x; 2], [$a, $b]);
    };
    ($real:ty $(, #[$attribute:meta])?;
        $name:ident($x:ident, $y:ident) -> ($result:ident): $function:ident) => {
        vector_function!(
            $real $(, #[$attribute])?; $name, $function, ($x, $y), ($result), [$x, $y], [$result; 2]
        );
    };
    ($real:ty $(, #[$attribute:meta])?; $name:ident, $function:ident,
        ($($input:ident),*), ($($result:ident),*), $inputs:expr, $results:expr) => {
        $(#[$attribute])?
        unsafe extern "C" fn $name($($input: *const f64,)* $($result: *mut f64,)* n: u32) {
            $(#[$attribute])?
            #[cold]
            #[inline(never)]
            unsafe fn rest($($input: *const f64,)* $($result: *mut f64,)* n: u32) {
                let arrays = Arrays { inputs: $inputs, results: $results };
                // SAFETY: promised by the caller.
                unsafe { all::<$real, $function>(arrays, n) }
            }
            let arrays = Arrays { inputs: $inputs, results: $results };
            // SAFETY: the caller keeps the contract of `VectorMath`.
            unsafe {
                if !one_vector::<$real, $function>(arrays, n) {
                    rest($($input,)* $($result,)* n);
                }
            }
        }
    };
}

/// A table, its functions compiled for a vector with the attributes given.
macro_rules! vector_table {
    ($module:ident, $real:ty $(, #[$attribute:meta])?) => {
        mod $module {
            use super::*;

            pub(super) static TABLE: VectorMath = VectorMath {
                struct_size: struct_size_of::<VectorMath>(),
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
            };

            vector_function!($real $(, #[$attribute])?; sin(x) -> (result): Sin);
            vector_function!($real $(, #[$attribute])?; cos(x) -> (result): Cos);
            vector_function!($real $(, #[$attribute])?; sin_cos(x) -> (sin, cos): SinCos);
            vector_function!($real $(, #[$attribute])?; tan(x) -> (result): Tan);
            vector_function!($real $(, #[$attribute])?; atan2(y, x) -> (result): Atan2);
            vector_function!($real $(, #[$attribute])?; exp(x) -> (result): Exp);
            vector_function!($real $(, #[$attribute])?; expm1(x) -> (result): Expm1);
            vector_function!($real $(, #[$attribute])?; ln(x) -> (result): Ln);
            vector_function!($real $(, #[$attribute])?; pow(base, exponent) -> (result): Pow);
            vector_function!($real $(, #[$attribute])?; tanh(x) -> (result): Tanh);
            vector_function!($real $(, #[$attribute])?; logistic(x) -> (result): Logistic);
        }
    };
}

vector_table!(portable, f64);
#[cfg(target_arch = "x86_64")]
vector_table!(avx2, Avx2, #[target_feature(enable = "avx2,fma")]);
#[cfg(target_arch = "x86_64")]
vector_table!(avx512, Avx512, #[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]);
