//! The folder of a campaign: resumed, extended, refused, interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use bitloop_campaign::{CampaignError, CampaignOptions};
use bitloop_plant::Isa;

use crate::support::{bits, campaign, threads, train};

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
