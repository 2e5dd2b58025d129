//! [`OutputFile`]: a file that the user has named for results.
//!
//! It is written beside its place and gets its name at the end, so that what was there before stays until the new one is
//! whole. A file that the same command reads is refused, under whatever name.

use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use crate::failure::Failure;
use crate::output;
use crate::start_folder;

/// A file under way; dropped before it is finished, it leaves nothing.
#[derive(Debug)]
pub struct OutputFile {
    /// As the user has named it.
    named: PathBuf,
    /// The place itself, behind links.
    place: PathBuf,
    file: File,
    /// Where it is written; nothing if that is the place itself.
    aside: Option<PathBuf>,
}

impl OutputFile {
    /// Begins a file at `path`, which must be none of `inputs`, or standard output for `-`. The caller keeps all else away from
    /// there.
    pub fn create_or_stdout(path: &Path, inputs: &[&Path]) -> Result<Self, Failure> {
        let path = if is_stdout(path) { Path::new("/dev/stdout") } else { path };
        Self::create(path, inputs)
    }

    /// Begins a file at `path`, which must be none of `inputs`. What is no regular file, such as a pipe, is written to
    /// directly.
    pub fn create(path: &Path, inputs: &[&Path]) -> Result<Self, Failure> {
        let failed = |error: io::Error| Failure::output(path, &error);
        if is_stdout(path) {
            return Err(Failure::Usage {
                message: "`-` is not a file that this command can write".to_owned(),
                hint: Some("name a file, or ./- for one of this name".to_owned()),
            });
        }
        let named = path.to_owned();
        if let Some(file) = stdout_at(path) {
            return Ok(Self { named, place: path.to_owned(), file, aside: None });
        }
        // A plant may change the working directory before the file gets its name.
        let absolute = &*start_folder::absolute(path);
        let found = match fs::metadata(absolute) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(failed(error)),
        };
        if let Some(found) = &found {
            refuse_inputs(path, found, inputs)?;
        }
        match &found {
            Some(metadata) if !metadata.is_file() => {
                let file = OpenOptions::new().write(true).open(absolute).map_err(failed)?;
                Ok(Self { named, place: absolute.to_owned(), file, aside: None })
            }
            _ => {
                let place = place(absolute, found.as_ref()).map_err(failed)?;
                let aside = aside(&place);
                let file = OpenOptions::new().write(true).create_new(true).open(&aside);
                let file = file.map_err(failed)?;
                let output = Self { named, place, file, aside: Some(aside) };
                if let Some(found) = &found {
                    output.file.set_permissions(found.permissions()).map_err(failed)?;
                }
                Ok(output)
            }
        }
    }

    /// Gives the file its name.
    pub fn finish(mut self) -> Result<(), Failure> {
        self.file.flush().map_err(|error| Failure::output(&self.named, &error))?;
        if let Some(aside) = &self.aside {
            fs::rename(aside, &self.place).map_err(|error| Failure::output(&self.named, &error))?;
        }
        self.aside = None;
        Ok(())
    }
}

impl Write for OutputFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for OutputFile {
    fn drop(&mut self) {
        if let Some(aside) = &self.aside {
            // It is of no use; that it cannot be removed changes nothing.
            let _ = fs::remove_file(aside);
        }
    }
}

/// Refuses a name for a file that is one for something else than `end`; `what` is written in that format.
pub fn check_extension(path: &Path, end: &str, what: &str, hint: &str) -> Result<(), Failure> {
    if path.extension().is_none_or(|found| found.eq_ignore_ascii_case(end)) {
        return Ok(());
    }
    let message = format!("{}: {what} are written as {}", path.display(), end.to_uppercase());
    Err(Failure::Usage { message, hint: Some(hint.to_owned()) })
}

