//! [`FloatMode`]: the rounding mode of the processor, which a plant must not change.

#![allow(unsafe_code, reason = "reads and writes a control register")]

/// The control bits of the processor's floating-point unit: rounding, and whether denormals count as 0.
///
/// Libraries compiled with fast-math options change them, some already while they are loaded, and then every later result
/// of the thread has other bits. On processors other than x86-64 nothing is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatMode(u32);

/// The flags of MXCSR that arithmetic sets by itself.
#[cfg(target_arch = "x86_64")]
const STICKY_FLAGS: u32 = 0x3f;

#[cfg(target_arch = "x86_64")]
impl FloatMode {
    /// The mode of this thread.
    #[inline(always)]
    #[must_use]
    pub fn current() -> Self {
        let mut mxcsr = 0_u32;
        // SAFETY: the instruction writes four bytes to the address that it is given.
        unsafe {
            std::arch::asm!("stmxcsr [{}]", in(reg) &raw mut mxcsr, options(nostack, preserves_flags));
        }
        Self(mxcsr & !STICKY_FLAGS)
    }

    /// Puts the thread back into this mode, and says whether it was in another one.
    #[inline(always)]
    #[must_use = "it says whether the contract was broken"]
    pub fn restore(self) -> bool {
        if Self::current() == self {
            return false;
        }
        // SAFETY: the value was read from the register, so no reserved bit is set. This is the mode that the compiler
        // assumes, which is why it is put back.
        unsafe {
            std::arch::asm!("ldmxcsr [{}]", in(reg) &raw const self.0, options(nostack, preserves_flags));
        }
        true
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl FloatMode {
    /// The mode of this thread.
    #[must_use]
    pub const fn current() -> Self {
        Self(0)
    }

    /// Puts the thread back into this mode, and says whether it was in another one.
    #[must_use = "it says whether the contract was broken"]
    pub const fn restore(self) -> bool {
        false
    }
}

#[cfg(all(test, target_arch = "x86_64"))]
mod tests {
    use super::*;

    #[test]
    fn a_changed_mode_is_noticed_and_put_back() {
        let usual = FloatMode::current();
        assert!(!usual.restore());
        let flushing = FloatMode(usual.0 | 0x8040);
        assert!(flushing.restore());
        assert_eq!(FloatMode::current(), flushing);
        assert!(usual.restore());
        assert_eq!(FloatMode::current(), usual);
    }
}
