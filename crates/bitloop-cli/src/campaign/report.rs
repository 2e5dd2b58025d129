//! The results of a campaign, for people.

use std::fmt::Write as _;
use std::path::Path;

use bitloop_campaign::{
    Campaign, CampaignVariant, ExpectedCost, FinishedTrainings, Success, Summary, TrainingFacts,
    TrainingRecord,
};
use bitloop_scenario::ErrorMeaning;
use bitloop_train::{ProductKind, SetName};

use crate::args::CampaignArgs;
use crate::environment;
use crate::output::number::{counted, error, plain, span, with_prefix};
use crate::output::shell;
use crate::output::table::Table;
use crate::start_folder;

/// The trainings of a campaign that are finished, all or some.
#[derive(Clone, Copy, Debug)]
pub struct Report<'a> {
    /// What was asked for.
    pub args: &'a CampaignArgs,
    /// The scenario's file.
    pub scenario: &'a Path,
    /// Root of the trainings' seeds.
    pub seed: u64,
    /// The variants.
    pub campaign: &'a Campaign,
    /// Their trainings.
    pub finished: &'a FinishedTrainings,
    /// Cores that the trainings were spread over.
    pub n_cores: usize,
}

/// What stands below the costs.
pub const INTERVALS: &str =
    "Intervals are at 95 %: of probabilities Wilson's, of costs by bootstrap.";

/// What errors are that are not on a test set.
const PROTOCOL: &str = "An error on the validation or training set is the lowest that the training has seen there, the paper's \
    protocol; one on a test set is of what other sets have selected.";

/// What is said of variants whose errors are not the same figure on the same scale.
pub const NOT_COMPARABLE: &str = "the errors of these variants cannot be compared: they are other figures, or on other scales; nor is a success the same.\n \
     = hint: write `scaling`, `loss`, `select_by` and `class_weights` into the scenario: what it leaves out may depend on the trainer";

/// What stands before the variants whose successes fail: a low mean error does not tell.
pub const FAILING: &str = "Successes that fail in episodes of the test set";

/// The tables of a report, and the words around them.
#[derive(Debug)]
pub struct Parts {
    /// Which trainings they are of.
    pub what: String,
    /// The errors of each variant.
    pub errors: Table,
    /// That the errors of variants cannot be compared, with what to do about it.
    pub warning: Option<String>,
    /// What a success is, and its costs.
    pub success: String,
    /// The successes of each variant, and their costs.
    pub costs: Table,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// What to know of trainings that found nothing with a finite error.
    pub failures: Option<String>,
}

/// A variant with its finished trainings and their statistics.
#[derive(Debug)]
pub struct VariantReport<'a> {
    /// The variant.
    pub variant: &'a CampaignVariant,
    /// Its name, or else the scenario's.
    pub name: String,
    /// Its trainings.
    pub records: Vec<&'a TrainingRecord>,
    /// Their statistics.
    pub summary: Summary,
}

impl<'a> Report<'a> {
    /// The text.
    pub fn text(&self) -> String {
        let Parts { what, errors, warning, success, costs, notes, failures } = self.parts();
        let warning = warning.map_or(String::new(), |warning| format!("WARNING: {warning}\n\n"));
        let mut text = format!(
            "\n{what}\n{}\n{warning}{success}\n{}\n{INTERVALS}\n",
            errors.text(),
            costs.text()
        );
        for note in notes {
            let _ = writeln!(text, "{note}");
        }
        if let Some(note) = failures {
            let _ = writeln!(text, "\n{note}");
        }
        if self.campaign.has_comparable_errors()
            && let Some((variant, best)) = best(&self.variants())
        {
            let command = match variant.product_kind {
                ProductKind::Controller => "replay",
                ProductKind::Model => "controller show",
            };
            let _ = write!(
                text,
                "\nThe lowest is {}, of training {}. See it again:\n  {} {command} {}\n",
                error(best.error),
                best.number,
                environment::program(),
                shell::quoted(start_folder::shown(&variant.product_path(best.number))),
            );
        }
        text
    }

