//! The tables of meanings against the types.

use std::collections::BTreeSet;

use super::{
    meaning::{choices, records},
    render::{fields, reference_page},
    section::sections,
};

#[test]
fn each_field_and_choice_has_a_meaning() {
    for section in sections() {
        for row in &section.rows {
            assert!(!row.meaning.is_empty(), "{} has no meaning for `{}`", section.name, row.name);
        }
    }
}

#[test]
fn each_meaning_is_that_of_a_field_or_choice() {
    let found: BTreeSet<(&str, &str)> = sections()
        .iter()
        .flat_map(|section| section.rows.iter().map(|row| (section.name, row.name)))
        .collect();
    let written = records()
        .flat_map(|record| record.fields.iter().map(|field| (record.name, field.name)))
        .chain(
            choices()
                .flat_map(|choice| choice.variants.iter().map(|(name, _)| (choice.name, *name))),
        );
    for entry in written {
        assert!(found.contains(&entry), "no field {entry:?}");
    }
}

#[test]
fn defaults_are_those_of_the_types() {
    for record in records() {
        assert!((record.written)(record.minimal).is_some(), "{} cannot be read", record.minimal);
        for field in record.fields.iter().filter(|field| !record.is_required(field.name)) {
            let Some(value) = record.default_value(field.name) else { continue };
            let says_it = field.default.is_empty() || field.default.contains(&value);
            assert!(says_it, "{}.{} is {value}, not {}", record.name, field.name, field.default);
        }
    }
}

#[test]
fn only_settings_have_their_defaults_in_fields_of_their_own() {
    for row in sections().iter().flat_map(|section| &section.rows) {
        let is_settings = row.kind == "settings (...)";
        assert!(is_settings || row.default != "see its fields", "{}: {}", row.name, row.kind);
    }
}

#[test]
fn only_what_is_required_is_in_a_minimal_value() {
    for record in records() {
        for field in record.fields.iter().filter(|field| record.is_required(field.name)) {
            let renamed = record.minimal.replacen(&format!("{}:", field.name), "left_out:", 1);
            assert!((record.written)(&renamed).is_none(), "{}.{}", record.name, field.name);
        }
    }
}

#[test]
fn the_page_is_what_the_types_say() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/REFERENCE.md");
    let page = reference_page();
    if std::env::var_os("BITLOOP_UPDATE").is_some() {
        std::fs::write(path, &page).unwrap();
    }
    let written = std::fs::read_to_string(path).unwrap_or_default();
    assert!(written == page, "run BITLOOP_UPDATE=1 cargo test -p bitloop-scenario reference");
}

#[test]
fn fields_are_found_by_their_path_with_or_without_choices() {
    let bits = fields("training.bits").unwrap();
    for place in
        ["Scenario.training(TelescopicBlm)", "Scenario.training(CmaEs)", "Supervised.training("]
    {
        assert!(bits.contains(place), "{place} not in\n{bits}");
    }
    let one = fields("Scenario.training.CmaEs.bits").unwrap();
    assert!(
        one.contains("bits: whole number [bits]; default: 16") && !one.contains("Telescopic"),
        "{one}"
    );
    assert_eq!(fields("Scenario.training(CmaEs).bits").unwrap(), one);
    assert!(fields("initial.theta").is_ok() && fields("scaling.theta.center").is_ok());
    assert!(fields("episodes.test.horizon_s").unwrap().contains("[s]"));
    let typo = fields("training.bitts").unwrap_err();
    assert_eq!(typo.to_string(), "no scenario has a field `training.bitts`");
    assert_eq!(typo.hint, "did you mean `bits`?");
    let all = fields("").unwrap();
    let headings: Vec<&str> = all.lines().filter(|line| line.starts_with(['S', 'T'])).collect();
    for heading in &headings {
        let found = fields(heading).unwrap();
        assert_eq!(found.lines().find(|line| line == heading), Some(*heading));
    }
    assert!(headings.len() > 20 && headings.iter().any(|heading| heading.contains("), ")));
    assert_eq!(
        all.matches("horizon_s: number [s]").count(),
        3,
        "of an episode, of a curriculum, and of a test"
    );
}
