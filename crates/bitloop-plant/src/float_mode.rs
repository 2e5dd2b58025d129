//! [`FloatMode`]: the rounding mode of the processor, which a plant must not change.

#![allow(unsafe_code, reason = "reads and writes a control register")]

/// The control bits of the processor's floating-point unit: rounding, and whether denormals count as 0.
///
/// Libraries compiled with fast-math options change them, some already while they are loaded, and then every later result
/// of the thread has other bits. On processors other than x86-64 nothing is looked at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FloatMode {
    /// MXCSR without the flags that arithmetic sets by itself.
    mxcsr: u32,
    /// The control word of the x87 unit, which computes the `long double` of C.
    x87: u16,
}

/// The flags of MXCSR that arithmetic sets by itself.
#[cfg(target_arch = "x86_64")]
const STICKY_FLAGS: u32 = 0x3f;

#[cfg(target_arch = "x86_64")]
impl FloatMode {
    /// The mode of this thread.
    #[inline(always)]
    #[must_use]
    pub fn current() -> Self {
        let (mut mxcsr, mut x87) = (0_u32, 0_u16);
        // SAFETY: the instructions write four and two bytes to the addresses that they are given.
        unsafe {
            std::arch::asm!(
                "stmxcsr [{}]",
                "fnstcw [{}]",
                in(reg) &raw mut mxcsr,
                in(reg) &raw mut x87,
                options(nostack, preserves_flags)
            );
        }
        Self { mxcsr: mxcsr & !STICKY_FLAGS, x87 }
    }

    /// Puts the thread back into this mode, and says whether it was in another one.
    #[inline(always)]
    #[must_use = "it says whether the contract was broken"]
    pub fn restore(self) -> bool {
        if Self::current() == self {
            return false;
        }
        // SAFETY: the values were read from the registers, so no reserved bit is set. This is the mode that the compiler
        // assumes, which is why it is put back. Flags of past x87 operations are cleared first, since unmasking one whose
        // flag is set would raise it.
        unsafe {
            std::arch::asm!(
                "ldmxcsr [{}]",
                "fnclex",
                "fldcw [{}]",
                in(reg) &raw const self.mxcsr,
                in(reg) &raw const self.x87,
                options(nostack)
            );
        }
        true
    }
}

#[cfg(not(target_arch = "x86_64"))]
impl FloatMode {
    /// The mode of this thread.
    #[must_use]
    pub const fn current() -> Self {
        Self { mxcsr: 0, x87: 0 }
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
        let flushing = FloatMode { mxcsr: usual.mxcsr | 0x8040, ..usual };
        // Products of 53 instead of 64 bits.
        let shorter = FloatMode { x87: usual.x87 & !0x300 | 0x200, ..usual };
        for other in [flushing, shorter] {
            assert!(other.restore());
            assert_eq!(FloatMode::current(), other);
            assert!(usual.restore());
            assert_eq!(FloatMode::current(), usual);
        }
    }
}
