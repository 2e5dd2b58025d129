//! Pictures of networks that are trained on examples, and of weights.

use bitloop_blm::WeightGrid;
use bitloop_campaign::TrainingRecord;
use bitloop_data::{Answer, EncodedColumn, Limits, Table, Values};
use bitloop_folder::CAMPAIGN;
use bitloop_look::{GridAxis, Picture, RowKind};
use bitloop_scenario::{AnySaved, Codes, DataSource, ModelFile, ModelWeights, Weights};
use bitloop_train::Predictor;

use super::drawn;
use crate::args::PlotArgs;
use crate::campaign;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::output::number::error;

/// Variants of a campaign in a row, and the pixels that each has.
const CAMPAIGN_COLUMNS: usize = 3;
const CAMPAIGN_WIDTH: u32 = 380;

/// Answers on a side of the map.
const N_ON_A_SIDE: usize = 150;

/// The most classes with a color of their own; rows of further classes share the last one.
const MOST_KINDS: usize = 5;

/// What a model of two inputs answers over the plane, and the rows of its data; of a campaign, what the best model of each variant
/// answers.
pub fn answers(args: &PlotArgs) -> Result<Picture, Failure> {
    if args.source.join(CAMPAIGN).is_file() {
        return of_campaign(args);
    }
    let file = kind::model(&args.source)?;
    let table = rows(args, &file)?;
    answers_for(args, &file, &table)
}

/// Variants side by side.
fn of_campaign(args: &PlotArgs) -> Result<Picture, Failure> {
    let kept = campaign::kept(&args.source)?;
    let records = kept.finished.by_variant().map(Iterator::collect::<Vec<&TrainingRecord>>);
    let mut panels = Vec::new();
    for (variant, records) in kept.campaign.variants().iter().zip(records) {
        let best = records.into_iter().min_by(|a, b| a.error.total_cmp(&b.error));
        let Some(best) = best else { continue };
        let source = variant.product_path(best.number);
        let file = kind::model(&source)?;
        let args = PlotArgs { source, ..args.clone() };
        let name = if variant.name.is_empty() { "best training" } else { &variant.name };
        let mut picture = answers_for(&args, &file, &rows(&args, &file)?)?;
        for panel in &mut picture.panels {
            panel.x.title = format!("{name}: error {}", error(best.error));
        }
        panels.append(&mut picture.panels);
    }
    if panels.is_empty() {
        let message = format!("{}: no training is finished", args.source.display());
        return Err(Failure::NothingFound { message, hint: None });
    }
    let n_columns = panels.len().min(CAMPAIGN_COLUMNS);
    Ok(Picture {
        title: args.source.display().to_string(),
        subtitle: "what the best model of each variant answers".to_owned(),
        width: CAMPAIGN_WIDTH * u32::try_from(n_columns).unwrap_or(1),
        panels,
        panel_height: CAMPAIGN_WIDTH,
        n_columns,
    })
}

/// The same with rows that were read already.
pub fn answers_for(args: &PlotArgs, file: &ModelFile, table: &Table) -> Result<Picture, Failure> {
    let isa = environment::isa()?;
    let predictor = Predictor::new(file).map_err(|e| Failure::of_training(&args.source, e))?;
    let Some(places) = predictor.places(table)? else {
        return Err(file
            .error_at(
                "inputs",
                "a map of answers needs a model whose inputs are two numbers",
                "`bitloop predict --csv` writes the answers for rows",
            )
            .into());
    };
    let names = predictor.encoding().inputs.iter().map(EncodedColumn::shown_name);
    let names: Vec<String> = names.collect();
    let x = side(&names[0], places.iter().map(|place| place.0));
    let y = side(&names[1], places.iter().map(|place| place.1));
    let step = |axis: &GridAxis<'_>, position: usize| {
        axis.low + position as f64 * (axis.high - axis.low) / (N_ON_A_SIDE - 1) as f64
    };
    let grid: Vec<(f64, f64)> = (0..N_ON_A_SIDE)
        .flat_map(|row| (0..N_ON_A_SIDE).map(move |column| (column, row)))
        .map(|(column, row)| (step(&x, column), step(&y, row)))
        .collect();
    let outputs =
        predictor.predict_plane(isa, &grid).map(|found| found.outputs).unwrap_or_default();
    let shown = Shown::of(&predictor);
    let answers = |at: usize| outputs.iter().map(|output| output[at]).collect::<Vec<f64>>();
    let values: Vec<f64> =
        (0..grid.len()).map(|at| shown.value(&predictor, &answers(at))).collect();
    let title = args.source.file_name().unwrap_or_default().to_string_lossy();
    let rows = kinds(&predictor, table, &places)?;
    drawn(args, bitloop_look::answers(&title, &shown.subtitle(&predictor), x, y, &values, rows))
}

/// What is drawn of the first target of a model.
enum Shown {
    /// The answer, in its own unit.
    Number,
    /// The output between two classes.
    TwoClasses,
    /// The position of the class.
    Class,
}

impl Shown {
    fn of(predictor: &Predictor) -> Self {
        match &predictor.encoding().targets[0].values {
            Values::Classes(words) if words.len() == 2 => Self::TwoClasses,
            Values::Classes(_) | Values::Words(_) => Self::Class,
            Values::Number(_) => Self::Number,
        }
    }

