//! The log and the checkpoints that a running search hands over.

use std::fs;
use std::time::Duration;

use super::support::{ENOSPC, Fault, Faulty, State, begun, load, provenance, state, texts};
use crate::{CheckpointWriter, RunFolder};

/// The first line of a log.
const HEADER: &str = "{\"log\":\"bitloop training\",\"format\":1}\n";

fn start(run: &RunFolder, log_bytes: u64) -> CheckpointWriter<State> {
    CheckpointWriter::start(run, provenance(), log_bytes, Duration::from_secs(1000)).unwrap()
}

#[test]
fn the_log_is_cut_back_to_the_checkpoint() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("run");
    let files = Faulty::new(Fault::ShortWrites, 0);
    let run =
        RunFolder::create_on(&path, texts("first"), (&provenance(), &state(0)), files).unwrap();
    let mut writer = start(&run, 0);
    writer.log("one\n".to_owned());
    writer.offer(&state(9));
    writer.request();
    writer.offer(&state(1));
    writer.log("two\n".to_owned());
    writer.settle(None).unwrap();
    drop(writer);
    drop(run);
    let log = path.join("log.jsonl");
    let header_bytes = HEADER.len() as u64;
    assert_eq!(fs::read_to_string(&log).unwrap(), format!("{HEADER}one\ntwo\n"));
    let loaded = load(&path).unwrap();
    assert_eq!((loaded.state, loaded.log_bytes), (state(1), header_bytes + 4));
    let run = RunFolder::open_run(&path).unwrap();
    let mut writer = start(&run, header_bytes + 4);
    writer.log("again\n".to_owned());
    writer.settle(Some(&state(2))).unwrap();
    assert_eq!(fs::read_to_string(&log).unwrap(), format!("{HEADER}one\nagain\n"));
    assert_eq!(run.load::<State>("0.1.0", "ab").unwrap().log_bytes, header_bytes + 10);
}

#[test]
fn a_full_disk_is_reported_once_and_the_log_has_no_hole_when_there_is_room_again() {
    let place = tempfile::tempdir().unwrap();
    let path = begun(place.path()).path().to_owned();
    // From the second call on, that is, within the first lines of the log.
    let files = Faulty::new(Fault::HalfThenError(ENOSPC), 0);
    let run = RunFolder::open_on(&path, files).unwrap().unwrap();
    let mut writer = start(&run, 0);
    writer.log("one\n".to_owned());
    let error = writer.settle(None).unwrap_err();
    assert!(error.to_string().contains("log.jsonl cannot be written: No space left"), "{error}");
    writer.log("two\n".to_owned());
    writer.settle(Some(&state(1))).unwrap();
    assert_eq!(fs::read_to_string(path.join("log.jsonl")).unwrap(), format!("{HEADER}one\ntwo\n"));
    assert_eq!(run.load::<State>("0.1.0", "ab").unwrap().state, state(1));
}
