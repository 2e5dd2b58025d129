//! Items done apart: lost, done twice, in other divisions, damaged, foreign.

use std::fs;

use super::*;

#[derive(Debug)]
struct Failed;

impl From<FolderError> for Failed {
    fn from(_: FolderError) -> Self {
        Self
    }
}

fn parts(n_items: u32) -> Parts {
    Parts::new(("episode", n_items), "work", None, "0.1.0".to_owned())
}

/// A result with all that is hard to keep.
fn result(item: u32) -> (f64, Vec<f64>) {
    (f64::from(item) / 3.0, vec![f64::NAN, f64::INFINITY, -0.0, f64::from(item)])
}

/// Does what is missing of a shard in a folder, up to an item.
fn work(parts: &Parts, folder: &Path, shard: &str, end: u32) -> bool {
    fs::create_dir_all(folder).unwrap();
    let finished = parts.finished::<(f64, Vec<f64>)>(&[folder.to_owned()]).unwrap();
    let missing = parts.missing(&finished, shard.parse().unwrap());
    let mut run = |items: &[u32]| -> Result<_, Failed> {
        let is_over = items.iter().any(|&item| item >= end);
        Ok((!is_over).then(|| items.iter().map(|&item| result(item)).collect()))
    };
    parts.work((folder, 1), (&missing, 3), &mut run, &mut |_| {}).unwrap()
}

fn bits(results: &[(f64, Vec<f64>)]) -> Vec<u64> {
    results.iter().flat_map(|(a, b)| [*a].into_iter().chain(b.clone())).map(f64::to_bits).collect()
}

fn whole(parts: &Parts, folders: &[PathBuf]) -> Result<Vec<u64>, PartsError> {
    let whole = parts.whole(parts.finished::<(f64, Vec<f64>)>(folders)?)?;
    Ok(bits(&whole.results))
}

#[test]
fn shards_of_several_divisions_lost_and_resumed_are_the_whole() {
    let folder = tempfile::tempdir().unwrap();
    let of = |name: &str| folder.path().join(name);
    let parts = parts(20);
    let expected = bits(&(0..20).map(result).collect::<Vec<_>>());
    assert!(!work(&parts, &of("a"), "0/2", 9), "it is interrupted");
    assert!(work(&parts, &of("a"), "0/2", 20));
    assert!(work(&parts, &of("b"), "1/2", 20));
    assert!(work(&parts, &of("c"), "2/3", 20));
    assert_eq!(whole(&parts, &[of("c"), of("a"), of("b")]).unwrap(), expected);
    let error = whole(&parts, &[of("c"), of("a")]).unwrap_err();
    assert_eq!(error.numbers(), [1, 3, 7, 9, 13, 15, 19].into());
    assert_eq!(error.to_string(), "7 of 20 episodes are missing, the first is episode 1");
    // A folder with all of the results can be merged with others again.
    let finished = parts.finished::<(f64, Vec<f64>)>(&[of("a"), of("b")]).unwrap();
    let all = parts.whole(finished).unwrap();
    fs::create_dir(of("whole")).unwrap();
    parts.write_whole(&of("whole"), &all).unwrap();
    assert_eq!(whole(&parts, &[of("whole"), of("c")]).unwrap(), expected);
}

#[test]
fn a_shard_beyond_the_last_item_has_nothing_to_do() {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts(3);
    assert_eq!(parts.n_items_of("7/8".parse().unwrap()), 0);
    assert!(work(&parts, folder.path(), "7/8", 3));
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn damage_counts_as_missing_wherever_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let parts = parts(3);
    assert!(work(&parts, folder.path(), "0/1", 3));
    let path = folder.path().join("batch-0000.bin");
    let bytes = fs::read(&path).unwrap();
    for at in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        for damaged in [&bytes[..at], &changed] {
            fs::write(&path, damaged).unwrap();
            match parts.finished::<(f64, Vec<f64>)>(&[folder.path().to_owned()]) {
                Ok(found) => assert_eq!((found.len(), found.damaged().len()), (0, 1), "{at}"),
                // The first line says that it is another file, or another format.
                Err(RecordError::NotOurs { .. }) => assert!(at < 48, "{at}"),
                Err(error) => panic!("{error}"),
            }
        }
    }
}

#[test]
fn results_of_other_work_or_that_differ_are_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let own = folder.path().join("a");
    assert!(work(&parts(6), &own, "0/2", 6));
    let other = |digest: &str, plant: Option<&str>, version: &str| {
        let plant = plant.map(str::to_owned);
        Parts::new(("episode", 6), digest, plant, version.to_owned())
    };
    for (parts, fragment) in [
        (other("other", None, "0.1.0"), "this is a batch of another command"),
        (other("work", Some("p"), "0.1.0"), "another build of the plant"),
        (other("work", None, "9.9.9"), "made by bitloop 0.1.0"),
    ] {
        let error = whole(&parts, std::slice::from_ref(&own)).unwrap_err().to_string();
        assert!(error.contains("batch-0000.bin") && error.contains(fragment), "{error}");
    }
    let second = folder.path().join("b");
    fs::create_dir(&second).unwrap();
    let mut run = |items: &[u32]| -> Result<_, Failed> { Ok(Some(vec![result(9); items.len()])) };
    parts(6).work((&second, 1), (&[2, 3], 2), &mut run, &mut |_| {}).unwrap();
    let error = whole(&parts(6), &[own, second]).unwrap_err().to_string();
    assert!(error.contains("results of the same episode, and differ"), "{error}");
    assert!(error.contains("batch-0002.bin"), "{error}");
}
