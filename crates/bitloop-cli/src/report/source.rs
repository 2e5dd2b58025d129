//! [`Source`]: what a report is about.

use std::path::{Path, PathBuf};

use crate::args::ReportArgs;
use crate::failure::Failure;

/// The controller of a training, within its folder.
const CONTROLLER: &str = "controller.ron";

/// What a report is about.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// A saved controller, and the folder of its training where that is what was named.
    Controller {
        /// The file.
        controller: PathBuf,
        /// The folder.
        folder: Option<PathBuf>,
    },
    /// The folder of a training that has no controller yet.
    Unfinished(PathBuf),
}

impl Source {
    /// What is at a path.
    pub fn find(path: &Path) -> Result<Self, Failure> {
        if !path.is_dir() {
            return Ok(Self::Controller { controller: path.to_owned(), folder: None });
        }
        let (controller, folder) = (path.join(CONTROLLER), path.to_owned());
        if controller.is_file() {
            return Ok(Self::Controller { controller, folder: Some(folder) });
        }
        if folder.join("log.jsonl").is_file() {
            return Ok(Self::Unfinished(folder));
        }
        let message = format!("{}: neither {CONTROLLER} nor log.jsonl is in it", path.display());
        let hint = "name the folder of a training, such as runs/NAME-seed1, or a saved controller";
        Err(Failure::Folder { message, hint: Some(hint.to_owned()) })
    }

    /// The files that must not be overwritten.
    pub fn inputs<'a>(&'a self, args: &'a ReportArgs) -> Vec<&'a Path> {
        let own: &Path = match self {
            Self::Controller { controller, .. } => controller,
            Self::Unfinished(folder) => folder,
        };
        let scenario = args.test.scenario.as_deref();
        [Some(own), scenario].into_iter().flatten().collect()
    }
}
