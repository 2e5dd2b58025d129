//! Digests of scenarios that are the same on all machines, wherever their files are.

use std::io;
use std::path::Path;

use bitloop_folder::read_bounded;
use bitloop_scenario::{AnyScenario, DataSource, Start};

/// The largest file that a scenario reads, in bytes.
const LIMIT_BYTES: u64 = 1 << 32;

/// A digest of the contents of the files that a scenario reads, the plant's library aside, which has its own; none if there
/// are no such files.
pub(crate) fn inputs_digest(scenario: &AnyScenario) -> io::Result<Option<String>> {
    let (start, data) = match scenario {
        AnyScenario::ClosedLoop(file) => (&file.value.start, Vec::new()),
        AnyScenario::Supervised(file) => (&file.value.start, file.data_paths()),
    };
    let start = start.path().map(|path| scenario.source().folder().join(path));
    let mut hasher = None;
    for path in start.into_iter().chain(data) {
        let bytes = read_bounded(&path.canonicalize()?, LIMIT_BYTES)?;
        let digest = blake3::hash(&bytes);
        hasher.get_or_insert_with(blake3::Hasher::new).update(digest.as_bytes());
    }
    Ok(hasher.map(|hasher: blake3::Hasher| hasher.finalize().to_hex().to_string()))
}

/// The digest of a scenario without the folders of its files, and with the digest of their contents.
#[must_use]
pub fn portable_digest(scenario: &AnyScenario, inputs: Option<&str>) -> String {
    let mut scenario = scenario.clone();
    let start = match &mut scenario {
        AnyScenario::ClosedLoop(file) => {
            if let Some(path) = file.value.plant.path_mut() {
                *path = file_name(path);
            }
            &mut file.value.start
        }
        AnyScenario::Supervised(file) => {
            if let DataSource::File(data) = &mut file.value.data {
                for path in data.paths_mut() {
                    *path = file_name(path);
                }
            }
            &mut file.value.start
        }
    };
    if let Start::FromController(path) | Start::FromModel(path) = start {
        *path = file_name(path);
    }
    let digest = scenario.digest();
    inputs.map_or(digest.clone(), |inputs| {
        blake3::hash(format!("{digest} {inputs}").as_bytes()).to_hex().to_string()
    })
}

fn file_name(path: &str) -> String {
    Path::new(path).file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    fn digest(folder: &Path, rows: &str) -> String {
        fs::create_dir_all(folder).unwrap();
        fs::write(folder.join("rows.csv"), rows).unwrap();
        let text = format!(
            "Supervised(data: File(path: \"{}/rows.csv\", targets: Numbers([2])), split: (training: 1, validation: 1), network: (hidden: [2]), training: TelescopicBlm(bits: 8))",
            folder.display()
        );
        let scenario = AnyScenario::parse(&text, "a.ron").unwrap();
        portable_digest(&scenario, inputs_digest(&scenario).unwrap().as_deref())
    }

    #[test]
    fn contents_count_and_folders_do_not() {
        let folder = tempfile::tempdir().unwrap();
        let here = digest(&folder.path().join("here"), "1,2\n3,4\n");
        assert_eq!(digest(&folder.path().join("there"), "1,2\n3,4\n"), here);
        assert_ne!(digest(&folder.path().join("there"), "1,2\n3,5\n"), here);
    }
}