    fn subtitle(&self, predictor: &Predictor) -> String {
        let targets = &predictor.encoding().targets;
        let name = targets[0].shown_name();
        let others = match targets.len() {
            1 => String::new(),
            n => format!(", the first of {n} targets"),
        };
        match self {
            Self::Number => format!("answers for {name}{others}"),
            Self::TwoClasses => format!("the output for {name}{others}"),
            Self::Class => format!("the class of {name} with the largest output{others}"),
        }
    }

    fn value(&self, predictor: &Predictor, outputs: &[f64]) -> f64 {
        match self {
            Self::TwoClasses => outputs[0],
            Self::Class => {
                let n = predictor.encoding().targets[0].n_variables().min(outputs.len());
                let own = outputs[..n].iter().enumerate();
                let largest = own.max_by(|a, b| a.1.total_cmp(b.1));
                largest.map_or(f64::NAN, |(position, _)| position as f64)
            }
            Self::Number => match predictor.answer(outputs).first() {
                Some(Answer::Number(number)) => *number,
                _ => f64::NAN,
            },
        }
    }
}

/// How the weights of a controller or a model are distributed.
pub fn weight_values(args: &PlotArgs) -> Result<Picture, Failure> {
    let (values, note) = match AnySaved::read(&args.source)? {
        AnySaved::Controller(file) => {
            let Weights::Codes(codes) = &file.value.weights;
            on_grid(args, codes)?
        }
        AnySaved::Model(file) => {
            let (mut values, note) = match &file.value.weights {
                ModelWeights::Codes(codes) => on_grid(args, codes)?,
                ModelWeights::Real(values) => (values.clone(), "real numbers".to_owned()),
            };
            for (value, factor) in values.iter_mut().zip(file.value.weight_factors()) {
                *value *= factor;
            }
            (values, note)
        }
    };
    let range = values.iter().fold(f64::MIN_POSITIVE, |most, value| most.max(value.abs()));
    let n_zero = values.iter().filter(|value| **value == 0.0).count();
    let subtitle = format!(
        "{} weights, {note}; {n_zero} are 0 ({:.1} %)",
        values.len(),
        100.0 * n_zero as f64 / values.len().max(1) as f64
    );
    let title = args.source.file_name().unwrap_or_default().to_string_lossy();
    drawn(args, bitloop_look::histogram(&title, &subtitle, "weight", &values, range))
}

/// Weights of codes, and their number of bits.
fn on_grid(args: &PlotArgs, codes: &Codes) -> Result<(Vec<f64>, String), Failure> {
    let grid = WeightGrid::new(codes.bits, codes.max_weight)
        .map_err(|error| Failure::of_training(&args.source, error.into()))?;
    let values = codes.codes.iter().map(|&code| grid.weight(code)).collect();
    Ok((values, format!("{} bits", codes.bits)))
}

/// The rows of the model's data, or of the file that is named.
pub fn rows(args: &PlotArgs, file: &ModelFile) -> Result<Table, Failure> {
    let limits = Limits::default();
    if let Some(path) = &args.data {
        return Ok(Table::read(path, file.value.rows.format, file.value.rows.header, &limits)?);
    }
    match &file.value.scenario.data {
        DataSource::Spirals(spirals) => Ok(spirals.table()),
        DataSource::File(data) => Err(Failure::Usage {
            message: format!("a model knows its rows, {}, by name alone", data.path),
            hint: Some("name the file with --data".to_owned()),
        }),
    }
}

/// From the least to the largest value, and a little beyond.
fn side(name: &str, values: impl Iterator<Item = f64> + Clone) -> GridAxis<'_> {
    let low = values.clone().fold(f64::INFINITY, f64::min);
    let high = values.fold(f64::NEG_INFINITY, f64::max);
    // Of rows that are all the same, a unit around them.
    let beyond = if high > low { 0.05 * (high - low) } else { 0.5 };
    GridAxis { name, unit: "", low: low - beyond, high: high + beyond, n: N_ON_A_SIDE }
}

/// The rows by their class, or all in one where targets are numbers.
fn kinds(
    predictor: &Predictor,
    table: &Table,
    places: &[(f64, f64)],
) -> Result<Vec<RowKind>, Failure> {
    let targets = predictor.encoding().targets(table)?;
    let mut kinds: Vec<RowKind> = Vec::new();
    for (row, place) in places.iter().enumerate() {
        let values: Vec<f64> = targets.iter().map(|variable| variable[row]).collect();
        let name = match predictor.answer(&values).first() {
            Some(Answer::Class(class)) => format!("class {class}"),
            _ => "rows".to_owned(),
        };
        let at = kinds.iter().position(|kind| kind.name == name);
        match at {
            Some(at) => kinds[at].places.push(*place),
            None if kinds.len() == MOST_KINDS => {
                let others = &mut kinds[MOST_KINDS - 1];
                "other classes".clone_into(&mut others.name);
                others.places.push(*place);
            }
            None => kinds.push(RowKind { name, places: vec![*place] }),
        }
    }
    Ok(kinds)
}
