//! `bitloop predict`.

pub mod target_text;

use std::io::{self, BufWriter, Write};
use std::path::Path;

use bitloop_data::{
    Answer, ColumnChoice, EncodedColumn, Format, Limits, Table, TargetScore, UnknownWords,
};
use bitloop_scenario::{Fit, ModelFile};
use bitloop_train::{Importance, Predictor};
use serde::Serialize;

use crate::args::PredictArgs;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::model::fit_in_words;
use crate::output::number::counted;
use crate::output::target::{OutputFile, is_stdout};
use crate::output::{json, print, print_note, shell};

/// The result as `--json` prints it. Without targets there is no error.
#[derive(Debug, Serialize)]
struct PredictJson {
    model: String,
    data: String,
    rows: usize,
    rmse: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    loss: Option<f64>,
    classified: Option<f64>,
    /// The parts of the model's training whose rows, together, these are; none if they are others, or have no targets.
    known_rows: Option<Vec<&'static str>>,
    /// Target by target, in the terms of the file.
    targets: Option<Vec<TargetScore>>,
    /// The input columns with --importance, the most important first.
    #[serde(skip_serializing_if = "Option::is_none")]
    importance: Option<Vec<Importance>>,
    model_digest: String,
    csv: Option<String>,
}

/// The score of rows with targets.
struct Scored {
    fit: Fit,
    /// The parts of the model's training whose rows these are.
    parts: Option<Vec<&'static str>>,
    targets: Vec<TargetScore>,
    importance: Option<Vec<Importance>>,
}

/// Scores a saved model on rows, and writes down its answers.
pub fn predict(args: &PredictArgs) -> Result<(), Failure> {
    let isa = environment::isa()?;
    if args.json && args.csv.as_deref().is_some_and(is_stdout) {
        let message = "--json and the answers both go to standard output".to_owned();
        return Err(Failure::Usage { message, hint: Some("name a file".to_owned()) });
    }
    let file = kind::model(&args.model)?;
    let refused = |error| Failure::of_training(&args.model, error);
    let unknown_words =
        if args.unknown_words { UnknownWords::NoWord } else { UnknownWords::Refuse };
    let predictor = Predictor::new(&file).map_err(refused)?.with_unknown_words(unknown_words);
    let rows = file.value.rows;
    let format = args.format.map_or(rows.format, Into::into);
    let header = args.header.unwrap_or(rows.header);
    let table = rows_of(args, format, header)?;
    let kept = kept_columns(&predictor, &table, &args.keep)?;
    let outputs = predictor.predict(isa, &table)?.outputs;
    let scored = if args.unlabeled {
        None
    } else {
        let fit = predictor.score(isa, &table).map_err(refused)?;
        let importance = args.importance.then(|| predictor.importance(isa, &table)).transpose();
        Some(Scored {
            fit,
            parts: predictor.known_parts(&table)?,
            targets: predictor.encoding().target_scores(&table, &outputs)?,
            importance: importance.map_err(refused)?,
        })
    };
    if args.unknown_words {
        note_unknown_words(predictor.encoding().n_unknown_words(&table)?);
    }
    if let Some(path) = &args.csv {
        let mut csv = OutputFile::create_or_stdout(path, &[&args.model, &args.data])?;
        write_csv(&mut csv, &predictor, (&table, &kept), &outputs)
            .map_err(|error| Failure::output(path, &error))?;
        csv.finish()?;
        if is_stdout(path) {
            // Nothing else may stand among the rows.
            if let Some(scored) = scored {
                print_note(score_text(&file, &args.data, &scored).trim_end());
            }
            return Ok(());
        }
        print_note(&format!("answers written to {}", shell::quoted(path)));
    }
    if args.json {
        return json::print_object(&PredictJson {
            model: args.model.display().to_string(),
            data: args.data.display().to_string(),
            rows: table.n_rows(),
            rmse: scored.as_ref().and_then(|scored| scored.fit.rmse),
            loss: scored.as_ref().and_then(|scored| scored.fit.loss),
            classified: scored.as_ref().and_then(|scored| scored.fit.classified),
            known_rows: scored.as_ref().and_then(|scored| scored.parts.clone()),
            targets: scored.as_ref().map(|scored| scored.targets.clone()),
            importance: scored.and_then(|scored| scored.importance),
            model_digest: file.value.digest.clone(),
            csv: args.csv.as_ref().map(|path| path.display().to_string()),
        });
    }
    scored.map_or(Ok(()), |scored| print(&score_text(&file, &args.data, &scored)))
}

