//! The functions through which a host calls a plant: the batch shape of the C ABI, and the Rust entries behind it.
//!
//! A linked-in plant and a plant from a library are called through the same [`PlantTable`]. The entries are ordinary
//! generic functions; they catch panics, which become a status with a message.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::any::Any;
use std::ffi::{c_char, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::abi::MathTable;
use crate::blocks::LANE_STEP;
use crate::dispatch::dispatch;
use crate::integrator::Integrator;
use crate::isa::Isa;
use crate::kernels::{Advance, EndLanes, FailureCost, Observe, TerminalCost};
use crate::lane_matrix::LANE_UNIT;
use crate::plant::Plant;

/// The most states, controls, observations or parameters that a plant of the SDK may have, each.
pub const MAX_VARIABLES: usize = 256;

/// Status: the call went well.
pub const STATUS_OK: i32 = 0;
/// Status: the arguments do not fit the plant: an unknown integrator, a wrong size.
pub const STATUS_BAD_CALL: i32 = 1;
/// Status: the plant broke, a Rust one by a panic; the reason is in `BitloopBatch.message`.
pub const STATUS_PANIC: i32 = 2;

/// Integrator: `x += h f(t, x, u)`.
pub const INTEGRATOR_EULER: u32 = 0;
/// Integrator: rates first, then positions with the new rates.
pub const INTEGRATOR_SEMI_IMPLICIT_EULER: u32 = 1;
/// Integrator: the classical method of fourth order.
pub const INTEGRATOR_RUNGE_KUTTA_4: u32 = 2;
/// Integrator: the plant's own discrete step.
pub const INTEGRATOR_PLANT_STEP: u32 = 3;

/// The arguments of every hot call, on a batch of lanes.
///
/// Matrices are row after row, `stride` numbers a row, rows aligned to 64 bytes; lanes `0..n_lanes` are computed, those
/// after them left alone; `stride` is a multiple of 8 and `n_lanes` of 4. The host owns every buffer, and lends it for the
/// call alone. Padding lanes hold copies of a real lane. A pointer that a function is not said to use may be null.
#[derive(Debug)]
#[repr(C)]
pub struct Batch {
    /// `sizeof(BitloopBatch)` as the host knows it.
    pub struct_size: u32,
    /// The instruction set that the host runs with: 0 portable, 1 AVX2 with FMA, 2 AVX-512 (F, DQ, VL).
    pub isa: u32,
    /// Lanes to compute.
    pub n_lanes: u32,
    /// Numbers from one row to the next.
    pub stride: u32,
    /// Structural parameters, `[n_structure]`.
    pub structure: *const u64,
    /// How many structural parameters there are.
    pub n_structure: u32,
    /// How many integration steps `advance` takes.
    pub n_steps: u32,
    /// p: `[n_parameters][stride]`, read by all.
    pub parameters: *const f64,
    /// x: `[n_states][stride]`, read by all, written by `advance`.
    pub state: *mut f64,
    /// u: `[n_controls][stride]`, constant over the call, read by `advance`.
    pub control: *const f64,
    /// y: `[n_observations][stride]`, written by `observe`.
    pub observation: *mut f64,
    /// `[stride]`. `advance` adds the stage cost after each step, in order of time, where `counts_cost` is not 0.
    pub cost: *mut f64,
    /// `[stride]`, zeros at the call of `advance`: for a lane that ended, the number of the step (1 to `n_steps`) after which
    /// it was in the failure set, or its stage cost was negative or NaN. Such a lane keeps the state of that moment, and
    /// neither that step's stage cost nor a later one is added to `cost`.
    pub end_step: *mut u32,
    /// `[stride]`. `advance` writes the stage cost at that moment, for a lane that ended; `terminal_cost` and
    /// `failure_cost` write theirs, for every lane.
    pub end_cost: *mut f64,
    /// Scratch memory of this worker, as large as the plant asked for, aligned to 64 bytes; null where it asked for none.
    /// Its contents are undefined at each call.
    pub scratch: *mut c_void,
    /// Room for a message, UTF-8 ended by 0, written when the status is not 0.
    pub message: *mut c_char,
    /// Elementary functions of the host, compiled for `isa`; they stay as long as the program runs.
    pub math: *const MathTable,
    /// Integration steps since the start of the episode: time is `tick * step_s`.
    pub tick: u64,
    /// The integration step in seconds.
    pub step_s: f64,
    /// Bytes of room at `message`.
    pub message_size: u32,
    /// The integration method, `BITLOOP_INTEGRATOR_...`.
    pub integrator: u32,
    /// Whether stage costs are added to `cost`: 0 or 1.
    pub counts_cost: u32,
    /// 0.
    pub reserved: u32,
}

/// A function of a plant: a pure function of the batch, called from any thread. It returns a status.
pub type BatchFunction = unsafe extern "C" fn(*mut Batch) -> i32;

/// The functions of a plant.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct PlantTable {
    /// Advances the state by `n_steps` integration steps, `u` held.
    pub advance: BatchFunction,
    /// Writes the observation of the state.
    pub observe: BatchFunction,
    /// Writes the terminal cost of the state.
    pub terminal_cost: BatchFunction,
    /// Writes the failure cost of the parameters.
    pub failure_cost: BatchFunction,
}

