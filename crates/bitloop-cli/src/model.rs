//! `bitloop controller show` of a model: a network trained on examples.

use std::path::Path;

use bitloop_scenario::{Codes, Fit, MadeBy, ModelWeights, SavedColumn, SavedModel, SavedValues};

use crate::environment;
use crate::network_text::{grid_in_words, layers_in_short, packed_bytes, weights_in_short};
use crate::output::number::{counted, error, plain};
use crate::output::shell;
use crate::output::table::{Facts, Table};

/// The layers of a model.
pub fn in_short(saved: &SavedModel) -> String {
    let n_inputs = saved.inputs.iter().map(|column| column.values.n_variables()).sum();
    layers_in_short(n_inputs, &saved.network)
}

/// A model in words.
pub fn text(path: &Path, saved: &SavedModel) -> String {
    format!(
        "{}\n{}\nInputs\n{}\nTargets\n{}\nApply it to other rows:\n  {} predict {} --data FILE\n",
        in_short(saved),
        facts(saved).text(),
        columns(&saved.inputs).text(),
        columns(&saved.targets).text(),
        environment::program(),
        shell::quoted(path),
    )
}

/// How well a network fits rows: `RMSE 0.04512, 100.00 % of 193 rows right`.
pub fn fit_in_words(fit: &Fit) -> String {
    let figures = [("cross-entropy", fit.loss), ("RMSE", fit.rmse)];
    let figures = figures.map(|(name, figure)| figure.map(|it| format!("{name} {}", error(it))));
    let figures: Vec<String> = figures.into_iter().flatten().collect();
    format!("{}{}", figures.join(", "), rows_in_words(fit))
}

/// Of how many rows a figure is, and how many of them have the right class: `, 97.93 % of 193 rows right`.
pub fn rows_in_words(fit: &Fit) -> String {
    let rows = counted(fit.rows, "row");
    fit.classified.map_or_else(
        || format!(" over {rows}"),
        |share| format!(", {:.2} % of {rows} right", 100.0 * share),
    )
}

/// Adds a line for each part of the data that has rows.
pub fn add_fits(facts: &mut Facts, fits: &bitloop_scenario::Fits) {
    let parts = [("training", fits.training), ("validation", fits.validation), ("test", fits.test)];
    for (name, fit) in parts {
        if let Some(fit) = fit {
            facts.add(name, fit_in_words(&fit));
        }
    }
}

/// How much a row of each class counts in losses: `no 0.52, yes 12.5`.
pub fn class_weights_in_words(weights: &[f64], classes: &[String]) -> String {
    let pairs = classes.iter().zip(weights);
    let pairs: Vec<String> =
        pairs.map(|(class, &weight)| format!("{class} {}", error(weight))).collect();
    pairs.join(", ")
}

/// The powers of two of the layers: `2^-3, 2^-1`.
pub fn powers_in_words(exponents: &[i32]) -> String {
    let powers: Vec<String> = exponents.iter().map(|exponent| format!("2^{exponent}")).collect();
    powers.join(", ")
}

/// What is known of a model.
pub fn facts(saved: &SavedModel) -> Facts {
    let mut facts = Facts::default();
    let weights = match &saved.weights {
        ModelWeights::Codes(Codes { bits, max_weight, codes }) => {
            let n_zeros = codes.iter().filter(|&&code| code == 0).count();
            format!(
                "{}, {}, {n_zeros} at zero; {} packed",
                weights_in_short(codes.len(), Some(*bits)),
                grid_in_words(*bits, *max_weight),
                counted(packed_bytes(codes.len(), *bits), "byte"),
            )
        }
        ModelWeights::Real(weights) => format!("{} weights, real numbers", weights.len()),
    };
    facts.add("weights", weights);
    if !saved.layer_scales.is_empty() {
        facts.add("layer scales", powers_in_words(&saved.layer_scales));
    }
    for fit in &saved.output_fits {
        facts.add(
            "output",
            format!("{} times the network's, plus {}", plain(fit.scale), plain(fit.offset)),
        );
    }
    if let [SavedColumn { values: SavedValues::Classes(classes), .. }] = saved.targets.as_slice() {
        if !saved.class_weights.is_empty() {
            facts.add("class weights", class_weights_in_words(&saved.class_weights, classes));
        }
        if let (Some(threshold), [_, second]) = (saved.threshold, classes.as_slice()) {
            facts.add("threshold", format!("{second} from {} on", plain(threshold)));
        }
    }
    if let Some(regularization) = saved.regularization {
        facts.add("regularization", format!("{}, chosen by Auto", plain(regularization)));
    }
    facts.add("trainer", saved.scenario.training.name());
    add_fits(&mut facts, &saved.fits);
    add_provenance(&mut facts, &saved.made_by, &saved.digest);
    facts
}

/// How a saved file was made, and its digest.
pub fn add_provenance(facts: &mut Facts, made_by: &MadeBy, digest: &str) {
    facts.add("made by", made_by.command.clone());
    facts.add(
        "",
        format!("run {}, bitloop {}", u64::from(made_by.run) + 1, made_by.bitloop_version),
    );
    facts.add("scenario digest", made_by.scenario_digest.clone());
    facts.add("digest", digest.to_owned());
}

fn columns(columns: &[SavedColumn]) -> Table {
    let mut table = Table::new(&["column", "name", "values"]);
    for column in columns {
        let values = match &column.values {
            SavedValues::Number => "numbers as they are".to_owned(),
            SavedValues::Scaled { min, max, low, high } => format!(
                "numbers, from {} ... {} to {} ... {}",
                plain(*min),
                plain(*max),
                plain(*low),
                plain(*high)
            ),
            SavedValues::Words(words) => format!("words: {}", words.join(", ")),
            SavedValues::Classes(words) => format!("classes: {}", words.join(", ")),
        };
        let name = column.name.clone().unwrap_or_else(|| "-".to_owned());
        let fill =
            column.fill.as_ref().map_or(String::new(), |fill| format!("; {fill} if missing"));
        table.row(vec![column.number.to_string(), name, values + &fill]);
    }
    table
}