/// Whether a path that a user gave stands for standard output.
pub fn is_stdout(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Standard output, if that is what a path means: it is kept away from plants, under another number.
fn stdout_at(path: &Path) -> Option<File> {
    let is_meant = ["/dev/stdout", "/dev/fd/1", "/proc/self/fd/1"].map(Path::new).contains(&path);
    is_meant.then(output::stdout_file).flatten()
}

fn refuse_inputs(path: &Path, found: &Metadata, inputs: &[&Path]) -> Result<(), Failure> {
    let is_same = |input: &&&Path| {
        fs::metadata(input).is_ok_and(|other| {
            found.is_file() && (other.dev(), other.ino()) == (found.dev(), found.ino())
        })
    };
    let Some(input) = inputs.iter().find(is_same) else { return Ok(()) };
    let message = if *input == path {
        "this command reads it, too".to_owned()
    } else {
        format!("this command reads it, too, as {}", input.display())
    };
    Err(Failure::Output {
        target: path.to_owned(),
        message,
        hint: Some("name another file for the output".to_owned()),
    })
}

/// The place behind links. What is there must be writable, though it is replaced in the end.
fn place(path: &Path, found: Option<&Metadata>) -> io::Result<PathBuf> {
    if found.is_some() {
        OpenOptions::new().write(true).open(path)?;
        return fs::canonicalize(path);
    }
    // A link that leads nowhere would be replaced.
    match fs::read_link(path) {
        Ok(target) => Ok(path.parent().unwrap_or(Path::new("")).join(target)),
        Err(_) => Ok(path.to_owned()),
    }
}

/// The process's number keeps two commands apart that write the same file.
fn aside(place: &Path) -> PathBuf {
    let mut aside = place.as_os_str().to_owned();
    aside.push(format!(".{}.tmp", std::process::id()));
    PathBuf::from(aside)
}

#[cfg(test)]
mod tests {
    use std::os::unix::fs::{PermissionsExt, symlink};

    use super::*;

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_old_file_stays_until_the_new_one_is_whole() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        for is_finished in [false, true] {
            let mut output = OutputFile::create(&path, &[]).unwrap();
            output.write_all(b"new").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            if is_finished {
                output.finish().unwrap();
            }
        }
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn an_input_is_refused_under_each_of_its_names() {
        let folder = tempfile::tempdir().unwrap();
        let input = folder.path().join("in.csv");
        fs::write(&input, "precious").unwrap();
        let symbolic = folder.path().join("symbolic.csv");
        symlink(&input, &symbolic).unwrap();
        let hard = folder.path().join("hard.csv");
        fs::hard_link(&input, &hard).unwrap();
        let other = folder.path().join("../").join(folder.path().file_name().unwrap());
        for output in [&input, &symbolic, &hard, &other.join("in.csv")] {
            for read in [&input, &symbolic, &hard] {
                let error = OutputFile::create(output, &[Path::new("/"), read]).unwrap_err();
                let text = error.to_string();
                assert!(text.contains("this command reads it, too"), "{text}");
                assert!(text.contains(output.to_str().unwrap()), "{text}");
            }
        }
        assert_eq!(names(folder.path()), ["hard.csv", "in.csv", "symbolic.csv"]);
        assert_eq!(fs::read_to_string(&input).unwrap(), "precious");
    }

    #[test]
    fn links_stay_and_lead_to_the_new_file() {
        let folder = tempfile::tempdir().unwrap();
        for (name, target) in [("a", "there.csv"), ("b", "nowhere.csv")] {
            let (link, target) = (folder.path().join(name), folder.path().join(target));
            if name == "a" {
                fs::write(&target, "old").unwrap();
            }
            symlink(&target, &link).unwrap();
            let mut output = OutputFile::create(&link, &[]).unwrap();
            output.write_all(b"new").unwrap();
            output.finish().unwrap();
            assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
            assert_eq!(fs::read_to_string(&target).unwrap(), "new");
        }
    }

    #[test]
    fn devices_are_written_to_directly_and_what_cannot_be_written_is_refused() {
        let mut output = OutputFile::create(Path::new("/dev/null"), &[]).unwrap();
        output.write_all(b"new").unwrap();
        output.finish().unwrap();
        let folder = tempfile::tempdir().unwrap();
        for path in [folder.path().to_owned(), folder.path().join("no/out.csv")] {
            let error = OutputFile::create(&path, &[]).unwrap_err();
            assert!(error.to_string().contains("cannot be written"), "{error}");
        }
    }
}
