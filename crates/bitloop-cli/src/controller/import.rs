//! `bitloop controller import`.

use std::fs;
use std::io::Write as _;
use std::path::Path;

use bitloop_export::{Array, Given, ImportError, Imported, import as imported};
use bitloop_train::{Execution, SaveInfo};
use serde::Serialize;

use crate::args::ImportArgs;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::network_text::{layers_in_short, weights_in_short};
use crate::output::number::{counted, error};
use crate::output::table::Facts;
use crate::output::target::OutputFile;
use crate::output::{json, print, shell};
use crate::registry;

/// Makes a saved controller of weights or of a gain, and prints what rounding them costs.
pub fn import(args: &ImportArgs) -> Result<(), Failure> {
    let isa = environment::isa()?;
    let scenario = kind::plant_scenario(&args.scenario, "controller import")?;
    if fs::symlink_metadata(&args.out).is_ok() {
        let message = format!("{} is there already", args.out.display());
        let hint = Some("name another file for the controller".to_owned());
        return Err(Failure::Usage { message, hint });
    }
    let given = given(args)?;
    let execution = Execution::uninterrupted(isa, environment::n_cores());
    let name = args.scenario.file_name().unwrap_or_default();
    let info = SaveInfo {
        command: command(args),
        scenario_name: name.to_string_lossy().into_owned(),
        bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let imported = imported(&scenario, &given, &registry::registry(), execution, info)
        .map_err(|error| failure(&args.scenario, error))?;
    let mut file = OutputFile::create(&args.out, &[&args.scenario])?;
    file.write_all(imported.product.text.as_bytes())
        .map_err(|error| Failure::output(&args.out, &error))?;
    file.finish()?;
    if args.json {
        let Imported { shape, n_inputs, grid, largest_rounding, test, unrounded_test, .. } =
            &imported;
        return json::print_object(&ImportJson {
            controller: &args.out,
            weights: shape.n_weights(*n_inputs),
            bits: grid.bits_per_weight(),
            largest_rounding: *largest_rounding,
            test_error: test.error,
            test_failed_episodes: test.n_failed(),
            unrounded_test_error: unrounded_test.error,
            unrounded_test_failed_episodes: unrounded_test.n_failed(),
        });
    }
    print(&text(args, &imported))
}

#[derive(Serialize)]
struct ImportJson<'a> {
    controller: &'a Path,
    weights: u64,
    bits: u32,
    largest_rounding: f64,
    test_error: f64,
    test_failed_episodes: usize,
    unrounded_test_error: f64,
    unrounded_test_failed_episodes: usize,
}

/// The numbers that the arguments name.
fn given(args: &ImportArgs) -> Result<Given, Failure> {
    let read = |path: &Path| {
        Array::read(path).map_err(|message| Failure::Refused {
            file: path.to_owned(),
            message,
            hint: Some("write it with numpy.save, as numpy.float64".to_owned()),
        })
    };
    if let Some(path) = &args.numbers.weights {
        return Ok(Given::Weights(read(path)?));
    }
    let gain = args.numbers.gain.as_deref().unwrap_or_default();
    if Path::new(gain).extension().is_some_and(|end| end == "npy") {
        return Ok(Given::Gain(read(Path::new(gain))?));
    }
    let matrix = matrix(gain).map_err(|message| Failure::Usage {
        message: format!("--gain {}: {message}", shell::quoted(gain)),
        hint: Some("write numbers as in '1.5,2;0,-3', or name a file that ends in .npy".to_owned()),
    })?;
    Ok(Given::Gain(matrix))
}

/// Rows with semicolons between them, numbers with commas.
fn matrix(text: &str) -> Result<Array, String> {
    let mut values = Vec::new();
    let mut lengths = Vec::new();
    for row in text.split(';') {
        let before = values.len();
        for number in row.split(',') {
            let number = number.trim();
            values.push(number.parse().map_err(|_| format!("`{number}` is no number"))?);
        }
        lengths.push(values.len() - before);
    }
    if lengths.iter().any(|length| *length != lengths[0]) {
        return Err("its rows have different lengths".to_owned());
    }
    Ok(Array { shape: vec![lengths.len(), lengths[0]], values })
}

/// The command that makes this controller again.
fn command(args: &ImportArgs) -> String {
    let (option, value) = match (&args.numbers.weights, &args.numbers.gain) {
        (Some(path), _) => ("weights", shell::quoted(path)),
        (None, gain) => ("gain", shell::quoted(gain.as_deref().unwrap_or_default())),
    };
    let [scenario, out] = [&args.scenario, &args.out].map(shell::quoted);
    format!("bitloop controller import {scenario} --{option} {value} --out {out}")
}

fn failure(scenario: &Path, error: ImportError) -> Failure {
    match error {
        ImportError::Training(error) => Failure::of_training(scenario, error),
        ImportError::Refused { message, hint } => {
            Failure::Refused { file: scenario.to_owned(), message, hint: Some(hint) }
        }
    }
}

fn text(args: &ImportArgs, imported: &Imported) -> String {
    let Imported { shape, n_inputs, grid, test, unrounded_test, .. } = imported;
    let n_weights = usize::try_from(shape.n_weights(*n_inputs)).unwrap_or(usize::MAX);
    let mut facts = Facts::default();
    facts.add("largest rounding", error(imported.largest_rounding));
    let episodes = counted(test.episodes.len() as u64, "episode");
    let n_failed = test.n_failed();
    facts.add("test error", format!("{}  ({episodes}, {n_failed} failed)", error(test.error)));
    facts.add("without rounding", error(unrounded_test.error));
    facts.add("controller", args.out.display().to_string());
    format!(
        "imported {}, {}\n{}",
        layers_in_short(*n_inputs, shape),
        weights_in_short(n_weights, Some(grid.bits_per_weight())),
        facts.text()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_matrix_is_rows_of_numbers() {
        let array = matrix("-1.5, 2;0,3e-1").unwrap();
        assert_eq!((array.shape, array.values), (vec![2, 2], vec![-1.5, 2.0, 0.0, 0.3]));
        for (text, message) in [("", "`` is no number"), ("1;2,3", "lengths"), ("1,x", "`x`")] {
            let error = matrix(text).unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