    /// What the text is made of.
    pub fn parts(&self) -> Parts {
        let variants = self.variants();
        let trainings =
            if self.args.search { "trainings with restarts" } else { "trainings without restart" };
        let folds = self.args.folds.map_or_else(String::new, |n| format!(", tested on {n} folds"));
        let cores = counted(self.n_cores as u64, "core");
        let others = variants.iter().flat_map(|of| &of.records);
        let is_other_set = others.clone().any(|record| record.reported_set != SetName::Test);
        let protocol = is_other_set.then(|| PROTOCOL.to_owned());
        let words = self.failing_successes().into_iter();
        let words: Vec<String> =
            words.map(|(name, n_failing, n)| format!("{name} {n_failing} of {n}")).collect();
        let failing = (!words.is_empty()).then(|| format!("{FAILING}: {}.", words.join(", ")));
        let meaning = self
            .common_meaning()
            .map_or(String::new(), |meaning| format!("; errors are {}", meaning.in_words()));
        Parts {
            what: format!(
                "{trainings}{folds}, of {}, seed {}{meaning}",
                self.scenario.display(),
                self.seed
            ),
            errors: errors(&variants, self.campaign.has_comparable_errors()),
            warning: self.warning(),
            success: format!(
                "A success is {}. Costs of a success on {cores}: all trainings together over successes; where to start anew, in \
                 evaluations",
                success_in_words(self.args.success)
            ),
            costs: costs(&variants, self.args.success),
            notes: failing.into_iter().chain(protocol).collect(),
            failures: self.failures(),
        }
    }

    /// What the errors of all variants are, of examples; none where they differ.
    pub fn common_meaning(&self) -> Option<&'a ErrorMeaning> {
        let first = self.campaign.variants().first()?.error_meaning.as_ref();
        first.filter(|_| self.campaign.has_comparable_errors())
    }

    /// That the errors of variants cannot be compared, with what to do about it.
    pub fn warning(&self) -> Option<String> {
        (!self.campaign.has_comparable_errors()).then(|| NOT_COMPARABLE.to_owned())
    }

    /// The variants, in order.
    pub fn variants(&self) -> Vec<VariantReport<'a>> {
        let records = self.finished.by_variant().map(Iterator::collect::<Vec<_>>);
        let variants = self.campaign.variants().iter().zip(records);
        variants
            .map(|(variant, records)| {
                let facts: Vec<TrainingFacts> =
                    records.iter().map(|record| self.args.success.facts(record)).collect();
                let summary = Summary::of(&facts, self.n_cores, self.seed);
                VariantReport { variant, name: self.name(variant), records, summary }
            })
            .collect()
    }

    /// What to know of trainings that found nothing with a finite error.
    pub fn failures(&self) -> Option<String> {
        let records = self.finished.by_variant().flatten();
        let failed: Vec<&TrainingRecord> = records.filter(|record| record.has_failed()).collect();
        let first = failed.first()?;
        let fault = first.fault.as_ref().map_or(String::new(), |fault| format!(": {fault}"));
        Some(format!(
            "{} of {} trainings failed: they found nothing with a finite error. The first has the seed {}{fault}",
            failed.len(),
            self.finished.n_finished(),
            first.seed,
        ))
    }

    /// The variants that have successes which fail in episodes of the test set: name, these, all successes.
    pub fn failing_successes(&self) -> Vec<(String, usize, usize)> {
        let counts = self.variants().into_iter().map(|of| {
            let n_failing = of.n_failing_successes(self.args.success);
            (of.name, n_failing, of.summary.n_successes)
        });
        counts.filter(|(_, n_failing, _)| *n_failing > 0).collect()
    }

    /// What to do about trainings all of which failed.
    pub fn hint_of_failures(&self) -> &'static str {
        let is_of_plant = self
            .campaign
            .variants()
            .iter()
            .any(|variant| variant.product_kind == ProductKind::Controller);
        if is_of_plant {
            "`bitloop train` with this seed shows how it went; `bitloop plant check` names faults of a plant"
        } else {
            "`bitloop train` with this seed shows how it went"
        }
    }

    /// Whether trainings are finished, and all of them have failed.
    pub fn all_failed(&self) -> bool {
        let mut records = self.finished.by_variant().flatten();
        self.finished.n_finished() > 0 && records.all(TrainingRecord::has_failed)
    }

    fn name(&self, variant: &CampaignVariant) -> String {
        if variant.name.is_empty() {
            let stem = self.scenario.file_stem().unwrap_or_default();
            return stem.to_string_lossy().into_owned();
        }
        variant.name.clone()
    }
}

