//! [`Sdk`]: where a new plant takes the crate `bitloop-plant` from.

use std::path::{Path, PathBuf};

/// Where the crate `bitloop-plant` is.
#[derive(Debug, PartialEq, Eq)]
pub enum Sdk {
    /// A folder, by its absolute path, in UTF-8.
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
                "Cargo.toml takes the crate bitloop-plant from {folder}; change the path there if it moves."
            ),
            Self::Published(version) => format!(
                "Cargo.toml asks for the published crate bitloop-plant {version}, since the sources of this bitloop are \
                 not on this machine; where you have them, write bitloop-plant = {{ path = \"...\" }} there."
            ),
        }
    }
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
        let odd = Sdk::Folder("/a \"b\"\\c".to_owned());
        assert_eq!(odd.dependency(), r#"{ path = "/a \"b\"\\c" }"#);
    }
}
