//! `controller.ron` of a run's folder: looked at before the training, so that a wrong path is told at once, and written
//! at its end.

use std::fs;
use std::path::{Path, PathBuf};

use bitloop_scenario::{ControllerFile, SavedController};
use bitloop_train::RunFolder;

use crate::failure::Failure;

/// Checks that a controller can go to a folder, which need not exist.
pub fn check_room(folder: &Path) -> Result<(), Failure> {
    if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
        return Err(Failure::Output {
            target: folder.to_owned(),
            message: "this is a file, not a folder".to_owned(),
            hint: Some("--out takes the folder that controller.ron goes to".to_owned()),
        });
    }
    before(&folder.join("controller.ron")).map(drop)
}

/// Writes the controller. Another controller that is there already keeps its contents under a name with its digest,
/// which is the second thing returned.
pub fn save(
    folder: &RunFolder,
    controller: &SavedController,
) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let path = folder.controller_path();
    let text = controller.to_text().map_err(|problem| Failure::Output {
        target: path.clone(),
        message: problem.to_string(),
        hint: None,
    })?;
    // Somebody may have tidied up while the training was running.
    fs::create_dir_all(folder.path()).map_err(|error| Failure::output(folder.path(), &error))?;
    let moved = match before(&path)? {
        Some(before) if before.digest != controller.digest => {
            let other = path.with_file_name(format!("controller-{:.8}.ron", before.digest));
            fs::rename(&path, &other).map_err(|error| Failure::output(&other, &error))?;
            Some(other)
        }
        _ => None,
    };
    folder.write_controller(&text)?;
    Ok((path, moved))
}

/// The controller of an earlier run. Something else under that name is left alone, and nothing can be saved here.
fn before(path: &Path) -> Result<Option<SavedController>, Failure> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    match ControllerFile::read(path) {
        Ok(file) => Ok(Some(file.controller)),
        Err(error) => Err(Failure::Output {
            target: path.to_owned(),
            message: format!("it exists, and is no sound controller: {}", error.message),
            hint: Some("move it away, or name another folder with --out".to_owned()),
        }),
    }
}
