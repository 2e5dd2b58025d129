//! `bitloop plant new`: the folder of a new plant.
//!
//! What goes there are the files of `templates/`, which are a whole plant themselves, `new-plant`; its name and a few marks
//! are replaced. Nothing that exists is touched.

mod files;
mod fmu;
mod name;
mod sdk;

use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::args::{Language, NewArgs};
use crate::environment;
use crate::failure::Failure;
use crate::output::{print, shell};
use crate::start_folder;
use files::{File, Words};
use name::Name;
use sdk::Sdk;

/// Makes the folder, and prints what to type next.
pub fn new(args: &NewArgs) -> Result<(), Failure> {
    if let Some(path) = &args.fmu {
        return fmu::new(path);
    }
    let name = Name::checked(args.name.as_deref().unwrap_or_default())?;
    let folder = args.out.clone().unwrap_or_else(|| PathBuf::from(name.as_str()));
    let sdk = Sdk::find().seen_from(&start_folder::absolute(&folder));
    let words = Words { name: &name, sdk: &sdk };
    make(&folder, &files::of(args.lang, &words))?;
    print(&text(&folder, args.lang, &words))
}

/// Makes a folder that was not there. If it cannot be filled, what there is of it goes away again.
fn make(folder: &Path, files: &[File]) -> Result<(), Failure> {
    if let Some(parent) = folder.parent() {
        fs::create_dir_all(parent).map_err(|error| Failure::output(parent, &error))?;
    }
    fs::create_dir(folder).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => Failure::Usage {
            message: format!("{} is there already", folder.display()),
            hint: Some("choose another name, or name another folder with --out".to_owned()),
        },
        _ => Failure::output(folder, &error),
    })?;
    let filled = files.iter().try_for_each(|file| write(&folder.join(file.path), &file.text));
    if filled.is_err() {
        // The folder was made above, and the first error is the one to report.
        let _ = fs::remove_dir_all(folder);
    }
    filled
}

fn write(path: &Path, text: &str) -> Result<(), Failure> {
    let folder = path.parent().expect("a file in the new folder");
    fs::create_dir_all(folder)
        .and_then(|()| fs::write(path, text))
        .map_err(|error| Failure::output(path, &error))
}

/// What to type next.
fn text(folder: &Path, language: Language, words: &Words<'_>) -> String {
    let (equations, tests, build, test) = match language {
        Language::Rust => ("src/lib.rs", "src/tests.rs", "cargo build --release", "cargo test"),
        Language::C => ("plant.c", "test.c", "make", "make test"),
    };
    let library = shell::quoted(words.library(language));
    let program = environment::program_from_anywhere();
    let mut text = format!(
        "made {folder}: a plant that works, in {equations}, with tests in {tests}, scenario.ron and README.md

Build it, test it, check it, train it:
  cd {quoted}
  {build}
  {test}
  {program} plant check ./{library}
  {program} train scenario.ron
",
        folder = folder.display(),
        quoted = shell::quoted(folder),
    );
    if language == Language::Rust {
        text.push('\n');
        text.push_str(&words.sdk.remark());
        text.push('\n');
    }
    text
}
