//! The files of a new plant, from the templates.

use bitloop_plant::abi::HEADERS;

use super::name::Name;
use super::sdk::Sdk;
use crate::args::Language;

macro_rules! template {
    ($path:literal) => {
        include_str!(concat!("../../templates/", $path))
    };
}

/// Files of a plant in Rust, and their templates.
const RUST: &[(&str, &str)] = &[
    ("Cargo.toml", template!("rust/Cargo.toml.template")),
    ("README.md", template!("rust/README.md")),
    ("src/lib.rs", template!("rust/src/lib.rs")),
    ("src/tests.rs", template!("rust/src/tests.rs")),
];

/// Files of a plant in C, and their templates.
const C: &[(&str, &str)] = &[
    ("Makefile", template!("c/Makefile")),
    ("README.md", template!("c/README.md")),
    ("equations.h", template!("c/equations.h")),
    ("plant.c", template!("c/plant.c")),
    ("test.c", template!("c/test.c")),
];

/// Files of both.
const SHARED: &[(&str, &str)] = &[
    (".gitignore", template!("shared/gitignore")),
    ("scenario.ron", template!("shared/scenario.ron")),
];

/// A file of the new folder.
#[derive(Debug)]
pub struct File {
    /// Within the folder.
    pub path: &'static str,
    /// All that is in it.
    pub text: String,
}

/// What replaces the marks of the templates.
#[derive(Debug)]
pub struct Words<'a> {
    /// The plant's name.
    pub name: &'a Name,
    /// Where the crate for plants in Rust is.
    pub sdk: &'a Sdk,
}

impl Words<'_> {
    /// The library, once it is built, within the folder.
    pub fn library(&self, language: Language) -> String {
        match language {
            Language::Rust => format!("target/release/lib{}.so", self.name.snake()),
            Language::C => format!("{}.so", self.name.as_str()),
        }
    }

    fn fill(&self, template: &str, language: Language) -> String {
        template
            .replace("shared-tables\n", template!("shared/tables.md"))
            .replace("library-path", &self.library(language))
            .replace("new-plant", self.name.as_str())
            .replace("new_plant", &self.name.snake())
            .replace("NewPlant", &self.name.camel())
            // Last, since a path may hold any of the words above.
            .replace("sdk-dependency", &self.sdk.dependency())
            .replace("sdk-remark", &self.sdk.remark())
    }
}

/// The files of a new plant.
pub fn of(language: Language, words: &Words<'_>) -> Vec<File> {
    let (own, headers): (_, &[(&str, &str)]) = match language {
        Language::Rust => (RUST, &[]),
        Language::C => (C, &HEADERS),
    };
    let filled = own
        .iter()
        .chain(SHARED)
        .map(|&(path, text)| File { path, text: words.fill(text, language) });
    let whole = headers.iter().map(|&(path, text)| File { path, text: text.to_owned() });
    filled.chain(whole).collect()
}
