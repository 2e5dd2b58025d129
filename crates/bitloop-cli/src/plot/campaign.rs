//! Pictures of campaigns, from the records in their folders.

use bitloop_campaign::{TrainingRecord, Vary, wilson};
use bitloop_look::{
    ConvergenceVariant, EcdfVariant, Picture, VariantErrors, VariantPairs, convergence, ecdf,
    pairs, variant_errors,
};

use super::drawn;
use crate::args::PlotArgs;
use crate::campaign::{self, Kept};
use crate::failure::Failure;

/// A variant with its finished trainings.
struct Variant<'a> {
    name: String,
    /// What its errors are, where that differs between variants.
    meaning: Option<String>,
    records: Vec<&'a TrainingRecord>,
}

impl Variant<'_> {
    /// Its name, or another one for it, with what its errors are where that differs.
    fn named(&self, name: String) -> String {
        let Some(meaning) = &self.meaning else { return name };
        if name.is_empty() { meaning.clone() } else { format!("{name}: {meaning}") }
    }

    fn most_evaluations(&self) -> u64 {
        self.records.iter().map(|record| record.evaluations).max().unwrap_or(0)
    }
}

fn variants(kept: &Kept) -> Vec<Variant<'_>> {
    let are_comparable = kept.campaign.has_comparable_errors();
    let records = kept.finished.by_variant().map(Iterator::collect);
    let named = kept.campaign.variants().iter().zip(records).map(|(variant, records)| {
        let is_alone = variant.name.is_empty();
        let name = if is_alone { "trainings".to_owned() } else { variant.name.clone() };
        let meaning = (!are_comparable).then(|| campaign::meaning_in_words(variant));
        Variant { name, meaning, records }
    });
    named.collect()
}

