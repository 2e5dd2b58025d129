//! The optional part [`INSTANCES_PART`]: a plant that owns its state.
//!
//! Comments become those of the C header, so they are written for authors of plants in either language.

use std::ffi::{CStr, c_char, c_void};

use super::batch::Batch;

/// The id of the optional part that is a `BitloopInstancesPart`.
pub const INSTANCES_PART: &CStr = c"bitloop.instances.1";

/// The largest state of a slot, in bytes.
pub const MAX_SLOT_BYTES: usize = 1 << 26;

/// The optional part "bitloop.instances.1", which stays as long as the program runs: a plant that owns its state, such as a
/// simulator with a solver of its own.
///
/// A host then calls these functions, and never `advance`, `observe` and `terminal_cost` of the descriptor, which answer
/// `BITLOOP_STATUS_BAD_CALL`, so that a host that does not know this part says so. Its only integrator is
/// `BITLOOP_INTEGRATOR_PLANT_STEP`.
///
/// A worker has a number of slots, with an episode in each. One thread at a time calls a worker, not always the same one;
/// several workers are called at once, and must not share anything that is written. An episode stays in its slot; a slot
/// whose episode ended, or was dropped, begins another one. Slots that a call does not name are left alone. The same calls
/// from `begin` on give the same answers, whatever was in the slot before, in whichever slot, and in any company.
///
/// A call has `batch->n_lanes` lanes, any number from 1 on, without padding. Lane i is that of slot `slots[i]`, no two of
/// which are alike. The buffers of the batch are those of `advance`, `observe` and `terminal_cost` of the descriptor. The
/// numbers in `state` are what the plant shows of its state: a copy, which nothing but the host's records reads. After a
/// status other than `BITLOOP_STATUS_OK` the worker is dropped.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct InstancesPart {
    /// `sizeof(BitloopInstancesPart)`.
    pub struct_size: u32,
    /// 0.
    pub reserved: u32,
    /// Makes a worker with slots 0 to `n_slots - 1` for the plant with these structural parameters; `structure:
    /// [n_structure]` is lent for the call. Returns null if it cannot, with the reason in `message`, `message_size` bytes of
    /// room for UTF-8 ended by 0.
    pub make_worker: Option<
        unsafe extern "C" fn(
            structure: *const u64,
            n_structure: u32,
            n_slots: u32,
            message: *mut c_char,
            message_size: u32,
        ) -> *mut c_void,
    >,
    /// Drops a worker, once, after its last call.
    pub drop_worker: Option<unsafe extern "C" fn(worker: *mut c_void)>,
    /// Begins an episode in each slot of the call, at time 0, from the values in `state` and `parameters`, and writes the
    /// state that it begins with to `state`. `seeds: [n_lanes]`, one for each episode, are all that chance may depend on.
    pub begin: Option<
        unsafe extern "C" fn(
            worker: *mut c_void,
            slots: *const u32,
            seeds: *const u64,
            batch: *mut Batch,
        ) -> i32,
    >,
    /// Writes the observations at time `tick * step_s`.
    pub observe: Option<
        unsafe extern "C" fn(worker: *mut c_void, slots: *const u32, batch: *mut Batch) -> i32,
    >,
    /// Advances by `n_steps` steps of `step_s` under `control`, writes the state, and takes costs and ends as `advance` of
    /// the descriptor does.
    pub advance: Option<
        unsafe extern "C" fn(worker: *mut c_void, slots: *const u32, batch: *mut Batch) -> i32,
    >,
    /// Writes to `end_cost` the cost of ending here, 0 or more.
    pub terminal_cost: Option<
        unsafe extern "C" fn(worker: *mut c_void, slots: *const u32, batch: *mut Batch) -> i32,
    >,
    /// Bytes of the state of a slot, at most `BITLOOP_MAX_SLOT_BYTES`, the same for all slots of the worker and as long as it
    /// lives. Null where states cannot be had; then the next two are null, too.
    pub state_size: Option<unsafe extern "C" fn(worker: *mut c_void) -> u64>,
    /// Writes all that the rest of a slot's episode depends on, `state_size` bytes without pointers. Returns a status.
    pub get_state:
        Option<unsafe extern "C" fn(worker: *mut c_void, slot: u32, state: *mut c_void) -> i32>,
    /// Puts a slot into such a state, of any worker of this process with the same structural parameters, whatever was in it
    /// before. Returns a status.
    pub set_state:
        Option<unsafe extern "C" fn(worker: *mut c_void, slot: u32, state: *const c_void) -> i32>,
}
