//! Files that are refused before their first character is looked at, and paths that work.

use std::{fs, process::Command};

use bitloop_scenario::{ControllerFile, ErrorKind, FileKind as _, Scenario, ScenarioFile};

use crate::bad_scenarios::GOOD;

#[test]
fn missing_files_and_folders_say_what_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("missing.ron");
    let error = ScenarioFile::read(&missing).unwrap_err();
    assert_eq!(error.kind, ErrorKind::Unreadable);
    assert_eq!(
        error.to_string(),
        format!(
            "no such file\n--> {}\n = hint: check the path; a relative one starts at the current folder",
            missing.display()
        )
    );
    let error = ControllerFile::read(folder.path()).unwrap_err();
    assert_eq!(error.message, "this is a folder, not a file");
    assert_eq!(error.hint.as_deref(), Some("name a controller file inside it"));
}

/// Whoever waits for a pipe's other end, or for the end of zeros, never comes back.
#[test]
fn pipes_and_devices_are_refused_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    for path in [pipe.as_path(), "/dev/zero".as_ref(), "/dev/null".as_ref()] {
        let error = ScenarioFile::read(path).unwrap_err();
        assert_eq!(error.message, "this is not a regular file");
    }
}

#[test]
fn size_is_limited_and_the_limit_itself_is_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.ron");
    let limit = usize::try_from(Scenario::LIMIT_BYTES).unwrap();
    fs::write(&path, format!("{GOOD}{}", " ".repeat(limit - GOOD.len()))).unwrap();
    ScenarioFile::read(&path).unwrap();
    fs::write(&path, format!("{GOOD}{}", " ".repeat(limit - GOOD.len() + 1))).unwrap();
    let error = ScenarioFile::read(&path).unwrap_err();
    assert_eq!(error.kind, ErrorKind::TooLarge);
    assert_eq!(error.message, "this file is larger than the limit of 1048576 bytes for a scenario");
    // A sparse file of 1 TiB takes no memory to refuse.
    fs::File::create(&path).unwrap().set_len(1 << 40).unwrap();
    assert_eq!(ControllerFile::read(&path).unwrap_err().kind, ErrorKind::TooLarge);
}

#[test]
fn bytes_that_are_not_text_are_reported_by_position() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("binary.ron");
    fs::write(&path, b"Scenario(\n  plant: \"p\xff\"").unwrap();
    let error = ScenarioFile::read(&path).unwrap_err();
    assert_eq!(error.kind, ErrorKind::NotText);
    assert_eq!(error.message, "this file is not UTF-8 text: byte 22 is invalid");
    let place = error.place.as_ref().unwrap();
    assert_eq!((place.line, place.column), (2, 12));

    fs::write(&path, "").unwrap();
    assert_eq!(ScenarioFile::read(&path).unwrap_err().message, "this file is empty");
}

#[test]
fn spaces_and_letters_of_any_language_work_in_paths_and_files() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("mein Szenario größer 倒立振子.ron");
    // As editors on Windows write it: a byte order mark, and CR LF.
    fs::write(&path, format!("\u{feff}{}", GOOD.replace('\n', "\r\n"))).unwrap();
    let file = ScenarioFile::read(&path).unwrap();
    assert_eq!(file.value, ScenarioFile::parse(GOOD, "good.ron").unwrap().value);
    assert!(file.source.file().ends_with("größer 倒立振子.ron"));
}
