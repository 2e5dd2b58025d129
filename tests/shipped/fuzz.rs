//! All that the fuzz targets are begun with, and all that ever made one of them fail, is read by the same functions. That
//! finds what has come back; what is new is found by fuzzing, see `fuzz/README.md`.

use std::fs;
use std::path::Path;
use std::time::Duration;

use cpu_time::ThreadTime;

use crate::readers;

/// No input may take longer, in processor time: a hundred times what the slowest takes.
const LIMIT: Duration = Duration::from_secs(5);

type Reader = fn(&[u8]);

/// Feeds the files of a target to its reader, and says how many they were.
fn replay(target: &str, read: Reader) -> usize {
    let mut n_files = 0;
    for kind in ["corpus", "failed"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../fuzz").join(kind).join(target);
        // A target that has never failed has no such folder.
        let Ok(entries) = fs::read_dir(folder) else { continue };
        for entry in entries {
            let path = entry.unwrap().path();
            let data = fs::read(&path).unwrap();
            let begun = ThreadTime::now();
            read(&data);
            assert!(begun.elapsed() < LIMIT, "{} took {:?}", path.display(), begun.elapsed());
            n_files += 1;
        }
    }
    n_files
}

#[test]
fn what_was_fuzzed_is_read_or_refused() {
    let targets: [(&str, Reader); 7] = [
        ("scenario", readers::scenario::read),
        ("controller", readers::controller::read),
        ("model", readers::model::read),
        ("checkpoint", readers::checkpoint::read),
        ("descriptor", readers::descriptor::read),
        ("fmu", readers::fmu::read),
        ("instances", readers::instances::read),
    ];
    for (target, read) in targets {
        assert!(replay(target, read) >= 3, "{target}: the corpus is missing");
    }
}
