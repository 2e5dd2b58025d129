//! What a campaign was asked for, kept in its folder beside its scenario.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use bitloop_campaign::Vary;
use bitloop_folder::{CAMPAIGN as PLAN, FolderError, LockedFolder, read_text_bounded};
use bitloop_scenario::AnyScenario;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::args::{CampaignArgs, MAX_RUNS, parse_plant};
use crate::failure::Failure;

pub const SCENARIO: &str = "scenario.ron";

/// The largest plan that is read, in bytes.
const LIMIT_BYTES: u64 = 1 << 20;

/// The format that is written and read, in the field `format`.
const FORMAT: u64 = 2;

/// The command line of a campaign, as far as it bears on the trainings.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Plan {
    format: u64,
    bitloop_version: String,
    /// The scenario's path, as it was given.
    scenario: PathBuf,
    /// The absolute path of its folder, where relative paths in it start.
    folder: PathBuf,
    runs: u32,
    vary: Vec<String>,
    success: f64,
    search: bool,
    seed: u64,
    /// A plant other than the scenario's: its name, or the path of its library.
    plant: Option<String>,
    /// The data file, if there is one, whether the scenario's or another.
    #[serde(default)]
    data: Option<PathBuf>,
}

/// Saves what was asked for, and the scenario as it was given.
pub fn save(
    folder: &LockedFolder,
    args: &CampaignArgs,
    scenario: &Path,
    file: &AnyScenario,
    (seed, data): (u64, Option<PathBuf>),
) -> Result<(), Failure> {
    let vary = args.vary.iter().map(|vary| format!("{}={}", vary.path, vary.values.join(",")));
    let own_folder = std::path::absolute(file.source().folder().join("."))
        .map_err(|error| Failure::output(folder.path(), &error))?;
    if folder.holds(PLAN) {
        check_format(&folder.path().join(PLAN))?;
    }
    let plan = Plan {
        format: FORMAT,
        bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
        scenario: scenario.to_owned(),
        folder: own_folder,
        runs: args.runs,
        vary: vary.collect(),
        success: args.success,
        search: args.search,
        seed,
        plant: args.plant.as_ref().map(|plant| plant.text().to_owned()),
        data,
    };
    let text = serde_json::to_string_pretty(&plan)
        .map_err(|error| Failure::Folder { message: format!("{PLAN}: {error}"), hint: None })?;
    folder.write(SCENARIO, file.source().text().as_bytes())?;
    folder.write(PLAN, format!("{text}\n").as_bytes())?;
    Ok(())
}

/// The arguments of the campaign in a folder, with the threads and the form of the output of this call, and its scenario.
pub fn resume(
    folder: &Path,
    threads: Option<NonZeroUsize>,
    json: bool,
) -> Result<(CampaignArgs, AnyScenario), Failure> {
    let path = folder.join(PLAN);
    let refused = |message: String| Failure::Folder {
        message: format!("{}: {message}", path.display()),
        hint: Some("name the folder of a campaign, such as runs/NAME-campaign-seed1".to_owned()),
    };
    let text = read_text_bounded(&path, LIMIT_BYTES).map_err(|error| refused(error.to_string()))?;
    check_format(&path)?;
    let plan: Plan = serde_json::from_str(&text).map_err(|error| refused(error.to_string()))?;
    if plan.bitloop_version != env!("CARGO_PKG_VERSION") {
        let (found, expected) = (&plan.bitloop_version, env!("CARGO_PKG_VERSION"));
        return Err(refused(format!("made by bitloop {found}, and this is bitloop {expected}")));
    }
    if !(1..=MAX_RUNS).contains(&i64::from(plan.runs)) || plan.success <= 0.0 {
        return Err(refused("its `runs` or `success` is out of range".to_owned()));
    }
    let vary: Result<Vec<Vary>, _> = plan.vary.iter().map(|vary| vary.parse()).collect();
    let vary = vary.map_err(refused)?;
    let plant = plan.plant.as_deref().map(parse_plant).transpose().map_err(refused)?;
    let file = AnyScenario::read(folder.join(SCENARIO))?.in_folder(plan.folder);
    let resumed = CampaignArgs {
        scenario: Some(plan.scenario),
        resume: Some(folder.to_owned()),
        runs: plan.runs,
        vary,
        success: plan.success,
        search: plan.search,
        seed: Some(plan.seed),
        threads,
        out: Some(folder.to_owned()),
        plant,
        data: plan.data,
        json,
    };
    Ok((resumed, file))
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
