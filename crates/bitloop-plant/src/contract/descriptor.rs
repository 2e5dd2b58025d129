//! The static [`Descriptor`] that a library returns, and the description that its functions return.
//!
//! Comments become those of the C header, so they are written for authors of plants in either language.

use std::ffi::{c_char, c_void};

use super::batch::Batch;

/// The version of this contract. A host refuses a plant of another version.
pub const ABI_VERSION: u32 = 1;

/// The symbol that a library exports: `const BitloopDescriptor *bitloop_plant_v1(void)`.
pub const SYMBOL: &str = "bitloop_plant_v1";

/// The symbol of a text ended by 0, the plant's name, which a library may export beside [`SYMBOL`]: a host reads it from the
/// file, and so finds the library by name without running its code.
pub const NAME_SYMBOL: &str = "bitloop_plant_name_v1";

/// Capability: the plant runs on any processor of its architecture. Set by every plant.
pub const CAPABILITY_PORTABLE: u32 = 1;
/// Capability: the plant has code for AVX2 with FMA, used where `BitloopBatch.isa` is 1.
pub const CAPABILITY_AVX2: u32 = 2;
/// Capability: the plant has code for AVX-512, used where `BitloopBatch.isa` is 2.
pub const CAPABILITY_AVX512: u32 = 4;
/// Capability: lanes are computed one after the other, in plain scalar code.
pub const CAPABILITY_LANE_BY_LANE: u32 = 8;
/// Capability: the bits of the plant hold on one machine alone, since it calls mathematical functions of the system, has threads
/// of its own, or the like. Programs then promise the same results on that machine, and nowhere else.
pub const CAPABILITY_MACHINE_BITS: u32 = 16;

/// The most scratch memory that a plant may ask for, in bytes.
pub const MAX_SCRATCH_BYTES: usize = 1 << 26;

/// The highest order that a plant may declare for its own step.
pub const MAX_STEP_ORDER: u32 = 16;

/// A state, a control input, or an observation.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawVariable {
    /// Unique among the variables of its kind; at most `BITLOOP_MAX_NAME_BYTES`.
    pub name: *const c_char,
    /// As printed, such as "rad/s"; "" where there is none.
    pub unit: *const c_char,
    /// The least legal value, perhaps -INFINITY. A control is saturated here.
    pub min: f64,
    /// The greatest legal value, perhaps INFINITY. A control is saturated here.
    pub max: f64,
    /// The value that a controller sees as 0.
    pub center: f64,
    /// The distance from `center` that a controller sees as 1; positive.
    pub scale: f64,
    /// The value of a state at the start of an episode, unless a scenario says otherwise.
    /// It is read of states alone; controls and observations have any number here, such as 0.
    pub start: f64,
}

/// A number that the equations use, which an episode may draw anew.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawParameter {
    /// Unique among the parameters; at most `BITLOOP_MAX_NAME_BYTES`.
    pub name: *const c_char,
    /// As printed, such as "kg"; "" where there is none.
    pub unit: *const c_char,
    /// What the parameter is; at most `BITLOOP_MAX_TEXT_BYTES`.
    pub meaning: *const c_char,
    /// Its value unless a scenario says otherwise.
    pub usual: f64,
    /// The least legal value, perhaps -INFINITY.
    pub min: f64,
    /// The greatest legal value, perhaps INFINITY.
    pub max: f64,
}

/// A whole number that decides the sizes of a plant, such as the number of links of a chain.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawStructuralParameter {
    /// Unique among the structural parameters; at most `BITLOOP_MAX_NAME_BYTES`.
    pub name: *const c_char,
    /// What the number counts; at most `BITLOOP_MAX_TEXT_BYTES`.
    pub meaning: *const c_char,
    /// Its value unless a scenario says otherwise.
    pub usual: u64,
    /// The least legal value.
    pub min: u64,
    /// The greatest legal value.
    pub max: u64,
}

