//! The elements of an XML text with their attributes, one after the other.

use std::rc::Rc;

use quick_xml::Reader;
use quick_xml::events::{BytesStart, Event};

use crate::error::FmuFault;

/// The deepest nesting of elements.
const MAX_DEPTH: usize = 64;

/// An element.
#[derive(Clone, Debug)]
pub(super) struct Element {
    /// The names of those around it, outermost first.
    pub around: Rc<Vec<String>>,
    /// Its name.
    pub name: String,
    attributes: Vec<(String, String)>,
}

impl Element {
    /// An attribute's text.
    pub fn text(&self, name: &str) -> Option<&str> {
        self.attributes.iter().find(|(known, _)| known == name).map(|(_, text)| text.as_str())
    }

    /// An attribute's text, empty where there is none.
    pub fn text_or_empty(&self, name: &str) -> String {
        self.text(name).unwrap_or_default().to_owned()
    }

    /// An attribute that is a finite number; others are left out.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.text(name)?.trim().parse().ok().filter(|value: &f64| value.is_finite())
    }

    /// An attribute that is a whole number.
    pub fn whole(&self, name: &str) -> Option<u32> {
        self.text(name)?.trim().parse().ok()
    }

    /// Whether an attribute is set to true.
    pub fn is_true(&self, name: &str) -> bool {
        matches!(self.text(name).map(str::trim), Some("true" | "1"))
    }

    /// The element right around it; empty for the outermost.
    pub fn parent(&self) -> &str {
        self.around.last().map_or("", String::as_str)
    }
}

/// Calls `visit` with each element when it begins.
pub(super) fn elements(
    text: &str,
    mut visit: impl FnMut(Element) -> Result<(), FmuFault>,
) -> Result<(), FmuFault> {
    let mut reader = Reader::from_str(text);
    let mut around: Rc<Vec<String>> = Rc::default();
    loop {
        let position = reader.buffer_position();
        let fail = |error: &dyn std::fmt::Display| {
            let before = usize::try_from(position).unwrap_or(usize::MAX).min(text.len());
            let line = 1 + text.char_indices().filter(|(at, c)| *at < before && *c == '\n').count();
            FmuFault::Description(format!("line {line}: {error}"))
        };
        match reader.read_event().map_err(|error| fail(&error))? {
            Event::Start(start) => {
                let element = element(&start, &around).map_err(|error| fail(&error))?;
                if around.len() >= MAX_DEPTH {
                    return Err(fail(&format!("elements nest deeper than {MAX_DEPTH}")));
                }
                let name = element.name.clone();
                visit(element)?;
                Rc::make_mut(&mut around).push(name);
            }
            Event::Empty(start) => {
                visit(element(&start, &around).map_err(|error| fail(&error))?)?;
            }
            Event::End(_) => {
                Rc::make_mut(&mut around).pop();
            }
            Event::Eof if around.is_empty() => return Ok(()),
            Event::Eof => return Err(fail(&format!("`{}` has no end", around.join("/")))),
            _ => {}
        }
    }
}

fn element(start: &BytesStart<'_>, around: &Rc<Vec<String>>) -> Result<Element, quick_xml::Error> {
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let mut attributes = Vec::new();
    for attribute in start.attributes() {
        let attribute = attribute?;
        let text = attribute.normalized_value(quick_xml::XmlVersion::Implicit1_0)?;
        attributes.push((name(attribute.key.as_ref()), text.into_owned()));
    }
    Ok(Element { around: Rc::clone(around), name: name(start.name().as_ref()), attributes })
}
