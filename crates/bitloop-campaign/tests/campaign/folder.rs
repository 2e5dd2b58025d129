//! The folder of a campaign: resumed, extended, refused, interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use bitloop_campaign::{Campaign, CampaignError, CampaignOptions};
use bitloop_plant::Isa;

use crate::support::{
    LONGER, TINY, add_time, bits, campaign, campaign_of, change_checkpoint,
    interrupt_at_checkpoint, options, threads, train,
};

type Change = fn(&mut CampaignOptions);

fn record_path(folder: &Path, number: u32) -> PathBuf {
    folder.join(format!("training-{number:04}.ron"))
}

#[test]
fn a_resumed_campaign_equals_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &["training.bits=8,10"], |_| {});
    let whole = train(&campaign, 2);
    let folders: Vec<&Path> = campaign.variants().iter().map(|v| v.folder.as_path()).collect();
    assert_eq!(
        folders,
        [folder.path().join("training.bits=8"), folder.path().join("training.bits=10")]
    );
    fs::remove_file(record_path(folders[0], 2)).unwrap();
    fs::remove_file(record_path(folders[1], 0)).unwrap();
    let cut = record_path(folders[1], 3);
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &text[..text.len() / 2]).unwrap();
    fs::write(record_path(folders[0], 1), "").unwrap();

    let found = campaign.finished().unwrap();
    assert_eq!((found.n_finished(), found.n_trainings()), (4, 8));
    assert_eq!(found.damaged(), [record_path(folders[0], 1), cut]);
    let resumed = train(&campaign, 1);
    assert_eq!(bits(&resumed), bits(&whole));
    // What was done already was not done again: its time is the same.
    assert_eq!(resumed.get(0, 0), whole.get(0, 0));
    let again = campaign.finished().unwrap();
    assert!(again.by_variant().flatten().eq(resumed.by_variant().flatten()));
}

#[test]
fn a_longer_campaign_goes_on_from_a_shorter_one() {
    let folder = tempfile::tempdir().unwrap();
    let short = train(&campaign(folder.path(), &[], |options| options.n_trainings = 2), 2);
    let long = campaign(folder.path(), &[], |_| {});
    let found = long.finished().unwrap();
    assert!(found.by_variant().flatten().eq(short.by_variant().flatten()));
    assert_eq!(train(&long, 2).n_finished(), 4);
}

#[test]
fn files_of_another_campaign_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    train(&campaign(folder.path(), &[], |options| options.n_trainings = 2), 2);
    let changes: [(Change, &str); 3] = [
        (|options| options.seed = 2, "another scenario, seed or kind of campaign"),
        (|options| options.with_restarts = true, "another scenario, seed or kind of campaign"),
        (|options| options.bitloop_version = "0.2.0".to_owned(), "made by bitloop 0.1.0"),
    ];
    for (change, fragment) in changes {
        let error = campaign(folder.path(), &[], change).finished().unwrap_err().to_string();
        assert!(error.contains("training-0000.ron") && error.contains(fragment), "{error}");
    }
    let ours = campaign(folder.path(), &[], |_| {});
    fs::rename(record_path(folder.path(), 0), record_path(folder.path(), 2)).unwrap();
    assert!(ours.finished().unwrap_err().to_string().contains("training-0002.ron"));
    for (text, fragment) in [
        ("Scenario()", "no record of a training"),
        ("// A training of a bitloop campaign, format 9\n()", "in format 9"),
    ] {
        fs::write(record_path(folder.path(), 0), text).unwrap();
        let error = ours.finished().unwrap_err().to_string();
        assert!(error.contains(fragment), "{error}");
    }
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let long: Change = |options| options.n_trainings = 12;
    let interrupted = campaign(folder.path(), &[], long);
    let interrupt = AtomicBool::new(false);
    let n_seen = AtomicUsize::new(0);
    let mut finished = interrupted.finished().unwrap();
    let is_done = interrupted
        .train(&mut finished, Isa::best(), threads(1), &interrupt, &mut |news| {
            assert_eq!(news.n_finished, n_seen.fetch_add(1, Ordering::Relaxed) + 1);
            interrupt.store(true, Ordering::Relaxed);
        })
        .unwrap();
    assert!(finished.n_finished() >= 1 && finished.is_complete() == is_done);
    assert_eq!(interrupted.finished().unwrap(), finished);
    let other = tempfile::tempdir().unwrap();
    let whole = train(&campaign(other.path(), &[], long), 2);
    assert_eq!(bits(&train(&interrupted, 2)), bits(&whole));
}

