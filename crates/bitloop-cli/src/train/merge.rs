//! `bitloop merge` of the runs of a training.

use std::path::PathBuf;

use bitloop_campaign::{Restarts, RestartsError};
use bitloop_folder::Assembly;
use bitloop_run::{VERSION, write_finished};
use bitloop_train::{Execution, SaveInfo};

use super::shard::{Training, failure, scenario_of};
use super::{baseline, report, resume_command};
use crate::args::MergeArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::print_note;
use crate::registry;
use crate::shards::{Plan, place_or_compare, rerun_hint, shard_counts, with_damaged};
use crate::start_folder;

/// Makes of runs that were done apart the training that one machine makes, and prints its result.
pub fn merge(folders: &[PathBuf], args: &MergeArgs) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let first = &folders[0];
    let asked = Plan::<Training>::of_all(folders)?.asked;
    let (scenario, local, own) = scenario_of(first, &asked, args.plant.as_ref(), &args.files)?;
    let refused = |error| failure(&local.scenario, error);
    let restarts = Restarts::new(scenario, VERSION.to_owned(), registry::registry());
    let restarts = restarts.map_err(refused)?;
    let (finished, damaged) = restarts.finished(folders).map_err(refused)?;
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let execution = Execution::new(isa, n_threads, interrupt.flag());
    let end = restarts.conclude(&finished, execution).map_err(|error| match error {
        RestartsError::Missing { .. } => Failure::Folder {
            hint: rerun_hint(&error.numbers(), &shard_counts(folders).unwrap_or_default()),
            message: with_damaged(error.to_string(), &damaged),
        },
        error => refused(error),
    })?;
    environment::restore_process();
    let Some(outcome) = end.outcome else {
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    };
    let out = start_folder::absolute(&args.out);
    // As in the training on one machine.
    let command = super::start::command(&local.scenario, own.as_ref(), &local.files, asked.seed);
    let info = SaveInfo {
        command,
        scenario_name: asked.scenario.clone(),
        bitloop_version: VERSION.to_owned(),
    };
    let assembly = Assembly::begin(&out)?;
    let places = (assembly.folder(), &*args.out);
    let trained = write_finished(places, restarts.scenario(), end.training, outcome, info)?;
    let is_new = place_or_compare(assembly, &out)?;
    print_note(&format!(
        "{} {} runs from {} folders in {}",
        if is_new { "merged" } else { "nothing to do: there is already the best of" },
        trained.outcome.n_runs,
        folders.len(),
        args.out.display(),
    ));
    let compared = baseline::scenario(restarts.scenario()).filter(|_| !args.json);
    let lqr = compared.and_then(|file| baseline::line(&file, &trained, isa, n_threads));
    report(trained, lqr, (args.json, &resume_command(&args.out)), &interrupt)
}
