//! [`DataFiles`]: files of rows in place of a scenario's.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::{Deserialize, Serialize};

use crate::start_folder;

/// Files of rows to use instead of a scenario's.
#[derive(Clone, Debug, Default, Args, Serialize, Deserialize)]
#[serde(default)]
pub struct DataFiles {
    /// Data file to use instead of the scenario's
    #[arg(long, value_name = "FILE")]
    pub data: Option<PathBuf>,
    /// File of the validation rows to use instead of the scenario's, where they have one of their own
    #[arg(long, value_name = "FILE")]
    pub validation_data: Option<PathBuf>,
    /// File of the test rows to use instead of the scenario's, where they have one of their own
    #[arg(long, value_name = "FILE")]
    pub test_data: Option<PathBuf>,
}

impl DataFiles {
    /// Those that are given, each with its option.
    pub fn given(&self) -> impl Iterator<Item = (&'static str, &Path)> {
        [
            ("--data", &self.data),
            ("--validation-data", &self.validation_data),
            ("--test-data", &self.test_data),
        ]
        .into_iter()
        .filter_map(|(option, path)| Some((option, path.as_deref()?)))
    }

    /// These, and those of others that are not among them.
    pub fn or(&self, other: &Self) -> Self {
        let own =
            |of: fn(&Self) -> &Option<PathBuf>| of(self).clone().or_else(|| of(other).clone());
        Self {
            data: own(|files| &files.data),
            validation_data: own(|files| &files.validation_data),
            test_data: own(|files| &files.test_data),
        }
    }

    /// The same by their absolute paths.
    pub fn absolute(&self) -> Self {
        let absolute = |path: &Option<PathBuf>| path.as_deref().map(start_folder::absolute);
        Self {
            data: absolute(&self.data),
            validation_data: absolute(&self.validation_data),
            test_data: absolute(&self.test_data),
        }
    }
}