/// Two trainings of [`LONGER`].
fn longer(folder: &Path) -> Campaign {
    campaign_of(LONGER, &[], CampaignOptions { n_trainings: 2, ..options(folder) })
}

/// Trains from nothing until all is done or an interrupt, and tells how many trainings are finished.
fn train_until(campaign: &Campaign, interrupt: &AtomicBool) -> usize {
    let mut finished = campaign.finished().unwrap();
    let isa = Isa::best();
    let is_done = campaign.train(&mut finished, isa, threads(1), interrupt, &mut |_| {}).unwrap();
    assert_eq!(is_done, finished.is_complete());
    finished.n_finished()
}

#[test]
fn a_training_is_resumed_where_it_was_killed_or_interrupted() {
    let other = tempfile::tempdir().unwrap();
    let whole = train(&longer(other.path()), 1);
    let n_checkpoints = |folder: &Path| {
        let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name());
        names.filter(|name| name.to_string_lossy().ends_with(".checkpoint")).count()
    };
    assert_eq!(n_checkpoints(other.path()), 0);

    let (folder, killed) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let campaign = longer(folder.path()).with_checkpoint_period(Duration::ZERO);
    let state = "training-0000.checkpoint";
    assert_eq!(campaign.n_with_checkpoint(&campaign.finished().unwrap()), 0);
    let seen = folder.path().join(state);
    // What a kill would leave at this moment.
    let kill = || fs::copy(&seen, killed.path().join(state)).is_ok();
    interrupt_at_checkpoint(&seen, kill, |interrupt| train_until(&campaign, interrupt));
    for folder in [folder.path(), killed.path()] {
        add_time(&folder.join(state));
        let resumed = longer(folder);
        assert_eq!(resumed.n_with_checkpoint(&resumed.finished().unwrap()), 1);
        let finished = train(&resumed, 2);
        assert_eq!(bits(&finished), bits(&whole));
        assert!(finished.get(0, 0).unwrap().cost.unwrap().wall_s >= 1000.0);
        assert_eq!(n_checkpoints(folder), 0);
    }
}

#[test]
fn a_checkpoint_that_is_damaged_or_of_other_work_is_not_used() {
    let folder = tempfile::tempdir().unwrap();
    let checkpoint = folder.path().join("training-0000.checkpoint");
    let campaign = longer(folder.path()).with_checkpoint_period(Duration::ZERO);
    let is_there = || checkpoint.exists();
    interrupt_at_checkpoint(&checkpoint, is_there, |interrupt| train_until(&campaign, interrupt));
    let bytes = fs::read(&checkpoint).unwrap();
    let n_used = |campaign: &Campaign| campaign.n_with_checkpoint(&campaign.finished().unwrap());
    assert_eq!(n_used(&campaign), 1);
    let of_other_seed = CampaignOptions { seed: 2, n_trainings: 2, ..options(folder.path()) };
    assert_eq!(n_used(&campaign_of(TINY, &[], of_other_seed)), 0);
    let mut flipped = bytes.clone();
    *flipped.last_mut().unwrap() ^= 1;
    for damaged in [&bytes[..bytes.len() / 2], b"", b"// Something else", &flipped] {
        fs::write(&checkpoint, damaged).unwrap();
        assert_eq!(n_used(&campaign), 0);
    }
    fs::write(&checkpoint, &bytes).unwrap();
    let of_machine = format!("machine:\"{}\"", std::env::consts::ARCH);
    change_checkpoint(&checkpoint, |text| text.replace(&of_machine, "machine:\"another\""));
    assert_eq!(n_used(&campaign), 0);
    assert!(train(&campaign, 2).is_complete());
}

#[test]
fn a_folder_that_cannot_be_written_to_ends_the_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let inside = folder.path().join("inside");
    let campaign = campaign(&inside, &[], |_| {});
    let never = AtomicBool::new(false);
    let mut finished = campaign.finished().unwrap();
    fs::write(&inside, "a file").unwrap();
    let result = campaign.train(&mut finished, Isa::best(), threads(2), &never, &mut |_| {});
    assert!(matches!(result, Err(CampaignError::Folder(_))), "{result:?}");
    assert_eq!(finished.n_finished(), 0);
}
