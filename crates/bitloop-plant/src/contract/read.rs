//! Reads the descriptor and the description of a library, and checks every pointer, size, text and number.
//!
//! Counts are checked against their limits before the lists that they belong to are read. Whether a pointer that is not
//! null is valid cannot be checked: the contract demands it, which is the reason for `unsafe`.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::ffi::{c_char, c_void};

use super::batch::{Batch, PlantTable};
use super::descriptor::{
    ABI_VERSION, Descriptor, MAX_SCRATCH_BYTES, MAX_STEP_ORDER, RawDescription, RawParameter,
    RawStructuralParameter, RawVariable, struct_size_of,
};
use super::error::AbiError;
use super::instances::INSTANCES_PART;
use super::picture::PICTURE_PART;
use super::read_instances::{InstancesTable, read_instances};
use super::read_picture::{read_part, read_picture};
use crate::codes::MAX_VARIABLES;
use crate::description::{
    Description, DescriptionError, MAX_NAME_BYTES, MAX_TEXT_BYTES, Parameter, Sizes,
    StructuralParameter, Variable,
};
use crate::float_mode::FloatMode;
use crate::integrator::Integrator;
use crate::picture::Picture;

/// The largest structure that is taken for one, in bytes: a later version may have appended fields.
const MAX_STRUCT_BYTES: u32 = 1 << 16;

/// Room for the reason that a plant gives, in bytes.
pub(crate) const MESSAGE_BYTES: usize = 256;

/// A description whose every part was checked.
#[derive(Clone, Debug, PartialEq)]
pub struct Checked {
    /// Names, units, bounds, parameters.
    pub description: Description,
    /// Order of accuracy of the plant's own step, if it gives one.
    pub step_order: Option<u32>,
    /// Bytes of scratch memory for each worker.
    pub scratch_bytes: usize,
}

/// A descriptor whose version, sizes and functions were checked.
#[derive(Clone, Copy, Debug)]
pub struct Header {
    /// The functions of the hot calls.
    pub table: PlantTable,
    /// `CAPABILITY_...`, added up.
    pub capabilities: u32,
    describe: Ask<RawDescription>,
    release: Option<unsafe extern "C" fn(*const RawDescription)>,
    optional_part: Option<unsafe extern "C" fn(*const c_char) -> *const c_void>,
}

/// A function that returns something of the plant with a structure, or null and a message.
type Ask<T> = unsafe extern "C" fn(*const u64, u32, *mut c_char, u32) -> *const T;

/// Checks version and sizes, before anything else is read, and that the functions are there.
///
/// # Errors
/// [`AbiError`] names the first fault.
///
/// # Safety
/// `descriptor` is null or points to the two leading numbers of a descriptor, and to as many bytes as the second one states.
/// Functions that are not null keep the contract of [`Descriptor`].
pub unsafe fn read_header(descriptor: *const Descriptor) -> Result<Header, AbiError> {
    if descriptor.is_null() || !descriptor.is_aligned() {
        return Err(AbiError::NoDescriptor);
    }
    // SAFETY: the two leading numbers can be read; this makes no reference to the whole.
    let (version, struct_size) =
        unsafe { ((&raw const (*descriptor).abi_version).read(), struct_size(descriptor)) };
    if version != ABI_VERSION {
        return Err(AbiError::Version { found: version });
    }
    check_size::<Descriptor>("descriptor", struct_size)?;
    // SAFETY: it is as large as this version has it, and lives as long as the program.
    let descriptor = unsafe { &*descriptor };
    // A plant that knows a larger batch would read beyond ours; no version had a smaller one.
    let batch_size = struct_size_of::<Batch>();
    if descriptor.batch_size != batch_size {
        let found = descriptor.batch_size;
        return Err(AbiError::StructSize { what: "batch", found, expected: batch_size });
    }
    let function = |function: Option<_>, name| function.ok_or(AbiError::NoFunction(name));
    Ok(Header {
        table: PlantTable {
            advance: function(descriptor.advance, "advance")?,
            observe: function(descriptor.observe, "observe")?,
            terminal_cost: function(descriptor.terminal_cost, "terminal_cost")?,
            failure_cost: function(descriptor.failure_cost, "failure_cost")?,
        },
        capabilities: descriptor.capabilities,
        describe: descriptor.describe.ok_or(AbiError::NoFunction("describe"))?,
        release: descriptor.release_description,
        optional_part: descriptor.optional_part,
    })
}

