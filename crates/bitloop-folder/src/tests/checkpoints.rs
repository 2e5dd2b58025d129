//! Checkpoints that fail or die at any call, are damaged, or are of another format.

use std::fs;
use std::time::Duration;

use super::support::{EIO, ENOSPC, Fault, Faulty, State, begun, load, provenance, state};
use crate::file_system::Disk;
use crate::run_folder::write_checkpoint;
use crate::{CheckpointWriter, FolderError, Loaded};

/// Writes checkpoints 1 and 2, then 3 with a fault; returns what happened.
fn third_with(fault: Fault, at: u64) -> (tempfile::TempDir, Result<(), FolderError>, u64) {
    let folder = tempfile::tempdir().unwrap();
    for number in [1, 2] {
        write_checkpoint(&Disk, folder.path(), &provenance(), number, &state(number)).unwrap();
    }
    let files = Faulty::new(fault, at);
    let result = write_checkpoint(&*files, folder.path(), &provenance(), 3, &state(3));
    (folder, result, files.n_calls())
}

/// Calls of a write that nothing disturbs.
fn n_calls() -> u64 {
    let (folder, result, n_calls) = third_with(Fault::Error(EIO), u64::MAX);
    result.unwrap();
    assert_eq!(load(folder.path()).unwrap().state, state(3));
    n_calls
}

#[test]
fn a_checkpoint_that_dies_at_any_call_leaves_one_that_loads() {
    let mut n_old = 0;
    for at in 0..n_calls() {
        let (folder, result, _) = third_with(Fault::Death, at);
        result.unwrap_err();
        let Loaded { state: found, log_bytes, .. } = load(folder.path()).unwrap();
        assert!(found == state(2) || found == state(3), "at call {at}");
        assert_eq!(log_bytes, found.0);
        n_old += u64::from(found == state(2));
        // And the next one is written as if nothing had been.
        write_checkpoint(&Disk, folder.path(), &provenance(), 4, &state(4)).unwrap();
        assert_eq!(load(folder.path()).unwrap().state, state(4), "after call {at}");
    }
    // It is only not the old one after the last rename.
    assert_eq!(n_old, n_calls() - 1);
}

#[test]
fn a_checkpoint_that_fails_at_any_call_leaves_one_that_loads_and_names_its_path() {
    let faults: Vec<fn(i32) -> Fault> =
        vec![Fault::Error, Fault::ErrorForGood, Fault::HalfThenError];
    for code in [ENOSPC, EIO] {
        for fault in &faults {
            for at in 0..n_calls() {
                let (folder, result, _) = third_with(fault(code), at);
                let Loaded { state: found, .. } = load(folder.path()).unwrap();
                assert!(found == state(2) || found == state(3), "{:?} at {at}", fault(code));
                match result {
                    Ok(()) => assert_eq!(found, state(3)),
                    Err(error) => {
                        let path = folder.path().join("checkpoint");
                        let expected = format!("{} cannot be written: ", path.display());
                        assert!(error.to_string().starts_with(&expected), "{error}");
                    }
                }
            }
        }
    }
}

#[test]
fn short_writes_are_gone_on_with() {
    let (folder, result, n_calls) = third_with(Fault::ShortWrites, 0);
    result.unwrap();
    assert!(n_calls > 100);
    assert_eq!(load(folder.path()).unwrap().state, state(3));
}

#[test]
fn a_damaged_checkpoint_does_not_push_out_the_sound_one_before_it() {
    let (folder, ..) = third_with(Fault::Error(EIO), u64::MAX);
    let newest = folder.path().join("checkpoint");
    let bytes = fs::read(&newest).unwrap();
    for position in 0..bytes.len() {
        let mut bytes = bytes.clone();
        bytes[position] ^= 1;
        fs::write(&newest, bytes).unwrap();
        let loaded = load(folder.path()).unwrap();
        assert_eq!(loaded.state, state(2), "byte {position}");
        assert!(loaded.note.unwrap().contains("checkpoint before it is used"));
        assert!(!newest.exists());
    }
    assert_eq!(load(folder.path()).unwrap().state, state(2), "with nothing in its place");
    write_checkpoint(&Disk, folder.path(), &provenance(), 4, &state(4)).unwrap();
    fs::write(&newest, "").unwrap();
    assert_eq!(load(folder.path()).unwrap().state, state(2));
}

#[test]
fn other_formats_are_refused_in_words() {
    let place = tempfile::tempdir().unwrap();
    let run = begun(place.path());
    let checkpoint = run.path().join("checkpoint");
    let text = fs::read_to_string(&checkpoint).unwrap();
    for number in ["1", "3"] {
        fs::write(&checkpoint, text.replacen("checkpoint 2", &format!("checkpoint {number}"), 1))
            .unwrap();
        let error = run.load::<State>("0.1.0", "ab").unwrap_err();
        let expected = format!("is of format {number}, and this is bitloop with format 2");
        assert!(error.to_string().contains(&expected), "{error}");
        assert!(error.hint().unwrap().contains("the version of bitloop that made it"));
    }
    fs::write(&checkpoint, text).unwrap();
    for (text, message) in [
        ("{\"format\":2}", "is of format 2, and this is bitloop with format 1"),
        ("{}", "is of no known format"),
        ("[", "this is no result"),
    ] {
        run.finish(text).unwrap();
        let error = run.result().unwrap_err().to_string();
        assert!(error.contains("result.json") && error.contains(message), "{error}");
    }
    run.finish("{\"format\":1}").unwrap();
    assert!(run.result().unwrap().is_some());
    let log = run.path().join("log.jsonl");
    for (line, found) in [
        ("{\"format\":7}\n", "format 7"),
        ("{\"event\":\"moved\"}\n", "no known format"),
        ("\u{0}", "no known format"),
    ] {
        fs::write(&log, line).unwrap();
        let length = line.len() as u64;
        let start = CheckpointWriter::<State>::start;
        let error = start(&run, provenance(), length, Duration::from_secs(1)).unwrap_err();
        let expected = format!("log.jsonl is of {found}");
        assert!(error.to_string().contains(&expected), "{error}");
        assert_eq!(fs::read_to_string(&log).unwrap(), line, "it stays as it is");
    }
}
