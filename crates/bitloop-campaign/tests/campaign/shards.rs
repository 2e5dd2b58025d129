//! Shards of a campaign, and their merging.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use bitloop_campaign::{Campaign, CampaignError, MergeError, RecordError, Shard};

use crate::support::{bits, campaign, train};

const VARIED: [&str; 1] = ["training.bits=8,10"];

/// Does a shard in a folder of its own.
fn shard(folder: &Path, index: u32, count: u32) -> PathBuf {
    let shard = Shard::new(index, count).unwrap();
    let own = folder.join(shard.folder_name());
    train(&campaign(&own, &VARIED, |options| options.shard = Some(shard)), 1);
    own
}

/// All files of a folder but for what depends on the machine, by their name.
fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            let inner = self::files(&path).into_iter();
            files.extend(inner.map(|(inner, bytes)| (format!("{name}/{inner}"), bytes)));
        } else if name != "costs.jsonl" {
            files.insert(name, fs::read(path).unwrap());
        }
    }
    files
}

fn whole(folder: &Path) -> Campaign {
    campaign(folder, &VARIED, |_| {})
}

#[test]
fn merged_shards_are_the_campaign_in_one_piece_byte_for_byte() {
    let folder = tempfile::tempdir().unwrap();
    let one_piece = folder.path().join("one piece");
    let finished = train(&whole(&one_piece), 2);
    // Three of three, and one of two that does some of the same again.
    let mut shards: Vec<PathBuf> = (0..3).map(|i| shard(folder.path(), i, 3)).collect();
    shards.push(shard(folder.path(), 1, 2));
    let out = folder.path().join("out");
    let campaign = whole(&out);
    campaign.merge(&shards).unwrap().write(&out).unwrap();
    assert_eq!(files(&out), files(&one_piece));
    let merged = campaign.finished().unwrap();
    assert_eq!(bits(&merged), bits(&finished));
    assert!(merged.by_variant().flatten().all(|record| record.cost.is_some()));
    // A merged folder is one to be merged, too.
    let again = folder.path().join("again");
    whole(&again).merge(&[out]).unwrap().write(&again).unwrap();
    assert_eq!(files(&again), files(&one_piece));
}

#[test]
fn what_is_missing_is_named_and_what_is_cut_counts_as_missing() {
    let folder = tempfile::tempdir().unwrap();
    let shards: Vec<PathBuf> = (0..2).map(|i| shard(folder.path(), i, 3)).collect();
    let whole = whole(&folder.path().join("out"));
    let error = whole.merge(&shards).unwrap_err();
    assert_eq!(error.numbers(), [2].into());
    let message = error.to_string();
    assert!(message.contains("2 of 8 trainings are missing"), "{message}");
    assert!(message.contains("training.bits=8 training 2"), "{message}");

    let all: Vec<PathBuf> = (0..3).map(|i| shard(folder.path(), i, 3)).collect();
    let record = all[1].join("training.bits=8/training-0001.ron");
    let controller = all[0].join("training.bits=10/training-0003-controller.ron");
    for path in [&record, &controller] {
        let text = fs::read(path).unwrap();
        fs::write(path, &text[..text.len() / 2]).unwrap();
    }
    let error = whole.merge(&all).unwrap_err();
    assert_eq!(error.numbers(), [1, 3].into());
    let MergeError::Missing { damaged, .. } = error else { panic!("{error}") };
    assert_eq!(damaged, [record, controller]);
}

#[test]
fn an_attempt_goes_on_from_what_others_have_finished_and_leaves_their_folders_alone() {
    let folder = tempfile::tempdir().unwrap();
    let first = shard(folder.path(), 0, 2);
    let lost = first.join("training.bits=8/training-0002.ron");
    fs::remove_file(lost).unwrap();
    let before = files(&first);
    let second = folder.path().join("second");
    let of_shard = campaign(&second, &VARIED, |options| {
        options.shard = Some(Shard::new(0, 2).unwrap());
        options.earlier = vec![first.clone()];
    });
    let found = of_shard.finished().unwrap();
    assert_eq!((found.n_finished(), found.n_trainings()), (3, 4));
    train(&of_shard, 1);
    assert_eq!(files(&first), before);
    let names: Vec<String> = files(&second).into_keys().collect();
    assert_eq!(
        names,
        ["training.bits=8/training-0002-controller.ron", "training.bits=8/training-0002.ron"]
    );
}

#[test]
fn results_that_differ_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (shard(folder.path(), 0, 1), shard(&folder.path().join("other"), 0, 1));
    let path = other.join("training.bits=8/training-0001.ron");
    let text = fs::read_to_string(&path).unwrap();
    let changed = text.replacen("moves: ", "moves: 1", 1);
    assert_ne!(changed, text);
    fs::write(&path, changed).unwrap();
    let whole = whole(&folder.path().join("out"));
    let error = whole.merge(&[one, other]).unwrap_err();
    let MergeError::Campaign(CampaignError::Record(error)) = error else { panic!("{error}") };
    assert!(matches!(error, RecordError::Contradiction { .. }), "{error}");
    assert!(error.to_string().contains("training-0001.ron"), "{error}");
}

#[test]
fn shards_of_another_campaign_or_version_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let shard = shard(folder.path(), 0, 1);
    let out = folder.path().join("out");
    let seed = campaign(&out, &VARIED, |options| options.seed = 2);
    let version = campaign(&out, &VARIED, |options| options.bitloop_version = "9.9.9".to_owned());
    for (campaign, fragment) in [(seed, "another scenario, seed"), (version, "made by bitloop 0")] {
        let error = campaign.merge(std::slice::from_ref(&shard)).unwrap_err().to_string();
        assert!(error.contains(fragment), "{error}");
    }
}
