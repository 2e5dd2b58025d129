//! The folders of shards, wherever they are inside the folders that were named.

use std::fs;
use std::path::{Path, PathBuf};

use bitloop_folder::CAMPAIGN;

use crate::args::{MapArgs, ReplayArgs, RobustArgs};
use crate::failure::Failure;
use crate::shards::Divisible;
use crate::train::TRAINING;

/// How far down shards are looked for: a folder of all, of a machine, of a shard, of an attempt.
const DEPTH: u32 = 4;

/// What shards are parts of.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    /// Of a campaign.
    Campaign,
    /// Of the runs of a training.
    Training,
    /// Of the episodes of a replay.
    Replay,
    /// Of the cells of a map.
    Map,
    /// Of tests of robustness.
    Robust,
}

impl Kind {
    const ALL: [Self; 5] = [Self::Campaign, Self::Training, Self::Replay, Self::Map, Self::Robust];

    /// The file that says what was asked for, in the folder of each part.
    const fn plan(self) -> &'static str {
        match self {
            Self::Campaign => CAMPAIGN,
            Self::Training => TRAINING,
            Self::Replay => ReplayArgs::FILE,
            Self::Map => MapArgs::FILE,
            Self::Robust => RobustArgs::FILE,
        }
    }

    const fn word(self) -> &'static str {
        match self {
            Self::Campaign => "a campaign",
            Self::Training => "a training",
            Self::Replay => "a replay",
            Self::Map => "a map",
            Self::Robust => "a test of robustness",
        }
    }
}

/// Folders of parts, all of one kind.
#[derive(Debug)]
pub struct Found {
    /// What they are parts of.
    pub kind: Kind,
    /// The folders, in order of their paths; at least one.
    pub folders: Vec<PathBuf>,
}

/// Finds the folders of parts.
pub fn find(folders: &[PathBuf]) -> Result<Found, Failure> {
    let mut found = Vec::new();
    for folder in folders {
        look(folder, DEPTH, &mut found)?;
    }
    found.sort();
    found.dedup();
    let Some((first, kind)) = found.first().cloned() else {
        let names = folders.iter().map(|folder| folder.display().to_string());
        return Err(Failure::Folder {
            message: format!("{}: there is no shard in it", names.collect::<Vec<_>>().join(", ")),
            hint: Some("name the folder that --out named when the shards were run".to_owned()),
        });
    };
    if let Some((other, other_kind)) = found.iter().find(|(_, other)| *other != kind) {
        return Err(Failure::Folder {
            message: format!(
                "{} is of {}, and {} is of {}",
                first.display(),
                kind.word(),
                other.display(),
                other_kind.word()
            ),
            hint: Some("name the folders of one piece of work alone".to_owned()),
        });
    }
    Ok(Found { kind, folders: found.into_iter().map(|(folder, _)| folder).collect() })
}

/// Adds the folders of parts in this one, or this one itself. Links inside it are not followed.
fn look(folder: &Path, depth: u32, found: &mut Vec<(PathBuf, Kind)>) -> Result<(), Failure> {
    let is_there = |kind: &Kind| fs::symlink_metadata(folder.join(kind.plan())).is_ok();
    if let Some(kind) = Kind::ALL.into_iter().find(is_there) {
        found.push((folder.to_owned(), kind));
        return Ok(());
    }
    let refused = |error: std::io::Error| Failure::Folder {
        message: format!("{}: {error}", folder.display()),
        hint: None,
    };
    for entry in fs::read_dir(folder).map_err(refused)? {
        let entry = entry.map_err(refused)?;
        // A folder that is not whole yet has a name that begins with a dot.
        let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
        if depth > 1 && !is_hidden && entry.file_type().map_err(refused)?.is_dir() {
            look(&entry.path(), depth - 1, found)?;
        }
    }
    Ok(())
}
