//! [`Sdk`]: where a new plant takes the crate `bitloop-plant` from.

use std::path::{Component, Path, PathBuf};

/// Where the crate `bitloop-plant` is.
#[derive(Debug, PartialEq, Eq)]
pub enum Sdk {
    /// A folder, by its path, in UTF-8.
    Folder(String),
    /// None was found: the published version of this number.
    Published(&'static str),
}

impl Sdk {
    /// The sources that this program was built from, if they are still there, or the checkout that it lies in.
    pub fn find() -> Self {
        let built_from = Path::new(env!("CARGO_MANIFEST_DIR")).join("../bitloop-plant");
        let program = std::env::current_exe().unwrap_or_default();
        let around = program.ancestors().map(|folder| folder.join("crates/bitloop-plant"));
        Self::first_of(std::iter::once(built_from).chain(around))
    }

    fn first_of(mut folders: impl Iterator<Item = PathBuf>) -> Self {
        folders
            .find_map(|folder| {
                let folder = folder.canonicalize().ok()?;
                let is_sdk = folder.ends_with("bitloop-plant")
                    && folder.join("Cargo.toml").is_file()
                    && folder.join("src/lib.rs").is_file();
                is_sdk.then(|| folder.into_os_string().into_string().ok()).flatten()
            })
            .map_or(Self::Published(env!("CARGO_PKG_VERSION")), Self::Folder)
    }

    /// The same for a new folder: by a relative path where that is in the checkout or beside it, so that both can be shared with
    /// others, who have them elsewhere.
    pub fn seen_from(self, folder: &Path) -> Self {
        let Self::Folder(own) = &self else { return self };
        relative(&resolved(folder), Path::new(own)).map_or(self, Self::Folder)
    }

    /// What stands after `bitloop-plant = ` in Cargo.toml.
    pub fn dependency(&self) -> String {
        match self {
            Self::Folder(folder) => format!("{{ path = {} }}", toml_text(folder)),
            Self::Published(version) => toml_text(version),
        }
    }

    /// A sentence or two for the user.
    pub fn remark(&self) -> String {
        match self {
            Self::Folder(folder) => format!(
                "Cargo.toml takes the crate bitloop-plant from {folder}; change the path there if either folder moves."
            ),
            Self::Published(version) => format!(
                "Cargo.toml asks for the published crate bitloop-plant {version}, since the sources of this bitloop are \
                 not on this machine; where you have them, write bitloop-plant = {{ path = \"...\" }} there."
            ),
        }
    }
}

/// A path whose beginning, as far as it exists, is without links.
fn resolved(path: &Path) -> PathBuf {
    let existing = path.ancestors().find_map(|it| Some((it, it.canonicalize().ok()?)));
    let whole = existing.and_then(|(it, found)| Some(found.join(path.strip_prefix(it).ok()?)));
    whole.unwrap_or_else(|| path.to_owned())
}

/// The way from a folder that is in the checkout of `sdk` or beside it.
fn relative(folder: &Path, sdk: &Path) -> Option<String> {
    if folder.components().any(|part| part == Component::ParentDir) {
        return None;
    }
    let checkout = sdk.parent()?.parent()?;
    // The top of the file system has all beside it.
    let around = checkout.parent().filter(|around| around.parent().is_some());
    if !folder.starts_with(around.unwrap_or(checkout)) {
        return None;
    }
    let shared = folder.ancestors().find(|shared| sdk.starts_with(shared))?;
    let n_up = folder.strip_prefix(shared).ok()?.components().count();
    let up: PathBuf = std::iter::repeat_n("..", n_up).collect();
    up.join(sdk.strip_prefix(shared).ok()?).into_os_string().into_string().ok()
}

/// A string in TOML, which takes all that JSON writes.
fn toml_text(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sources_are_found_or_else_the_published_version_is_asked_for() {
        let Sdk::Folder(folder) = Sdk::find() else { panic!("tests run where they are built") };
        assert!(folder.ends_with("crates/bitloop-plant") && !folder.contains(".."), "{folder}");
        let nowhere = Sdk::first_of([PathBuf::from("/nowhere/crates/bitloop-plant")].into_iter());
        assert_eq!(nowhere, Sdk::Published(env!("CARGO_PKG_VERSION")));
        assert_eq!(nowhere.dependency(), concat!("\"", env!("CARGO_PKG_VERSION"), "\""));
        for (folder, path) in [
            ("/src/bitloop/plants/mine", Some("../../crates/bitloop-plant")),
            ("/src/work/mine", Some("../../bitloop/crates/bitloop-plant")),
            ("/home/mine", None),
        ] {
            let found = relative(Path::new(folder), Path::new("/src/bitloop/crates/bitloop-plant"));
            assert_eq!(found.as_deref(), path);
        }
        let found = relative(Path::new("/home/mine"), Path::new("/bitloop/crates/bitloop-plant"));
        assert_eq!(found, None);
        let odd = Sdk::Folder("/a \"b\"\\c".to_owned());
        assert_eq!(odd.dependency(), r#"{ path = "/a \"b\"\\c" }"#);
    }
}
