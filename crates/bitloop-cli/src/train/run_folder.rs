//! The folder of a run: made before the training, so that a wrong path is told at once, and written to at its end.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use bitloop_scenario::{ControllerFile, SavedController};

use crate::failure::Failure;

const CONTROLLER: &str = "controller.ron";

/// A folder that was found to be writable.
#[derive(Debug)]
pub struct RunFolder {
    folder: PathBuf,
}

impl RunFolder {
    /// Makes the folder and its parents, and tries whether files can be written in it.
    pub fn prepare(folder: PathBuf) -> Result<Self, Failure> {
        if fs::metadata(&folder).is_ok_and(|metadata| !metadata.is_dir()) {
            return Err(Failure::Output {
                target: folder,
                message: "this is a file, not a folder".to_owned(),
                hint: Some("--out takes the folder that controller.ron goes to".to_owned()),
            });
        }
        fs::create_dir_all(&folder).map_err(|error| Failure::output(&folder, &error))?;
        let run_folder = Self { folder };
        run_folder.controller_before()?;
        let trial = run_folder.aside();
        File::create(&trial)
            .and_then(|_| fs::remove_file(&trial))
            .map_err(|error| Failure::output(&trial, &error))?;
        Ok(run_folder)
    }

    /// Writes the controller aside and renames it, so that no half-written one is ever seen. Another controller that is
    /// there already keeps its contents under a name with its digest, which is the second thing returned.
    pub fn save(
        &self,
        controller: &SavedController,
    ) -> Result<(PathBuf, Option<PathBuf>), Failure> {
        let path = self.folder.join(CONTROLLER);
        let text = controller.to_text().map_err(|problem| Failure::Output {
            target: path.clone(),
            message: problem.to_string(),
            hint: None,
        })?;
        // Somebody may have tidied up while the training was running.
        fs::create_dir_all(&self.folder).map_err(|error| Failure::output(&self.folder, &error))?;
        let aside = self.aside();
        write_synced(&aside, text.as_bytes()).map_err(|error| {
            let _ = fs::remove_file(&aside);
            Failure::output(&aside, &error)
        })?;
        let moved = match self.controller_before()? {
            Some(before) if before.digest != controller.digest => {
                let other = self.folder.join(format!("controller-{:.8}.ron", before.digest));
                fs::rename(&path, &other).map_err(|error| Failure::output(&other, &error))?;
                Some(other)
            }
            _ => None,
        };
        fs::rename(&aside, &path)
            .and_then(|()| File::open(&self.folder)?.sync_all())
            .map_err(|error| Failure::output(&path, &error))?;
        Ok((path, moved))
    }

    /// The controller of an earlier run. Something else under that name is left alone, and nothing can be saved here.
    fn controller_before(&self) -> Result<Option<SavedController>, Failure> {
        let path = self.folder.join(CONTROLLER);
        if fs::symlink_metadata(&path).is_err() {
            return Ok(None);
        }
        match ControllerFile::read(&path) {
            Ok(file) => Ok(Some(file.controller)),
            Err(error) => Err(Failure::Output {
                target: path,
                message: format!("it exists, and is no sound controller: {}", error.message),
                hint: Some("move it away, or name another folder with --out".to_owned()),
            }),
        }
    }

    /// A name of this process alone.
    fn aside(&self) -> PathBuf {
        self.folder.join(format!("{CONTROLLER}.{}.tmp", std::process::id()))
    }
}

fn write_synced(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut file = File::create(path)?;
    file.write_all(bytes)?;
    file.sync_all()
}
