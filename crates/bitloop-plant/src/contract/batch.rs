//! [`Batch`] and [`PlantTable`]: the arguments and the functions of the hot calls.
//!
//! Comments become those of the C header, so they are written for authors of plants in either language.

use std::ffi::{c_char, c_void};

use super::math_table::MathTable;

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
