//! Functional Mock-up Units, FMI 2.0 and 3.0, read as plants.
//!
//! This crate owns what an FMU and the file beside it, `x.fmu.ron`, say: the archive, read within limits, the model
//! description, the [`Settings`] with cost and failure as expressions over the model's variables, and the [`Plan`] that all
//! of it amounts to: a plant's description, and which variable is set or read where. It must not know how a library is
//! called: no code of an FMU runs here, which is for `bitloop-host`.

#![forbid(unsafe_code)]

mod archive;
mod binding;
mod error;
mod expression;
mod fmu;
mod model;
mod plan;
mod resolver;
mod settings;
mod template;

pub use archive::{Archive, Unpacked};
pub use binding::{Slot, Source};
pub use error::FmuFault;
pub use expression::{ExpressionError, Kind, Names, Program, compile, quoted_name};
pub use fmu::Fmu;
pub use model::{Causality, Interface, Model, ModelVariable, Version};
pub use plan::Plan;
pub use settings::{
    Channel, InterfaceType, Observation, ParameterSettings, Settings, settings_path,
};
pub use template::template;
