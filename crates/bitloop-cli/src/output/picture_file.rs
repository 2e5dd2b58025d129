//! Pictures as files: the name says in which format.

use std::path::Path;

use bitloop_look::{LookError, Picture};

use crate::failure::Failure;

/// Refuses a name for a picture that is one for something else.
pub fn check_name(path: &Path) -> Result<(), Failure> {
    let is_known = |end: &std::ffi::OsStr| end.eq_ignore_ascii_case("svg") || is_png(path);
    if path.extension().is_none_or(is_known) {
        return Ok(());
    }
    Err(Failure::Usage {
        message: format!("{}: pictures are written as SVG or PNG", path.display()),
        hint: Some("name a file that ends in .svg or .png".to_owned()),
    })
}

fn is_png(path: &Path) -> bool {
    path.extension().is_some_and(|end| end.eq_ignore_ascii_case("png"))
}

/// The contents of a file of this name.
pub fn bytes(picture: &Picture, path: &Path) -> Result<Vec<u8>, LookError> {
    if is_png(path) { picture.png() } else { picture.svg().map(String::into_bytes) }
}
