//! Runs a baseline of the paper on one of its data sets, over splits, and prints the mean of the errors.
//!
//! ```text
//! cargo run --release -p bitloop-data --example baselines -- SET TRAINER UNITS SECONDS SPLITS FOLDER
//! ```
//! SET is `house16h`, `yeast` or `abalone`; TRAINER is `oss`, or `elm` (tanh units) or `elm-logistic` followed by the
//! regularization constant, as in `elm:1`; SECONDS is the budget of a run of OSS; FOLDER holds the public files. The error is the paper's: the lowest
//! RMSE on the held-out rows.

use std::error::Error;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use bitloop_data::{
    ClassWeights, ColumnChoice, Columns, DataSource, DataSpec, Dataset, Descent, DescentStep,
    ErrorFunction, ExtremeLearning, ExtremeLearningOptions, ExtremeLearningStep, Format, Limits,
    Missing, OneStepSecant, OwnFiles, RowOrder, Scaling, Split, Targets, initial_weights,
};
use bitloop_net::{Activation, Layer, Loss, Network, Samples, TargetKind, report};
use bitloop_plant::Isa;

const USAGE: &str = "expected SET TRAINER UNITS SECONDS SPLITS FOLDER";

/// Steps of OSS between two looks at the held-out rows.
const VALIDATE_EVERY: usize = 10;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [set, trainer, units, seconds, splits, folder] = arguments.as_slice() else {
        return Err(USAGE.into());
    };
    let n_hidden: usize = units.parse()?;
    let budget = Duration::from_secs_f64(seconds.parse()?);
    let n_splits: u64 = splits.parse()?;
    let mut errors = Vec::new();
    for split_index in 0..n_splits {
        let data = spec(set, Path::new(folder), split_index)?.load()?;
        let start = Instant::now();
        let error = match trainer.split_once(':') {
            Some(("elm", ridge)) => {
                elm(&data, n_hidden, Activation::Tanh, ridge.parse()?, split_index)?
            }
            Some(("elm-logistic", ridge)) => {
                elm(&data, n_hidden, Activation::Logistic, ridge.parse()?, split_index)?
            }
            None if trainer == "oss" => oss(&data, n_hidden, set, budget, split_index)?,
            _ => return Err(USAGE.into()),
        };
        println!("split {split_index}: {error:.4} in {:.1} s", start.elapsed().as_secs_f64());
        errors.push(error);
    }
    let n = errors.len() as f64;
    let mean = errors.iter().sum::<f64>() / n;
    let square_sum = errors.iter().map(|error| (error - mean) * (error - mean)).sum::<f64>();
    let standard_error = (square_sum / (n - 1.0) / n).sqrt();
    println!("{set} {trainer} {n_hidden}: {mean:.4} +- {standard_error:.4}");
    Ok(())
}

/// A set of the paper, with its counts of rows.
fn spec(set: &str, folder: &Path, split_index: u64) -> Result<DataSpec, Box<dyn Error>> {
    let number = ColumnChoice::Number;
    let (file, format, has_header, ignored, nominal, targets, [n_training, n_validation]) =
        match set {
            "house16h" => (
                "house16H/574_house_16H.tsv.gz",
                Format::Tsv,
                true,
                vec![],
                vec![],
                Targets::Numbers(vec![number(17)]),
                [15_948, 6_836],
            ),
            "yeast" => (
                "yeast/yeast.data",
                Format::Whitespace,
                false,
                vec![number(1)],
                vec![],
                Targets::Classes(number(10)),
                [1_038, 446],
            ),
            "abalone" => (
                "abalone/abalone.data",
                Format::Csv,
                false,
                vec![],
                vec![number(1)],
                Targets::Numbers(vec![number(9)]),
                [2_924, 1_253],
            ),
            _ => return Err(USAGE.into()),
        };
    let path: PathBuf = folder.join(file);
    Ok(DataSpec {
        source: DataSource::File { path, format, has_header },
        columns: Columns { inputs: None, ignored, nominal, targets },
        scaling: Scaling::default(),
        own_files: OwnFiles::default(),
        missing: Missing::Refuse,
        class_weights: ClassWeights::Equal,
        split: Split::of_rows(
            RowOrder::Random { seed: 1, split_index },
            [n_training, n_validation, 0],
        ),
        limits: Limits::default(),
    })
}

fn oss(
    data: &Dataset,
    n_hidden: usize,
    set: &str,
    budget: Duration,
    run: u64,
) -> Result<f64, Box<dyn Error>> {
    let output = match data.encoding.target_kind() {
        TargetKind::Classes | TargetKind::TwoClasses { .. } => Activation::Logistic,
        TargetKind::Numbers => Activation::Linear,
    };
    let (n_inputs, n_outputs) = (data.training.n_inputs(), data.training.n_outputs());
    let layers = vec![Layer::new(n_hidden, Activation::Tanh), Layer::new(n_outputs, output)];
    let network = Network::new(n_inputs, 1, layers)?;
    let validation = Samples::new(&data.validation.inputs, &data.validation.targets)?;
    let function = ErrorFunction::new(&network, &data.training, Loss::SquaredError, 0.0)?;
    // The paper's ranges.
    let range = if set == "house16h" { 0.01 } else { 0.001 };
    let start = Instant::now();
    let weights = initial_weights(network.n_weights(), range, 1, run);
    let mut oss = OneStepSecant::new(function, weights);
    let (mut lowest, mut n_steps, mut at) = (f64::INFINITY, 0, 0.0);
    while start.elapsed() < budget {
        let step = oss.step();
        n_steps += 1;
        if n_steps % VALIDATE_EVERY == 0 || step != DescentStep::Moved {
            let (loss, kind) = (Loss::SquaredError, TargetKind::Numbers);
            let fit = report(Isa::best(), &network, oss.weights(), &validation, loss, kind)?;
            if let Some(rmse) = fit.rmse.filter(|rmse| *rmse < lowest) {
                (lowest, at) = (rmse, start.elapsed().as_secs_f64());
            }
        }
        if step != DescentStep::Moved {
            break;
        }
    }
    let training = oss.cost().sqrt();
    println!("    {n_steps} steps, training RMSE {training:.4}, lowest at {at:.1} s");
    Ok(lowest)
}

fn elm(
    data: &Dataset,
    n_hidden: usize,
    activation: Activation,
    ridge: f64,
    run: u64,
) -> Result<f64, Box<dyn Error>> {
    let options =
        ExtremeLearningOptions { n_hidden, activation, hidden_range: 1.0, ridges: vec![ridge] };
    let mut elm = ExtremeLearning::new(&data.training, &data.validation, &options, 1, run)?;
    while elm.step() == ExtremeLearningStep::Working {}
    elm.best().and_then(|fit| fit.validation_rmse).ok_or_else(|| "no solution".into())
}
