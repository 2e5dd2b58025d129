//! What a campaign came to, for people and for programs.

use std::fmt::Write as _;
use std::path::Path;

use bitloop_campaign::{ExpectedCost, Interval, Summary, TrainingFacts};
use bitloop_scenario::AnyScenario;
use bitloop_train::{Books, Campaign, CampaignVariant, ProductKind, RunRecord};
use serde::Serialize;

use crate::args::CampaignArgs;
use crate::environment;
use crate::output::number::{counted, error, plain, span, with_prefix};
use crate::output::shell;
use crate::output::table::Table;
use crate::train::ProductJson;

/// The runs of a campaign that are finished, all or some.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was asked for.
    pub args: &'a CampaignArgs,
    /// The scenario's file.
    pub scenario: &'a Path,
    /// Root of the runs' seeds.
    pub seed: u64,
    /// The variants.
    pub campaign: &'a Campaign,
    /// Their runs.
    pub books: &'a Books,
    /// Cores that the runs were spread over.
    pub n_cores: usize,
}

/// The result as `--json` prints it: the first variant's figures, and those of all under `variants`.
#[derive(Debug, Serialize)]
pub struct CampaignJson {
    scenario: String,
    folder: String,
    seed: u64,
    success: f64,
    search: bool,
    cores: usize,
    complete: bool,
    #[serde(flatten)]
    first: SummaryJson,
    variants: Vec<VariantJson>,
}

/// Numbers that are not known, or infinite for want of successes, are null.
#[derive(Clone, Debug, Serialize)]
struct SummaryJson {
    runs: usize,
    successes: usize,
    success_probability: f64,
    success_interval: Interval,
    mean_error: f64,
    /// Of the mean.
    standard_error: f64,
    min_error: f64,
    quartile1_error: f64,
    median_error: f64,
    quartile3_error: f64,
    median_wall_s: f64,
    expected_time_to_success_s: f64,
    expected_time_interval_s: Interval,
    expected_evaluations_to_success: f64,
    expected_evaluations_interval: Interval,
    expected_plant_steps_to_success: f64,
    expected_plant_steps_interval: Interval,
    recommended_cutoff_evaluations: Option<u64>,
    expected_evaluations_with_cutoff: Option<f64>,
}

#[derive(Debug, Serialize)]
struct VariantJson {
    name: String,
    #[serde(flatten)]
    summary: SummaryJson,
    run_list: Vec<RunJson>,
}

#[derive(Debug, Serialize)]
struct RunJson {
    run: u32,
    seed: u64,
    test_error: f64,
    validation_error: f64,
    training_error: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    classified: Option<f64>,
    failed_episodes: u32,
    success: bool,
    evaluations_to_success: Option<u64>,
    evaluations: u64,
    moves: u64,
    descents: u64,
    plant_steps: u64,
    wall_s: f64,
    threads: u32,
    stop_reason: &'static str,
    #[serde(flatten)]
    product: ProductJson,
}