impl PlantTable {
    /// The table of a plant that is in another process.
    pub(crate) const ELSEWHERE: Self =
        Self { advance: refuse, observe: refuse, terminal_cost: refuse, failure_cost: leave_zeros };

    /// The table of a plant written in Rust.
    #[must_use]
    pub const fn of<P: Plant>() -> Self {
        Self {
            advance: advance::<P>,
            observe: observe::<P>,
            terminal_cost: terminal_cost::<P>,
            failure_cost: failure_cost::<P>,
        }
    }
}

/// A batch as slices, for the kernels; fields are those of [`Batch`].
#[expect(clippy::struct_field_names, reason = "named as in `Batch`")]
pub(crate) struct Lanes<'a> {
    pub n_lanes: usize,
    pub stride: usize,
    pub parameters: &'a [f64],
    pub state: &'a mut [f64],
    pub control: &'a [f64],
    pub observation: &'a mut [f64],
    pub cost: &'a mut [f64],
    pub end_step: &'a mut [u32],
    pub end_cost: &'a mut [f64],
    pub tick: u64,
    pub n_steps: u32,
    pub step_s: f64,
    pub counts_cost: bool,
}

/// Runs `call` with the plant and the slices of the batch, turning panics and misfits into a status.
///
/// # Safety
/// `batch` points to a batch whose buffers are as [`Batch`] tells, for this plant.
unsafe fn guarded<P: Plant>(
    batch: *mut Batch,
    call: impl FnOnce(&P, Isa, Option<Integrator>, &mut Lanes<'_>) -> i32,
) -> i32 {
    // SAFETY: the caller lends a valid batch for this call alone.
    let batch = unsafe { &mut *batch };
    let work = || {
        // SAFETY: the host tells how many structural parameters it passes.
        let structure = unsafe { slice(batch.structure, batch.n_structure as usize) };
        let plant = P::with_structure(structure);
        let sizes = plant.sizes();
        let (n_lanes, stride) = (batch.n_lanes as usize, batch.stride as usize);
        let isa = Isa::from_code(batch.isa);
        let fits = batch.struct_size as usize >= size_of::<Batch>()
            && n_lanes <= stride
            && n_lanes.is_multiple_of(LANE_STEP)
            && stride.is_multiple_of(LANE_UNIT);
        let Some(isa) = isa.filter(|_| fits) else {
            return STATUS_BAD_CALL;
        };
        // SAFETY: every buffer that is not null has the size that `Batch` tells; they do not overlap.
        let mut lanes = unsafe {
            Lanes {
                n_lanes,
                stride,
                parameters: slice(batch.parameters, sizes.n_parameters * stride),
                state: slice_mut(batch.state, sizes.n_states * stride),
                control: slice(batch.control, sizes.n_controls * stride),
                observation: slice_mut(batch.observation, sizes.n_observations * stride),
                cost: slice_mut(batch.cost, stride),
                end_step: slice_mut(batch.end_step, stride),
                end_cost: slice_mut(batch.end_cost, stride),
                tick: batch.tick,
                n_steps: batch.n_steps,
                step_s: batch.step_s,
                counts_cost: batch.counts_cost != 0,
            }
        };
        call(&plant, isa, Integrator::from_code(batch.integrator), &mut lanes)
    };
    match catch_unwind(AssertUnwindSafe(work)) {
        Ok(status) => status,
        Err(panic) => {
            let text = panic_text(&*panic);
            // SAFETY: the host lends `message_size` bytes at `message`.
            write_message(
                unsafe { slice_mut(batch.message.cast(), batch.message_size as usize) },
                text,
            );
            STATUS_PANIC
        }
    }
}

/// What a panic says.
pub(crate) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("a panic without a message")
}

