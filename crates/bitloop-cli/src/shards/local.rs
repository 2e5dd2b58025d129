//! What the folder of a campaign or of a shard holds of the machine that works in it: `local.json`. Nothing of it bears on a result.

use std::collections::BTreeSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitloop_campaign::Shard;
use bitloop_folder::{FolderError, SCENARIO, read_text_bounded, write_file};
use bitloop_scenario::{AnyScenario, PlantChoice};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::DataFiles;
use crate::environment;
use crate::failure::Failure;

const LOCAL: &str = "local.json";

/// The largest file that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 20;

/// The largest scenario that is read, in bytes.
const SCENARIO_BYTES: u64 = 1 << 24;

/// The scenario of a part, as it was given.
pub fn scenario_text(folder: &Path) -> Result<String, Failure> {
    let path = folder.join(SCENARIO);
    read_text_bounded(&path, SCENARIO_BYTES).map_err(|error| FolderError::read(&path, error).into())
}

/// Where the files of a campaign are, and how it is carried out.
#[derive(Debug, Serialize, Deserialize)]
pub struct Local {
    /// The path of the scenario, or of the controller that is tested, as it was given.
    pub scenario: PathBuf,
    /// The absolute path of its folder, where relative paths in it start.
    pub folder: PathBuf,
    /// A plant other than the scenario's: its name, or the path of its library.
    #[serde(default)]
    pub plant: Option<String>,
    /// Files of rows other than the scenario's, by their absolute paths.
    #[serde(flatten)]
    pub files: DataFiles,
    /// The shard, as `3/8`.
    #[serde(default, with = "shard_text")]
    pub shard: Option<Shard>,
    /// The command, as it was typed.
    #[serde(default)]
    pub command: String,
    /// All arguments that bear on the result, where paths are as they were given.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub args: Option<Value>,
    /// The name of the machine.
    #[serde(default)]
    pub host: String,
    /// Threads that were asked for.
    #[serde(default)]
    pub threads: usize,
}

impl Local {
    /// Of work on a scenario's file by this process.
    pub fn of(
        (scenario, file): (&Path, &AnyScenario),
        (plant, files): (Option<&PlantChoice>, &DataFiles),
        shard: Option<Shard>,
        threads: Option<NonZeroUsize>,
    ) -> Result<Self, Failure> {
        let folder = std::path::absolute(file.source().folder().join("."))
            .map_err(|error| Failure::output(scenario, &error))?;
        Ok(Self {
            scenario: scenario.to_owned(),
            folder,
            plant: plant.map(|plant| plant.text().to_owned()),
            files: files.absolute(),
            shard,
            command: environment::command_line(),
            args: None,
            host: environment::host(),
            threads: threads.unwrap_or_else(environment::n_cores).get(),
        })
    }

    /// Of a command with these arguments, whose paths start at a folder, and which has the first file of them.
    pub fn of_command(
        (args, first): (&impl Serialize, &Path),
        start: &Path,
        shard: Option<Shard>,
        threads: usize,
    ) -> Result<Self, Failure> {
        let args = serde_json::to_value(args).map_err(|error| unwritten(&error))?;
        Ok(Self {
            scenario: first.to_owned(),
            folder: start.to_owned(),
            plant: None,
            files: DataFiles::default(),
            shard,
            command: environment::command_line(),
            args: Some(args),
            host: environment::host(),
            threads,
        })
    }

    /// Writes it into a folder.
    pub fn write(&self, folder: &Path) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(|error| unwritten(&error))?;
        Ok(write_file(&folder.join(LOCAL), format!("{text}\n").as_bytes())?)
    }

    /// That of a folder.
    pub fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(LOCAL);
        let read = read_text_bounded(&path, LIMIT_BYTES)
            .map_err(|error| error.to_string())
            .and_then(|text| serde_json::from_str(&text).map_err(|error| error.to_string()));
        read.map_err(|message| Failure::Folder {
            message: format!("{}: {message}", path.display()),
            hint: Some("it tells where the scenario's files are; copy the folder again".to_owned()),
        })
    }
}

fn unwritten(error: &serde_json::Error) -> Failure {
    Failure::Folder { message: format!("{LOCAL}: {error}"), hint: None }
}

/// The numbers of shards that the parts in these folders were made in.
pub fn shard_counts(folders: &[PathBuf]) -> Result<BTreeSet<u32>, Failure> {
    let mut counts = BTreeSet::new();
    for folder in folders {
        counts.extend(Local::read(folder)?.shard.map(Shard::count));
    }
    Ok(counts)
}

/// A shard as text.
mod shard_text {
    use bitloop_campaign::Shard;
    use serde::{Deserialize, Deserializer, Serializer, de::Error as _};

    #[expect(clippy::ref_option, reason = "serde gives a reference to the field")]
    pub fn serialize<S: Serializer>(shard: &Option<Shard>, to: S) -> Result<S::Ok, S::Error> {
        match shard {
            Some(shard) => to.serialize_some(&shard.to_string()),
            None => to.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Shard>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse()).transpose().map_err(D::Error::custom)
    }
}
