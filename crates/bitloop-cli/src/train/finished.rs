//! A training that is finished already, told again.

use std::path::Path;

use serde_json::{Map, Value};

use crate::failure::{Done, Failure};
use crate::output::table::Facts;
use crate::output::{json, number, print};

/// Prints the result of an earlier sitting.
pub fn tell_result(
    folder: &Path,
    mut result: Map<String, Value>,
    as_json: bool,
) -> Result<Done, Failure> {
    // The folder may have been moved since.
    let kind = if result.contains_key("model") { "model" } else { "controller" };
    let product = folder.join(format!("{kind}.ron")).display().to_string();
    result.insert(kind.to_owned(), Value::String(product));
    if as_json {
        json::print_object(&result)?;
        return Ok(Done::Fully);
    }
    let mut facts = Facts::default();
    let names = [
        ("training error", "training_error"),
        ("validation error", "validation_error"),
        ("confirmation error", "confirmation_error"),
        ("test error", "test_error"),
        ("evaluations", "evaluations"),
        ("stopped", "stop_reason"),
        ("digest", "controller_digest"),
        ("controller", "controller"),
        ("digest", "model_digest"),
        ("model", "model"),
    ];
    for (name, key) in names {
        // Controllers and models have keys of their own.
        let Some(value) = result.get(key).filter(|value| !value.is_null()) else { continue };
        facts.add(
            name,
            match value {
                Value::String(text) => text.clone(),
                Value::Number(value) if value.is_f64() => number::error_or_dash(value.as_f64()),
                other => other.to_string(),
            },
        );
    }
    print(&format!("{} is finished\n{}", folder.display(), facts.text()))?;
    Ok(Done::Fully)
}
