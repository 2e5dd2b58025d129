//! The picture of a campaign, from the records in its folder.

use bitloop_campaign::{TrainingRecord, wilson};
use bitloop_look::{EcdfVariant, Picture};

use super::drawn;
use crate::args::PlotArgs;
use crate::campaign;
use crate::failure::Failure;

/// The share of trainings that have succeeded over evaluations, with intervals at 95 %.
pub fn campaign(args: &PlotArgs) -> Result<Picture, Failure> {
    let kept = campaign::kept(&args.source)?;
    let success = kept.args.success;
    let records = kept.finished.by_variant().map(Iterator::collect::<Vec<&TrainingRecord>>);
    let variants = kept.campaign.variants().iter().zip(records).map(|(variant, records)| {
        let successes = records.iter().filter_map(|record| success.evaluations(record));
        EcdfVariant {
            name: if variant.name.is_empty() {
                "trainings".to_owned()
            } else {
                variant.name.clone()
            },
            successes_at: successes.collect(),
            n_trainings: records.len(),
            most_evaluations: records.iter().map(|record| record.evaluations).max().unwrap_or(0),
        }
    });
    let variants: Vec<EcdfVariant> = variants.collect();
    let title = args.source.display().to_string();
    let subtitle =
        format!("a success is {}; intervals at 95 %", campaign::success_in_words(success));
    drawn(args, bitloop_look::ecdf(&title, &subtitle, &variants, wilson))
}
