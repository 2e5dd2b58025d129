//! [`Source`]: what a report is about.

use std::path::{Path, PathBuf};

use bitloop_folder::{CAMPAIGN, CONTROLLER, LOG, MODEL};
use bitloop_scenario::AnySaved;

use crate::failure::Failure;

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
    /// A saved model, likewise.
    Model {
        /// The file.
        model: PathBuf,
        /// The folder.
        folder: Option<PathBuf>,
    },
    /// The folder of a campaign.
    Campaign(PathBuf),
    /// The folder of a training that has found nothing to save yet.
    Unfinished(PathBuf),
}

impl Source {
    /// What is at a path.
    pub fn find(path: &Path) -> Result<Self, Failure> {
        if !path.is_dir() {
            let file = path.to_owned();
            return Ok(match AnySaved::read(path)? {
                AnySaved::Controller(_) => Self::Controller { controller: file, folder: None },
                AnySaved::Model(_) => Self::Model { model: file, folder: None },
            });
        }
        let folder = path.to_owned();
        if folder.join(CAMPAIGN).is_file() {
            return Ok(Self::Campaign(folder));
        }
        let (controller, model) = (path.join(CONTROLLER), path.join(MODEL));
        if controller.is_file() {
            return Ok(Self::Controller { controller, folder: Some(folder) });
        }
        if model.is_file() {
            return Ok(Self::Model { model, folder: Some(folder) });
        }
        if folder.join(LOG).is_file() {
            return Ok(Self::Unfinished(folder));
        }
        let message = format!(
            "{}: neither {CONTROLLER} nor {LOG} is in it, nor is it a campaign",
            path.display()
        );
        let hint = "name the folder of a training or a campaign, such as runs/NAME-seed1, or a saved controller";
        Err(Failure::Folder { message, hint: Some(hint.to_owned()) })
    }

    /// The file or folder that is read.
    pub fn path(&self) -> &Path {
        match self {
            Self::Controller { controller: own, .. }
            | Self::Model { model: own, .. }
            | Self::Campaign(own)
            | Self::Unfinished(own) => own,
        }
    }
}
