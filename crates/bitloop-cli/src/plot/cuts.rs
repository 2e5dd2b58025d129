//! Cuts through the error of a saved controller or model, along one weight after another.

use std::collections::BTreeSet;

use bitloop_blm::WeightGrid;
use bitloop_look::{Cut, Picture};
use bitloop_scenario::{AnySaved, Codes, ModelFile, ModelWeights, Weights};
use bitloop_sim::NetworkController;
use bitloop_train::{Predictor, TrainError};

use super::check_weights;
use super::{drawn, model};
use crate::args::PlotArgs;
use crate::environment;
use crate::failure::Failure;
use crate::output::number::{counted, plain};
use crate::output::progress::Display;
use crate::test_inputs::TestInputs;
use bitloop_replay::ReplayProgress;

/// The most weights of a picture.
const MOST_WEIGHTS: usize = 64;

/// How many weights are shown unless they are named.
const USUAL_WEIGHTS: usize = 24;

/// Codes of a cut that are evenly spread over all.
const N_SPREAD: i64 = 48;

/// What a picture is made of: the grid, the codes that were found, and the error with others.
struct Objective<'a> {
    grid: WeightGrid,
    codes: Vec<i32>,
    error: &'a mut dyn FnMut(&[i32]) -> Result<f64, Failure>,
}

/// The picture.
pub fn cuts(args: &PlotArgs) -> Result<Picture, Failure> {
    match AnySaved::read(&args.source)? {
        AnySaved::Controller(_) => of_controller(args),
        AnySaved::Model(file) => of_model(args, &file),
    }
}

fn of_controller(args: &PlotArgs) -> Result<Picture, Failure> {
    let inputs = TestInputs::read(&args.source, &args.test, "plot")?;
    let replay = inputs.replay(inputs.with_training_horizon(args.count.episodes))?;
    let failed = |error: TrainError| Failure::of_training(&args.source, error);
    let set = replay.draw(replay.indices()).map_err(failed)?;
    let Weights::Codes(codes) = &inputs.controller.value.weights;
    let grid = grid(args, codes)?;
    let (network, n_threads) = (replay.controller().network, environment::n_cores().get());
    let mut error = |codes: &[i32]| {
        let weights: Vec<f64> = codes.iter().map(|&code| grid.weight(code)).collect();
        let controller = NetworkController { network, weights: &weights };
        let evaluation = replay.closed_loop().evaluate(inputs.isa, &controller, &set, n_threads);
        evaluation.map(|evaluation| evaluation.error).map_err(|error| failed(error.into()))
    };
    let what = format!(
        "mean error of {} of {} s",
        counted(replay.n_episodes() as u64, "episode"),
        plain(replay.horizon_s())
    );
    let objective = Objective { grid, codes: codes.codes.clone(), error: &mut error };
    picture(args, objective, &what)
}

fn of_model(args: &PlotArgs, file: &ModelFile) -> Result<Picture, Failure> {
    let ModelWeights::Codes(codes) = &file.value.weights else {
        return Err(Failure::NothingFound {
            message: format!("{}: its weights are real numbers", args.source.display()),
            hint: Some("cuts go over the codes of weights that have bits".to_owned()),
        });
    };
    let isa = environment::isa()?;
    let (grid, table) = (grid(args, codes)?, model::rows(args, file)?);
    let failed = |error: TrainError| Failure::of_training(&args.source, error);
    let mut other = file.clone();
    let mut error = |changed: &[i32]| {
        let codes = Codes { codes: changed.to_vec(), ..codes.clone() };
        other.value.weights = ModelWeights::Codes(codes);
        let fit = Predictor::new(&other).and_then(|model| model.score(isa, &table));
        let fit = fit.map_err(failed)?;
        Ok(fit.rmse.or(fit.loss).unwrap_or(f64::NAN))
    };
    let what = format!("error of {}", counted(table.n_rows() as u64, "row"));
    let objective = Objective { grid, codes: codes.codes.clone(), error: &mut error };
    picture(args, objective, &what)
}

fn grid(args: &PlotArgs, codes: &Codes) -> Result<WeightGrid, Failure> {
    WeightGrid::new(codes.bits, codes.max_weight)
        .map_err(|error| Failure::of_training(&args.source, error.into()))
}

fn picture(args: &PlotArgs, objective: Objective<'_>, what: &str) -> Result<Picture, Failure> {
    let Objective { grid, mut codes, error } = objective;
    let n_weights = codes.len();
    let chosen = chosen(args, n_weights)?;
    let here = error(&codes)?;
    let mut display = Display::of(chosen.len(), "weight");
    let mut all = Vec::new();
    for &weight in &chosen {
        let found = codes[weight];
        let mut points = Vec::new();
        for code in codes_of_a_cut(&grid, found) {
            codes[weight] = code;
            let value = if code == found { here } else { error(&codes)? };
            points.push((grid.weight(code), value));
        }
        codes[weight] = found;
        all.push(Cut { name: format!("weight {weight}"), points, at: (grid.weight(found), here) });
        let part = all.len() as f64 / chosen.len() as f64;
        display.show(ReplayProgress { n_finished: all.len(), part });
    }
    display.finish();
    environment::restore_process();
    let title = args.source.file_name().unwrap_or_default().to_string_lossy();
    let which = if chosen.len() < n_weights {
        format!("{} of {n_weights} weights", chosen.len())
    } else {
        counted(n_weights as u64, "weight")
    };
    let subtitle =
        format!("{what}, over {which}, one at a time; the dot is the weight that was found");
    drawn(args, bitloop_look::cuts(&title, &subtitle, "error", &all))
}

/// The weights that are shown: those that are named, or the first ones.
fn chosen(args: &PlotArgs, n_weights: usize) -> Result<Vec<usize>, Failure> {
    if args.weights.is_empty() {
        return Ok((0..n_weights.min(USUAL_WEIGHTS)).collect());
    }
    check_weights(args, n_weights)?;
    if args.weights.len() > MOST_WEIGHTS {
        let message = format!("a picture has at most {MOST_WEIGHTS} weights");
        return Err(Failure::Usage { message, hint: Some("name fewer".to_owned()) });
    }
    Ok(args.weights.clone())
}

/// Some codes over the whole grid, and those around the one that was found.
fn codes_of_a_cut(grid: &WeightGrid, found: i32) -> BTreeSet<i32> {
    let (low, high) = (i64::from(grid.min_code()), i64::from(grid.max_code()));
    let spread = (0..=N_SPREAD).map(|part| low + part * (high - low) / N_SPREAD);
    // Nearer and nearer, since optima of many bits are narrow.
    let near = (0..24).map(|power| 1_i64 << power).take_while(|&step| step <= high - low);
    let near = near.flat_map(|step| [i64::from(found) - step, i64::from(found) + step]);
    let all = spread.chain(near).chain([i64::from(found)]);
    all.filter(|code| (low..=high).contains(code))
        .filter_map(|code| i32::try_from(code).ok())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cut_has_both_ends_and_what_is_near() {
        let grid = WeightGrid::new(16, 1.0).unwrap();
        let codes = codes_of_a_cut(&grid, 1000);
        for code in [grid.min_code(), grid.max_code(), 999, 1000, 1001, 1002] {
            assert!(codes.contains(&code), "{code}");
        }
        assert!(codes.len() < 90, "{}", codes.len());
        // Of few bits, all.
        assert_eq!(codes_of_a_cut(&WeightGrid::new(2, 1.0).unwrap(), 0).len(), 4);
    }
}
