//! A file system that fails or dies at each of its calls.

use std::fs::{self, File};
use std::io;
#[cfg(unix)]
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::file_system::{Disk, FileSystem};
use super::run_folder::write_checkpoint;
use super::{FolderError, Keeper, Loaded, Origin, RunFolder};

const ENOSPC: i32 = 28;
const EIO: i32 = 5;

/// What goes wrong at a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    /// The call fails, and those after it work.
    Error(i32),
    /// From this call on, every call fails.
    ErrorForGood(i32),
    /// A write takes half of the bytes, and the next one fails.
    HalfThenError(i32),
    /// Every write takes at most seven bytes; nothing fails.
    ShortWrites,
    /// The machine dies before the call: what was written and not synced is lost.
    Death,
}

/// The disk, with a fault at one of its calls.
#[derive(Debug)]
struct Faulty {
    fault: Fault,
    /// The call at which it happens, from 0.
    at: u64,
    n_calls: AtomicU64,
    /// The file that was written and not synced.
    unsynced: Mutex<Option<PathBuf>>,
}

impl Faulty {
    fn new(fault: Fault, at: u64) -> Arc<Self> {
        Arc::new(Self { fault, at, n_calls: AtomicU64::new(0), unsynced: Mutex::new(None) })
    }

    fn n_calls(&self) -> u64 {
        self.n_calls.load(Ordering::Relaxed)
    }

    /// Counts a call; fails if it is the one.
    fn call(&self) -> io::Result<()> {
        let number = self.n_calls.fetch_add(1, Ordering::Relaxed);
        match self.fault {
            Fault::Error(code) if number == self.at => Err(io::Error::from_raw_os_error(code)),
            Fault::ErrorForGood(code) if number >= self.at => {
                Err(io::Error::from_raw_os_error(code))
            }
            Fault::HalfThenError(code) if number == self.at + 1 => {
                Err(io::Error::from_raw_os_error(code))
            }
            Fault::Death if number >= self.at => {
                if let Some(path) = self.unsynced.lock().unwrap().take() {
                    let length = fs::metadata(&path).map_or(0, |metadata| metadata.len());
                    File::options().write(true).open(&path).unwrap().set_len(length / 2).unwrap();
                }
                Err(io::Error::other("dead"))
            }
            _ => Ok(()),
        }
    }
}

impl FileSystem for Faulty {
    fn create(&self, path: &Path) -> io::Result<File> {
        self.call()?;
        *self.unsynced.lock().unwrap() = Some(path.to_owned());
        Disk.create(path)
    }

    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        let is_now = self.n_calls() == self.at;
        self.call()?;
        let length = match self.fault {
            Fault::HalfThenError(_) if is_now => bytes.len() / 2,
            Fault::ShortWrites => bytes.len().min(7),
            _ => bytes.len(),
        };
        Disk.write(file, &bytes[..length])
    }

    fn sync(&self, file: &File) -> io::Result<()> {
        self.call()?;
        if file.metadata()?.is_file() {
            *self.unsynced.lock().unwrap() = None;
        }
        Disk.sync(file)
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.call()?;
        Disk.rename(from, to)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        self.call()?;
        Disk.remove(path)
    }
}

fn origin() -> Origin {
    Origin {
        bitloop_version: "0.1.0".to_owned(),
        scenario_digest: "ab".to_owned(),
        plant_digest: None,
        scenario_name: "s.ron".to_owned(),
        command: "bitloop train \"s.ron\"\n".to_owned(),
    }
}

/// A state of some size that is told from others by its number.
type State = (u64, Vec<f64>);

fn state(number: u64) -> State {
    (number, vec![1.0 / 3.0; 100])
}

fn load(folder: &Path) -> Result<Loaded<State>, FolderError> {
    RunFolder::open(folder.to_owned()).unwrap().load("0.1.0", "ab")
}

/// Writes checkpoints 1 and 2, then 3 with a fault; tells what came of it.
fn third_with(fault: Fault, at: u64) -> (tempfile::TempDir, Result<(), FolderError>, u64) {
    let folder = tempfile::tempdir().unwrap();
    for number in [1, 2] {
        write_checkpoint(&Disk, folder.path(), &origin(), number, &state(number)).unwrap();
    }
    let files = Faulty::new(fault, at);
    let result = write_checkpoint(&*files, folder.path(), &origin(), 3, &state(3));
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
        write_checkpoint(&Disk, folder.path(), &origin(), 4, &state(4)).unwrap();
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
                        let expected = format!("{}: ", path.display());
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
    write_checkpoint(&Disk, folder.path(), &origin(), 4, &state(4)).unwrap();
    fs::write(&newest, "").unwrap();
    assert_eq!(load(folder.path()).unwrap().state, state(2));
}

