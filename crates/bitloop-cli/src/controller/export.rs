//! `bitloop controller export`.

use std::fmt::Write as _;
use std::path::Path;

use bitloop_export::ExportError;
use serde::Serialize;

use crate::args::ExportArgs;
use crate::failure::Failure;
use crate::output::{json, print, shell};

/// Writes a saved controller or model as source code, and prints what to know of it and how to test it.
pub fn export(args: &ExportArgs) -> Result<(), Failure> {
    let refused = |error| export_failure(&args.file, error);
    let portable = bitloop_export::read(&args.file).map_err(refused)?;
    let stem = args.file.file_stem().map(|stem| stem.to_string_lossy().into_owned());
    let name = args.name.clone().or(stem).unwrap_or_default();
    let exported = bitloop_export::export(&portable, args.to.into(), &name).map_err(refused)?;
    exported.write(&args.out).map_err(refused)?;
    if args.json {
        return json::print_object(&ExportJson {
            folder: &args.out,
            files: exported.files.iter().map(|file| file.name.as_str()).collect(),
            notes: &exported.notes,
            self_test: &exported.self_test,
        });
    }
    let mut text = format!("exported {} to {}\n", args.file.display(), args.out.display());
    for file in &exported.files {
        let _ = writeln!(text, "  {}", file.name);
    }
    for note in &exported.notes {
        let _ = writeln!(text, "note: {note}");
    }
    let folder = shell::quoted(&args.out);
    let _ = write!(text, "\nTest it:\n  cd {folder} && {}\n", exported.self_test);
    print(&text)
}

/// What was written; `self_test` is a command for the shell, to be run in `folder`.
#[derive(Serialize)]
struct ExportJson<'a> {
    folder: &'a Path,
    files: Vec<&'a str>,
    notes: &'a [String],
    self_test: &'a str,
}

/// What cannot be exported is a fault of its file; a folder that cannot be written is not.
pub fn export_failure(file: &Path, error: ExportError) -> Failure {
    let (message, hint) = (error.to_string(), error.hint().map(str::to_owned));
    match error {
        ExportError::File(error) => Failure::File(error),
        ExportError::Refused { .. } => Failure::Refused { file: file.to_owned(), message, hint },
        ExportError::NotEmpty(_) => Failure::Usage { message, hint },
        ExportError::Write { path, error } => Failure::output(&path, &error),
    }
}
