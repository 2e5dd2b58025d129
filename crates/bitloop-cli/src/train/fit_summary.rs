//! What a training on examples came to, for people and for programs.

use std::path::Path;

use bitloop_scenario::{Fit, SavedModel, Stop};
use bitloop_train::{Fitting, FittingOutcome};
use serde::Serialize;

use crate::controller::{layers_in_short, weights_in_short};
use crate::environment;
use crate::model::add_fits;
use crate::output::number::span;
use crate::output::{shell, table::Facts};
use crate::train::summary::{go_on, stop_in_words};

/// A finished training.
#[derive(Clone, Copy, Debug)]
pub struct FitSummary<'a> {
    /// Where the model is.
    pub path: &'a Path,
    /// The model.
    pub saved: &'a SavedModel,
    /// How it came about.
    pub outcome: &'a FittingOutcome,
    /// The command that goes on with it.
    pub resume: &'a str,
}

/// The result as `--json` prints it; null for parts without rows.
#[derive(Debug, Serialize)]
pub struct FitJson {
    model: String,
    trainer: &'static str,
    training_rmse: Option<f64>,
    training_classified: Option<f64>,
    validation_rmse: Option<f64>,
    validation_classified: Option<f64>,
    test_rmse: Option<f64>,
    test_classified: Option<f64>,
    zero_share: f64,
    descents: u64,
    moves: u64,
    evaluations: u64,
    wall_s: f64,
    stop_reason: &'static str,
    seed: u64,
    model_digest: String,
}

impl FitSummary<'_> {
    /// For programs.
    pub fn json(&self) -> FitJson {
        let Self { path, saved, outcome, .. } = *self;
        let fits = &outcome.fits;
        let rmse = |fit: Option<Fit>| fit.map(|fit| fit.rmse);
        let classified = |fit: Option<Fit>| fit.and_then(|fit| fit.classified);
        FitJson {
            model: path.display().to_string(),
            trainer: saved.scenario.training.name(),
            training_rmse: rmse(fits.training),
            training_classified: classified(fits.training),
            validation_rmse: rmse(fits.validation),
            validation_classified: classified(fits.validation),
            test_rmse: rmse(fits.test),
            test_classified: classified(fits.test),
            zero_share: outcome.zero_share,
            descents: outcome.n_descents,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            wall_s: outcome.wall_s,
            stop_reason: outcome.stop_reason.name(),
            seed: saved.made_by.seed,
            model_digest: saved.digest.clone(),
        }
    }

    /// For people.
    pub fn text(&self, fitting: &Fitting, stop: &Stop) -> String {
        let Self { path, saved, outcome, resume } = *self;
        let mut facts = Facts::default();
        add_fits(&mut facts, &outcome.fits);
        facts.add("weights at zero", format!("{:.1} %", 100.0 * outcome.zero_share));
        let (n_descents, best) = (outcome.n_descents, outcome.best.descent + 1);
        facts.add("descents", format!("{n_descents} (the best is number {best})"));
        facts.add("moves", outcome.n_moves.to_string());
        facts.add("evaluations", outcome.n_evaluations.to_string());
        facts.add("time", span(outcome.wall_s));
        let rows = if outcome.fits.validation.is_some() { "validation" } else { "training" };
        let target = format!("the RMSE over the {rows} rows is");
        let stopped = stop_in_words(outcome.stop_reason, stop, outcome.n_evaluations, &target);
        facts.add("stopped", stopped);
        facts.add("digest", saved.digest.clone());
        facts.add("model", path.display().to_string());
        format!(
            "\ntrained {} by {}\n{}\nApply it to other rows:\n  {} predict {} --data FILE\n{}",
            network_in_short(fitting),
            saved.scenario.training.name(),
            facts.text(),
            environment::program(),
            shell::quoted(path),
            go_on(outcome.stop_reason, resume),
        )
    }
}

/// Layers and weights of the network that is trained.
pub fn network_in_short(fitting: &Fitting) -> String {
    let bits = fitting.grid().map(|grid| grid.bits_per_weight());
    format!(
        "{}, {}",
        layers_in_short(fitting.network.n_inputs(), &fitting.shape),
        weights_in_short(fitting.network.n_weights(), bits)
    )
}
