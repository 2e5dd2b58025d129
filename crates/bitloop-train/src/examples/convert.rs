//! Conversion between the data settings of files and the types of `bitloop_data`.

use std::path::PathBuf;

use bitloop_blm::WeightGrid;
use bitloop_data::{
    Affine, ColumnChoice, Columns, DataError, DataErrorKind, DataSource, DataSpec, EncodedColumn,
    Encoding, Limits, Missing, OwnFiles, RowOrder, Split, Targets, UnknownWords, Values,
};
use bitloop_net::OutputFit;
use bitloop_scenario as file;
use bitloop_scenario::{SavedColumn, SavedValues, SupervisedFile};

use crate::error::TrainError;

/// Where the examples of a scenario come from, and how they are split and scaled.
pub(crate) fn data_spec(scenario: &SupervisedFile) -> DataSpec {
    let file::Supervised { data, scaling, split, class_weights, seed, .. } = &scenario.value;
    let split = split.clone().unwrap_or(file::Split::all());
    let (source, columns) = match data {
        file::DataSource::Spirals(spirals) => {
            let targets = Targets::Classes(ColumnChoice::Name("class".to_owned()));
            let columns = Columns { inputs: None, ignored: vec![], nominal: vec![], targets };
            (DataSource::Spirals(*spirals), columns)
        }
        file::DataSource::File(data) => (
            DataSource::File {
                path: scenario.data_path().unwrap_or_else(|| PathBuf::from(&data.path)),
                format: data.format,
                has_header: data.header,
            },
            Columns {
                inputs: data.inputs.clone(),
                // A column that keeps rows together says which rows are alike, not what they are.
                ignored: data.ignored.iter().chain(&split.grouped_by).cloned().collect(),
                nominal: data.nominal.clone(),
                targets: data.targets.clone(),
            },
        ),
    };
    let order = match split.order {
        file::RowOrder::File => RowOrder::File,
        file::RowOrder::Random => {
            RowOrder::Random { seed: split.seed.unwrap_or(*seed), split_index: 0 }
        }
    };
    DataSpec {
        source,
        own_files: own_files(scenario),
        columns,
        scaling: *scaling,
        missing: match data {
            file::DataSource::Spirals(_) => Missing::Refuse,
            file::DataSource::File(data) => data.missing,
        },
        class_weights: class_weights.clone(),
        split: Split {
            order,
            training: split.training,
            validation: split.validation,
            test: split.test,
            is_stratified: split.stratified,
            grouped_by: split.grouped_by,
            fold: split.fold,
        },
        limits: Limits::default(),
    }
}

/// The files of single parts, seen from the current folder.
fn own_files(scenario: &SupervisedFile) -> OwnFiles {
    let file::DataSource::File(data) = &scenario.value.data else { return OwnFiles::default() };
    let path = |path: &Option<String>| Some(scenario.source.folder().join(path.as_ref()?));
    OwnFiles { validation: path(&data.validation), test: path(&data.test) }
}

/// The field that names a file of rows.
fn field_of(scenario: &SupervisedFile, file: &str) -> &'static str {
    let own = own_files(scenario);
    let is_named =
        |path: Option<PathBuf>| path.is_some_and(|path| path.display().to_string() == file);
    if is_named(own.validation) {
        "data.validation"
    } else if is_named(own.test) {
        "data.test"
    } else {
        "data.path"
    }
}

/// An error in the data, with its place in the scenario where the scenario has to be changed.
pub(crate) fn data_error(scenario: &SupervisedFile, error: DataError) -> TrainError {
    let path = match error.kind {
        DataErrorKind::Split => "split",
        // A column of the file, and none that the scenario names.
        DataErrorKind::Column if error.place.column.is_some() => "data",
        DataErrorKind::Column => match field_of(scenario, &error.file) {
            "data.path" => "data.targets",
            own => own,
        },
        DataErrorKind::Class => "class_weights",
        DataErrorKind::Unreadable => field_of(scenario, &error.file),
        _ => return error.into(),
    };
    let column = error.place.column.as_deref().map_or(String::new(), |name| format!(", {name}"));
    let message = format!("{}{column}: {}", error.file, error.message);
    let hint = error.hint.unwrap_or("is it the right file?");
    let hint = match (error.kind, path) {
        (DataErrorKind::Unreadable, "data.validation") => {
            "a relative path starts at the scenario's folder; `--validation-data FILE` names another file"
        }
        (DataErrorKind::Unreadable, "data.test") => {
            "a relative path starts at the scenario's folder; `--test-data FILE` names another file"
        }
        (DataErrorKind::Unreadable, _) => {
            "a relative path starts at the scenario's folder; `--data FILE` names another file"
        }
        _ => hint,
    };
    scenario.error_at(path, message, hint).into()
}

/// The columns of an encoding, as they are saved.
pub(crate) fn saved_columns(columns: &[EncodedColumn]) -> Vec<SavedColumn> {
    let saved = |column: &EncodedColumn| SavedColumn {
        name: column.name.clone(),
        number: u32::try_from(column.number).unwrap_or(u32::MAX),
        values: match &column.values {
            Values::Number(None) => SavedValues::Number,
            Values::Number(Some(affine)) => {
                let ([min, max], [low, high]) = affine.ranges();
                SavedValues::Scaled { min, max, low, high }
            }
            Values::Words(words) => SavedValues::Words(words.clone()),
            Values::Classes(words) => SavedValues::Classes(words.clone()),
        },
        fill: column.fill.clone(),
    };
    columns.iter().map(saved).collect()
}

/// The encoding of a saved model, whose ranges were checked.
pub(crate) fn encoding(model: &file::SavedModel) -> Encoding {
    let encoded = |column: &SavedColumn| EncodedColumn {
        name: column.name.clone(),
        number: column.number as usize,
        values: match &column.values {
            SavedValues::Number => Values::Number(None),
            &SavedValues::Scaled { min, max, low, high } => {
                Values::Number(Affine::new([min, max], [low, high]))
            }
            SavedValues::Words(words) => Values::Words(words.clone()),
            SavedValues::Classes(words) => Values::Classes(words.clone()),
        },
        fill: column.fill.clone(),
    };
    Encoding {
        inputs: model.inputs.iter().map(encoded).collect(),
        targets: model.targets.iter().map(encoded).collect(),
        class_weights: model.class_weights.clone(),
        threshold: model.threshold,
        unknown_words: UnknownWords::Refuse,
    }
}

/// The weights of a saved model, each with the power of two of its layer.
pub(crate) fn model_weights(model: &file::SavedModel) -> Result<Vec<f64>, TrainError> {
    let weights = match &model.weights {
        file::ModelWeights::Real(weights) => weights.clone(),
        file::ModelWeights::Codes(file::Codes { bits, max_weight, codes }) => {
            let grid = WeightGrid::new(*bits, *max_weight)?;
            codes.iter().map(|&code| grid.weight(code)).collect()
        }
    };
    let pairs = weights.into_iter().zip(model.weight_factors());
    Ok(pairs.map(|(weight, factor)| weight * factor).collect())
}

/// What becomes of the outputs of a saved model.
pub(crate) fn output_fits(model: &file::SavedModel) -> Vec<OutputFit> {
    let fit = |saved: &file::SavedOutputFit| OutputFit { scale: saved.scale, offset: saved.offset };
    model.output_fits.iter().map(fit).collect()
}
