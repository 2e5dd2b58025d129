//! `bitloop campaign`.

mod plan;
mod report;

use std::ffi::OsString;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bitloop_campaign::{VaryError, variants};
use bitloop_run::LockedFolder;
use bitloop_scenario::{AnyScenario, Stop};
use bitloop_train::{Campaign, CampaignError, CampaignOptions, RunNews};

use crate::args::CampaignArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, shell, tell};
use crate::overrides;
use report::Report;

pub use plan::PLAN;

/// Does the runs that are missing, and tells what all of them came to.
pub fn campaign(args: &CampaignArgs) -> Result<Done, Failure> {
    match (&args.resume, &args.scenario) {
        (Some(folder), _) => {
            let (args, file) = plan::take_up(folder, args)?;
            let scenario = args.scenario.clone().unwrap_or_default();
            do_runs(&args, &scenario, &file)
        }
        (None, Some(scenario)) => do_runs(args, scenario, &AnyScenario::read(scenario)?),
        (None, None) => unreachable!("the command line demands one of them"),
    }
}

fn do_runs(args: &CampaignArgs, scenario: &Path, file: &AnyScenario) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let seed = args.seed.unwrap_or(file.seed());
    let folder = args.out.clone().unwrap_or_else(|| default_folder(scenario, seed));
    let options = CampaignOptions {
        n_runs: args.runs,
        seed,
        with_restarts: args.search,
        folder: folder.clone(),
        command: command(args, scenario, seed),
        scenario_name: scenario.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        bitloop_version: env!("CARGO_PKG_VERSION").to_owned(),
    };
    let refused = |error| failure(scenario, error);
    let mut variants = variants(file, &args.vary).map_err(of_variants)?;
    for variant in &mut variants {
        overrides::apply(&mut variant.scenario, args.plant.as_ref(), args.data.as_deref())?;
    }
    let data = overrides::data_file(&variants[0].scenario);
    let campaign = Campaign::new(variants, options, environment::registry()).map_err(refused)?;
    let run_folder = match LockedFolder::open(&folder)? {
        Some(found) => found,
        None => LockedFolder::create(&folder, plan::SCENARIO, file.source().text().as_bytes())?,
    };
    if run_folder.holds_run() {
        return Err(Failure::Output {
            target: folder,
            message: "it holds a training".to_owned(),
            hint: Some("name another folder with --out".to_owned()),
        });
    }
    let mut books = campaign.finished().map_err(refused)?;
    plan::keep(&run_folder, args, scenario, file, (seed, data))?;

    let n_runs = args.runs as usize * campaign.variants().len();
    tell(&format!(
        "campaign {}, seed {seed}, {}, {}, {}",
        scenario.display(),
        number::counted(n_runs as u64, "run"),
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    for variant in campaign.variants() {
        let stop = variant.scenario.stop();
        if let Some(note) = budget_note(stop, args.search) {
            tell(&note);
            break;
        }
    }
    let warnings =
        campaign.variants().iter().filter_map(|variant| variant.library_warning.as_ref());
    for warning in warnings.take(1) {
        tell(warning);
    }
    for path in &books.damaged {
        tell(&format!("note: {} is damaged, its run is done again", path.display()));
    }
    if books.n_finished() > 0 {
        tell(&format!("{} of {n_runs} were finished before", books.n_finished()));
    }
    let is_done = campaign
        .run(&mut books, isa, n_threads, interrupt.flag(), &mut |news| tell(&line(news)))
        .map_err(refused)?;
    if !is_done {
        let n_finished = books.n_finished();
        tell(&format!(
            "interrupted: {n_finished} of {n_runs} runs are finished and kept in {}; to do the rest: {} campaign --resume {}",
            folder.display(),
            environment::program(),
            shell::quoted(&folder),
        ));
    }
    let report = Report {
        args,
        scenario,
        seed,
        campaign: &campaign,
        books: &books,
        n_cores: n_threads.get(),
    };
    if args.json {
        json::print_object(&report.json())?;
    } else if books.n_finished() > 0 {
        print(&report.text())?;
    }
    Ok(if is_done { Done::Fully } else { Done::Interrupted { signal: interrupt.signal() } })
}

/// A finished run in one line.
fn line(news: &RunNews<'_>) -> String {
    let RunNews { variant, record, n_finished, n_runs } = news;
    let gap = if variant.name.is_empty() { "" } else { " " };
    format!(
        "run finished {n_finished}/{n_runs}: {}{gap}run {}, test error {}, {}, {}",
        variant.name,
        record.run,
        number::error(record.test_error),
        number::counted(record.evaluations, "evaluation"),
        number::span(record.wall_s),
    )
}

/// What to know of budgets that are not the same evaluations for each run.
fn budget_note(stop: &Stop, with_restarts: bool) -> Option<String> {
    let has_evaluations = stop.evaluations.is_some() || stop.descent_evaluations.is_some();
    if let Some(seconds) = stop.seconds {
        let seconds = number::plain(seconds);
        Some(format!(
            "note: runs are ended by the clock, after {seconds} s: errors depend on the machine, its load, and the number \
             of threads; `stop: (evaluations: N)` in the scenario makes them repeatable"
        ))
    } else if !has_evaluations && !with_restarts {
        Some(
            "each run goes on until its descent ends: the scenario limits no evaluations"
                .to_owned(),
        )
    } else {
        None
    }
}

fn failure(scenario: &Path, error: CampaignError) -> Failure {
    match error {
        CampaignError::Train(error) => Failure::of_training(scenario, error),
        CampaignError::Folder(error) => error.into(),
        CampaignError::Io { path, error } => Failure::output(&path, &error),
        CampaignError::SameVariant { .. } => Failure::Usage {
            message: error.to_string(),
            hint: Some(
                "leave one of them out; target and descents count only with --search".to_owned(),
            ),
        },
        CampaignError::NotOurs { .. } => Failure::Usage {
            message: error.to_string(),
            hint: Some("name another folder with --out, or move this file away".to_owned()),
        },
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

/// The command that makes these runs again, on any machine.
fn command(args: &CampaignArgs, scenario: &Path, seed: u64) -> String {
    let mut command = format!("bitloop campaign {}", shell::quoted(scenario));
    for vary in &args.vary {
        let vary = format!("{}={}", vary.path, vary.values.join(","));
        let _ = write!(command, " --vary {}", shell::quoted(vary));
    }
    if let Some(plant) = &args.plant {
        let _ = write!(command, " --plant {}", shell::quoted(plant.text()));
    }
    if let Some(data) = &args.data {
        let _ = write!(command, " --data {}", shell::quoted(data));
    }
    if args.search {
        command.push_str(" --search");
    }
    let _ = write!(command, " --runs {} --seed {seed}", args.runs);
    command
}
