//! What a campaign was asked for, kept in its folder beside its scenario.
//!
//! `campaign.json` is the same on all machines. Where files are, and how the campaign is carried out, is in `local.json`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitloop_campaign::{Success, Vary, machine_bits};
use bitloop_folder::{CAMPAIGN as PLAN, FolderError, SCENARIO, read_text_bounded, write_file};
use bitloop_scenario::AnyScenario;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{CampaignArgs, MAX_RUNS, MergeArgs, parse_plant};
use crate::failure::Failure;
use crate::shards::{Local, scenario_text};

/// The largest plan that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 20;

/// The format that is written and read, in the field `format`.
const FORMAT: u64 = 3;

/// The command line of a campaign, as far as it bears on the trainings, without folders.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    format: u64,
    bitloop_version: String,
    /// The name of the scenario's file.
    scenario: String,
    runs: u32,
    vary: Vec<String>,
    success: Success,
    search: bool,
    seed: u64,
    /// What of the machine decides on the bits of the trainings.
    machine: String,
}

/// Saves what was asked for, and the scenario as it was given.
pub fn save(
    folder: &Path,
    args: &CampaignArgs,
    scenario: &Path,
    file: &AnyScenario,
    (seed, data): (u64, Option<PathBuf>),
) -> Result<(), Failure> {
    let vary = args.vary.iter().map(|vary| format!("{}={}", vary.path, vary.values.join(",")));
    let path = folder.join(PLAN);
    check_format(&path)?;
    let name = scenario.file_name().unwrap_or_default();
    let plan = Plan {
        format: FORMAT,
        bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: name.to_string_lossy().into_owned(),
        runs: args.runs,
        vary: vary.collect(),
        success: args.success,
        search: args.search,
        seed,
        machine: machine_bits(file),
    };
    let text = serde_json::to_string_pretty(&plan)
        .map_err(|error| Failure::Folder { message: format!("{PLAN}: {error}"), hint: None })?;
    write_file(&folder.join(SCENARIO), file.source().text().as_bytes())?;
    let files = (args.plant.as_ref(), data);
    Local::of((scenario, file), files, args.shard, args.threads)?.write(folder)?;
    // The plan last: a folder that has one has the other files.
    write_file(&path, format!("{text}\n").as_bytes())?;
    Ok(())
}

/// The arguments of the campaign in a folder, with the threads and the form of the output of this call, and its scenario.
pub fn resume(
    folder: &Path,
    threads: Option<NonZeroUsize>,
    json: bool,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let plan = Plan::read(folder)?;
    let local = Local::read(folder)?;
    if local.shard.is_some() {
        return Err(refused(
            folder,
            "this is the folder of a shard",
            "the same command with --shard resumes it; `bitloop merge` makes one folder of all shards",
        ));
    }
    let (args, file) = arguments(folder, &plan, local)?;
    Ok((CampaignArgs { threads, json, ..args }, file))
}

/// The arguments of the campaign that folders hold parts of, whose folder is to be the one that is merged into, and its scenario.
pub fn of_parts(
    folders: &[PathBuf],
    merge: &MergeArgs,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let first = &folders[0];
    let mut plan = Plan::read(first)?;
    let scenario = scenario_text(first)?;
    for folder in &folders[1..] {
        let other = Plan::read(folder)?;
        let difference = plan.difference(&other).or_else(|| match scenario_text(folder) {
            Ok(text) => (text != scenario).then(|| format!("{SCENARIO} is another one")),
            Err(error) => Some(error.to_string()),
        });
        if let Some(difference) = difference {
            return Err(Failure::Folder {
                message: format!(
                    "{} and {} are parts of different campaigns: {difference}",
                    first.display(),
                    folder.display()
                ),
                hint: Some("name the folders of one campaign alone".to_owned()),
            });
        }
        // A campaign that was made longer.
        plan.runs = plan.runs.max(other.runs);
    }
    let (args, file) = arguments(first, &plan, Local::read(first)?)?;
    let args = CampaignArgs {
        resume: None,
        out: Some(merge.out.clone()),
        plant: merge.plant.clone().or(args.plant),
        data: merge.data.clone().or(args.data),
        threads: merge.threads,
        json: merge.json,
        ..args
    };
    Ok((args, file))
}

fn arguments(
    folder: &Path,
    plan: &Plan,
    local: Local,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let refused = |message: String| of_plan(&folder.join(PLAN), &message);
    let vary: Result<Vec<Vary>, _> = plan.vary.iter().map(|vary| vary.parse()).collect();
    let vary = vary.map_err(refused)?;
    let plant = local.plant.as_deref().map(parse_plant).transpose().map_err(refused)?;
    let file = AnyScenario::read(folder.join(SCENARIO))?.in_folder(local.folder);
    let args = CampaignArgs {
        scenario: Some(local.scenario),
        resume: Some(folder.to_owned()),
        runs: plan.runs,
        vary,
        success: plan.success,
        search: plan.search,
        seed: Some(plan.seed),
        threads: None,
        shard: None,
        out: Some(folder.to_owned()),
        plant,
        data: local.data,
        json: false,
    };
    Ok((args, file))
}

impl Plan {
    fn read(folder: &Path) -> Result<Self, Failure> {
        let path = folder.join(PLAN);
        let refused = |message: String| of_plan(&path, &message);
        let text =
            read_text_bounded(&path, LIMIT_BYTES).map_err(|error| refused(error.to_string()))?;
        check_format(&path)?;
        let plan: Self = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
        if plan.bitloop_version != env!("CARGO_PKG_VERSION") {
            let (found, expected) = (&plan.bitloop_version, env!("CARGO_PKG_VERSION"));
            return Err(refused(format!(
                "made by bitloop {found}, and this is bitloop {expected}"
            )));
        }
        if !(1..=MAX_RUNS).contains(&i64::from(plan.runs)) || !plan.success.is_in_range() {
            return Err(refused("its `runs` or `success` is out of range".to_owned()));
        }
        Ok(plan)
    }

    /// How another plan differs, but for the number of runs, in words.
    fn difference(&self, other: &Self) -> Option<String> {
        let fields = |plan: &Self| {
            [
                ("scenario", plan.scenario.clone()),
                ("--seed", plan.seed.to_string()),
                ("--vary", plan.vary.join(" ")),
                ("--search", plan.search.to_string()),
                ("--success", plan.success.to_string()),
                ("machine", plan.machine.clone()),
            ]
        };
        let pairs = fields(self).into_iter().zip(fields(other));
        let mut differ = pairs.filter(|((_, a), (_, b))| a != b);
        differ
            .next()
            .map(|((name, a), (_, b))| format!("{name} is {a} in the one, {b} in the other"))
    }
}

fn of_plan(path: &Path, message: &str) -> Failure {
    refused(path, message, "name the folder of a campaign, such as runs/NAME-campaign-seed1")
}

fn refused(path: &Path, message: &str, hint: &str) -> Failure {
    Failure::Folder {
        message: format!("{}: {message}", path.display()),
        hint: Some(hint.to_owned()),
    }
}

/// Refuses a plan of another format. What is no plan at all is not refused here.
fn check_format(path: &Path) -> Result<(), FolderError> {
    let text = read_text_bounded(path, LIMIT_BYTES).unwrap_or_default();
    let Ok(Value::Object(plan)) = serde_json::from_str(&text) else { return Ok(()) };
    match plan.get("format").and_then(Value::as_u64) {
        Some(FORMAT) => Ok(()),
        found => Err(FolderError::OtherFormat { path: path.to_owned(), found, expected: FORMAT }),
    }
}
