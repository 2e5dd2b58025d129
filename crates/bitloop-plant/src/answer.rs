//! What a plant written in Rust gives across the boundary of its library: a value, or a message.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::ffi::c_char;
use std::panic::{UnwindSafe, catch_unwind, set_hook, take_hook};
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::description::DescriptionError;
use crate::table::{panic_text, slice, slice_mut, write_message};

/// What the plant with a structure gives, or a message where it gives an error or panics.
///
/// # Safety
/// `structure` is null or good for its count of numbers, and `message` is null or good for its count of bytes.
pub(crate) unsafe fn answer<T>(
    structure: (*const u64, u32),
    message: (*mut c_char, u32),
    give: impl FnOnce(Option<&[u64]>) -> Result<T, DescriptionError> + UnwindSafe,
) -> Option<T> {
    print_one_panic();
    // SAFETY: promised by the caller.
    let structure =
        (!structure.0.is_null()).then(|| unsafe { slice(structure.0, structure.1 as usize) });
    let text = match catch_unwind(|| give(structure)) {
        Ok(Ok(given)) => return Some(given),
        Ok(Err(error)) => error.to_string(),
        Err(panic) => format!("it panicked: {}", panic_text(&*panic)),
    };
    // SAFETY: promised by the caller.
    write_message(unsafe { slice_mut(message.0.cast(), message.1 as usize) }, &text);
    None
}

/// Prints the first panic of this library alone: a plant that panics does so in every episode, and each call's status has
/// the reason. The library has a standard library of its own, so that panics of the host are printed as ever.
fn print_one_panic() {
    static ONCE: Once = Once::new();
    static IS_PRINTED: AtomicBool = AtomicBool::new(false);
    ONCE.call_once(|| {
        let usual = take_hook();
        set_hook(Box::new(move |panic| {
            if !IS_PRINTED.swap(true, Ordering::Relaxed) {
                usual(panic);
            }
        }));
    });
}

/// The length of a list that the check of the description limits.
pub(crate) fn count<T>(list: &[T]) -> u32 {
    u32::try_from(list.len()).expect("lists are limited")
}
