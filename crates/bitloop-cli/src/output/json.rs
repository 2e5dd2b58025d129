//! Results as JSON: one object, its keys in the order of the fields, NaN and infinity as null.

use serde::Serialize;

use crate::failure::Failure;
use crate::output::write;

/// Prints one object and a line end on standard output.
pub fn print_object(object: &impl Serialize) -> Result<(), Failure> {
    write(&object_text(object)?)
}

/// One object and a line end.
pub fn object_text(object: &impl Serialize) -> Result<String, Failure> {
    let mut text = serde_json::to_string_pretty(object)
        .map_err(|error| Failure::stdout(&std::io::Error::from(error)))?;
    text.push('\n');
    Ok(text)
}
