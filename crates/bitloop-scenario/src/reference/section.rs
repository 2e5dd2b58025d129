//! A section for each struct and each choice of both kinds of scenarios, and of tests.

use bitloop_text::RawField;

use crate::{
    file::FileKind,
    scenario::Scenario,
    suite::{Suite, Test},
    supervised::Supervised,
};

use super::{
    address::Address,
    meaning::{RecordMeaning, choices, records},
    probe::{Choice, Payload, Record, Shape, shape_of},
};

/// A struct with its fields, or a choice with its variants.
#[derive(Clone, Debug)]
pub(crate) struct Section {
    /// Where it stands; the same settings can stand in several places.
    pub addresses: Vec<Address>,
    /// The name of the type, by which two sections are one.
    pub name: &'static str,
    pub is_choice: bool,
    pub rows: Vec<Row>,
}

/// A field or a variant.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Row {
    pub name: &'static str,
    /// What can stand there; for a variant, how it is written.
    pub kind: String,
    pub unit: &'static str,
    pub default: String,
    pub meaning: &'static str,
    /// Whether the field is a map, of which any entry can be asked for.
    pub is_map: bool,
}

impl Section {
    /// Whether a row of the section at `address` is at `path` or below it.
    pub fn is_row_within(&self, row: &Row, address: &Address, path: &[&str]) -> bool {
        let address =
            if self.is_choice { address.choice(row.name) } else { address.field(row.name) };
        address.is_within(path) || (row.is_map && address.field("*").is_within(path))
    }
}

/// All sections, in the order of the fields.
pub(crate) fn sections() -> Vec<Section> {
    let mut walk = Walk { sections: Vec::new(), raw_fields: Scenario::raw_fields() };
    walk.shape(&shape_of::<Scenario>(), &Address::of_file(Scenario::NAME));
    walk.raw_fields = Supervised::raw_fields();
    walk.shape(&shape_of::<Supervised>(), &Address::of_file(Supervised::NAME));
    walk.raw_fields = Test::raw_fields();
    walk.shape(&shape_of::<Test>(), &Address::of_file(Suite::NAME));
    walk.sections
}

struct Walk {
    sections: Vec<Section>,
    raw_fields: Vec<RawField>,
}

impl Walk {
    fn shape(&mut self, shape: &Shape, address: &Address) {
        match shape {
            Shape::Record(Record { name, fields }) => self.record(name, fields, address),
            Shape::Choice(choice) => self.choice(choice, address),
            Shape::Optional(inner) | Shape::List(inner) | Shape::Tuple(_, inner) => {
                self.shape(inner, address);
            }
            Shape::Map(inner) => self.shape(inner, &address.field("*")),
            Shape::Flag | Shape::Whole | Shape::Number | Shape::Text | Shape::Several => {}
        }
    }

