//! `bitloop campaign --shard`: a part of a campaign, in a folder of its own.

use std::path::Path;

use bitloop_campaign::Shard;
use bitloop_folder::{attempts, begin_attempt};
use bitloop_scenario::AnyScenario;
use serde::Serialize;

use super::{Prepared, failure, line, plan, prepare, say_before};
use crate::args::CampaignArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, print_note, shell};
use crate::start_folder;

/// The result as `--json` prints it.
#[derive(Serialize)]
struct ShardJson {
    shard: String,
    folder: String,
    trainings: usize,
    finished: usize,
    complete: bool,
}

/// Does the trainings of a shard that no attempt at it has finished.
pub fn train(
    args: &CampaignArgs,
    shard: Shard,
    scenario: &Path,
    file: &AnyScenario,
) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let refused = |error| failure(scenario, error);
    let Prepared { campaign, seed, folder: whole } = prepare(args, scenario, file)?;
    let folder = campaign.options().folder.clone();
    let mut finished = campaign.finished().map_err(refused)?;
    say_before(args, &campaign, &finished, (scenario, seed), &format!("shard {shard}, "));
    let mut is_done = finished.is_complete();
    if !is_done {
        let attempt = begin_attempt(&folder)?;
        let file = (file, campaign.has_machine_bits());
        plan::save(&attempt, args, scenario, file, seed)?;
        let campaign = campaign.in_folder(attempt);
        is_done = campaign
            .train(&mut finished, isa, n_threads, interrupt.flag(), &mut |news| {
                print_note(&line(news));
            })
            .map_err(refused)?;
    }
    let (n_finished, n_trainings) = (finished.n_finished(), finished.n_trainings());
    let shown = start_folder::shown(&folder);
    if args.json {
        json::print_object(&ShardJson {
            shard: shard.to_string(),
            folder: shown.display().to_string(),
            trainings: n_trainings,
            finished: n_finished,
            complete: is_done,
        })?;
    } else {
        print(&format!(
            "shard {shard}: {n_finished} of {} finished in {}\n",
            number::counted(n_trainings as u64, "training"),
            shown.display(),
        ))?;
    }
    let whole = shell::quoted(start_folder::shown(&whole));
    print_note(&if is_done {
        format!("when all shards are done: {} merge {whole} --out DIR", environment::program())
    } else {
        "interrupted: the same command does the rest".to_owned()
    });
    Ok(if is_done { Done::Fully } else { Done::Interrupted { signal: interrupt.signal() } })
}

/// The folders of the attempts at a shard.
pub fn earlier(folder: &Path) -> Result<Vec<std::path::PathBuf>, Failure> {
    Ok(attempts(folder)?)
}
