//! Reads the part of a library whose plant owns its state, and checks that its functions are there.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::ffi::{c_char, c_void};

use super::batch::Batch;
use super::error::AbiError;
use super::instances::InstancesPart;
use super::read::check_size;
use crate::description::DescriptionError;

/// A function of slots; it returns a status.
type SlotFunction = unsafe extern "C" fn(*mut c_void, *const u32, *mut Batch) -> i32;

/// The functions of a plant that owns its state.
#[derive(Clone, Copy, Debug)]
pub struct InstancesTable {
    pub(crate) make_worker:
        unsafe extern "C" fn(*const u64, u32, u32, *mut c_char, u32) -> *mut c_void,
    pub(crate) drop_worker: unsafe extern "C" fn(*mut c_void),
    pub(crate) begin: unsafe extern "C" fn(*mut c_void, *const u32, *const u64, *mut Batch) -> i32,
    pub(crate) observe: SlotFunction,
    pub(crate) advance: SlotFunction,
    pub(crate) terminal_cost: SlotFunction,
    pub(crate) states: Option<StatesTable>,
}

/// The functions of a plant whose states can be had.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StatesTable {
    pub size: unsafe extern "C" fn(*mut c_void) -> u64,
    pub get: unsafe extern "C" fn(*mut c_void, u32, *mut c_void) -> i32,
    pub set: unsafe extern "C" fn(*mut c_void, u32, *const c_void) -> i32,
}

/// Checks the size of the part, and that its functions are there.
///
/// # Errors
/// [`AbiError`] names the first fault.
///
/// # Safety
/// `part` is not null, and points to a leading size and to as many bytes as it states. Functions that are not null keep the
/// contract of [`InstancesPart`].
pub unsafe fn read_instances(part: *const InstancesPart) -> Result<InstancesTable, AbiError> {
    if !part.is_aligned() {
        let message = "its instances part is a misaligned pointer".to_owned();
        return Err(DescriptionError(message).into());
    }
    // SAFETY: the leading number can be read.
    let size = unsafe { (&raw const (*part).struct_size).read() };
    check_size::<InstancesPart>("instances part", size)?;
    // SAFETY: it is as large as this version has it.
    let part = unsafe { &*part };
    let of_slots =
        |function: Option<SlotFunction>, name| function.ok_or(AbiError::NoFunction(name));
    Ok(InstancesTable {
        make_worker: part.make_worker.ok_or(AbiError::NoFunction("make_worker"))?,
        drop_worker: part.drop_worker.ok_or(AbiError::NoFunction("drop_worker"))?,
        begin: part.begin.ok_or(AbiError::NoFunction("begin"))?,
        observe: of_slots(part.observe, "observe")?,
        advance: of_slots(part.advance, "advance")?,
        terminal_cost: of_slots(part.terminal_cost, "terminal_cost")?,
        states: match (part.state_size, part.get_state, part.set_state) {
            (None, None, None) => None,
            (size, get, set) => Some(StatesTable {
                size: size.ok_or(AbiError::NoFunction("state_size"))?,
                get: get.ok_or(AbiError::NoFunction("get_state"))?,
                set: set.ok_or(AbiError::NoFunction("set_state"))?,
            }),
        },
    })
}