/// The rows, from a file or standard input.
fn rows_of(args: &PredictArgs, format: Format, header: bool) -> Result<Table, Failure> {
    let limits = Limits::default();
    // The sign that means standard output elsewhere.
    if is_stdout(&args.data) {
        let input = io::stdin().lock();
        return Ok(Table::read_from(input, "standard input", format, header, &limits)?);
    }
    Ok(Table::read(&args.data, format, header, &limits)?)
}

/// A column that goes into the answers as it is.
struct Kept {
    position: usize,
    heading: String,
}

/// The columns that are asked for by their names or numbers. One that the model answers is headed as true.
fn kept_columns(
    predictor: &Predictor,
    table: &Table,
    asked: &[String],
) -> Result<Vec<Kept>, Failure> {
    let targets: Vec<String> =
        predictor.encoding().targets.iter().map(EncodedColumn::shown_name).collect();
    let kept = |asked: &String| {
        let by_name = ColumnChoice::Name(asked.clone());
        let position = match (table.position(&by_name), asked.parse()) {
            (Err(_), Ok(number)) => table.position(&ColumnChoice::Number(number))?,
            (found, _) => found?,
        };
        let name = table
            .names()
            .map_or_else(|| format!("column {}", position + 1), |names| names[position].clone());
        let heading = if targets.contains(&name) { format!("true {name}") } else { name };
        Ok(Kept { position, heading })
    };
    asked.iter().map(kept).collect()
}

/// Says how many words were not known.
fn note_unknown_words(n_unknown: usize) {
    if n_unknown > 0 {
        let cells = counted(n_unknown as u64, "cell");
        print_note(&format!(
            "note: {cells} of nominal inputs with words that the training has not seen, taken as none of its words"
        ));
    }
}

/// The score, whether it is that of the model's training, and whether the rows are known.
fn score_text(file: &ModelFile, data: &Path, scored: &Scored) -> String {
    let Scored { fit, parts, targets, importance } = scored;
    let fits = &file.value.fits;
    let of_training =
        [("training", fits.training), ("validation", fits.validation), ("test", fits.test)];
    let same = of_training.into_iter().find(|(_, known)| *known == Some(*fit));
    let note = same.map_or(String::new(), |(part, _)| {
        format!("  (as on the {part} rows of its training, to the last bit)")
    });
    let known = match parts {
        Some(parts) => format!("the {} rows of the model's training", and_in_words(parts)),
        None if file.value.row_digests.is_empty() => {
            "not known: the model is older than digests of rows".to_owned()
        }
        None => "none of the parts of the model's training".to_owned(),
    };
    let mut text = format!("{}: {}{note}\nrows: {known}\n", data.display(), fit_in_words(fit));
    for target in targets {
        text += &target_text::of(target);
    }
    if let Some(importance) = importance {
        text += &target_text::of_importance(importance, fit.loss.is_some());
    }
    text
}

/// `a`, `a and b`, `a, b and c`.
fn and_in_words(words: &[&str]) -> String {
    match words {
        [] => String::new(),
        [word] => (*word).to_owned(),
        [before @ .., last] => format!("{} and {last}", before.join(", ")),
    }
}

/// A line for each row: its number, the columns that are kept, the answer for each target column, and the probabilities of the classes or else the
/// outputs of the network.
fn write_csv(
    file: &mut OutputFile,
    predictor: &Predictor,
    (table, kept): (&Table, &[Kept]),
    outputs: &[Vec<f64>],
) -> io::Result<()> {
    let mut out = BufWriter::new(file);
    let names = predictor.encoding().targets.iter().map(EncodedColumn::shown_name);
    let classes = predictor.classes();
    let values: Vec<String> = match classes {
        Some(classes) => classes.iter().map(|class| format!("probability of {class}")).collect(),
        None => (1..=outputs.len()).map(|output| format!("output {output}")).collect(),
    };
    let kept_names = kept.iter().map(|column| column.heading.clone());
    let heading: Vec<String> =
        kept_names.chain(names).chain(values).map(|name| cell(&name)).collect();
    writeln!(out, "row,{}", heading.join(","))?;
    for row in 0..table.n_rows() {
        let values: Vec<f64> = outputs.iter().map(|output| output[row]).collect();
        write!(out, "{}", row + 1)?;
        for column in kept {
            write!(out, ",{}", cell(table.cell(row, column.position)))?;
        }
        for answer in predictor.answer(&values) {
            match answer {
                Answer::Number(number) => write!(out, ",{number}")?,
                Answer::Class(class) => write!(out, ",{}", cell(class))?,
            }
        }
        let shown = if classes.is_some() { predictor.probabilities(&values) } else { values };
        for value in shown {
            write!(out, ",{value}")?;
        }
        writeln!(out)?;
    }
    out.flush()
}

/// A cell, in quotes where it needs them.
fn cell(text: &str) -> String {
    if text.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text.to_owned()
    }
}
