//! Links in the guides lead to files.
//!
//! The architecture page names the files on the way of a flipped bit, and README.md the page of each subject: a file that
//! moves must take its links along.

use std::fs;
use std::path::{Path, PathBuf};

/// Templates are guides of folders that do not exist yet; the packages of Python have guides of their own.
const NO_GUIDES: [&str; 5] = ["target", "templates", "runs", ".git", "venv"];

/// All Markdown files below a folder.
fn guides(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a readable folder") {
        let entry = entry.expect("a readable folder");
        let (path, kind) = (entry.path(), entry.file_type().expect("a readable folder"));
        if kind.is_dir() && !NO_GUIDES.contains(&&*entry.file_name().to_string_lossy()) {
            guides(&path, found);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "md") {
            found.push(path);
        }
    }
}

/// The targets of the links in a text, `[words](target)`.
fn links(text: &str) -> impl Iterator<Item = &str> {
    text.split("](").skip(1).filter_map(|rest| rest.split_once(')')).map(|(target, _)| target)
}

#[test]
fn links_in_the_guides_lead_to_files() {
    let top = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut found = Vec::new();
    guides(&top, &mut found);
    let mut n_links = 0;
    let mut broken = Vec::new();
    for guide in found {
        let text = fs::read_to_string(&guide).expect("a readable guide");
        let folder = guide.parent().expect("a file is in a folder");
        for link in links(&text).filter(|link| !link.contains("://") && !link.starts_with('#')) {
            let path = link.split_once('#').map_or(link, |(path, _)| path);
            n_links += 1;
            if !folder.join(path).exists() {
                broken.push(format!("{}: {link}", guide.display()));
            }
        }
    }
    assert!(n_links > 100, "only {n_links} links");
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}
