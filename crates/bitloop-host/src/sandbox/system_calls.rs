//! System calls, by seccomp filters: those that a computation makes are allowed, some that it has no business with end the
//! process and are named, and all others fail.

#![allow(unsafe_code, reason = "a system call")]

use std::collections::BTreeMap;
use std::error::Error;
use std::io;

use libc::c_long;
use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter,
    SeccompRule, TargetArch, apply_filter,
};

#[cfg(target_arch = "x86_64")]
use super::call_table::{ALLOWED, FORBIDDEN};
#[cfg(target_arch = "x86_64")]
use super::trap;

/// Rules for each system call by its number; none means that all calls match.
type Rules = BTreeMap<c_long, Vec<SeccompRule>>;

/// Whether this system knows seccomp filters, and this program the numbers of its system calls.
pub(super) fn is_supported() -> bool {
    const SET_MODE_FILTER: libc::c_uint = 1;
    let nothing = std::ptr::null::<u8>();
    // SAFETY: without a filter the call changes nothing: a system that knows filters misses it, others refuse the call.
    let result = unsafe { libc::syscall(libc::SYS_seccomp, SET_MODE_FILTER, 0_usize, nothing) };
    let error = io::Error::last_os_error().raw_os_error();
    cfg!(target_arch = "x86_64") && result < 0 && error == Some(libc::EFAULT)
}

#[cfg(not(target_arch = "x86_64"))]
pub(super) fn restrict() -> Result<(), Box<dyn Error>> {
    Ok(())
}

/// Allows this process what [`ALLOWED`] lists, and ends it at what [`FORBIDDEN`] lists.
#[cfg(target_arch = "x86_64")]
pub(super) fn restrict() -> Result<(), Box<dyn Error>> {
    trap::listen()?;
    // Of the filters, the strictest answer counts: ending the process before failing before allowing. The one that lists
    // what is allowed comes last, since it forbids to add another.
    install(forbidden()?, SeccompAction::Allow, SeccompAction::Trap)?;
    // The C library then starts threads by `clone`, whose arguments a filter can see.
    let unknown = SeccompAction::Errno(libc::ENOSYS.unsigned_abs());
    install([(libc::SYS_clone3, Vec::new())].into(), SeccompAction::Allow, unknown)?;
    let mut allowed: Rules = ALLOWED.iter().map(|&call| (call, Vec::new())).collect();
    // Limits can be read, where no new one is given.
    allowed.insert(libc::SYS_prlimit64, vec![rule(&[(2, SeccompCmpOp::Eq, 0)])?]);
    let fails = SeccompAction::Errno(libc::EPERM.unsigned_abs());
    install(allowed, fails, SeccompAction::Allow)
}

/// `F_SETOWN_EX`: a process, a group of them, or a thread.
#[cfg(target_arch = "x86_64")]
const SET_OWNER_OF_ANY_KIND: i32 = 15;

#[cfg(target_arch = "x86_64")]
fn forbidden() -> Result<Rules, Box<dyn Error>> {
    let mut rules: Rules = FORBIDDEN.iter().map(|(call, _)| (*call, Vec::new())).collect();
    let access = u64::from(libc::O_ACCMODE.unsigned_abs());
    let flag = |mask: u64, flag: i32| {
        rule(&[(2, SeccompCmpOp::MaskedEq(mask), u64::from(flag.unsigned_abs()))])
    };
    let one = |number: i32| flag(u64::from(number.unsigned_abs()), number);
    let writes = [flag(access, libc::O_WRONLY)?, flag(access, libc::O_RDWR)?];
    let changes = [one(libc::O_CREAT)?, one(libc::O_TRUNC)?];
    // A file that is opened for reading is opened by the handler, which names it if Landlock refuses it.
    let unmarked = rule(&[(trap::MARKED_ARGUMENT, SeccompCmpOp::Ne, trap::MARK)])?;
    rules.insert(libc::SYS_open, Vec::new());
    rules.insert(libc::SYS_openat, [&writes[..], &changes, &[unmarked]].concat());
    let thread = u64::from(libc::CLONE_THREAD.unsigned_abs());
    rules.insert(libc::SYS_clone, vec![rule(&[(0, SeccompCmpOp::MaskedEq(thread), 0)])?]);
    // The owner of a file gets signals of it.
    let command = |number: i32| {
        let all_bits = SeccompCmpOp::MaskedEq(u64::from(u32::MAX));
        rule(&[(1, all_bits, u64::from(number.unsigned_abs()))])
    };
    rules.insert(libc::SYS_fcntl, vec![command(libc::F_SETOWN)?, command(SET_OWNER_OF_ANY_KIND)?]);
    let own_id = u64::from(std::process::id());
    for call in [libc::SYS_kill, libc::SYS_tgkill] {
        rules.insert(call, vec![rule(&[(0, SeccompCmpOp::Ne, own_id)])?]);
    }
    Ok(rules)
}

#[cfg(target_arch = "x86_64")]
fn rule(conditions: &[(u8, SeccompCmpOp, u64)]) -> Result<SeccompRule, Box<dyn Error>> {
    let condition = |(argument, operator, value): &(u8, SeccompCmpOp, u64)| {
        // Numbers of processes and flags are 32 bits of the register; a pointer is all of it.
        let is_pointer = matches!(operator, SeccompCmpOp::Eq);
        let length = if is_pointer { SeccompCmpArgLen::Qword } else { SeccompCmpArgLen::Dword };
        SeccompCondition::new(*argument, length, operator.clone(), *value)
    };
    Ok(SeccompRule::new(conditions.iter().map(condition).collect::<Result<_, _>>()?)?)
}

#[cfg(target_arch = "x86_64")]
fn install(
    rules: Rules,
    otherwise: SeccompAction,
    matched: SeccompAction,
) -> Result<(), Box<dyn Error>> {
    let filter = SeccompFilter::new(rules, otherwise, matched, TargetArch::x86_64)?;
    let program: BpfProgram = filter.try_into()?;
    Ok(apply_filter(&program)?)
}