/// # Safety
/// `descriptor` points to the two leading numbers of a descriptor.
unsafe fn struct_size(descriptor: *const Descriptor) -> u32 {
    // SAFETY: promised by the caller.
    unsafe { (&raw const (*descriptor).struct_size).read() }
}

impl Header {
    /// The description of the plant with a structure, or with its default one.
    ///
    /// # Errors
    /// [`AbiError`] if the plant gives no description, or a faulty one.
    pub fn describe(&self, structure: Option<&[u64]>) -> Result<Checked, AbiError> {
        let mode = FloatMode::current();
        // SAFETY: the functions keep the contract of `Descriptor`.
        let asked =
            unsafe { ask(self.describe, self.release, structure, |raw| read_description(raw)) };
        if mode.restore() {
            return Err(fault("`describe` changes the floating-point mode").into());
        }
        match asked {
            Ok(checked) => checked,
            Err(message) => Err(AbiError::NotDescribed(message)),
        }
    }

    /// The picture of the plant with a structure, or with its default one, if it has any.
    ///
    /// # Errors
    /// [`AbiError`] if the plant gives a reason why it has none, or a faulty one.
    pub fn picture(
        &self,
        structure: Option<&[u64]>,
        sizes: Sizes,
    ) -> Result<Option<Picture>, AbiError> {
        let Some(optional_part) = self.optional_part else { return Ok(None) };
        // SAFETY: the text is lent for the call, and the functions keep the contract of `Descriptor`.
        let ask_part = || unsafe {
            let part = optional_part(PICTURE_PART.as_ptr());
            if part.is_null() {
                return Ok(None);
            }
            let part = read_part(part.cast())?;
            let picture = part.picture.ok_or(AbiError::NoFunction("picture"))?;
            let read = |raw| read_picture(raw, sizes);
            Ok(Some(ask(picture, part.release_picture, structure, read)))
        };
        let mode = FloatMode::current();
        let asked: Result<_, AbiError> = ask_part();
        if mode.restore() {
            return Err(fault("its picture changes the floating-point mode").into());
        }
        match asked? {
            Some(Ok(picture)) => picture.map(Some),
            Some(Err(message)) if !message.is_empty() => {
                Err(fault(&format!("its picture: {message}")).into())
            }
            None | Some(Err(_)) => Ok(None),
        }
    }
}

impl Header {
    /// The functions of a plant that owns its state, if it does.
    ///
    /// # Errors
    /// [`AbiError`] if they are faulty, or the plant is run by another integrator than its own step.
    pub fn instances(
        &self,
        integrators: &[Integrator],
    ) -> Result<Option<InstancesTable>, AbiError> {
        let Some(optional_part) = self.optional_part else { return Ok(None) };
        let mode = FloatMode::current();
        // SAFETY: the text is lent for the call, and the function keeps the contract of `Descriptor`.
        let part = unsafe { optional_part(INSTANCES_PART.as_ptr()) };
        if mode.restore() {
            return Err(fault("`optional_part` changes the floating-point mode").into());
        }
        if part.is_null() {
            return Ok(None);
        }
        // SAFETY: what the plant returns for this id is such a part, which stays.
        let table = unsafe { read_instances(part.cast()) }?;
        if integrators != [Integrator::PlantStep] {
            return Err(fault("a plant that owns its state is run by its own step alone").into());
        }
        Ok(Some(table))
    }
}

