//! What a campaign was asked for, kept in its folder beside its scenario.
//!
//! `campaign.json` is the same on all machines. Where files are, and how the campaign is carried out, is in `local.json`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitloop_campaign::{Success, Vary, machine_bits};
use bitloop_folder::{CAMPAIGN, SCENARIO, write_file};
use bitloop_scenario::AnyScenario;
use serde::{Deserialize, Serialize};

use crate::args::{CampaignArgs, MAX_RUNS, MergeArgs, parse_plant};
use crate::failure::Failure;
use crate::shards::{Asked, Local, Plan, refused_plan};

/// The command line of a campaign, as far as it bears on the trainings, without folders.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Campaign {
    /// The name of the scenario's file.
    scenario: String,
    runs: u32,
    vary: Vec<String>,
    success: Success,
    search: bool,
    seed: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    folds: Option<u32>,
}

impl Asked for Campaign {
    const FILE: &'static str = CAMPAIGN;
    const FORMAT: u64 = 3;
    const NOUN: &'static str = "campaign";
    const HAS_SCENARIO: bool = true;

    /// A campaign may have been made longer.
    fn join(&mut self, other: &mut Self) {
        self.runs = self.runs.max(other.runs);
        other.runs = self.runs;
    }
}

/// Saves what was asked for, and the scenario as it was given.
pub fn save(
    folder: &Path,
    args: &CampaignArgs,
    scenario: &Path,
    (file, has_machine_bits): (&AnyScenario, bool),
    seed: u64,
) -> Result<(), Failure> {
    Plan::<Campaign>::check_place(folder)?;
    let vary = args.vary.iter().map(|vary| format!("{}={}", vary.path, vary.values.join(",")));
    let name = scenario.file_name().unwrap_or_default();
    let asked = Campaign {
        scenario: name.to_string_lossy().into_owned(),
        runs: args.n_trainings(),
        vary: vary.collect(),
        success: args.success,
        search: args.search,
        seed,
        folds: args.folds,
    };
    write_file(&folder.join(SCENARIO), file.source().text().as_bytes())?;
    let files = (args.plant.as_ref(), &args.files);
    Local::of((scenario, file), files, args.shard, args.threads)?.write(folder)?;
    // The plan last: a folder that has one has the other files.
    Plan::new(asked, machine_bits(file, has_machine_bits)).write(folder)
}

/// The arguments of the campaign in a folder, with the threads and the form of the output of this call, and its scenario.
pub fn resume(
    folder: &Path,
    threads: Option<NonZeroUsize>,
    json: bool,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let asked = Plan::<Campaign>::read(folder)?.asked;
    let local = Local::read(folder)?;
    if local.shard.is_some() {
        return Err(Failure::Folder {
            message: format!("{}: this is the folder of a shard", folder.display()),
            hint: Some(
                "the same command with --shard resumes it; `bitloop merge` makes one folder of all shards"
                    .to_owned(),
            ),
        });
    }
    let (args, file) = arguments(folder, &asked, local)?;
    Ok((CampaignArgs { threads, json, ..args }, file))
}

/// The arguments of the campaign that folders hold parts of, whose folder is to be the one that is merged into, and its scenario.
pub fn of_parts(
    folders: &[PathBuf],
    merge: &MergeArgs,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let first = &folders[0];
    let asked = Plan::<Campaign>::of_all(folders)?.asked;
    let (args, file) = arguments(first, &asked, Local::read(first)?)?;
    let args = CampaignArgs {
        resume: None,
        out: Some(merge.out.clone()),
        plant: merge.plant.clone().or(args.plant),
        files: merge.files.or(&args.files),
        threads: merge.threads,
        json: merge.json,
        ..args
    };
    Ok((args, file))
}

fn arguments(
    folder: &Path,
    asked: &Campaign,
    local: Local,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let refused = |message: String| refused_plan::<Campaign>(&folder.join(CAMPAIGN), &message);
    let is_count = |n: u32| (1..=MAX_RUNS).contains(&u64::from(n));
    if !is_count(asked.runs)
        || asked.folds.is_some_and(|n| !is_count(n))
        || !asked.success.is_in_range()
    {
        return Err(refused("its `runs`, `folds` or `success` is out of range".to_owned()));
    }
    let vary: Result<Vec<Vary>, _> = asked.vary.iter().map(|vary| vary.parse()).collect();
    let vary = vary.map_err(refused)?;
    let plant = local.plant.as_deref().map(parse_plant).transpose().map_err(refused)?;
    let file = AnyScenario::read(folder.join(SCENARIO))?.in_folder(local.folder);
    let args = CampaignArgs {
        scenario: Some(local.scenario),
        resume: Some(folder.to_owned()),
        runs: Some(asked.runs),
        folds: asked.folds,
        vary,
        success: asked.success,
        search: asked.search,
        seed: Some(asked.seed),
        threads: None,
        shard: None,
        out: Some(folder.to_owned()),
        plant,
        files: local.files,
        json: false,
    };
    Ok((args, file))
}
