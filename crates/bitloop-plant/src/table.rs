//! The Rust entries behind a [`PlantTable`].
//!
//! A linked-in plant and a plant from a library are called through the same table. The entries are ordinary generic
//! functions; they catch panics, which become a status with a message.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::blocks::LANE_STEP;
use crate::codes::{STATUS_BAD_CALL, STATUS_OK, STATUS_PANIC};
use crate::contract::{Batch, PlantTable};
use crate::dispatch::dispatch;
use crate::integrator::Integrator;
use crate::isa::Isa;
use crate::kernels::{FailureCost, Lanes, LanesSource, Observe, TerminalCost, advance_lanes};
use crate::lane_matrix::LANE_UNIT;
use crate::plant::Plant;

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

/// A batch for a plant of these sizes, as it was lent.
struct BatchLanes<'a, P> {
    batch: &'a mut Batch,
    plant: &'a P,
}

impl<'a, P: Plant> BatchLanes<'a, P> {
    /// # Safety
    /// The buffers are as [`Batch`] states, for this plant, and lent as long as `batch` is.
    unsafe fn new(batch: &'a mut Batch, plant: &'a P) -> Self {
        Self { batch, plant }
    }
}

impl<P: Plant> LanesSource for BatchLanes<'_, P> {
    #[inline(always)]
    fn lanes(&mut self) -> Lanes<'_> {
        let Self { batch, plant } = self;
        let (sizes, stride) = (plant.sizes(), batch.stride as usize);
        // SAFETY: promised at `new`: every buffer that is not null has the size that `Batch` states; they do not overlap.
        unsafe {
            Lanes {
                n_lanes: batch.n_lanes as usize,
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
        }
    }
}

/// Runs `call` with the plant and the batch, turning panics and misfits into a status.
///
/// # Safety
/// `batch` points to a batch whose buffers are as [`Batch`] states, for this plant.
#[inline(always)]
unsafe fn guarded<P: Plant>(
    batch: *mut Batch,
    call: impl FnOnce(&P, Isa, &mut BatchLanes<'_, P>) -> i32,
) -> i32 {
    // SAFETY: the caller lends a valid batch for this call alone.
    let batch = unsafe { &mut *batch };
    let work = || {
        // SAFETY: the host says how many structural parameters it passes.
        let structure = unsafe { slice(batch.structure, batch.n_structure as usize) };
        let plant = P::with_structure(structure);
        let (n_lanes, stride) = (batch.n_lanes as usize, batch.stride as usize);
        let isa = Isa::from_code(batch.isa);
        let fits = batch.struct_size as usize >= size_of::<Batch>()
            && n_lanes <= stride
            && n_lanes.is_multiple_of(LANE_STEP)
            && stride.is_multiple_of(LANE_UNIT);
        let Some(isa) = isa.filter(|_| fits) else {
            return STATUS_BAD_CALL;
        };
        // SAFETY: promised by the caller.
        let mut lanes = unsafe { BatchLanes::new(batch, &plant) };
        call(&plant, isa, &mut lanes)
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
        guarded::<P>(batch, |plant, isa, lanes| {
            let integrator = Integrator::from_code(lanes.batch.integrator);
            let compiled = integrator.filter(|integrator| integrator.is_in(P::INTEGRATORS));
            let Some(integrator) = compiled else { return STATUS_BAD_CALL };
            advance_lanes(plant, isa, integrator, lanes);
            STATUS_OK
        })
    }
}

unsafe extern "C" fn observe<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, lanes| {
            dispatch(isa, Observe { plant, lanes });
            STATUS_OK
        })
    }
}

unsafe extern "C" fn terminal_cost<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, lanes| {
            dispatch(isa, TerminalCost { plant, lanes });
            STATUS_OK
        })
    }
}

unsafe extern "C" fn failure_cost<P: Plant>(batch: *mut Batch) -> i32 {
    // SAFETY: the caller of the table keeps the contract of `Batch`.
    unsafe {
        guarded::<P>(batch, |plant, isa, lanes| {
            dispatch(isa, FailureCost { plant, lanes });
            STATUS_OK
        })
    }
}
