//! One process at a time in a folder.

use std::fs;

use super::support::{begun, provenance, state, texts};
use crate::{FolderError, LockedFolder, RunFolder};

#[test]
fn the_owner_is_named_and_holds_nothing_once_it_is_gone() {
    let place = tempfile::tempdir().unwrap();
    let first = LockedFolder::open(place.path()).unwrap();
    let error = LockedFolder::open(place.path()).unwrap_err();
    assert!(error.to_string().ends_with(&format!("by process {}", std::process::id())), "{error}");
    drop(first);
    LockedFolder::open(place.path()).unwrap();
}

#[test]
fn a_folder_is_locked_from_the_moment_that_it_is_there() {
    let place = tempfile::tempdir().unwrap();
    let run = begun(place.path());
    assert!(matches!(RunFolder::open(run.path()), Err(FolderError::Busy { .. })));
    let path = run.path().to_owned();
    let second = || RunFolder::create(&path, texts("second"), &provenance(), &state(1));
    second().unwrap_err();
    assert_eq!(fs::read_to_string(path.join("scenario.ron")).unwrap(), "first");
}
