//! [`interleave`]: one thread's work interrupted again and again, at chosen instructions, by another thread's.
//!
//! Whether code may be run by several threads at once is mostly tried by running it on several threads, and then depends on
//! how the system schedules them. Here the processor traps after each instruction of the work (its single-step flag), and
//! the handler of the trap lets the other thread run to its end before the next instruction. The same work is interrupted at
//! the same instructions each time.

#![allow(unsafe_code, reason = "the single-step flag and a handler of signals")]

#[cfg(target_arch = "x86_64")]
pub use single_step::interleave;

/// Where the processor cannot be stepped, nothing is interrupted.
#[cfg(not(target_arch = "x86_64"))]
pub fn interleave(work: &mut dyn FnMut(), _: &(dyn Fn() + Sync), _: u64) -> u64 {
    work();
    0
}

#[cfg(target_arch = "x86_64")]
mod single_step {
    use std::ptr::null;
    use std::sync::Mutex;
    use std::sync::PoisonError;
    use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
    use std::thread;

    /// The flag of the processor that makes it trap after each instruction.
    const TRAP_FLAG: i64 = 1 << 8;

    /// Instructions after which the rest of the work runs without traps, since a trap takes up to 0.2 ms in a virtual machine.
    const MAX_INSTRUCTIONS: u64 = 1 << 11;

    /// How long the work waits for the other thread, in nanoseconds: that one may need a lock which the work holds.
    const PATIENCE_NS: i64 = 200_000_000;

    /// The number that ends the other thread.
    const OVER: u32 = u32::MAX;

    /// One at a time: the state of the handler is that of the process.
    static LOCK: Mutex<()> = Mutex::new(());
    static N_INSTRUCTIONS: AtomicU64 = AtomicU64::new(0);
    /// Instructions from one interruption to the next; 0 for none.
    static STRIDE: AtomicU64 = AtomicU64::new(0);
    /// How often the other thread was asked to run, and how often it has.
    static ASKED: AtomicU32 = AtomicU32::new(0);
    static DONE: AtomicU32 = AtomicU32::new(0);
    static HAS_WAITED_IN_VAIN: AtomicBool = AtomicBool::new(false);

    /// Runs `work`, and `other` on another thread after every `stride` instructions of it, or never if that is 0. Gives the
    /// number of instructions, at most 2048 of which are counted and interrupted; 0 if this system does not step.
    pub fn interleave(work: &mut dyn FnMut(), other: &(dyn Fn() + Sync), stride: u64) -> u64 {
        let _lock = LOCK.lock().unwrap_or_else(PoisonError::into_inner);
        N_INSTRUCTIONS.store(0, Ordering::SeqCst);
        STRIDE.store(stride, Ordering::SeqCst);
        ASKED.store(0, Ordering::SeqCst);
        DONE.store(0, Ordering::SeqCst);
        HAS_WAITED_IN_VAIN.store(false, Ordering::SeqCst);
        let Some(before) = install() else {
            work();
            return 0;
        };
        thread::scope(|scope| {
            scope.spawn(|| {
                let mut n_done = 0;
                loop {
                    wait_while(&ASKED, n_done, None);
                    n_done = ASKED.load(Ordering::SeqCst);
                    if n_done == OVER {
                        break;
                    }
                    other();
                    DONE.store(n_done, Ordering::SeqCst);
                    wake(&DONE);
                }
            });
            set_trap_flag();
            work();
            clear_trap_flag();
            ASKED.store(OVER, Ordering::SeqCst);
            wake(&ASKED);
        });
        // SAFETY: the handler was there before.
        unsafe { libc::sigaction(libc::SIGTRAP, &raw const before, std::ptr::null_mut()) };
        N_INSTRUCTIONS.load(Ordering::SeqCst)
    }

    /// Handles traps, and gives what did so before.
    fn install() -> Option<libc::sigaction> {
        // SAFETY: all zeros is a value of the structure.
        let (mut action, mut before): (libc::sigaction, libc::sigaction) =
            unsafe { (std::mem::zeroed(), std::mem::zeroed()) };
        action.sa_sigaction = on_trap as *const () as usize;
        action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
        // SAFETY: the handler has the type that the flags say.
        let result = unsafe { libc::sigaction(libc::SIGTRAP, &raw const action, &raw mut before) };
        (result == 0).then_some(before)
    }

    #[inline(never)]
    fn set_trap_flag() {
        // SAFETY: the handler is installed. The flag changes no result.
        unsafe { std::arch::asm!("pushfq", "or qword ptr [rsp], 0x100", "popfq") };
    }

    #[inline(never)]
    fn clear_trap_flag() {
        // SAFETY: as above.
        unsafe { std::arch::asm!("pushfq", "and qword ptr [rsp], -0x101", "popfq") };
    }