/// What a function of the plant returns for a structure, as `read` makes it of that; an error is the plant's message, which
/// may be empty.
///
/// # Safety
/// The functions keep the contract of [`Descriptor`]; what `ask` returns can be read by `read` until it is released.
unsafe fn ask<T, U>(
    ask: Ask<T>,
    release: Option<unsafe extern "C" fn(*const T)>,
    structure: Option<&[u64]>,
    read: impl FnOnce(*const T) -> U,
) -> Result<U, String> {
    let mut message = [0_u8; MESSAGE_BYTES];
    let (pointer, n) = structure.map_or((std::ptr::null(), 0), |s| (s.as_ptr(), s.len()));
    // SAFETY: the function is lent the buffers for the call.
    let raw =
        unsafe { ask(pointer, u32_of(n), message.as_mut_ptr().cast(), u32_of(MESSAGE_BYTES)) };
    if raw.is_null() {
        return Err(message_text(&message));
    }
    let read = read(raw);
    if let Some(release) = release {
        // SAFETY: it was returned by `ask`, and is released once.
        unsafe { release(raw) };
    }
    Ok(read)
}

/// A message that a plant wrote: up to the first 0, as far as it is text.
pub(crate) fn message_text(message: &[u8]) -> String {
    let length = message.iter().position(|&byte| byte == 0).unwrap_or(message.len());
    String::from_utf8_lossy(&message[..length]).into_owned()
}

/// Copies a description, with all that it points to, and checks it.
///
/// # Errors
/// [`AbiError`] names the first fault.
///
/// # Safety
/// `raw` is null, or points to a leading size and to as many bytes as it states. A pointer in it that is not null is good for
/// as many values as the count beside it states, if that is within its limit; a text up to its 0, or one byte more than its
/// limit.
pub unsafe fn read_description(raw: *const RawDescription) -> Result<Checked, AbiError> {
    if raw.is_null() || !raw.is_aligned() {
        return Err(fault("it is a null or misaligned pointer").into());
    }
    // SAFETY: the leading number can be read.
    check_size::<RawDescription>("description", unsafe { (&raw const (*raw).struct_size).read() })?;
    // SAFETY: it is as large as this version has it.
    let raw = unsafe { &*raw };
    // SAFETY: the texts and lists are as the caller promises; counts are checked before lists are read.
    let description = unsafe {
        Description {
            name: text(raw.name, MAX_NAME_BYTES, "the plant's name")?,
            version: text(raw.version, MAX_NAME_BYTES, "the plant's version")?,
            summary: text(raw.summary, MAX_TEXT_BYTES, "the plant's summary")?,
            states: list(raw.states, raw.n_states, "states", variable)?,
            controls: list(raw.controls, raw.n_controls, "controls", variable)?,
            observations: list(raw.observations, raw.n_observations, "observations", variable)?,
            parameters: list(raw.parameters, raw.n_parameters, "parameters", parameter)?,
            structure: list(raw.structure, raw.n_structure, "structure", structural_parameter)?,
            integrators: list(raw.integrators, raw.n_integrators, "integrators", integrator)?,
            step_s: raw.step_s,
            sample_time_s: raw.sample_time_s,
        }
    };
    description.check()?;
    if raw.step_order > MAX_STEP_ORDER {
        let message =
            format!("`step_order` is {}: at most {MAX_STEP_ORDER} is allowed", raw.step_order);
        return Err(DescriptionError(message).into());
    }
    let scratch_bytes = usize::try_from(raw.scratch_size)
        .ok()
        .filter(|&bytes| bytes <= MAX_SCRATCH_BYTES)
        .ok_or_else(|| {
            DescriptionError(format!(
                "`scratch_size` is {}: at most {MAX_SCRATCH_BYTES} bytes are allowed",
                raw.scratch_size
            ))
        })?;
    Ok(Checked {
        description,
        step_order: Some(raw.step_order).filter(|&order| order > 0),
        scratch_bytes,
    })
}

pub(super) fn check_size<T>(what: &'static str, found: u32) -> Result<(), AbiError> {
    let expected = struct_size_of::<T>();
    if (expected..=MAX_STRUCT_BYTES).contains(&found) {
        return Ok(());
    }
    Err(AbiError::StructSize { what, found, expected })
}

/// Sizes of structures and limited lists, far below 2^32.
pub(crate) fn u32_of(size: usize) -> u32 {
    u32::try_from(size).expect("sizes are limited at the edge")
}

fn fault(message: &str) -> DescriptionError {
    DescriptionError(message.to_owned())
}

