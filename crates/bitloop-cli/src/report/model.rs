//! The page of a saved model: what it answers for rows, its residuals or its confusions, and how it was trained.

use std::path::{Path, PathBuf};

use bitloop_data::{Answer, Limits, Table, TargetScore};
use bitloop_folder::RESOLVED;
use bitloop_look::{Report, Section, residuals};
use bitloop_scenario::{AnyScenario, DataSource, ModelFile, ScenarioKind as _};
use bitloop_train::Predictor;

use super::figures::plot_args;
use super::trained::{curves, name_of};
use crate::args::{PlotKind, ReportArgs};
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::model;
use crate::output::number::counted;
use crate::plot;
use crate::predict::target_text;

/// The most bytes of all pictures together: a page is to stay below 2 MB.
const MOST_BYTES: usize = 1_600_000;

/// Room for pictures that is left.
struct Room {
    n_bytes: usize,
    /// What found none.
    left_out: Vec<&'static str>,
}

impl Room {
    /// A section with a picture; none where it cannot be drawn, or is too large.
    fn section(
        &mut self,
        title: String,
        what: &'static str,
        svg: Option<String>,
    ) -> Option<Section> {
        let svg = svg?;
        let Some(left) = self.n_bytes.checked_sub(svg.len()) else {
            self.left_out.push(what);
            return None;
        };
        self.n_bytes = left;
        Some(Section::Figures(title, vec![svg]))
    }
}

/// Rows with their names.
struct Rows {
    table: Table,
    name: String,
}

/// The page.
pub fn report(args: &ReportArgs, path: &Path, folder: Option<&Path>) -> Result<Report, Failure> {
    let file = kind::model(path)?;
    let saved = &file.value;
    let facts = model::facts(saved).into_lines().into_iter();
    let facts = facts.map(|(name, value)| (name.to_owned(), value)).collect();
    let mut sections = Vec::new();
    let mut room = Room { n_bytes: MOST_BYTES, left_out: Vec::new() };
    if let Some(rows) = rows(args, &file, folder)? {
        sections.extend(of_rows(args, (path, &file), &rows, &mut room)?);
    } else {
        let note = "The rows of this model are not at hand: --data FILE names them, and this page then has what it answers for \
                    them.";
        sections.push(Section::Note(note.to_owned()));
    }
    let svg = folder.and_then(|folder| curves(args, folder).ok());
    sections.extend(room.section("Training".to_owned(), "training", svg));
    let values = plot::model::weight_values(&plot_args(args, PlotKind::WeightValues, path));
    let svg = values.ok().and_then(|picture| picture.svg().ok());
    sections.extend(room.section("Weights".to_owned(), "weight-values", svg));
    room.left_out.dedup();
    if !room.left_out.is_empty() {
        let kinds = room.left_out.join(", ");
        sections.push(Section::Note(format!("Too large for this page: {kinds}.")));
    }
    sections.push(Section::Facts("Model".to_owned(), facts));
    sections.push(Section::Text("Scenario".to_owned(), saved.scenario.to_text(), true));
    let parts = [
        ("training", saved.fits.training),
        ("validation", saved.fits.validation),
        ("test", saved.fits.test),
    ];
    let tile = |(name, fit): (&str, Option<_>)| Some((name.to_owned(), model::fit_in_words(&fit?)));
    Ok(Report {
        title: name_of(folder.unwrap_or(path)),
        subtitle: model::in_short(saved),
        tiles: parts.into_iter().filter_map(tile).collect(),
        sections,
        ..Report::default()
    })
}

/// The rows that are named, or those of the training where they are still at hand.
fn rows(
    args: &ReportArgs,
    file: &ModelFile,
    folder: Option<&Path>,
) -> Result<Option<Rows>, Failure> {
    let read = |path: &Path| {
        let format = file.value.rows;
        Table::read(path, format.format, format.header, &Limits::default())
    };
    let named = |table: Table, name: &Path| Rows { table, name: name_of(name) };
    if let Some(path) = &args.data {
        return Ok(Some(named(read(path)?, path)));
    }
    if let DataSource::Spirals(spirals) = &file.value.scenario.data {
        let (table, name) = (spirals.table(), "the two spirals".to_owned());
        return Ok(Some(Rows { table, name }));
    }
    Ok(data_of(folder).and_then(|path| Some(named(read(&path).ok()?, &path))))
}