    fn record(&mut self, name: &'static str, fields: &[(&'static str, Shape)], address: &Address) {
        let known = records().find(|known| {
            known.name == name && fields.iter().all(|(field, _)| known.field(field).is_some())
        });
        let rows = fields.iter().map(|(field, shape)| {
            let meaning = known.and_then(|known| known.field(field));
            Row {
                name: field,
                kind: self.kind(shape, &address.field(field)),
                unit: meaning.map_or("", |field| field.unit),
                default: known.map_or(String::new(), |known| known.default_in_words(field)),
                meaning: meaning.map_or("", |field| field.meaning),
                is_map: matches!(shape, Shape::Map(_)),
            }
        });
        let rows: Vec<Row> = rows.collect();
        self.add(name, false, rows, address);
        for (field, shape) in fields {
            self.shape(shape, &address.field(field));
        }
    }

    fn choice(&mut self, choice: &Choice, address: &Address) {
        let known = choices().find(|known| known.name == choice.name);
        let rows = choice.variants.iter().map(|(variant, payload)| {
            let meaning = known.and_then(|known| {
                known.variants.iter().find(|(name, _)| name == variant).map(|(_, text)| *text)
            });
            let kind = match payload {
                Payload::Nothing => (*variant).to_owned(),
                Payload::Fields(_) => format!("{variant}(...)"),
                Payload::Value(shape) => match **shape {
                    Shape::Record(_) => format!("{variant}(...)"),
                    _ => format!("{variant}({})", self.kind(shape, &address.choice(variant))),
                },
                Payload::Tuple(n, shape) => {
                    let one = self.kind(shape, &address.choice(variant));
                    format!("{variant}({})", vec![one; *n].join(", "))
                }
            };
            Row {
                name: variant,
                kind,
                unit: "",
                default: String::new(),
                meaning: meaning.unwrap_or(""),
                is_map: false,
            }
        });
        let rows: Vec<Row> = rows.collect();
        self.add(choice.name, true, rows, address);
        for (variant, payload) in &choice.variants {
            let address = address.choice(variant);
            match payload {
                Payload::Nothing => {}
                Payload::Value(shape) | Payload::Tuple(_, shape) => self.shape(shape, &address),
                Payload::Fields(fields) => self.record(variant, fields, &address),
            }
        }
    }

    /// Adds a section, or one more place to the section of the same type.
    fn add(&mut self, name: &'static str, is_choice: bool, rows: Vec<Row>, address: &Address) {
        let names = |rows: &[Row]| rows.iter().map(|row| row.name).collect::<Vec<_>>();
        let same = self
            .sections
            .iter_mut()
            .find(|section| section.name == name && names(&section.rows) == names(&rows));
        if let Some(section) = same {
            section.addresses.push(address.clone());
        } else {
            let addresses = vec![address.clone()];
            self.sections.push(Section { addresses, name, is_choice, rows });
        }
    }

    /// What can stand at `address`, in words.
    fn kind(&self, shape: &Shape, address: &Address) -> String {
        match shape {
            Shape::Flag => "true or false".into(),
            Shape::Whole => "whole number".into(),
            Shape::Number => "number".into(),
            Shape::Text => "text".into(),
            Shape::Several => {
                let path = address.path();
                // Addresses name no positions in lists, and no two fields differ by these alone.
                let named = |path: &str| path.replace(".*", "");
                let raw = self.raw_fields.iter().find(|raw| named(&raw.path) == named(&path));
                raw.map_or_else(
                    || if is_part(&path) { PART_SIZE.into() } else { COLUMN.into() },
                    |raw| raw.expected.into(),
                )
            }
            Shape::List(inner) => format!("list: [{}, ...]", self.kind(inner, address)),
            Shape::Tuple(n, inner) => {
                format!("({})", vec![self.kind(inner, address); *n].join(", "))
            }
            Shape::Map(inner) => {
                format!("map: {{\"name\": {}}}", self.kind(inner, &address.field("*")))
            }
            Shape::Optional(inner) => self.kind(inner, address),
            Shape::Record(_) => "settings (...)".into(),
            Shape::Choice(choice) => {
                let names: Vec<_> = choice.variants.iter().map(|(name, _)| *name).collect();
                names.join(" | ")
            }
        }
    }
}

/// What serde knows nothing of, in words.
const COLUMN: &str = "column: its number, from 1, or its name";
const PART_SIZE: &str = "whole number of rows, or share such as 0.6";

/// Whether a field is the size of a part of rows.
fn is_part(path: &str) -> bool {
    ["split.training", "split.validation", "split.test"].contains(&path)
}

impl RecordMeaning {
    /// The default as the page says it.
    pub fn default_in_words(&self, field: &str) -> String {
        let words = self.field(field).map_or("", |field| field.default);
        if !words.is_empty() {
            words.to_owned()
        } else if self.is_required(field) {
            "required".to_owned()
        } else {
            let value = self.default_value(field);
            // `ron` marks the choice `None`, which is no option.
            value.map_or("see its fields".to_owned(), |value| value.replace("r#None", "None"))
        }
    }
}
