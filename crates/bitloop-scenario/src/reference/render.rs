//! The reference as a page and as text.

use std::fmt::Write as _;

use bitloop_text::suggestion;

use super::{
    address::Address,
    section::{Row, Section, sections},
};

/// The page `REFERENCE.md`.
#[must_use]
pub fn reference_page() -> String {
    let mut page = String::from(
        "# Fields of a scenario\n\n\
         Generated from the types by a test; `BITLOOP_UPDATE=1 cargo test -p bitloop-scenario reference` writes it anew.\n\
         `bitloop scenario fields [PATH]` prints the same, all of it or what is at a path. A path is field names joined by dots,\n\
         as in messages and in `--vary`: `training.bits`. A choice is named in brackets: `Scenario.training(CmaEs)` are the\n\
         settings in `training: CmaEs(...)`. Fields with a default can be left out. `Tests` are the fields of each test in a suite,\n\
         `Tests([(name: \"...\", ...), ...])`.\n",
    );
    for section in sections() {
        let places: Vec<String> =
            section.addresses.iter().map(|address| format!("`{}`", address.text())).collect();
        let _ = write!(page, "\n## {}\n\n", places.join(", "));
        page.push_str(if section.is_choice {
            "| choice | meaning |\n|---|---|\n"
        } else {
            "| field | type | unit | default | meaning |\n|---|---|---|---|---|\n"
        });
        for row in &section.rows {
            let cells = if section.is_choice {
                vec![format!("`{}`", row.kind), row.meaning.to_owned()]
            } else {
                vec![
                    format!("`{}`", row.name),
                    row.kind.clone(),
                    row.unit.to_owned(),
                    row.default.clone(),
                    row.meaning.to_owned(),
                ]
            };
            let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
            let _ = writeln!(page, "| {} |", cells.join(" | "));
        }
    }
    page
}

/// A path at which there is no field.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no scenario has a field `{path}`")]
pub struct UnknownField {
    /// The path.
    pub path: String,
    /// What to do about it.
    pub hint: String,
}

/// The fields and choices at `path` and below it, as text; all of them for an empty path. A heading of this text is a path, too:
/// choices may be in brackets, and several places are separated by commas.
///
/// # Errors
/// If there is none.
pub fn fields(path: &str) -> Result<String, UnknownField> {
    let places: Vec<Vec<&str>> = path.split(',').map(names).collect();
    match places.iter().find(|names| text_of(&[names]).is_none()) {
        Some(names) => Err(UnknownField { path: path.to_owned(), hint: hint(names) }),
        None => Ok(text_of(&places).unwrap_or_default()),
    }
}

/// The names in a path, with those of choices.
fn names(path: &str) -> Vec<&str> {
    path.split(['.', '(', ')']).map(str::trim).filter(|name| !name.is_empty()).collect()
}

/// The names that fit where `path` leaves the fields that there are.
fn hint(path: &[&str]) -> String {
    let n_known = (0..path.len()).rev().find(|&n| text_of(&[&path[..n]]).is_some()).unwrap_or(0);
    let sections = sections();
    let mut near: Vec<&str> = sections
        .iter()
        .filter(|section| {
            section.addresses.iter().any(|address| address.is_right_at(&path[..n_known]))
        })
        .flat_map(|section| section.rows.iter().map(|row| row.name))
        .collect();
    near.sort_unstable();
    near.dedup();
    suggestion(path[n_known], &near, "the fields here are")
}

/// What is at any of these places.
fn text_of<'a>(paths: &[impl AsRef<[&'a str]>]) -> Option<String> {
    let mut text = String::new();
    for section in sections() {
        // Settings that stand in several of the places asked for are explained once.
        let is_within = |row: &Row, address: &Address| {
            paths.iter().any(|path| section.is_row_within(row, address, path.as_ref()))
        };
        let places = section
            .addresses
            .iter()
            .filter(|address| section.rows.iter().any(|row| is_within(row, address)));
        let places: Vec<&Address> = places.collect();
        if places.is_empty() {
            continue;
        }
        let names: Vec<String> = places.iter().map(|address| address.text()).collect();
        let _ = writeln!(text, "{}", names.join(", "));
        for row in &section.rows {
            if places.iter().any(|address| is_within(row, address)) {
                push_row(&mut text, &section, row);
            }
        }
        text.push('\n');
    }
    text.truncate(text.trim_end().len());
    (!text.is_empty()).then(|| text + "\n")
}

fn push_row(text: &mut String, section: &Section, row: &Row) {
    if section.is_choice {
        let _ = writeln!(text, "  {}", row.kind);
    } else {
        let unit = if row.unit.is_empty() { String::new() } else { format!(" [{}]", row.unit) };
        let default = if row.default == "required" {
            "required".to_owned()
        } else {
            format!("default: {}", row.default)
        };
        let _ = writeln!(text, "  {}: {}{unit}; {default}", row.name, row.kind);
    }
    let _ = writeln!(text, "      {}", row.meaning);
}
