//! `bitloop campaign`.

mod compare;
mod merge;
mod plan;
mod report;
mod report_json;
mod shard;

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bitloop_campaign::{
    Campaign, CampaignError, CampaignOptions, FinishedTrainings, RecordError, Success,
    TrainingFinished, Variant, VaryError, variants,
};
use bitloop_folder::{LockedFolder, SCENARIO};
use bitloop_plant::Isa;
use bitloop_scenario::{AnyScenario, Stop};

use crate::args::CampaignArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure, NOT_OURS};
use crate::output::{json, number, print, print_note, shell};
use crate::overrides;
use crate::registry;
use crate::start_folder;
use report::Report;

pub use compare::compare;
pub use merge::merge;
pub use report::{INTERVALS, Parts, meaning_in_words, success_in_words};

/// Does the trainings that are missing, and prints the results of all.
pub fn campaign(args: &CampaignArgs) -> Result<Done, Failure> {
    match (&args.resume, &args.scenario) {
        (Some(folder), _) => {
            let (args, file) = plan::resume(folder, args.threads, args.json)?;
            let scenario = args.scenario.clone().unwrap_or_default();
            train(&args, &scenario, &file)
        }
        (None, Some(scenario)) => {
            let file = AnyScenario::read(scenario)?;
            match args.shard {
                Some(part) => shard::train(args, part, scenario, &file),
                None => train(args, scenario, &file),
            }
        }
        (None, None) => {
            let message = "name a scenario, or with --resume the folder of a campaign".to_owned();
            Err(Failure::Usage { message, hint: None })
        }
    }
}

/// A campaign that is made ready.
struct Prepared {
    campaign: Campaign,
    seed: u64,
    /// The folder of the whole campaign.
    folder: PathBuf,
}

/// A campaign in its folder, with the trainings that are finished.
pub struct Kept {
    /// What it was asked for.
    pub args: CampaignArgs,
    /// Its variants.
    pub campaign: Campaign,
    /// Their trainings, all or some.
    pub finished: FinishedTrainings,
}

/// The campaign in a folder.
pub fn kept(folder: &Path) -> Result<Kept, Failure> {
    let (args, file) = plan::resume(folder, None, false)?;
    let scenario = args.scenario.clone().unwrap_or_default();
    let campaign = prepare(&args, &scenario, &file)?.campaign;
    let finished = campaign.finished().map_err(|error| failure(&scenario, error))?;
    Ok(Kept { args, campaign, finished })
}

/// The results of a campaign of which a training is finished; costs are for so many cores.
pub fn parts(kept: &Kept, n_cores: usize) -> Option<Parts> {
    let scenario = kept.args.scenario.clone().unwrap_or_default();
    let report = Report {
        args: &kept.args,
        scenario: &scenario,
        seed: kept.args.seed.unwrap_or_default(),
        campaign: &kept.campaign,
        finished: &kept.finished,
        n_cores,
    };
    (kept.finished.n_finished() > 0).then(|| report.parts())
}

