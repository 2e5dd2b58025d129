//! Takes a trained controller or model out of bitloop, as source code or a file for other tools.
//!
//! [`Portable`] describes a controller or a model without bitloop's file formats: a network with its integer weights, and
//! what its inputs and outputs mean. All targets depend on it alone; `saved.rs` is the one module that knows how bitloop
//! saves. An [`Export`] is a set of files with test vectors and a self-test. [`Fixed`] is the arithmetic of the targets in
//! fixed point, as a controller that can be replayed. [`Reference`] is the arithmetic of the exact targets.
//!
//! Owns: the text of each target, fixed point, test vectors. Must not know: how anything was trained, and which compilers
//! there are; it prints nothing and runs no other program. What is promised of bits differs between targets, and is in
//! [`Target`].

#![forbid(unsafe_code)]

mod c;
mod error;
mod files;
mod fixed;
mod fmu;
mod head;
mod import;
mod names;
mod network_text;
mod onnx;
mod portable;
mod python;
mod reference;
mod reserved;
mod rust;
mod saved;
mod signal_constants;
mod target;
mod text;
mod vectors;

pub use error::ExportError;
pub use files::{Export, ExportFile};
pub use fixed::Fixed;
pub use import::{Array, Given, ImportError, Imported, import};
pub use portable::{Codes, Decoding, Encoding, Fit, Input, Origin, Output, Portable, Weights};
pub use reference::Reference;
pub use saved::{controller, model, read};
pub use target::{Target, export};
pub use vectors::{TestVectors, VECTORS};
