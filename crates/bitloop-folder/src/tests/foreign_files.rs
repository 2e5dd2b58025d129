//! Links, second names, sockets and folders in the place of files.

use std::fs;
use std::os::unix::fs::symlink;
use std::os::unix::net::UnixListener;
use std::path::Path;

use super::support::{State, begun, provenance, state, texts};
use crate::file_system::Disk;
use crate::run_folder::write_checkpoint;
use crate::{FolderError, RunFolder};

/// A call that writes into a run's folder.
type Write = fn(&Path) -> Result<(), FolderError>;

/// Calls that write files of a run's folder, by the names that they write.
fn writers() -> Vec<(&'static str, Write)> {
    fn open(path: &Path) -> Result<RunFolder, FolderError> {
        RunFolder::open_run(path)
    }
    fn checkpoint(path: &Path) -> Result<(), FolderError> {
        write_checkpoint(&Disk, path, &provenance(), 0, &state(1))
    }
    fn begin(path: &Path) -> Result<(), FolderError> {
        open(path)?.begin(texts("second"), &provenance(), &state(1), false).map(drop)
    }
    fn finish(path: &Path) -> Result<(), FolderError> {
        open(path)?.finish("{}")
    }
    fn product(path: &Path) -> Result<(), FolderError> {
        open(path)?.write("controller.ron", b"Controller()")
    }
    vec![
        ("lock", |path| RunFolder::open(path).map(drop)),
        ("log.jsonl", begin),
        ("log.jsonl", |path| open(path)?.open_log(0).map(drop)),
        ("checkpoint", checkpoint),
        ("checkpoint.tmp", checkpoint),
        ("checkpoint.previous", checkpoint),
        ("begin.tmp", begin),
        ("scenario.ron", begin),
        ("scenario.ron.tmp", begin),
        ("resolved.ron", begin),
        ("resolved.ron.tmp", begin),
        ("controller.ron", product),
        ("controller.ron.tmp", product),
        ("result.json", finish),
        ("result.json.tmp", finish),
    ]
}

#[test]
fn no_link_in_a_folder_is_followed_or_replaced() {
    for (name, write) in writers() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("target");
        fs::write(&target, "precious").unwrap();
        let path = begun(place.path()).path().to_owned();
        let link = path.join(name);
        let _ = fs::remove_file(&link);
        for to in [&target, &place.path().join("nothing")] {
            symlink(to, &link).unwrap();
            let error = write(&path).unwrap_err();
            let text = error.to_string();
            assert!(text.contains(link.to_str().unwrap()), "{name}: {text}");
            assert!(text.contains("symbolic link"), "{name}: {text}");
            assert!(error.hint().unwrap().contains("move it away"), "{name}");
            assert_eq!(fs::read_to_string(&target).unwrap(), "precious", "{name}");
            assert!(!place.path().join("nothing").exists(), "{name}");
            fs::remove_file(&link).unwrap();
        }
        // With nothing in the way, the same call works.
        write(&path).unwrap();
    }
}

#[test]
fn no_link_is_read_through() {
    for name in ["checkpoint", "result.json", "begin", "resolved.ron"] {
        let place = tempfile::tempdir().unwrap();
        let path = begun(place.path()).path().to_owned();
        let target = place.path().join("target");
        let moved = if name == "resolved.ron" { name } else { "checkpoint" };
        fs::rename(path.join(moved), &target).unwrap();
        symlink(&target, path.join(name)).unwrap();
        let error = match RunFolder::open_run(&path) {
            Ok(run) if name == "result.json" => run.result().unwrap_err(),
            Ok(run) if name == "resolved.ron" => run.check_resolved().unwrap_err(),
            Ok(run) => run.load::<State>("0.1.0", "ab").unwrap_err(),
            Err(error) => error,
        };
        assert!(error.to_string().contains("symbolic link"), "{name}: {error}");
    }
}

#[test]
fn a_file_of_two_names_is_replaced_under_one_and_not_changed_in_its_place() {
    for (name, write) in writers() {
        let place = tempfile::tempdir().unwrap();
        let target = place.path().join("target");
        fs::write(&target, "precious").unwrap();
        let path = begun(place.path()).path().to_owned();
        let _ = fs::remove_file(path.join(name));
        fs::hard_link(&target, path.join(name)).unwrap();
        let result = write(&path);
        match name {
            "lock" => drop(result.unwrap_err()),
            // A beginning removes it; what adds to it is refused.
            "log.jsonl" => {}
            _ => result.unwrap(),
        }
        assert_eq!(fs::read_to_string(&target).unwrap(), "precious", "{name}");
    }
}

#[test]
fn a_link_in_the_place_where_a_folder_is_made_is_not_followed() {
    let place = tempfile::tempdir().unwrap();
    let target = place.path().join("target");
    fs::create_dir(&target).unwrap();
    symlink(&target, place.path().join(".run.begin")).unwrap();
    let path = place.path().join("run");
    let error =
        RunFolder::create(&path, texts("first"), &provenance(), &state(0)).unwrap_err().to_string();
    assert!(error.contains(".run.begin"), "{error}");
    assert_eq!(fs::read_dir(&target).unwrap().count(), 0);
    assert!(!path.exists());
}

#[test]
fn what_is_no_file_under_a_name_of_the_folder_is_refused() {
    for (name, write) in writers() {
        let place = tempfile::tempdir().unwrap();
        let path = begun(place.path()).path().to_owned();
        let _ = fs::remove_file(path.join(name));
        // A pipe would have to be made by another process, which shares all locks of the tests beside this one for a
        // moment.
        let socket = path.join(name);
        UnixListener::bind(&socket).unwrap();
        let text = write(&path).unwrap_err().to_string();
        assert!(text.contains(socket.to_str().unwrap()), "{name}: {text}");
        assert!(text.contains("no regular file"), "{name}: {text}");
        fs::remove_file(socket).expect("it is left where it was");
    }
}