fn prepare(args: &CampaignArgs, scenario: &Path, file: &AnyScenario) -> Result<Prepared, Failure> {
    let seed = args.seed.unwrap_or(file.seed());
    let folder = args.out.clone().unwrap_or_else(|| default_folder(scenario, seed));
    let folder = start_folder::absolute(&folder);
    let own = args.shard.map_or_else(|| folder.clone(), |part| folder.join(part.folder_name()));
    let options = CampaignOptions {
        n_trainings: args.n_trainings(),
        n_folds: args.folds,
        seed,
        with_restarts: args.search,
        shard: args.shard,
        earlier: if args.shard.is_some() { shard::earlier(&own)? } else { Vec::new() },
        folder: own,
        command: command(args, scenario, seed),
        scenario_name: scenario.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let mut variants = variants(file, &args.vary).map_err(of_variants)?;
    if args.success == Success::Target {
        check_targets(args, &variants)?;
    }
    for variant in &mut variants {
        overrides::apply(&mut variant.scenario, args.plant.as_ref(), &args.files)?;
    }
    let campaign = Campaign::new(variants, options, registry::registry());
    let campaign = campaign.map_err(|error| match error {
        CampaignError::SameVariant { .. } if !args.search => Failure::Usage {
            message: error.to_string(),
            hint: Some(
                "leave one of them out; targets and numbers of runs count only with --search"
                    .to_owned(),
            ),
        },
        error => failure(scenario, error),
    })?;
    Ok(Prepared { campaign, seed, folder })
}

/// Refuses variants whose trainings cannot reach a target.
fn check_targets(args: &CampaignArgs, variants: &[Variant]) -> Result<(), Failure> {
    let refused =
        |message: String, hint: &str| Err(Failure::Usage { message, hint: Some(hint.to_owned()) });
    if !args.search {
        let message = "--success target asks for --search";
        return refused(message.to_owned(), "without it, targets do not count");
    }
    let has_none = |variant: &&Variant| variant.scenario.stop().target.is_none();
    if let Some(variant) = variants.iter().find(has_none) {
        let file = variant.scenario.source().file();
        return refused(
            format!("--success target asks for a target, and {file} has none"),
            "write `stop: (target: ...)` into it, or name a level",
        );
    }
    Ok(())
}

fn train(args: &CampaignArgs, scenario: &Path, file: &AnyScenario) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let prepared = prepare(args, scenario, file)?;
    let Trained { prepared, finished, is_done, n_cores } =
        carry_out(args, scenario, file, prepared, &interrupt)?;
    let Prepared { campaign, seed, folder } = prepared;
    if !is_done {
        let n_finished = finished.n_finished();
        let checkpoints = match campaign.n_with_checkpoint(&finished) {
            0 => String::new(),
            n => format!(", with checkpoints of {n} more"),
        };
        print_note(&format!(
            "interrupted: {n_finished} of {} trainings are finished and kept in {}{checkpoints}; to do the rest: {} campaign --resume {}",
            finished.n_trainings(),
            start_folder::shown(&folder).display(),
            environment::program(),
            shell::quoted(start_folder::shown(&folder)),
        ));
    }
    let report = Report { args, scenario, seed, campaign: &campaign, finished: &finished, n_cores };
    print_report(&report, is_done)?;
    Ok(if is_done { Done::Fully } else { Done::Interrupted { signal: interrupt.signal() } })
}

/// A campaign, all of whose trainings are finished unless it was interrupted.
struct Trained {
    prepared: Prepared,
    finished: FinishedTrainings,
    is_done: bool,
    n_cores: usize,
}

/// Does the trainings that are missing in the campaign's folder.
fn carry_out(
    args: &CampaignArgs,
    scenario: &Path,
    file: &AnyScenario,
    prepared: Prepared,
    interrupt: &Interrupt,
) -> Result<Trained, Failure> {
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let refused = |error| failure(scenario, error);
    let Prepared { campaign, seed, folder } = &prepared;
    let run_folder = match LockedFolder::open(folder)? {
        Some(found) => found,
        None => LockedFolder::create(folder, SCENARIO, file.source().text().as_bytes())?,
    };
    if run_folder.holds_run() {
        return Err(Failure::Output {
            target: start_folder::shown(folder).to_owned(),
            message: "it holds a training".to_owned(),
            hint: Some("name another folder with --out".to_owned()),
        });
    }
    let mut finished = campaign.finished().map_err(refused)?;
    let file = (file, campaign.has_machine_bits());
    plan::save(run_folder.place(), args, scenario, file, *seed)?;
    say_before(args, campaign, &finished, (scenario, *seed), "");
    let is_done = campaign
        .train(&mut finished, isa, n_threads, interrupt.flag(), &mut |news| print_note(&line(news)))
        .map_err(refused)?;
    drop(run_folder);
    Ok(Trained { prepared, finished, is_done, n_cores: n_threads.get() })
}

/// Prints the report of the trainings that are finished. A campaign that is done and has found nothing fails.
fn print_report(report: &Report<'_>, is_done: bool) -> Result<(), Failure> {
    if report.args.json {
        if let Some(warning) = report.warning() {
            print_note(&format!("warning: {warning}"));
        }
        json::print_object(&report.json())?;
    } else if report.finished.n_finished() > 0 {
        print(&report.text())?;
    }
    if is_done && report.all_failed() {
        return Err(Failure::NothingFound {
            message: report.failures().unwrap_or_default(),
            hint: Some(report.hint_of_failures().to_owned()),
        });
    }
    Ok(())
}

