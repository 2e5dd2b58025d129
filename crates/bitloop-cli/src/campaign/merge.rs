//! `bitloop merge` of the shards of a campaign.

use std::path::PathBuf;

use bitloop_campaign::MergeError;
use bitloop_folder::Assembly;

use super::report::Report;
use super::{Prepared, failure, plan, prepare, print_report};
use crate::args::MergeArgs;
use crate::environment;
use crate::failure::{Done, Failure};
use crate::output::print_note;
use crate::shards::{place_or_compare, rerun_hint, shard_counts, with_damaged};
use crate::start_folder;

/// Makes one folder of the parts of a campaign, and prints the report of the whole.
pub fn merge(folders: &[PathBuf], merge_args: &MergeArgs) -> Result<Done, Failure> {
    let (args, file) = plan::of_parts(folders, merge_args)?;
    let scenario = args.scenario.clone().unwrap_or_default();
    let Prepared { campaign, seed, folder } = prepare(&args, &scenario, &file)?;
    let merged = campaign.merge(folders).map_err(|error| match error {
        MergeError::Campaign(error) => failure(&scenario, error),
        error @ MergeError::Missing { .. } => missing(folders, &error),
    })?;
    for path in merged.damaged() {
        print_note(&format!("note: {} is damaged, another shard has it", path.display()));
    }
    let assembly = Assembly::begin(&folder)?;
    let file = (&file, campaign.has_machine_bits());
    plan::save(assembly.folder(), &args, &scenario, file, seed)?;
    merged.write(assembly.folder()).map_err(|error| failure(&scenario, error))?;
    let is_new = place_or_compare(assembly, &folder)?;
    let finished = merged.finished();
    print_note(&format!(
        "{} {} trainings from {} folders in {}",
        if is_new { "merged" } else { "nothing to do: there are already the same" },
        finished.n_finished(),
        folders.len(),
        start_folder::shown(&folder).display(),
    ));
    let n_cores = args.threads.unwrap_or_else(environment::n_cores).get();
    let (campaign, finished) = (&campaign, &finished);
    let report = Report { args: &args, scenario: &scenario, seed, campaign, finished, n_cores };
    print_report(&report, true)?;
    Ok(Done::Fully)
}

/// What is missing.
fn missing(folders: &[PathBuf], error: &MergeError) -> Failure {
    let damaged = match error {
        MergeError::Missing { damaged, .. } => damaged.as_slice(),
        MergeError::Campaign(_) => &[],
    };
    let counts = shard_counts(folders).unwrap_or_default();
    let hint = rerun_hint(&error.numbers(), &counts)
        .unwrap_or_else(|| "`bitloop campaign --resume DIR` does the rest".to_owned());
    Failure::Folder { message: with_damaged(error.to_string(), damaged), hint: Some(hint) }
}