#[test]
fn a_beginning_that_dies_at_any_call_is_either_nothing_or_a_whole() {
    let mut n_whole = 0;
    for at in 0.. {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().to_owned();
        let files = Faulty::new(Fault::Death, at);
        let run = RunFolder::open_on(path.clone(), files.clone()).unwrap();
        let result = run.begin(("given", "resolved"), &origin(), &state(0));
        drop(run);
        let is_unfinished = RunFolder::open(path.clone()).unwrap().is_unfinished();
        if is_unfinished {
            n_whole += 1;
            assert_eq!(load(&path).unwrap().state, state(0));
            assert_eq!(fs::read_to_string(path.join("resolved.ron")).unwrap(), "resolved");
        }
        if result.is_ok() {
            assert!(is_unfinished);
            break;
        }
    }
    // Dead before the last sync, and not dead at all.
    assert_eq!(n_whole, 2);
}

#[cfg(unix)]
#[test]
fn what_is_no_file_under_a_name_of_the_folder_is_refused() {
    let place = tempfile::tempdir().unwrap();
    // A pipe would have to be made by another process, which shares all locks of the tests beside this one for a moment.
    let socket = |name: &str| {
        let path = place.path().join(name);
        UnixListener::bind(&path).unwrap();
        path
    };
    let refused = |path: PathBuf, error: FolderError| {
        let text = error.to_string();
        assert!(text.contains(path.to_str().unwrap()), "{text}");
        assert!(text.contains("no regular file"), "{text}");
        fs::remove_file(path).expect("it is left where it was");
    };
    refused(socket("lock"), RunFolder::open(place.path().to_owned()).unwrap_err());
    let folder = RunFolder::open(place.path().to_owned()).unwrap();
    refused(socket("log.jsonl"), folder.open_log(0).unwrap_err());
    refused(socket("result.json.tmp"), folder.finish("{}").unwrap_err());
    refused(
        socket("checkpoint.tmp"),
        write_checkpoint(&Disk, folder.path(), &origin(), 0, &state(1)).unwrap_err(),
    );
}

#[test]
fn the_owner_is_named_and_holds_nothing_once_it_is_gone() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().to_owned();
    let first = RunFolder::open(path.clone()).unwrap();
    let error = RunFolder::open(path.clone()).unwrap_err();
    assert!(error.to_string().ends_with(&format!("by process {}", std::process::id())), "{error}");
    drop(first);
    RunFolder::open(path).unwrap();
}

fn keeper(folder: &Path, files: &Arc<Faulty>) -> Keeper<State> {
    let run = RunFolder::open_on(folder.to_owned(), files.clone()).unwrap();
    run.begin(("given", "resolved"), &origin(), &state(0)).unwrap();
    Keeper::start(&run, origin(), 0, Duration::from_secs(1000)).unwrap()
}

#[test]
fn the_log_is_cut_back_to_the_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let files = Faulty::new(Fault::ShortWrites, 0);
    let mut keeper = keeper(folder.path(), &files);
    keeper.log("one\n".to_owned());
    keeper.offer(&state(9));
    keeper.call();
    keeper.offer(&state(1));
    keeper.log("two\n".to_owned());
    keeper.settle(None).unwrap();
    drop(keeper);
    let log = folder.path().join("log.jsonl");
    assert_eq!(fs::read_to_string(&log).unwrap(), "one\ntwo\n");
    let loaded = load(folder.path()).unwrap();
    assert_eq!((loaded.state, loaded.log_bytes), (state(1), 4));
    let run = RunFolder::open(folder.path().to_owned()).unwrap();
    let mut keeper = Keeper::start(&run, origin(), 4, Duration::from_secs(1000)).unwrap();
    keeper.log("again\n".to_owned());
    keeper.settle(Some(&state(2))).unwrap();
    assert_eq!(fs::read_to_string(&log).unwrap(), "one\nagain\n");
    assert_eq!(run.load::<State>("0.1.0", "ab").unwrap().log_bytes, 10);
}

#[test]
fn a_full_disk_is_told_once_and_the_log_has_no_hole_when_there_is_room_again() {
    let folder = tempfile::tempdir().unwrap();
    let run = RunFolder::open(folder.path().to_owned()).unwrap();
    run.begin(("given", "resolved"), &origin(), &state(0)).unwrap();
    drop(run);
    // From the second call on, that is, within the first line of the log.
    let files = Faulty::new(Fault::HalfThenError(ENOSPC), 0);
    let run = RunFolder::open_on(folder.path().to_owned(), files).unwrap();
    let mut keeper = Keeper::start(&run, origin(), 0, Duration::from_secs(1000)).unwrap();
    keeper.log("one\n".to_owned());
    let error = keeper.settle(None).unwrap_err();
    assert!(error.to_string().contains("log.jsonl: No space left"), "{error}");
    keeper.log("two\n".to_owned());
    keeper.settle(Some(&state(1))).unwrap();
    assert_eq!(fs::read_to_string(folder.path().join("log.jsonl")).unwrap(), "one\ntwo\n");
    assert_eq!(run.load::<State>("0.1.0", "ab").unwrap().state, state(1));
}
