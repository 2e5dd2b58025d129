//! The number types behind [`Real`](crate::Real): `f64` itself, AVX2 and AVX-512 vectors, and pairs of any of them.

#[cfg(target_arch = "x86_64")]
pub(crate) mod avx2;
#[cfg(target_arch = "x86_64")]
pub(crate) mod avx512;
mod functions;
mod operators;
mod pair;
mod scalar;

pub use pair::Pair;
