//! `controller.ron` or `model.ron` of a run's folder: looked at before the training, so that a wrong path is told at once,
//! and written at its end.

use std::fs;
use std::path::{Path, PathBuf};

use bitloop_run::RunFolder;
use bitloop_scenario::AnySaved;
use bitloop_train::Product;

use crate::failure::Failure;

/// Checks that a product of a kind can go to a folder, which need not exist.
pub fn check_room(kind: &str, folder: &Path) -> Result<(), Failure> {
    if fs::metadata(folder).is_ok_and(|metadata| !metadata.is_dir()) {
        return Err(Failure::Output {
            target: folder.to_owned(),
            message: "this is a file, not a folder".to_owned(),
            hint: Some(format!("--out takes the folder that {kind}.ron goes to")),
        });
    }
    before(kind, &folder.join(format!("{kind}.ron"))).map(drop)
}

/// Writes the product. Another one that is there already keeps its contents under a name with its digest, which is the
/// second thing returned.
pub fn save(folder: &RunFolder, product: &Product) -> Result<(PathBuf, Option<PathBuf>), Failure> {
    let kind = product.kind.name();
    let name = format!("{kind}.ron");
    let path = folder.path().join(&name);
    // Somebody may have tidied up while the training was running.
    fs::create_dir_all(folder.path()).map_err(|error| Failure::output(folder.path(), &error))?;
    let moved = match before(kind, &path)? {
        Some(digest) if digest != product.digest => {
            let other = path.with_file_name(format!("{kind}-{digest:.8}.ron"));
            fs::rename(&path, &other).map_err(|error| Failure::output(&other, &error))?;
            Some(other)
        }
        _ => None,
    };
    folder.write(&name, product.text.as_bytes())?;
    Ok((path, moved))
}

/// The digest of an earlier run's product. Something else under that name is left alone, and nothing can be saved here.
fn before(kind: &str, path: &Path) -> Result<Option<String>, Failure> {
    if fs::symlink_metadata(path).is_err() {
        return Ok(None);
    }
    match AnySaved::read(path) {
        Ok(saved) => Ok(Some(saved.digest().to_owned())),
        Err(error) => Err(Failure::Output {
            target: path.to_owned(),
            message: format!("it exists, and is no sound {kind}: {}", error.message),
            hint: Some("move it away, or name another folder with --out".to_owned()),
        }),
    }
}