    /// Counts an instruction, and lets the other thread run if it is its turn. All that this calls may be called in a
    /// handler.
    extern "C" fn on_trap(_: libc::c_int, _: *mut libc::siginfo_t, context: *mut libc::c_void) {
        let n = 1 + N_INSTRUCTIONS.fetch_add(1, Ordering::SeqCst);
        let stride = STRIDE.load(Ordering::SeqCst);
        if stride > 0 && n.is_multiple_of(stride) {
            // SAFETY: the number belongs to this thread, and the interrupted code must find it as it was.
            let number = unsafe { libc::__errno_location() };
            // SAFETY: as above.
            let before = unsafe { *number };
            hand_over();
            // SAFETY: as above.
            unsafe { *number = before };
        }
        if n >= MAX_INSTRUCTIONS {
            // SAFETY: the kernel lends the context of the interrupted code.
            unsafe {
                let context = context.cast::<libc::ucontext_t>();
                (*context).uc_mcontext.gregs[libc::REG_EFL as usize] &= !TRAP_FLAG;
            }
        }
    }

    /// Lets the other thread run to its end.
    fn hand_over() {
        let n_done = DONE.load(Ordering::SeqCst);
        let n_asked = ASKED.load(Ordering::SeqCst);
        if n_done != n_asked {
            // It waits for a lock that this thread holds.
            return;
        }
        ASKED.store(n_asked + 1, Ordering::SeqCst);
        wake(&ASKED);
        while DONE.load(Ordering::SeqCst) == n_done {
            if HAS_WAITED_IN_VAIN.load(Ordering::SeqCst) {
                break;
            }
            if !wait_while(&DONE, n_done, Some(PATIENCE_NS)) {
                HAS_WAITED_IN_VAIN.store(true, Ordering::SeqCst);
            }
        }
    }

    /// Waits as long as a number has a value, and gives whether it has another one now.
    fn wait_while(number: &AtomicU32, value: u32, patience_ns: Option<i64>) -> bool {
        let limit = libc::timespec { tv_sec: 0, tv_nsec: patience_ns.unwrap_or(0) };
        let limit = if patience_ns.is_some() { &raw const limit } else { null() };
        loop {
            if number.load(Ordering::SeqCst) != value {
                return true;
            }
            let operation = libc::FUTEX_WAIT | libc::FUTEX_PRIVATE_FLAG;
            // SAFETY: the number is static, and the limit outlives the call.
            let result =
                unsafe { libc::syscall(libc::SYS_futex, number.as_ptr(), operation, value, limit) };
            // SAFETY: reads this thread's error number.
            let is_late = result != 0 && unsafe { *libc::__errno_location() } == libc::ETIMEDOUT;
            if is_late {
                return number.load(Ordering::SeqCst) != value;
            }
        }
    }

    fn wake(number: &AtomicU32) {
        let operation = libc::FUTEX_WAKE | libc::FUTEX_PRIVATE_FLAG;
        // SAFETY: the number is static.
        unsafe { libc::syscall(libc::SYS_futex, number.as_ptr(), operation, i32::MAX) };
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        static SHARED: AtomicU64 = AtomicU64::new(0);

        fn uses_a_static(value: u64) -> u64 {
            SHARED.store(value, Ordering::Relaxed);
            SHARED.load(Ordering::Relaxed)
        }

        #[test]
        fn work_that_shares_a_static_is_disturbed_each_time() {
            for _ in 0..20 {
                let n_others = AtomicU64::new(0);
                let other = || {
                    n_others.fetch_add(1, Ordering::Relaxed);
                    std::hint::black_box(uses_a_static(2));
                };
                let mut results = Vec::with_capacity(16);
                let mut work = || {
                    for _ in 0..16 {
                        results.push(std::hint::black_box(uses_a_static(1)));
                    }
                };
                let n = interleave(&mut work, &other, 1);
                if n == 0 {
                    eprintln!("skipped: this machine is not stopped between two instructions");
                    return;
                }
                assert!(n > 32, "{n} instructions");
                assert!(results.contains(&2), "{results:?}");
                assert!(n_others.load(Ordering::Relaxed) > 16);
            }
        }

        #[test]
        fn a_lock_that_both_need_is_no_deadlock() {
            let lock = Mutex::new(0);
            let other = || *lock.lock().unwrap() += 1;
            let mut work = || {
                for _ in 0..4 {
                    let mut held = lock.lock().unwrap();
                    *held += 1;
                }
            };
            interleave(&mut work, &other, 1);
            assert!(*lock.lock().unwrap() >= 4);
        }
    }
}
