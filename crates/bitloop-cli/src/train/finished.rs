//! A training that is finished already: its result once more.

use bitloop_run::FinishedRun;
use serde_json::{Map, Value};

use crate::args::TrainArgs;
use crate::failure::{Done, Failure};
use crate::output::table::Facts;
use crate::output::{json, number, print, print_note};

/// Prints the result of an earlier process.
pub fn print_result(finished: FinishedRun, args: &TrainArgs) -> Result<Done, Failure> {
    let FinishedRun { folder, result } = finished;
    if let Some(note) = note(&result, args) {
        print_note(&note);
    }
    if args.json {
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

/// Why larger budgets leave nothing to do.
fn note(result: &Map<String, Value>, args: &TrainArgs) -> Option<String> {
    let asked = args.seconds.is_some() || args.evaluations.is_some();
    let reason = result.get("stop_reason").and_then(Value::as_str)?;
    asked.then(|| {
        let limit = match reason {
            "seconds" | "evaluations" => "a budget above what it has used continues it",
            _ => "no budget continues it",
        };
        format!("note: the training is finished, it stopped by its {reason}; {limit}")
    })
}
