//! Compiles a generic piece of work for every instruction set, and runs the one that the machine has.

#![allow(unsafe_code, reason = "calls functions with target features")]

use crate::isa::{Isa, Level};
#[cfg(target_arch = "x86_64")]
use crate::lanes::{avx2::Avx2, avx512::Avx512};
use crate::real::Real;

/// A piece of work written once over [`Real`] vectors.
pub trait Kernel {
    /// The result of the work.
    type Output;

    /// Does the work with vectors of `R`, or with [`Pair`](crate::Pair)s of them where more independent work hides
    /// latency.
    ///
    /// Mark the implementation, and all that it calls, `#[inline(always)]`: code is compiled for an instruction set only
    /// where it is inlined into [`dispatch`]. What is not gives the same bits, slowly.
    fn run<R: Real>(self) -> Self::Output;
}

/// Runs `kernel` with the vectors of `isa`.
pub fn dispatch<K: Kernel>(isa: Isa, kernel: K) -> K::Output {
    match isa.level() {
        Level::Portable => kernel.run::<f64>(),
        // SAFETY: an `Isa` of this level is only made after the processor was found to have these features.
        #[cfg(target_arch = "x86_64")]
        Level::Avx2 => unsafe { run_avx2(kernel) },
        // SAFETY: as above.
        #[cfg(target_arch = "x86_64")]
        Level::Avx512 => unsafe { run_avx512(kernel) },
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn run_avx2<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx2>()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512dq,avx512vl,avx2,fma")]
fn run_avx512<K: Kernel>(kernel: K) -> K::Output {
    kernel.run::<Avx512>()
}