/// The errors of each variant, with what they are where that differs.
fn errors(variants: &[VariantReport<'_>], are_comparable: bool) -> Table {
    let shares = variants.iter().map(VariantReport::classified);
    let has_classes = shares.clone().any(|share| share.is_some());
    let mut headings = vec![
        "variant",
        "trainings",
        "error on",
        "minimum",
        "quartile 1",
        "median",
        "mean",
        "standard error",
    ];
    if has_classes {
        headings.push("classified");
    }
    headings.push("median time");
    if !are_comparable {
        headings.push("the error is");
    }
    let mut table = Table::new(&headings);
    for (of, share) in variants.iter().zip(shares) {
        let VariantReport { variant, name, records, summary } = of;
        let [quartile, median, _] = summary.quartile_errors;
        let mut row = vec![
            name.clone(),
            summary.n_trainings.to_string(),
            records.first().map_or("-", |record| record.reported_set.word()).to_owned(),
            error_or_failed(summary.min_error),
            error_or_failed(quartile),
            error_or_failed(median),
            error_or_failed(summary.mean_error),
            known(summary.standard_error, error),
        ];
        if has_classes {
            row.push(share.map_or("-".to_owned(), |share| format!("{:.2} %", 100.0 * share)));
        }
        row.push(known(summary.median_wall_s, span));
        if !are_comparable {
            row.push(meaning_in_words(variant));
        }
        table.row(row);
    }
    table
}

/// What the errors of a variant are.
pub fn meaning_in_words(variant: &CampaignVariant) -> String {
    variant.error_meaning.as_ref().map_or("-".to_owned(), ErrorMeaning::in_words)
}

/// The successes of each variant, and their costs.
fn costs(variants: &[VariantReport<'_>], success: Success) -> Table {
    let has_plant = variants
        .iter()
        .flat_map(|of| &of.records)
        .any(|r| r.cost.is_some_and(|cost| cost.plant_steps > 0));
    let successes = match success {
        Success::Below(level) => format!("below {}", plain(level)),
        Success::Target => "at target".to_owned(),
    };
    let mut headings = vec!["variant", successes.as_str(), "probability", "time", "evaluations"];
    if has_plant {
        headings.push("plant steps");
    }
    headings.push("best cut-off");
    let mut table = Table::new(&headings);
    for VariantReport { name, summary, .. } in variants {
        let [low, high] = summary.success_interval;
        let mut row = vec![
            name.clone(),
            summary.n_successes.to_string(),
            format!(
                "{} ({low:.2} to {high:.2})",
                known(summary.success_probability, |p| format!("{p:.2}"))
            ),
            cost(&summary.time_s, span),
            cost(&summary.evaluations, with_prefix),
        ];
        if has_plant {
            row.push(cost(&summary.plant_steps, with_prefix));
        }
        row.push(summary.cutoff.map_or("-".to_owned(), |cutoff| {
            let evaluations = with_prefix(cutoff.evaluations as f64);
            format!("{evaluations}, then {}", with_prefix(cutoff.expected_evaluations))
        }));
        table.row(row);
    }
    table
}

/// What a success is.
pub fn success_in_words(success: Success) -> String {
    match success {
        Success::Below(level) => format!("an error below {}", plain(level)),
        Success::Target => "a training that reaches its target".to_owned(),
    }
}

/// The training with the lowest finite error; of equals, the first.
fn best<'a>(variants: &[VariantReport<'a>]) -> Option<(&'a CampaignVariant, &'a TrainingRecord)> {
    let all =
        variants.iter().flat_map(|of| of.records.iter().map(move |record| (of.variant, *record)));
    all.filter(|(_, record)| !record.has_failed()).min_by(|a, b| a.1.error.total_cmp(&b.1.error))
}

impl VariantReport<'_> {
    /// How many successes do not reach the horizon in each episode of the test set.
    fn n_failing_successes(&self, success: Success) -> usize {
        let fails = |record: &&&TrainingRecord| {
            let is_test = record.reported_set == SetName::Test;
            is_test && record.failed_episodes > 0 && success.is_met_by(record)
        };
        self.records.iter().filter(fails).count()
    }

    /// Mean share of rows whose class is right, where targets are classes.
    fn classified(&self) -> Option<f64> {
        let shares: Vec<f64> = self.records.iter().filter_map(|record| record.classified).collect();
        (!shares.is_empty()).then(|| shares.iter().sum::<f64>() / shares.len() as f64)
    }
}

/// An error; infinite is that of a training that found nothing, NaN of no training.
pub fn error_or_failed(value: f64) -> String {
    if value.is_infinite() { "failed".to_owned() } else { known(value, error) }
}

/// A number, or a question mark if it is not known.
fn known(value: f64, show: impl Fn(f64) -> String) -> String {
    if value.is_finite() { show(value) } else { "?".to_owned() }
}

/// A cost and its interval, a dash if nothing succeeded, or a question mark if the costs of a training are lost.
fn cost(cost: &ExpectedCost, show: impl Fn(f64) -> String) -> String {
    if cost.mean.is_nan() {
        "?".to_owned()
    } else if cost.mean.is_finite() {
        let [low, high] = cost.interval.map(|value| known(value, &show));
        format!("{} ({low} to {high})", show(cost.mean))
    } else {
        "-".to_owned()
    }
}