/// Says what will be done, and what was done before.
fn say_before(
    args: &CampaignArgs,
    campaign: &Campaign,
    finished: &FinishedTrainings,
    (scenario, seed): (&Path, u64),
    part: &str,
) {
    let n_trainings = finished.n_trainings();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    // A wrong one was refused before.
    let isa = environment::isa().map_or("", Isa::name);
    print_note(&format!(
        "campaign {}, {part}seed {seed}, {}, {}, {isa}",
        scenario.display(),
        number::counted(n_trainings as u64, "training"),
        number::counted(n_threads.get() as u64, "thread"),
    ));
    let mut budgets = campaign
        .variants()
        .iter()
        .filter_map(|variant| budget_note(variant.scenario.stop(), args.search));
    if let Some(note) = budgets.next() {
        print_note(&note);
    }
    let of_plants = campaign.variants().iter().flat_map(|variant| &variant.plant_notes);
    for note in of_plants.collect::<BTreeSet<_>>() {
        print_note(note);
    }
    for path in finished.damaged() {
        print_note(&format!(
            "note: {} is damaged, its training is done again",
            start_folder::shown(path).display()
        ));
    }
    if finished.n_finished() > 0 {
        print_note(&format!("{} of {n_trainings} were finished before", finished.n_finished()));
    }
    match campaign.n_with_checkpoint(finished) {
        0 => {}
        1 => print_note("1 is resumed from its checkpoint"),
        n => print_note(&format!("{n} are resumed from their checkpoints")),
    }
}

/// A finished training in one line.
fn line(news: &TrainingFinished<'_>) -> String {
    let TrainingFinished { variant, record, n_finished, n_trainings } = news;
    let gap = if variant.name.is_empty() { "" } else { " " };
    let error = if record.has_failed() {
        "failed, nothing with a finite error".to_owned()
    } else {
        format!("{} error {}", record.reported_set.word(), number::error(record.error))
    };
    format!(
        "training finished {n_finished}/{n_trainings}: {}{gap}training {}, {error}, {}{}",
        variant.name,
        record.number,
        number::counted(record.evaluations, "evaluation"),
        record.cost.map_or_else(String::new, |cost| format!(", {}", number::span(cost.wall_s))),
    )
}

/// What to know of budgets that are not the same evaluations for each training.
fn budget_note(stop: &Stop, with_restarts: bool) -> Option<String> {
    let has_evaluations = stop.evaluations.is_some() || stop.run_evaluations.is_some();
    if let Some(seconds) = stop.seconds {
        let seconds = number::plain(seconds);
        Some(format!(
            "note: trainings are ended by the clock, after {seconds} s: errors depend on the machine, its load, and the number \
             of threads; `stop: (evaluations: N)` in the scenario makes them repeatable"
        ))
    } else if !has_evaluations && !with_restarts {
        Some(
            "each training lasts until its run ends: the scenario limits no evaluations".to_owned(),
        )
    } else {
        None
    }
}

fn failure(scenario: &Path, error: CampaignError) -> Failure {
    match error {
        CampaignError::Train(error) => Failure::of_training(scenario, error),
        CampaignError::Folder(error) => error.into(),
        CampaignError::SameVariant { .. } => Failure::Usage {
            message: error.to_string(),
            hint: Some(
                "leave one of them out: what a value does not name has its default".to_owned(),
            ),
        },
        CampaignError::Record(RecordError::NotOurs { .. }) => {
            Failure::Usage { message: error.to_string(), hint: Some(NOT_OURS.to_owned()) }
        }
        CampaignError::Record(error) => Failure::of_records(&error),
    }
}

fn of_variants(error: VaryError) -> Failure {
    match error {
        VaryError::File(error) => Failure::File(error),
        error => Failure::Usage { message: format!("--vary: {error}"), hint: None },
    }
}

/// `runs/SCENARIO-campaign-seedN` under the current folder.
fn default_folder(scenario: &Path, seed: u64) -> PathBuf {
    let mut name = scenario.file_stem().map_or_else(|| OsString::from("run"), OsString::from);
    name.push(format!("-campaign-seed{seed}"));
    Path::new("runs").join(name)
}

/// The command that makes these trainings again, without the folders of files, so that it is the same on all machines, and without
/// the number of trainings.
fn command(args: &CampaignArgs, scenario: &Path, seed: u64) -> String {
    let name = |path: &Path| shell::quoted(path.file_name().unwrap_or(path.as_os_str()));
    let mut command = format!("bitloop campaign {}", name(scenario));
    for vary in &args.vary {
        let vary = format!("{}={}", vary.path, vary.values.join(","));
        let _ = write!(command, " --vary {}", shell::quoted(vary));
    }
    if let Some(plant) = &args.plant {
        let _ = write!(command, " --plant {}", name(Path::new(plant.text())));
    }
    for (option, path) in args.files.given() {
        let _ = write!(command, " {option} {}", name(path));
    }
    if args.search {
        command.push_str(" --search");
    }
    if let Some(n_folds) = args.folds {
        let _ = write!(command, " --folds {n_folds}");
    }
    let _ = write!(command, " --seed {seed}");
    command
}
