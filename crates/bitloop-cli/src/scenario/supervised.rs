//! `bitloop scenario check` of a supervised scenario.

use std::fmt::Write as _;
use std::path::Path;

use bitloop_data::{ColumnChoice, EncodedColumn, Threshold, Values};
use bitloop_scenario::{
    DataSource, OutputScale, Regularization, RowOrder, ScenarioKind as _, Split, Supervised,
    SupervisedFile, SupervisedTraining,
};
use bitloop_train::{ExamplesTask, Prepared, Training};
use serde::Serialize;

use super::{add_telescopic_blm, stop_in_words};
use crate::failure::Failure;
use crate::model::{class_weights_in_words, powers_in_words};
use crate::network_text::network_in_short;
use crate::output::number::{counted, plain};
use crate::output::table::Facts;
use crate::output::{json, print};

/// The result as `--json` prints it.
#[derive(Serialize)]
struct CheckJson {
    scenario: String,
    trainer: &'static str,
    inputs: usize,
    outputs: usize,
    training_rows: usize,
    validation_rows: usize,
    test_rows: usize,
    n_weights: usize,
    epsilon: Option<f64>,
    seed: u64,
    scenario_digest: String,
}

/// Says that a scenario and its data are fine, and what they amount to.
pub fn check(path: &Path, file: &SupervisedFile, as_json: bool) -> Result<(), Failure> {
    let fitting = ExamplesTask::prepare(file).map_err(|error| Failure::of_training(path, error))?;
    let (scenario, data) = (&file.value, &fitting.task.data);
    if !as_json {
        return print(&text(path, scenario, &fitting));
    }
    json::print_object(&CheckJson {
        scenario: path.display().to_string(),
        trainer: scenario.training.name(),
        inputs: data.training.n_inputs(),
        outputs: data.training.n_outputs(),
        training_rows: data.training.n_samples,
        validation_rows: data.validation.n_samples,
        test_rows: data.test.n_samples,
        n_weights: fitting.network().n_weights(),
        epsilon: fitting.grid().map(|grid| grid.epsilon()),
        seed: scenario.seed,
        scenario_digest: scenario.digest(),
    })
}

fn text(path: &Path, scenario: &Supervised, fitting: &Prepared<ExamplesTask>) -> String {
    let mut facts = Facts::default();
    let data = match &scenario.data {
        DataSource::Spirals(set) => format!("the two spirals, {set:?}"),
        DataSource::File(file) => {
            let paths: Vec<&str> = file.paths().map(|(_, path)| path.as_str()).collect();
            paths.join(", ")
        }
    };
    facts.add("data", data);
    let data = &fitting.task.data;
    facts.add(
        "rows",
        format!(
            "{} for training, {} for validation, {} for the test, {}",
            data.training.n_samples,
            data.validation.n_samples,
            data.test.n_samples,
            split_in_words(scenario.split.as_ref()),
        ),
    );
    let is_nominal = |column: &&EncodedColumn| matches!(column.values, Values::Words(_));
    let nominal = data.encoding.inputs.iter().filter(is_nominal);
    let nominal: Vec<String> = nominal.map(EncodedColumn::shown_name).collect();
    if !nominal.is_empty() {
        facts.add("nominal inputs", nominal.join(", "));
    }
    facts.add("network", network_in_short(fitting));
    let exponents = fitting.task.layers().exponents();
    if !exponents.is_empty() {
        facts.add("layer scales", powers_in_words(exponents));
    }
    if scenario.network.output_scale == Some(OutputScale::Fitted) {
        facts.add("outputs", "scale and offset by least squares on the training rows");
    }
    // Of two classes, the softmax is the logistic function.
    let loss = fitting.task.scenario.loss;
    facts.add("loss", format!("{loss:?}"));
    if let Some((_, classes)) = data.encoding.class_column()
        && !scenario.class_weights.are_equal()
    {
        facts.add("class weights", class_weights_in_words(&data.encoding.class_weights, classes));
    }
    if !scenario.threshold.is_half() {
        facts.add("threshold", threshold_in_words(scenario.threshold));
    }
    facts.add("selected by", scenario.select_by.figure(loss).name());
    match scenario.regularization {
        Regularization::Weight(0.0) => {}
        Regularization::Weight(weight) => facts.add("regularization", plain(weight)),
        Regularization::Auto => {
            let rows = (data.training.n_samples, data.validation.n_samples);
            let tried = scenario.regularization.of_runs(loss, rows.0, rows.1);
            if tried.len() > 1 {
                let tried: Vec<String> = tried.into_iter().map(plain).collect();
                facts.add("regularization", format!("{}, a run each", tried.join(", ")));
            }
        }
    }
    match &scenario.training {
        SupervisedTraining::TelescopicBlm(blm) => {
            add_telescopic_blm(&mut facts, blm);
            if let Some(share) = blm.zero_share {
                let held = if blm.hold_zeros { ", and as many stay there" } else { "" };
                let share = 100.0 * share;
                facts.add("sparsity", format!("{share} % of the weights start at zero{held}"));
            }
        }
        SupervisedTraining::CmaEs(_) => facts.add("search", "CmaEs, over real weights"),
        SupervisedTraining::RandomSearch(_) => facts.add("search", "RandomSearch"),
        SupervisedTraining::OneStepSecant(oss) => {
            facts.add("search", "OneStepSecant, over real weights");
            let every = counted(u64::from(oss.validate_every), "step");
            facts.add("validation", format!("every {every}"));
        }
        SupervisedTraining::Backpropagation(descent) => {
            facts.add("search", "Backpropagation, over real weights");
            let every = counted(u64::from(descent.validate_every), "step");
            facts.add("validation", format!("every {every}"));
        }
        SupervisedTraining::ExtremeLearning(elm) => {
            let ridges: Vec<String> = elm.ridges.iter().map(|&ridge| plain(ridge)).collect();
            facts.add("search", format!("ExtremeLearning, ridges {}", ridges.join(", ")));
        }
    }
    facts.add("stops", stop_in_words(&fitting.stop));
    facts.add("seed", scenario.seed.to_string());
    facts.add("digest", scenario.digest());
    format!("{} is fine, and trains a network on examples\n{}", path.display(), facts.text())
}

/// How rows come into their parts.
fn split_in_words(split: Option<&Split>) -> String {
    let Some(split) = split else { return "in the order of the files".to_owned() };
    let mut words = match split.order {
        RowOrder::Random => "drawn by the seed".to_owned(),
        RowOrder::File => "in the file's order".to_owned(),
    };
    if split.stratified {
        words += ", stratified";
    }
    if let Some(column) = &split.grouped_by {
        let column = match column {
            ColumnChoice::Name(name) => name.clone(),
            ColumnChoice::Number(number) => format!("column {number}"),
        };
        let _ = write!(words, ", grouped by {column}");
    }
    if let Some(fold) = split.fold {
        let _ = write!(words, ", the test is fold {} of {}", fold.index, fold.of);
    }
    words
}

/// From which output on the second class is answered.
fn threshold_in_words(threshold: Threshold) -> String {
    match threshold {
        Threshold::Half => "0.5".to_owned(),
        Threshold::At(at) => plain(at),
        Threshold::ByBalancedAccuracy => "by balanced accuracy on the rows that select".to_owned(),
        Threshold::ByF1 => "by F1 of the second class on the rows that select".to_owned(),
    }
}