/// The text at `pointer`.
///
/// # Safety
/// `pointer` is null, or good for reading up to a 0, or `limit + 1` bytes.
pub(super) unsafe fn text(
    pointer: *const c_char,
    limit: usize,
    what: &str,
) -> Result<String, DescriptionError> {
    if pointer.is_null() {
        return Err(DescriptionError(format!("{what} is a null pointer")));
    }
    let mut bytes = Vec::new();
    loop {
        // SAFETY: no 0 was met before this byte, and it is at most the one after the limit.
        let byte = unsafe { pointer.add(bytes.len()).cast::<u8>().read() };
        if byte == 0 {
            break;
        }
        if bytes.len() == limit {
            return Err(DescriptionError(format!("{what} is longer than {limit} bytes")));
        }
        bytes.push(byte);
    }
    String::from_utf8(bytes).map_err(|_| DescriptionError(format!("{what} is not UTF-8 text")))
}

/// The values at `pointer`, each read by `read`.
///
/// # Safety
/// `pointer` is null, or good for reading `n` values if that is at most [`MAX_VARIABLES`]; each is good for `read`.
pub(super) unsafe fn list<T, U>(
    pointer: *const T,
    n: u32,
    what: &str,
    read: unsafe fn(&T, &str) -> Result<U, DescriptionError>,
) -> Result<Vec<U>, DescriptionError> {
    let n = n as usize;
    if n > MAX_VARIABLES {
        return Err(DescriptionError(format!(
            "it has {n} {what}: at most {MAX_VARIABLES} are allowed"
        )));
    }
    if n == 0 {
        return Ok(Vec::new());
    }
    if pointer.is_null() || !pointer.is_aligned() {
        let message = format!("its list of {n} {what} is a null or misaligned pointer");
        return Err(DescriptionError(message));
    }
    // SAFETY: promised by the caller for this many.
    let values = unsafe { std::slice::from_raw_parts(pointer, n) };
    let named = |(index, value)| {
        // SAFETY: promised by the caller.
        unsafe { read(value, &format!("{what}[{index}]")) }
    };
    values.iter().enumerate().map(named).collect()
}

/// # Safety
/// The texts are as [`text`] needs them.
unsafe fn variable(raw: &RawVariable, place: &str) -> Result<Variable, DescriptionError> {
    let &RawVariable { name, unit, min, max, center, scale, start } = raw;
    // SAFETY: promised by the caller.
    let (name, unit) = unsafe {
        (
            text(name, MAX_NAME_BYTES, &format!("the name of {place}"))?,
            text(unit, MAX_NAME_BYTES, &format!("the unit of {place}"))?,
        )
    };
    Ok(Variable { name, unit, min, max, center, scale, default: start })
}

/// # Safety
/// The texts are as [`text`] needs them.
unsafe fn parameter(raw: &RawParameter, place: &str) -> Result<Parameter, DescriptionError> {
    let &RawParameter { name, unit, meaning, usual, min, max } = raw;
    // SAFETY: promised by the caller.
    let (name, unit, meaning) = unsafe {
        (
            text(name, MAX_NAME_BYTES, &format!("the name of {place}"))?,
            text(unit, MAX_NAME_BYTES, &format!("the unit of {place}"))?,
            text(meaning, MAX_TEXT_BYTES, &format!("the meaning of {place}"))?,
        )
    };
    Ok(Parameter { name, unit, meaning, default: usual, min, max })
}

/// # Safety
/// The texts are as [`text`] needs them.
unsafe fn structural_parameter(
    raw: &RawStructuralParameter,
    place: &str,
) -> Result<StructuralParameter, DescriptionError> {
    let &RawStructuralParameter { name, meaning, usual, min, max } = raw;
    // SAFETY: promised by the caller.
    let (name, meaning) = unsafe {
        (
            text(name, MAX_NAME_BYTES, &format!("the name of {place}"))?,
            text(meaning, MAX_TEXT_BYTES, &format!("the meaning of {place}"))?,
        )
    };
    Ok(StructuralParameter { name, meaning, default: usual, min, max })
}

/// # Safety
/// None is needed.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "the signature is that of the other readers")]
unsafe fn integrator(code: &u32, place: &str) -> Result<Integrator, DescriptionError> {
    Integrator::from_code(*code)
        .ok_or_else(|| DescriptionError(format!("{place} is {code}, which is no integrator")))
}
