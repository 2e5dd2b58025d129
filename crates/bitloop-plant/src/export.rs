//! The C descriptor of a plant written in Rust.

#![allow(unsafe_code, reason = "raw pointers of the plant boundary")]

use std::ffi::{CString, c_char};

use crate::answer::{answer, count};
use crate::contract::{
    ABI_VERSION, Batch, CAPABILITY_AVX2, CAPABILITY_AVX512, CAPABILITY_LANE_BY_LANE,
    CAPABILITY_MACHINE_BITS, CAPABILITY_PORTABLE, Descriptor, PlantTable, RawDescription,
    RawParameter, RawStructuralParameter, RawVariable, struct_size_of,
};
use crate::described::described;
use crate::description::{Description, Variable};
use crate::export_picture::optional_part;
use crate::plant::Plant;

/// The descriptor of a plant written in Rust.
#[must_use]
pub const fn descriptor_of<P: Plant>() -> Descriptor {
    let PlantTable { advance, observe, terminal_cost, failure_cost } = PlantTable::of::<P>();
    Descriptor {
        abi_version: ABI_VERSION,
        struct_size: struct_size_of::<Descriptor>(),
        batch_size: struct_size_of::<Batch>(),
        capabilities: capabilities_of::<P>(),
        describe: Some(describe::<P>),
        release_description: Some(release_description),
        optional_part: Some(optional_part::<P>),
        advance: Some(advance),
        observe: Some(observe),
        terminal_cost: Some(terminal_cost),
        failure_cost: Some(failure_cost),
    }
}

/// A text and the 0 that ends it.
///
/// # Panics
/// If `N` is not the length of the text and its 0, which [`export_plant!`](crate::export_plant) makes it.
#[must_use]
pub const fn c_text<const N: usize>(text: &str) -> [u8; N] {
    assert!(text.len() + 1 == N, "one byte more than the text");
    let mut bytes = [0; N];
    let mut index = 0;
    while index < text.len() {
        bytes[index] = text.as_bytes()[index];
        index += 1;
    }
    bytes
}

/// What the SDK compiles a plant for.
pub(crate) const fn capabilities_of<P: Plant>() -> u32 {
    let isa = if cfg!(target_arch = "x86_64") { CAPABILITY_AVX2 | CAPABILITY_AVX512 } else { 0 };
    let lanes = if P::VECTORIZED { 0 } else { CAPABILITY_LANE_BY_LANE };
    let bits = if P::MACHINE_BITS { CAPABILITY_MACHINE_BITS } else { 0 };
    CAPABILITY_PORTABLE | isa | lanes | bits
}

/// A description and what it points to. The part that the host sees comes first, so that its address is that of the whole.
#[repr(C)]
struct Owned {
    raw: RawDescription,
    _texts: Texts,
    _lists: Lists,
}

type Lists = (
    Vec<RawVariable>,
    Vec<RawVariable>,
    Vec<RawVariable>,
    Vec<RawParameter>,
    Vec<RawStructuralParameter>,
    Vec<u32>,
);

unsafe extern "C" fn describe<P: Plant>(
    structure: *const u64,
    n_structure: u32,
    message: *mut c_char,
    message_size: u32,
) -> *const RawDescription {
    // SAFETY: the host lends the buffers for the call.
    let described = unsafe {
        answer((structure, n_structure), (message, message_size), |structure| {
            let described = described::<P>(structure)?;
            Ok(owned(&described.description, described.step_order))
        })
    };
    described.map_or(std::ptr::null(), |owned| Box::into_raw(owned).cast())
}

unsafe extern "C" fn release_description(description: *const RawDescription) {
    if !description.is_null() {
        // SAFETY: it came from `describe`, which made it from a box of `Owned`, and is released once.
        drop(unsafe { Box::from_raw(description.cast_mut().cast::<Owned>()) });
    }
}

/// A description that was checked, as a host reads it.
fn owned(description: &Description, step_order: Option<u32>) -> Box<Owned> {
    let mut texts = Texts::default();
    let states = variables(&mut texts, &description.states);
    let controls = variables(&mut texts, &description.controls);
    let observations = variables(&mut texts, &description.observations);
    let parameters: Vec<_> = description
        .parameters
        .iter()
        .map(|parameter| RawParameter {
            name: texts.add(&parameter.name),
            unit: texts.add(&parameter.unit),
            meaning: texts.add(&parameter.meaning),
            usual: parameter.default,
            min: parameter.min,
            max: parameter.max,
        })
        .collect();
    let structure: Vec<_> = description
        .structure
        .iter()
        .map(|parameter| RawStructuralParameter {
            name: texts.add(&parameter.name),
            meaning: texts.add(&parameter.meaning),
            usual: parameter.default,
            min: parameter.min,
            max: parameter.max,
        })
        .collect();
    let integrators: Vec<_> = description.integrators.iter().map(|i| i.code()).collect();
    let raw = RawDescription {
        struct_size: struct_size_of::<RawDescription>(),
        n_states: count(&states),
        n_controls: count(&controls),
        n_observations: count(&observations),
        n_parameters: count(&parameters),
        n_structure: count(&structure),
        n_integrators: count(&integrators),
        step_order: step_order.unwrap_or(0),
        name: texts.add(&description.name),
        version: texts.add(&description.version),
        summary: texts.add(&description.summary),
        states: states.as_ptr(),
        controls: controls.as_ptr(),
        observations: observations.as_ptr(),
        parameters: parameters.as_ptr(),
        structure: structure.as_ptr(),
        integrators: integrators.as_ptr(),
        step_s: description.step_s,
        sample_time_s: description.sample_time_s,
        scratch_size: 0,
    };
    // The lists keep their addresses when they move into the box.
    Box::new(Owned {
        raw,
        _texts: texts,
        _lists: (states, controls, observations, parameters, structure, integrators),
    })
}

fn variables(texts: &mut Texts, variables: &[Variable]) -> Vec<RawVariable> {
    let raw = |variable: &Variable| RawVariable {
        name: texts.add(&variable.name),
        unit: texts.add(&variable.unit),
        min: variable.min,
        max: variable.max,
        center: variable.center,
        scale: variable.scale,
        start: variable.default,
    };
    variables.iter().map(raw).collect()
}

/// Texts ended by 0, which stay where they are while more are added.
#[derive(Default)]
struct Texts(Vec<CString>);

impl Texts {
    /// Keeps a text that was checked to have no control characters.
    fn add(&mut self, text: &str) -> *const c_char {
        let text = CString::new(text).expect("a 0 is a control character");
        let pointer = text.as_ptr();
        self.0.push(text);
        pointer
    }
}