/// The file of the training in a folder that has its test rows, or else its validation rows, or all rows.
fn data_of(folder: Option<&Path>) -> Option<PathBuf> {
    let scenario = AnyScenario::read(folder?.join(RESOLVED)).ok()?;
    let AnyScenario::Supervised(file) = &scenario else { return None };
    let DataSource::File(data) = &file.value.data else { return None };
    let path = data.test.as_ref().or(data.validation.as_ref()).unwrap_or(&data.path);
    Some(file.source.folder().join(path))
}

/// What the model answers for rows.
fn of_rows(
    args: &ReportArgs,
    (path, file): (&Path, &ModelFile),
    rows: &Rows,
    room: &mut Room,
) -> Result<Vec<Section>, Failure> {
    let isa = environment::isa()?;
    let failed = |error| Failure::of_training(path, error);
    let predictor = Predictor::new(file).map_err(failed)?;
    let outputs = predictor.predict(isa, &rows.table)?.outputs;
    let scores = predictor.encoding().target_scores(&rows.table, &outputs)?;
    let parts = predictor.known_parts(&rows.table)?;
    let parts = parts.map_or("rows that its training did not have".to_owned(), |parts| {
        format!("rows of its {}", parts.join(" and "))
    });
    let n_rows = counted(rows.table.n_rows() as u64, "row");
    let mut sections =
        vec![Section::Note(format!("Answers for the {n_rows} of {}: {parts}.", rows.name))];
    let pairs = pairs(&predictor, &rows.table, &outputs)?;
    for (score, pairs) in scores.iter().zip(pairs) {
        match score {
            TargetScore::Classes(score) => {
                let table = target_text::confusion(score).into_rows();
                let title = format!("{}: {}", score.target, target_text::accuracy(score));
                sections.push(Section::Table(title, table));
            }
            TargetScore::Numbers(score) => {
                let title = format!("Residuals of {}", score.target);
                let text = target_text::of_numbers(score).trim_end().to_owned();
                let svg = residuals(&score.target, &pairs).and_then(|picture| picture.svg());
                sections.extend(room.section(title, "residuals", svg.ok()));
                sections.push(Section::Note(text));
            }
        }
    }
    let plot_args = plot_args(args, PlotKind::Answers, path);
    let plane = plot::model::answers_for(&plot_args, file, &rows.table);
    let svg = plane.ok().and_then(|picture| picture.svg().ok());
    let title = "Answers over the plane of the inputs".to_owned();
    sections.extend(room.section(title, "answers", svg));
    Ok(sections)
}

/// Of each target, the value and the answer of each row; nothing for classes.
fn pairs(
    predictor: &Predictor,
    table: &Table,
    outputs: &[Vec<f64>],
) -> Result<Vec<Vec<(f64, f64)>>, Failure> {
    let targets = predictor.encoding().targets(table)?;
    let answers = |variables: &[Vec<f64>], row: usize| -> Vec<f64> {
        let values: Vec<f64> = variables.iter().map(|variable| variable[row]).collect();
        let number = |answer| match answer {
            Answer::Number(number) => number,
            Answer::Class(_) => f64::NAN,
        };
        predictor.answer(&values).into_iter().map(number).collect()
    };
    let mut pairs = vec![Vec::new(); predictor.encoding().targets.len()];
    for row in 0..table.n_rows() {
        let (values, found) = (answers(&targets, row), answers(outputs, row));
        for ((pairs, value), found) in pairs.iter_mut().zip(values).zip(found) {
            pairs.push((value, found));
        }
    }
    Ok(pairs)
}