/// The set that errors are of.
fn set_of(variants: &[Variant<'_>]) -> &'static str {
    let first = variants.iter().flat_map(|variant| &variant.records).next();
    first.map_or("test", |record| record.reported_set.word())
}

/// What the errors of all variants are, behind other words of a subtitle.
fn meaning(kept: &Kept) -> String {
    if !kept.campaign.has_comparable_errors() {
        return "; WARNING: errors of other figures or scales cannot be compared".to_owned();
    }
    let first = kept.campaign.variants().first().and_then(|first| first.error_meaning.as_ref());
    first.map_or(String::new(), |meaning| format!("; {}", meaning.in_words()))
}

fn title(args: &PlotArgs) -> String {
    args.source.display().to_string()
}

/// The share of trainings that have succeeded over evaluations, with intervals at 95 %.
pub fn campaign(args: &PlotArgs) -> Result<Picture, Failure> {
    let kept = campaign::kept(&args.source)?;
    let success = kept.args.success;
    let variants = variants(&kept).into_iter().map(|variant| EcdfVariant {
        successes_at: variant.records.iter().filter_map(|r| success.evaluations(r)).collect(),
        n_trainings: variant.records.len(),
        most_evaluations: variant.most_evaluations(),
        name: variant.named(variant.name.clone()),
    });
    let variants: Vec<EcdfVariant> = variants.collect();
    let subtitle = format!(
        "a success is {}; intervals at 95 %{}",
        campaign::success_in_words(success),
        meaning(&kept)
    );
    drawn(args, ecdf(&title(args), &subtitle, &variants, wilson))
}

/// The error of the best so far over evaluations.
pub fn over_evaluations(args: &PlotArgs) -> Result<Picture, Failure> {
    let kept = campaign::kept(&args.source)?;
    let variants = variants(&kept);
    let subtitle = format!(
        "median of the trainings on the {} set, and the half of them in the middle{}",
        set_of(&variants),
        meaning(&kept)
    );
    let found = |record: &&TrainingRecord| {
        record.milestones.iter().map(|best| (best.evaluations, best.error)).collect()
    };
    let variants = variants.iter().map(|variant| ConvergenceVariant {
        name: variant.named(variant.name.clone()),
        trainings: variant.records.iter().map(found).collect(),
        most_evaluations: variant.most_evaluations(),
    });
    let variants: Vec<ConvergenceVariant> = variants.collect();
    drawn(args, convergence(&title(args), &subtitle, &variants))
}

/// The errors that trainings end with, over a number that is varied or variant by variant.
pub fn errors(args: &PlotArgs) -> Result<Picture, Failure> {
    let kept = campaign::kept(&args.source)?;
    let variants = variants(&kept);
    let subtitle =
        format!("errors on the {} set; dots are trainings{}", set_of(&variants), meaning(&kept));
    let vary = &kept.args.vary;
    let numbers = numbers(vary);
    let shown = variants.iter().enumerate().map(|(index, variant)| {
        let errors = variant.records.iter().map(|record| record.error).collect();
        let Some((field, numbers)) = &numbers else {
            return VariantErrors {
                name: variant.named(variant.name.clone()),
                number: None,
                errors,
            };
        };
        let chosen = chosen(vary, index);
        let others = vary.iter().zip(&chosen).enumerate().filter(|(at, _)| at != field);
        let others =
            others.map(|(_, (vary, &value))| format!("{}={}", vary.path, vary.values[value]));
        let name = variant.named(others.collect::<Vec<_>>().join(" "));
        VariantErrors { name, number: Some(numbers[chosen[*field]]), errors }
    });
    let shown: Vec<VariantErrors> = shown.collect();
    let what = numbers.as_ref().map_or("", |(field, _)| vary[*field].path.as_str());
    drawn(args, variant_errors(&title(args), &subtitle, what, &shown))
}

/// The first varied field whose values are all numbers, and these.
fn numbers(vary: &[Vary]) -> Option<(usize, Vec<f64>)> {
    let of =
        |vary: &Vary| vary.values.iter().map(|value| number(value)).collect::<Option<Vec<_>>>();
    let all = vary.iter().enumerate();
    all.filter(|(_, vary)| vary.values.len() > 1).find_map(|(at, vary)| Some((at, of(vary)?)))
}

/// A number, or the sum of a list of them, such as the hidden units of all layers.
fn number(value: &str) -> Option<f64> {
    let value = value.trim();
    let inner = value.strip_prefix('[').and_then(|rest| rest.strip_suffix(']'));
    let parts = inner.unwrap_or(value).split(',').map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.parse::<f64>().ok()).try_fold(0.0, |sum, part| Some(sum + part?))
}

/// Which value of each field a variant has: the last field changes first.
fn chosen(vary: &[Vary], mut index: usize) -> Vec<usize> {
    let mut chosen = vec![0; vary.len()];
    for (place, vary) in chosen.iter_mut().zip(vary).rev() {
        *place = index % vary.values.len();
        index /= vary.values.len();
    }
    chosen
}

/// Errors on the set that is reported over those on the validation set.
pub fn validation_and_test(args: &PlotArgs) -> Result<Picture, Failure> {
    let kept = campaign::kept(&args.source)?;
    let variants = variants(&kept);
    let axis = format!("error on the {} set", set_of(&variants));
    let of = |record: &&TrainingRecord| (record.validation_error.unwrap_or(f64::NAN), record.error);
    let shown = variants.iter().map(|variant| VariantPairs {
        name: variant.named(variant.name.clone()),
        errors: variant.records.iter().map(of).collect(),
    });
    let shown: Vec<VariantPairs> = shown.collect();
    let axes = ("error on the validation set", axis.as_str());
    let subtitle = format!("a dot for each training{}", meaning(&kept));
    drawn(args, pairs(&title(args), &subtitle, axes, &shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_field_of_numbers_is_found_among_others() {
        let vary = |text: &str| text.parse::<Vary>().unwrap();
        let all = [vary("training=A(),B()"), vary("network.hidden=[5],[10,10]"), vary("x=1,2")];
        assert_eq!(numbers(&all), Some((1, vec![5.0, 20.0])));
        assert_eq!(numbers(&all[..1]), None);
        // As `variants` counts: the last one first.
        assert_eq!(chosen(&all, 5), [1, 0, 1]);
        assert_eq!(number("[]"), Some(0.0));
    }
}
