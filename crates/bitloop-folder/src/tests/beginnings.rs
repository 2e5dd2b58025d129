//! A beginning that dies at any call.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::support::{EIO, Fault, Faulty, load, provenance, state, texts};
use crate::{FolderError, RunFolder};

/// Checks that `begin` at a place, killed before each of its calls, leaves either what was there before or a run that can be
/// resumed, and that the same beginning then works.
fn kill_a_beginning(
    prepare: impl Fn(&Path),
    begin: impl Fn(&Path, Arc<Faulty>) -> Result<(), FolderError>,
    was_untouched: impl Fn(&Path) -> bool,
) {
    let mut n_resumable = 0;
    for at in 0.. {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run");
        prepare(&path);
        let files = Faulty::new(Fault::Death, at);
        let result = begin(&path, files);
        match load(&path) {
            Ok(loaded) if loaded.state == state(1) => {
                n_resumable += 1;
                for name in ["scenario.ron", "resolved.ron"] {
                    assert_eq!(fs::read_to_string(path.join(name)).unwrap(), "second", "{at}");
                }
                for name in ["result.json", "log.jsonl", "checkpoint.previous", "begin"] {
                    assert!(!path.join(name).exists(), "{name} at {at}");
                }
            }
            _ => assert!(was_untouched(&path), "killed before call {at}"),
        }
        if result.is_ok() {
            assert!(n_resumable > 3, "{n_resumable}");
            break;
        }
        if load(&path).is_err() {
            begin(&path, Faulty::new(Fault::Error(EIO), u64::MAX)).unwrap();
        }
        let run = RunFolder::open_run(&path).unwrap();
        run.write("result.json", b"{}").unwrap();
        assert!(!run.is_unfinished());
    }
}

/// Begins a run with the name `second` and state 1.
fn begin_second(path: &Path, files: Arc<Faulty>, keeps_earlier: bool) -> Result<(), FolderError> {
    match RunFolder::open_on(path, files.clone())? {
        Some(run) => run.begin(texts("second"), &provenance(), &state(1), keeps_earlier).map(drop),
        None => {
            RunFolder::create_on(path, texts("second"), (&provenance(), &state(1)), files).map(drop)
        }
    }
}

#[test]
fn a_beginning_that_dies_at_any_call_leaves_no_folder_or_one_that_can_be_resumed() {
    let begin = |path: &Path, files| begin_second(path, files, false);
    kill_a_beginning(|_| (), begin, |path| !path.exists());
}

#[test]
fn a_beginning_in_an_empty_folder_that_dies_leaves_nothing_of_a_run_or_all() {
    let begin = |path: &Path, files| begin_second(path, files, false);
    kill_a_beginning(
        |path| fs::create_dir(path).unwrap(),
        begin,
        |path| !RunFolder::open(path).unwrap().unwrap().has_begun(),
    );
}

#[test]
fn a_beginning_over_a_finished_run_that_dies_leaves_that_one_or_the_new_one() {
    let prepare = |path: &Path| {
        let run = RunFolder::create(path, texts("first"), &provenance(), &state(0)).unwrap();
        for name in ["controller.ron", "result.json", "log.jsonl", "checkpoint.previous"] {
            run.write(name, name.as_bytes()).unwrap();
        }
    };
    for keeps_earlier in [true, false] {
        let untouched = |path: &Path| {
            let text = |name: &str| fs::read_to_string(path.join(name)).unwrap();
            text("scenario.ron") == "first"
                && ["controller.ron", "result.json"].iter().all(|name| text(name) == *name)
                && load(path).unwrap().state == state(0)
        };
        let begin = |path: &Path, files| begin_second(path, files, keeps_earlier);
        kill_a_beginning(prepare, begin, untouched);
    }
    // What was there is whole in its own folder, wherever the new one died.
    for at in 0.. {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("run");
        prepare(&path);
        let result = begin_second(&path, Faulty::new(Fault::Death, at), true);
        let run = RunFolder::open_run(&path).unwrap();
        if run.is_unfinished() {
            let earlier = path.join("earlier-1");
            for name in ["controller.ron", "result.json", "log.jsonl", "checkpoint.previous"] {
                assert_eq!(fs::read_to_string(earlier.join(name)).unwrap(), name, "{at}");
            }
            assert_eq!(fs::read_to_string(earlier.join("scenario.ron")).unwrap(), "first");
            assert!(earlier.join("checkpoint").exists());
            assert!(!path.join("earlier-2").exists());
        }
        if result.is_ok() {
            break;
        }
    }
}
