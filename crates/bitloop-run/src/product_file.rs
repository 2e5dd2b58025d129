//! `controller.ron` or `model.ron` of a run's folder: looked at before the training, so that a wrong folder is refused at
//! once, and written at its end.

use std::fs;
use std::path::{Path, PathBuf};

use bitloop_folder::{FolderError, RunFolder};
use bitloop_scenario::AnySaved;
use bitloop_train::{Product, ProductKind};

use crate::error::RunError;

/// The file of a product in a folder.
pub(crate) fn path(folder: &Path, kind: &str) -> PathBuf {
    folder.join(format!("{kind}.ron"))
}

/// Checks that a product of a kind can go to a folder, which need not exist.
pub(crate) fn check_room(kind: ProductKind, folder: &Path) -> Result<(), RunError> {
    let kind = kind.name();
    if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
        return Err(RunError::InTheWay {
            path: folder.to_owned(),
            message: "this is a file, not a folder".to_owned(),
            hint: format!("name the folder that {kind}.ron goes to"),
        });
    }
    earlier_digest(kind, &path(folder, kind)).map(drop)
}

/// Writes the product. Another one that is there already keeps its contents under a name with its digest, which is the
/// second thing returned.
pub(crate) fn save(
    folder: &RunFolder,
    product: &Product,
) -> Result<(PathBuf, Option<PathBuf>), RunError> {
    let kind = product.kind.name();
    let place = path(folder.place(), kind);
    // The user may have tidied up while the training was running.
    fs::create_dir_all(folder.place()).map_err(|error| FolderError::write(folder.path(), error))?;
    let moved = match earlier_digest(kind, &place)? {
        Some(digest) if digest != product.digest => {
            let other = format!("{kind}-{digest:.8}.ron");
            fs::rename(&place, folder.place().join(&other))
                .map_err(|error| FolderError::write(&folder.path().join(&other), error))?;
            Some(folder.path().join(other))
        }
        _ => None,
    };
    folder.write(&format!("{kind}.ron"), product.text.as_bytes())?;
    Ok((path(folder.path(), kind), moved))
}

/// The digest of an earlier run's product. Something else under that name is left alone, and nothing can be saved here.
fn earlier_digest(kind: &str, path: &Path) -> Result<Option<String>, RunError> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    match AnySaved::read(path) {
        Ok(saved) => Ok(Some(saved.digest().to_owned())),
        Err(error) => Err(RunError::InTheWay {
            path: path.to_owned(),
            message: format!("it exists, and is no sound {kind}: {}", error.message),
            hint: "move it away, or name another folder with --out".to_owned(),
        }),
    }
}
