//! [`Loaded`]: the library of an FMU in this process.

use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use bitloop_fmu::{Fmu, InterfaceType, Unpacked, Version};
use tempfile::TempDir;

use super::error::FmuPlantFault;
use super::functions::Functions;
use crate::library::{check_elf, load_copy, load_file};
use crate::process_state::Disturbance;

/// An FMU whose library is loaded. It is never unloaded.
#[derive(Clone, Debug)]
pub(super) struct Loaded {
    pub functions: Functions,
    /// What a library checks its description by.
    pub token: String,
    /// Where its resources are, as its version writes it.
    pub resources: String,
    disturbance: Disturbance,
    /// Held as long as the plant is.
    _folder: Option<Arc<TempDir>>,
}

/// Those of this process that need no folder, by the digest of the archive and the interface: the same bytes are loaded once.
static LOADED: Mutex<Vec<(Key, Loaded)>> = Mutex::new(Vec::new());

/// What is loaded once.
type Key = (blake3::Hash, InterfaceType);

impl Loaded {
    /// Loads the library of an FMU, or gives the one that is loaded already.
    pub fn of(fmu: &mut Fmu) -> Result<Self, FmuPlantFault> {
        let interface = fmu.interface_type;
        let key = (fmu.archive.digest(), interface);
        let mut all = LOADED.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, loaded)) = all.iter().find(|(known, _)| *known == key) {
            return Ok(loaded.clone());
        }
        let version = fmu.model.version;
        let (library, others) = fmu.archive.library(version, &fmu.interface.identifier)?;
        check_elf(&library.bytes).map_err(FmuPlantFault::Library)?;
        let (opened, folder) = if others.is_empty() {
            (load_copy(&library.path, &library.bytes), None)
        } else {
            let folder = unpack(&library, &others)
                .map_err(|error| FmuPlantFault::Unpack(error.to_string()))?;
            (load_file(&folder.path().join(&library.path)), Some(Arc::new(folder)))
        };
        let (opened, disturbance) = opened.map_err(FmuPlantFault::Library)?;
        let functions =
            Functions::of(&opened, version, interface).map_err(FmuPlantFault::NoFunction)?;
        std::mem::forget(opened);
        let loaded = Self {
            functions,
            token: fmu.model.token.clone(),
            resources: resources(version, folder.as_ref().map(|folder| folder.path())),
            disturbance,
            _folder: folder.clone(),
        };
        if folder.is_none() {
            all.push((key, loaded.clone()));
        }
        Ok(loaded)
    }

    pub const fn disturbance(&self) -> &Disturbance {
        &self.disturbance
    }
}

/// Writes files to a new folder.
fn unpack(library: &Unpacked, others: &[Unpacked]) -> std::io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("bitloop-fmu-").tempdir()?;
    for file in std::iter::once(library).chain(others) {
        let path = folder.path().join(&file.path);
        if let Some(parent) = path.parent() {
            fs::create_dir_all(parent)?;
        }
        fs::write(path, &file.bytes)?;
    }
    fs::create_dir_all(folder.path().join("resources"))?;
    Ok(folder)
}

/// The place of the resources: a URI in FMI 2.0, and a path that ends in `/` in FMI 3.0.
fn resources(version: Version, folder: Option<&Path>) -> String {
    let path = folder.map(|folder| folder.join("resources").to_string_lossy().into_owned());
    match (version, path) {
        (Version::Fmi2, path) => {
            let path = path.unwrap_or_default();
            let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
            let encode = |byte: u8| {
                if plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }
            };
            format!("file://{}", path.bytes().map(encode).collect::<String>())
        }
        (Version::Fmi3, Some(path)) => format!("{path}/"),
        (Version::Fmi3, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn resources_are_a_uri_or_a_path() {
        let folder = Some(Path::new("/tmp/two words"));
        assert_eq!(resources(Version::Fmi2, folder), "file:///tmp/two%20words/resources");
        assert_eq!(resources(Version::Fmi3, folder), "/tmp/two words/resources/");
        assert_eq!(resources(Version::Fmi3, None), "");
    }
}
