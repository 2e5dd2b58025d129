//! The results of a campaign, for programs.

use bitloop_campaign::{CampaignVariant, Interval, Success, Summary, TrainingRecord};
use bitloop_scenario::{ErrorFigure, ErrorUnit};
use bitloop_train::{ProductKind, SetName};
use serde::Serialize;

use super::report::{Report, VariantReport};
use crate::start_folder;
use bitloop_run::ProductJson;

/// The result as `--json` prints it: the first variant's figures, and those of all under `variants`.
#[derive(Debug, Serialize)]
pub struct CampaignJson {
    scenario: String,
    folder: String,
    seed: u64,
    success: Success,
    search: bool,
    cores: usize,
    complete: bool,
    /// Whether the errors of all variants are the same figure on the same scale.
    errors_are_comparable: bool,
    /// That of the one variant, where there are no others that it could be taken for.
    #[serde(flatten)]
    summary: Option<SummaryJson>,
    variants: Vec<VariantJson>,
}

/// Numbers that are not known, or infinite for want of successes, are null.
#[derive(Clone, Debug, Serialize)]
struct SummaryJson {
    trainings: usize,
    /// Those that found nothing with a finite error.
    failures: usize,
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
    #[serde(flatten)]
    plant_steps: Option<PlantSteps>,
    recommended_cutoff_evaluations: Option<u64>,
    expected_evaluations_with_cutoff: Option<f64>,
}

#[derive(Debug, Serialize)]
struct VariantJson {
    name: String,
    /// What errors over rows are, and what they are measured in.
    #[serde(skip_serializing_if = "Option::is_none")]
    error_figure: Option<ErrorFigure>,
    #[serde(skip_serializing_if = "Option::is_none")]
    error_unit: Option<ErrorUnit>,
    #[serde(flatten)]
    summary: SummaryJson,
    training_list: Vec<TrainingJson>,
}

#[derive(Debug, Serialize)]
struct TrainingJson {
    training: u32,
    seed: u64,
    /// On the set named by `error_on`: the test, or else validation, or else training.
    error: f64,
    error_on: &'static str,
    test_error: Option<f64>,
    validation_error: Option<f64>,
    training_error: Option<f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    classified: Option<f64>,
    #[serde(flatten)]
    of_plant: Option<OfPlant>,
    success: bool,
    evaluations_to_success: Option<u64>,
    evaluations: u64,
    moves: u64,
    runs: u64,
    wall_s: Option<f64>,
    threads: Option<u32>,
    stop_reason: &'static str,
    #[serde(flatten)]
    product: ProductJson,
}

/// What a training on a plant has.
#[derive(Debug, Serialize)]
struct OfPlant {
    failed_episodes: u32,
    plant_steps: Option<u64>,
}

/// Costs of a success in steps of a plant.
#[derive(Clone, Debug, Serialize)]
struct PlantSteps {
    expected_plant_steps_to_success: f64,
    expected_plant_steps_interval: Interval,
}

impl CampaignJson {
    /// Cores that the times are for.
    pub const fn n_cores(&self) -> usize {
        self.cores
    }
}

impl Report<'_> {
    /// The object.
    pub fn json(&self) -> CampaignJson {
        let success = self.args.success;
        let reports = self.variants();
        let variants: Vec<VariantJson> = reports.iter().map(|of| variant(of, success)).collect();
        CampaignJson {
            scenario: self.scenario.display().to_string(),
            folder: start_folder::shown(&self.campaign.options().folder).display().to_string(),
            seed: self.seed,
            success,
            search: self.args.search,
            cores: self.n_cores,
            complete: self.finished.is_complete(),
            errors_are_comparable: self.campaign.has_comparable_errors(),
            summary: (variants.len() == 1).then(|| variants[0].summary.clone()),
            variants,
        }
    }
}

fn variant(report: &VariantReport<'_>, success: Success) -> VariantJson {
    let VariantReport { variant, name, records, summary } = report;
    let failures = records.iter().filter(|record| record.has_failed()).count();
    let trainings = records.iter().map(|record| training(variant, record, success));
    let meaning = variant.error_meaning.as_ref();
    VariantJson {
        name: name.clone(),
        error_figure: meaning.map(|meaning| meaning.figure),
        error_unit: meaning.map(|meaning| meaning.unit),
        summary: SummaryJson::new(summary, failures, variant.product_kind),
        training_list: trainings.collect(),
    }
}

fn training(variant: &CampaignVariant, record: &TrainingRecord, success: Success) -> TrainingJson {
    let path = variant.product_path(record.number);
    let of_plant = (variant.product_kind == ProductKind::Controller).then(|| OfPlant {
        failed_episodes: record.failed_episodes,
        plant_steps: record.cost.map(|cost| cost.plant_steps),
    });
    TrainingJson {
        training: record.number,
        seed: record.seed,
        error: record.error,
        error_on: record.reported_set.word(),
        test_error: Some(record.error).filter(|_| record.reported_set == SetName::Test),
        validation_error: record.validation_error,
        training_error: record.training_error,
        classified: record.classified,
        of_plant,
        success: success.is_met_by(record),
        evaluations_to_success: success.evaluations(record),
        evaluations: record.evaluations,
        moves: record.moves,
        runs: record.runs,
        wall_s: record.cost.map(|cost| cost.wall_s),
        threads: record.cost.map(|cost| cost.threads),
        stop_reason: record.stop_reason.name(),
        product: ProductJson::new(variant.product_kind, &path, &record.product_digest),
    }
}

impl SummaryJson {
    fn new(summary: &Summary, failures: usize, kind: ProductKind) -> Self {
        let [quartile1_error, median_error, quartile3_error] = summary.quartile_errors;
        Self {
            trainings: summary.n_trainings,
            failures,
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
            plant_steps: (kind == ProductKind::Controller).then_some(PlantSteps {
                expected_plant_steps_to_success: summary.plant_steps.mean,
                expected_plant_steps_interval: summary.plant_steps.interval,
            }),
            recommended_cutoff_evaluations: summary.cutoff.map(|cutoff| cutoff.evaluations),
            expected_evaluations_with_cutoff: summary
                .cutoff
                .map(|cutoff| cutoff.expected_evaluations),
        }
    }
}