impl Report<'_> {
    /// For programs.
    pub fn json(&self) -> CampaignJson {
        let variants: Vec<VariantJson> =
            self.variants().map(|(variant, runs)| self.variant_json(variant, &runs)).collect();
        let folder = self.campaign.folder();
        CampaignJson {
            scenario: self.scenario.display().to_string(),
            folder: folder.display().to_string(),
            seed: self.seed,
            success: self.args.success,
            search: self.args.search,
            cores: self.n_cores,
            complete: self.books.runs.iter().flatten().all(Option::is_some),
            first: variants[0].summary.clone(),
            variants,
        }
    }

    /// For people.
    pub fn text(&self) -> String {
        match self.campaign.variants()[0].kind {
            ProductKind::Controller => self.text_of_plant(),
            ProductKind::Model => self.text_of_examples(),
        }
    }

    fn text_of_plant(&self) -> String {
        let success = plain(self.args.success);
        let below = format!("below {success}");
        let mut errors = Table::new(&[
            "variant",
            "runs",
            "minimum",
            "quartile 1",
            "median",
            &below,
            "probability",
            "median time",
        ]);
        let mut costs =
            Table::new(&["variant", "time", "evaluations", "plant steps", "best cut-off"]);
        for (variant, runs) in self.variants() {
            let summary = self.summary(&runs);
            let name = self.name(variant);
            let [low, high] = summary.success_interval;
            let [quartile, median, _] = summary.quartile_errors;
            errors.row(vec![
                name.clone(),
                summary.n_trainings.to_string(),
                error(summary.min_error),
                error(quartile),
                error(median),
                summary.n_successes.to_string(),
                format!("{:.2} ({low:.2} to {high:.2})", summary.success_probability),
                span(summary.median_wall_s),
            ]);
            let cutoff = summary.cutoff.map_or("-".to_owned(), |cutoff| {
                let evaluations = with_prefix(cutoff.evaluations as f64);
                format!("{evaluations}, then {}", with_prefix(cutoff.expected_evaluations))
            });
            costs.row(vec![
                name,
                cost(&summary.time_s, span),
                cost(&summary.evaluations, with_prefix),
                cost(&summary.plant_steps, with_prefix),
                cutoff,
            ]);
        }
        let kind = if self.args.search { "runs with restarts" } else { "runs of one descent each" };
        let cores = counted(self.n_cores as u64, "core");
        let mut text = format!(
            "\n{kind}, of {}, seed {}; a success is a test error below {success}\n{}\nWhat a success costs on {cores}: all \
             runs together over successes; where to start anew, in evaluations\n{}",
            self.scenario.display(),
            self.seed,
            errors.text(),
            costs.text(),
        );
        let _ = writeln!(
            text,
            "\nIntervals are at 95 %: of probabilities Wilson's, of costs by bootstrap."
        );
        if let Some((variant, best)) = self.best() {
            let path = variant.product_path(best.run);
            let _ = write!(
                text,
                "\nThe best run is {}, with the test error {}. See it again:\n  {} replay {}\n",
                best.run,
                error(best.test_error),
                environment::program(),
                shell::quoted(path),
            );
        }
        text
    }

    /// Means and standard errors over the runs, each with a split and a start of its own.
    fn text_of_examples(&self) -> String {
        let mut table = Table::new(&[
            "variant",
            "runs",
            "RMSE on",
            "mean",
            "standard error",
            "minimum",
            "classified",
            "median time",
        ]);
        for (variant, runs) in self.variants() {
            let summary = self.summary(&runs);
            let shares: Vec<f64> = runs.iter().filter_map(|run| run.classified).collect();
            let classified = if shares.is_empty() {
                "-".to_owned()
            } else {
                let mean = shares.iter().sum::<f64>() / shares.len() as f64;
                format!("{:.2} %", 100.0 * mean)
            };
            table.row(vec![
                self.name(variant),
                summary.n_trainings.to_string(),
                told_rows(&variant.scenario).to_owned(),
                error(summary.mean_error),
                known(summary.standard_error, error),
                error(summary.min_error),
                classified,
                span(summary.median_wall_s),
            ]);
        }
        let mut text = format!(
            "\nruns on splits and from starts of their own, of {}, seed {}\n{}\nThe RMSE on validation rows is the lowest that \
             the run has seen there, the paper's protocol; that on test rows is of what other rows have selected.\n",
            self.scenario.display(),
            self.seed,
            table.text(),
        );
        if let Some((variant, best)) = self.best() {
            let path = variant.product_path(best.run);
            let _ = write!(
                text,
                "\nThe lowest is {}, of run {}. See it again:\n  {} controller show {}\n",
                error(best.test_error),
                best.run,
                environment::program(),
                shell::quoted(path),
            );
        }
        text
    }

    fn variants(&self) -> impl Iterator<Item = (&CampaignVariant, Vec<&RunRecord>)> {
        let runs = self.books.runs.iter().map(|runs| runs.iter().flatten().collect());
        self.campaign.variants().iter().zip(runs)
    }

    fn summary(&self, runs: &[&RunRecord]) -> Summary {
        let facts: Vec<TrainingFacts> =
            runs.iter().map(|run| run.facts(self.args.success)).collect();
        Summary::of(&facts, self.n_cores, self.seed)
    }

    /// The variant's name, or else the scenario's.
    fn name(&self, variant: &CampaignVariant) -> String {
        if variant.name.is_empty() {
            let stem = self.scenario.file_stem().unwrap_or_default();
            return stem.to_string_lossy().into_owned();
        }
        variant.name.clone()
    }

    /// The run with the lowest test error; of equals, the first.
    fn best(&self) -> Option<(&CampaignVariant, &RunRecord)> {
        let all = self
            .variants()
            .flat_map(|(variant, runs)| runs.into_iter().map(move |run| (variant, run)));
        all.min_by(|a, b| a.1.test_error.total_cmp(&b.1.test_error))
    }

    fn variant_json(&self, variant: &CampaignVariant, runs: &[&RunRecord]) -> VariantJson {
        let summary = self.summary(runs);
        let [quartile1_error, median_error, quartile3_error] = summary.quartile_errors;
        VariantJson {
            name: self.name(variant),
            summary: SummaryJson {
                runs: summary.n_trainings,
                successes: summary.n_successes,
                success_probability: summary.success_probability,
                success_interval: summary.success_interval,
                mean_error: summary.mean_error,
                standard_error: summary.standard_error,
                min_error: summary.min_error,
                quartile1_error,
                median_error,
                quartile3_error,
                median_wall_s: summary.median_wall_s,
                expected_time_to_success_s: summary.time_s.mean,
                expected_time_interval_s: summary.time_s.interval,
                expected_evaluations_to_success: summary.evaluations.mean,
                expected_evaluations_interval: summary.evaluations.interval,
                expected_plant_steps_to_success: summary.plant_steps.mean,
                expected_plant_steps_interval: summary.plant_steps.interval,
                recommended_cutoff_evaluations: summary.cutoff.map(|cutoff| cutoff.evaluations),
                expected_evaluations_with_cutoff: summary
                    .cutoff
                    .map(|cutoff| cutoff.expected_evaluations),
            },
            run_list: runs.iter().map(|run| self.run_json(variant, run)).collect(),
        }
    }

    fn run_json(&self, variant: &CampaignVariant, run: &RunRecord) -> RunJson {
        let path = variant.product_path(run.run);
        RunJson {
            run: run.run,
            seed: run.seed,
            test_error: run.test_error,
            validation_error: run.validation_error,
            training_error: run.training_error,
            classified: run.classified,
            failed_episodes: run.failed_episodes,
            success: run.is_success(self.args.success),
            evaluations_to_success: run.evaluations_to_success(self.args.success),
            evaluations: run.evaluations,
            moves: run.moves,
            descents: run.descents,
            plant_steps: run.plant_steps,
            wall_s: run.wall_s,
            threads: run.threads,
            stop_reason: run.stop_reason.name(),
            product: ProductJson::new(variant.kind, &path, &run.product_digest),
        }
    }
}

/// The rows that a run's error is told of.
fn told_rows(scenario: &AnyScenario) -> &'static str {
    let AnyScenario::Supervised(file) = scenario else { return "-" };
    match file.value.split {
        Some(split) if split.test > 0 => "test",
        Some(split) if split.validation > 0 => "validation",
        _ => "training",
    }
}

/// A number, or a question mark if it is not known.
fn known(value: f64, show: impl Fn(f64) -> String) -> String {
    if value.is_finite() { show(value) } else { "?".to_owned() }
}

/// A cost and its interval, or a dash if nothing succeeded.
fn cost(cost: &ExpectedCost, show: impl Fn(f64) -> String) -> String {
    if cost.mean.is_finite() {
        let [low, high] = cost.interval.map(|value| known(value, &show));
        format!("{} ({low} to {high})", show(cost.mean))
    } else {
        "-".to_owned()
    }
}
