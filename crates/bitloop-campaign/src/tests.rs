//! How records are written and found again, by the example of those of campaigns.

use std::fs;
use std::path::Path;

use crate::records::{Found, find, header, write};
use crate::training_record::TrainingRecord;
use crate::training_record::tests::record;

#[test]
fn records_come_back_to_the_bit() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("training-0007.ron");
    assert_eq!(find::<TrainingRecord>(&path).unwrap(), Found::Nothing);
    write(folder.path(), &record()).unwrap();
    let Found::Record(found, bits) = find::<TrainingRecord>(&path).unwrap() else {
        panic!("it was written")
    };
    assert_eq!(found, record());
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    write(folder.path(), &TrainingRecord { error: f64::NAN, ..record() }).unwrap();
    let Found::Record(found, other) = find::<TrainingRecord>(&path).unwrap() else {
        panic!("it was written")
    };
    assert!(found.error.is_nan() && bits != other);
}

#[test]
fn cut_foreign_and_other_records_are_told_apart() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("training-0007.ron");
    write(folder.path(), &record()).unwrap();
    let find = |path: &Path| find::<TrainingRecord>(path);
    let text = fs::read_to_string(&path).unwrap();
    let n_header = header::<TrainingRecord>().len();
    for length in [0, 10, n_header, n_header + 1, text.len() / 2, text.len() - 3] {
        fs::write(&path, &text[..length]).unwrap();
        assert_eq!(find(&path).unwrap(), Found::Damaged, "{length}");
    }
    for other in ["Scenario(plant: \"x\")", "x", "\u{0}", text.split_once('\n').unwrap().1] {
        fs::write(&path, other).unwrap();
        assert_eq!(find(&path).unwrap(), Found::Foreign, "{other}");
    }
    fs::write(&path, text.replacen("format 3\n", "format 4\n", 1)).unwrap();
    assert_eq!(find(&path).unwrap(), Found::OtherFormat(4));
    assert_eq!(find(folder.path()).unwrap(), Found::Foreign);
}