/// Writes as much of `text` as fits, on a character boundary, and a 0.
pub(crate) fn write_message(room: &mut [u8], text: &str) {
    let Some(capacity) = room.len().checked_sub(1) else { return };
    let end = (0..=capacity.min(text.len())).rev().find(|&end| text.is_char_boundary(end));
    let text = &text.as_bytes()[..end.unwrap_or(0)];
    room[..text.len()].copy_from_slice(text);
    room[text.len()] = 0;
}

/// The slice at `pointer`, empty where that is null.
///
/// # Safety
/// A pointer that is not null is good for reading `len` values while the slice lives.
pub(crate) unsafe fn slice<'a, T>(pointer: *const T, len: usize) -> &'a [T] {
    if pointer.is_null() {
        return &[];
    }
    // SAFETY: promised by the caller.
    unsafe { std::slice::from_raw_parts(pointer, len) }
}

/// The slice at `pointer`, empty where that is null.
///
/// # Safety
/// A pointer that is not null is good for reading and writing `len` values, by nobody else, while the slice lives.
pub(crate) unsafe fn slice_mut<'a, T>(pointer: *mut T, len: usize) -> &'a mut [T] {
    if pointer.is_null() {
        return &mut [];
    }
    // SAFETY: promised by the caller.
    unsafe { std::slice::from_raw_parts_mut(pointer, len) }
}

unsafe extern "C" fn refuse(_batch: *mut Batch) -> i32 {
    STATUS_BAD_CALL
}

/// The host's buffers begin as zeros.
unsafe extern "C" fn leave_zeros(_batch: *mut Batch) -> i32 {
    STATUS_OK
}

unsafe extern "C" fn advance<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, integrator, lanes| {
            let compiled = integrator.filter(|integrator| integrator.is_in(P::INTEGRATORS));
            let Some(integrator) = compiled else { return STATUS_BAD_CALL };
            let mut first_lane = 0;
            // The hot kernel knows nothing of lanes that end: it stops at a block with one, and a second kernel,
            // which masks them, takes that block to the end of the call.
            while let Some(block) = dispatch(isa, Advance { plant, integrator, lanes, first_lane })
            {
                dispatch(isa, EndLanes { plant, integrator, lanes, block });
                first_lane = block.first_lane + block.n_lanes;
            }
            STATUS_OK
        })
    }
}

unsafe extern "C" fn observe<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, _, lanes| {
            dispatch(isa, Observe { plant, lanes });
            STATUS_OK
        })
    }
}

unsafe extern "C" fn terminal_cost<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, _, lanes| {
            dispatch(isa, TerminalCost { plant, lanes });
            STATUS_OK
        })
    }
}

unsafe extern "C" fn failure_cost<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, _, lanes| {
            dispatch(isa, FailureCost { plant, lanes });
            STATUS_OK
        })
    }
}
