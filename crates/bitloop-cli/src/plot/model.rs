//! Pictures of networks that are trained on examples, and of weights.

use bitloop_blm::WeightGrid;
use bitloop_data::{Answer, EncodedColumn, Limits, Table, Values};
use bitloop_look::{GridAxis, Picture, RowKind};
use bitloop_scenario::{AnySaved, Codes, DataSource, ModelFile, ModelWeights, Weights};
use bitloop_train::Predictor;

use super::drawn;
use crate::args::PlotArgs;
use crate::environment;
use crate::failure::Failure;
use crate::kind;

/// Answers on a side of the map.
const N_ON_A_SIDE: usize = 200;

/// The most classes with a color of their own; rows of further classes share the last one.
const MOST_KINDS: usize = 5;

/// What a model of two inputs answers over the plane, and the rows of its data.
pub fn answers(args: &PlotArgs) -> Result<Picture, Failure> {
    let isa = environment::isa()?;
    let file = kind::model(&args.source)?;
    let predictor = Predictor::new(&file).map_err(|e| Failure::of_training(&args.source, e))?;
    let table = rows(args, &file)?;
    let Some(places) = predictor.places(&table)? else {
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
    let is_class = matches!(predictor.encoding().targets[0].values, Values::Classes(_));
    let subtitle = match outputs.len() {
        1 => "the output",
        _ if is_class => "the class of the largest output",
        _ => "the first output",
    };
    let value = |at| if is_class { class_or_output(&outputs, at) } else { outputs[0][at] };
    let values: Vec<f64> = (0..grid.len()).map(value).collect();
    let title = args.source.file_name().unwrap_or_default().to_string_lossy();
    let rows = kinds(&predictor, &table, &places)?;
    drawn(args, bitloop_look::answers(&title, subtitle, x, y, &values, rows))
}

/// How the weights of a controller or a model are distributed.
pub fn weight_values(args: &PlotArgs) -> Result<Picture, Failure> {
    let (values, note) = match AnySaved::read(&args.source)? {
        AnySaved::Controller(file) => {
            let Weights::Codes(codes) = &file.value.weights;
            on_grid(args, codes)?
        }
        AnySaved::Model(file) => match &file.value.weights {
            ModelWeights::Codes(codes) => {
                let (mut values, note) = on_grid(args, codes)?;
                for (value, factor) in values.iter_mut().zip(file.value.weight_factors()) {
                    *value *= factor;
                }
                (values, note)
            }
            ModelWeights::Real(values) => (values.clone(), "real numbers".to_owned()),
        },
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
fn rows(args: &PlotArgs, file: &ModelFile) -> Result<Table, Failure> {
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

/// The output of two classes, or the position of the largest one.
fn class_or_output(outputs: &[Vec<f64>], at: usize) -> f64 {
    let [one] = outputs else {
        let largest = outputs.iter().enumerate().max_by(|a, b| a.1[at].total_cmp(&b.1[at]));
        return largest.map_or(f64::NAN, |(position, _)| position as f64);
    };
    one[at]
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
        let name = match predictor.answer(&values).as_slice() {
            [Answer::Class(class)] => format!("class {class}"),
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
