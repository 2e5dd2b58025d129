//! [`Fmu`]: an FMU and the file beside it, read and checked.

use std::path::Path;

use bitloop_text::Source;

use crate::archive::Archive;
use crate::error::FmuFault;
use crate::model::{Interface, Model};
use crate::plan::Plan;
use crate::settings::{InterfaceType, Settings, settings_path};

/// An FMU that can be run as a plant, before any code of it is loaded.
#[derive(Debug)]
pub struct Fmu {
    /// The files of it.
    pub archive: Archive,
    /// What its description says.
    pub model: Model,
    /// What the description says of the interface that it is run by.
    pub interface: Interface,
    /// The interface that it is run by.
    pub interface_type: InterfaceType,
    /// How it is run as a plant.
    pub plan: Plan,
    digest: String,
}

impl Fmu {
    /// Reads the FMU at `path` and the file beside it.
    ///
    /// # Errors
    /// [`FmuFault`] names the first fault of either.
    pub fn read(path: &Path) -> Result<Self, FmuFault> {
        let (archive, model) = Self::read_model(path)?;
        let beside = settings_path(path);
        if !beside.exists() {
            let name = beside.file_name().unwrap_or(beside.as_os_str());
            return Err(FmuFault::NoSettings(name.to_string_lossy().into_owned()));
        }
        let (settings, source) = Settings::read(&beside)?;
        Self::of(archive, model, &settings, &source, &plain_name(path))
    }

    /// An FMU with settings that were read already; `name` is the plant's unless they say otherwise.
    ///
    /// # Errors
    /// As [`Fmu::read`].
    pub fn of(
        archive: Archive,
        model: Model,
        settings: &Settings,
        source: &Source,
        name: &str,
    ) -> Result<Self, FmuFault> {
        let (interface_type, interface) = usable(&model, settings.interface)?;
        let plan = Plan::new(&model, interface_type, settings, source, name)?;
        let mut hasher = blake3::Hasher::new();
        hasher.update(archive.digest().as_bytes());
        // Costs are part of a plant.
        hasher.update(source.text().as_bytes());
        let digest = hasher.finalize().to_hex().to_string();
        Ok(Self { archive, model, interface, interface_type, plan, digest })
    }

    /// Reads the FMU at `path` alone, whether or not it can be run.
    ///
    /// # Errors
    /// [`FmuFault`] if it cannot be read.
    pub fn read_model(path: &Path) -> Result<(Archive, Model), FmuFault> {
        let mut archive = Archive::open(path)?;
        let model = Model::read(&archive.description()?)?;
        Ok((archive, model))
    }

    /// BLAKE3 of the archive and the file beside it, 64 hexadecimal digits.
    #[must_use]
    pub fn digest(&self) -> &str {
        &self.digest
    }
}

/// The interface that a model is run by: the one that is asked for, or Model Exchange unless the model has events, or none.
fn usable(
    model: &Model,
    asked: Option<InterfaceType>,
) -> Result<(InterfaceType, Interface), FmuFault> {
    let by_derivatives = exchanged(model);
    let by_steps = co_simulated(model);
    match asked {
        Some(InterfaceType::ModelExchange) => by_derivatives,
        Some(InterfaceType::CoSimulation) => by_steps,
        None if model.model_exchange.is_none() => by_steps,
        None => by_derivatives.or_else(|fault| by_steps.map_err(|_| fault)),
    }
}

fn exchanged(model: &Model) -> Result<(InterfaceType, Interface), FmuFault> {
    let interface = model.model_exchange.clone().ok_or(FmuFault::NoInterface("Model Exchange"))?;
    if interface.needs_tool {
        return Err(FmuFault::NeedsTool(model.tool.clone()));
    }
    if model.n_event_indicators > 0 {
        return Err(FmuFault::Events(model.n_event_indicators));
    }
    if model.states.is_empty() {
        return Err(FmuFault::NoStates);
    }
    Ok((InterfaceType::ModelExchange, interface))
}

fn co_simulated(model: &Model) -> Result<(InterfaceType, Interface), FmuFault> {
    let interface = model.co_simulation.clone().ok_or(FmuFault::NoInterface("Co-Simulation"))?;
    if interface.needs_tool {
        return Err(FmuFault::NeedsTool(model.tool.clone()));
    }
    if interface.is_once_per_process {
        return Err(FmuFault::OncePerProcess);
    }
    Ok((InterfaceType::CoSimulation, interface))
}

/// The name of a plant from that of its file: lower-case words joined by hyphens.
fn plain_name(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default().to_string_lossy();
    let mut name = String::new();
    let mut was_lower = false;
    for c in stem.chars() {
        if c.is_alphanumeric() {
            if c.is_uppercase() && was_lower {
                name.push('-');
            }
            name.extend(c.to_lowercase());
            was_lower = c.is_lowercase() || c.is_numeric();
        } else {
            if !name.is_empty() && !name.ends_with('-') {
                name.push('-');
            }
            was_lower = false;
        }
    }
    let name = name.trim_end_matches('-');
    if name.is_empty() { "fmu".to_owned() } else { name.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plant_is_named_after_its_file() {
        for (file, name) in [
            ("VanDerPol.fmu", "van-der-pol"),
            ("a/My Model_2.fmu", "my-model-2"),
            ("x.fmu", "x"),
            ("__.fmu", "fmu"),
        ] {
            assert_eq!(plain_name(Path::new(file)), name);
        }
    }
}