/// The description of a plant. Texts are UTF-8, ended by 0, without control characters.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct RawDescription {
    /// `sizeof(BitloopDescription)`.
    pub struct_size: u32,
    /// Length of the state vector x, from 1 to `BITLOOP_MAX_VARIABLES`.
    pub n_states: u32,
    /// Length of the control vector u, from 1 to `BITLOOP_MAX_VARIABLES`.
    pub n_controls: u32,
    /// Length of the observation vector y, from 1 to `BITLOOP_MAX_VARIABLES`.
    pub n_observations: u32,
    /// Length of the parameter vector p, at most `BITLOOP_MAX_VARIABLES`.
    pub n_parameters: u32,
    /// Number of structural parameters, at most `BITLOOP_MAX_VARIABLES`; the same for every structure.
    pub n_structure: u32,
    /// Number of integrators that the plant can be run with, at least 1.
    pub n_integrators: u32,
    /// Order of accuracy of the plant's own step (`BITLOOP_INTEGRATOR_PLANT_STEP`), which a checker measures; 0 if it is
    /// unknown.
    pub step_order: u32,
    /// How scenarios name the plant: lower-case words joined by hyphens; at most `BITLOOP_MAX_NAME_BYTES`.
    pub name: *const c_char,
    /// Of the plant's equations; a change that moves bits changes it.
    pub version: *const c_char,
    /// One sentence, at most `BITLOOP_MAX_TEXT_BYTES`.
    pub summary: *const c_char,
    /// `[n_states]`, in the order of the state vector.
    pub states: *const RawVariable,
    /// `[n_controls]`, in the order of the control vector.
    pub controls: *const RawVariable,
    /// `[n_observations]`, in the order of the observation vector.
    pub observations: *const RawVariable,
    /// `[n_parameters]`, in the order of the parameter vector.
    pub parameters: *const RawParameter,
    /// `[n_structure]`, in the order of `BitloopBatch.structure`.
    pub structure: *const RawStructuralParameter,
    /// `[n_integrators]`, codes `BITLOOP_INTEGRATOR_...`; the first is the default.
    pub integrators: *const u32,
    /// The integration step unless a scenario says otherwise, in seconds.
    pub step_s: f64,
    /// The control period unless a scenario says otherwise, in seconds: a multiple of `step_s`.
    pub sample_time_s: f64,
    /// Bytes of scratch memory that each worker lends with each call, at most `BITLOOP_MAX_SCRATCH_BYTES`.
    pub scratch_size: u64,
}

/// What the exported symbol returns: a constant that stays where it is as long as the program runs.
///
/// The host reads `abi_version` and `struct_size` before anything else. Each function may be called from any thread, and
/// by several at once; none may keep a pointer that it was lent, change the floating-point mode or the locale, or let an
/// exception or a panic pass.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Descriptor {
    /// `BITLOOP_ABI_VERSION`.
    pub abi_version: u32,
    /// `sizeof(BitloopDescriptor)`.
    pub struct_size: u32,
    /// `sizeof(BitloopBatch)`: the host's batches are at least as large.
    pub batch_size: u32,
    /// `BITLOOP_CAPABILITY_...`, added up. The host ignores those that it does not know.
    pub capabilities: u32,
    /// Describes the plant with these structural parameters, or its usual ones where `structure` is null.
    ///
    /// Called before any function below, and never by the hot loop. `structure: [n_structure]` is lent for the call.
    /// Returns a description that the plant owns, and that stays as it is until `release_description`; or null if it
    /// cannot be had, with the reason in `message`, `message_size` bytes of room for UTF-8 ended by 0. It may allocate.
    pub describe: Option<
        unsafe extern "C" fn(
            structure: *const u64,
            n_structure: u32,
            message: *mut c_char,
            message_size: u32,
        ) -> *const RawDescription,
    >,
    /// Takes back a description, once for each that `describe` returned. May be null where there is nothing to free.
    pub release_description: Option<unsafe extern "C" fn(description: *const RawDescription)>,
    /// Gives an optional part of this contract by its id, a text ended by 0, or null for one that the plant does not
    /// have; what is returned stays as long as the program runs. Ids are "bitloop.picture.1", for a `BitloopPicturePart`,
    /// and "bitloop.instances.1", for a `BitloopInstancesPart`. May be null.
    pub optional_part: Option<unsafe extern "C" fn(id: *const c_char) -> *const c_void>,
    /// Advances each lane by `n_steps` integration steps of `step_s` seconds, `control` held.
    ///
    /// After each step, at time `(tick + steps done) * step_s`, the stage cost is taken. A lane in the failure set, or with
    /// a stage cost that is negative or NaN, ends: see `BitloopBatch.end_step`. Otherwise its cost is added to `cost` where
    /// `counts_cost` is not 0.
    ///
    /// This is the hot call: a pure function of the batch. The host owns every buffer, and lends it for the call alone. It
    /// must not allocate, lock, or do input and output. Returns `BITLOOP_STATUS_...`, with a reason in
    /// `BitloopBatch.message` where that is not `BITLOOP_STATUS_OK`.
    pub advance: Option<unsafe extern "C" fn(batch: *mut Batch) -> i32>,
    /// Writes the observation of each lane's state at time `tick * step_s`. Rules as for `advance`.
    pub observe: Option<unsafe extern "C" fn(batch: *mut Batch) -> i32>,
    /// Writes to `end_cost` each lane's cost of ending at its state, 0 or more. Rules as for `advance`.
    pub terminal_cost: Option<unsafe extern "C" fn(batch: *mut Batch) -> i32>,
    /// Writes to `end_cost` what each lane is charged, per step, from a failure to the end of the horizon, 0 or more: a
    /// function of the parameters alone. Rules as for `advance`.
    pub failure_cost: Option<unsafe extern "C" fn(batch: *mut Batch) -> i32>,
}

/// `sizeof` as the structures of this contract carry it.
#[expect(clippy::cast_possible_truncation, reason = "some hundred bytes")]
pub(crate) const fn struct_size_of<T>() -> u32 {
    size_of::<T>() as u32
}
