//! The page of a saved controller.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bitloop_look::{Report, Section};
use bitloop_replay::ReplayExecution;
use bitloop_scenario::{SavedController, ScenarioKind as _, Weights};
use bitloop_sim::Evaluation;

use super::figures::Figure;
use super::{figures, margins, motion};
use crate::args::{ReplayArgs, ReportArgs};
use crate::behavior;
use crate::environment;
use crate::failure::Failure;
use crate::network_text::{layers_in_short, weights_in_short};
use crate::output::number::{counted, error, plain};
use crate::output::shell;
use crate::plot::loops::Test;
use crate::plot::signals::Signals;
use crate::replay;
use crate::replay::report::Report as Replayed;
use crate::test_inputs::TestInputs;

/// What is read of a controller before its plant is run.
pub struct Read<'a> {
    /// The files of its test.
    pub inputs: TestInputs<'a>,
    controller: &'a Path,
    folder: Option<&'a Path>,
    figures: Vec<Figure>,
}

/// Reads all files.
pub fn read<'a>(
    args: &'a ReportArgs,
    controller: &'a Path,
    folder: Option<&'a Path>,
) -> Result<Read<'a>, Failure> {
    let inputs = TestInputs::read(controller, &args.test, "report")?;
    let inputs = if args.sandbox { inputs.for_sandbox() } else { inputs };
    let figures = figures::of_files(args, controller, folder);
    Ok(Read { inputs, controller, folder, figures })
}

/// Runs the test of a controller, and makes its page; nothing if that was interrupted.
pub fn report(
    args: &ReportArgs,
    read: Read<'_>,
    interrupt: &AtomicBool,
) -> Result<Option<Report>, Failure> {
    let Read { inputs, controller, folder, figures } = read;
    let replay_args = replay_args(args, controller);
    let replay = inputs.replay(replay::options(&replay_args))?;
    let (isa, file) = (inputs.isa, &inputs.controller);
    let failed = |error| Failure::of_training(controller, error);
    let n_threads = args.threads.unwrap_or_else(environment::n_cores).get();
    let execution = ReplayExecution {
        has_digest: false,
        has_behavior: true,
        interrupt,
        ..ReplayExecution::new(isa, n_threads)
    };
    let outcome = replay::run_watched(&replay_args, &replay, execution)?;
    if outcome.is_part() {
        return Ok(None);
    }
    let Some((motion, Signals { n_left_out, .. })) =
        motion::motion(&replay, &outcome, isa, interrupt).map_err(failed)?
    else {
        return Ok(None);
    };
    let worst = replay.worst(&outcome).map_err(failed)?;
    let saved = &file.value;
    let replayed = Replayed {
        args: &replay_args,
        controller: saved,
        replay: &replay,
        outcome: &outcome,
        worst,
        double_error: None,
    };
    let evaluation = &outcome.evaluation;
    let mut warnings = warnings(&replayed, evaluation);
    warnings.extend(replay.plant_notes());
    for warning in &mut warnings {
        let plain = warning.trim_start_matches("warning: ").trim_start_matches("note: ");
        *warning = plain.to_owned();
    }
    let mut tiles = tiles(evaluation);
    tiles.push(("weights".to_owned(), weights(saved)));
    // Warnings are shown above, and the time that it took is another one each time.
    let is_shown = |name: &str| !matches!(name, "WARNING" | "time");
    let facts = replayed.facts().into_lines().into_iter().filter(|(name, _)| is_shown(name));
    let subtitle = format!(
        "{} on plant {}, version {}: {} of {} s, seed {}",
        layers_in_short(saved.inputs.len(), &saved.network),
        saved.plant.name,
        saved.plant.version,
        counted(outcome.n_episodes as u64, "episode"),
        plain(outcome.horizon_s),
        outcome.seed
    );
    let mut sections = vec![Section::Facts(
        "Test".to_owned(),
        facts.map(|(name, value)| (name.to_owned(), value)).collect(),
    )];
    if n_left_out > 0 {
        let more = counted(n_left_out as u64, "more signal");
        let note =
            format!("{more}: `bitloop plot trajectory` draws all, and `replay --csv` writes all.");
        sections.insert(0, Section::Note(note));
    }
    let (command, options) = (replayed.command(), replayed.options());
    let source = folder.unwrap_or(controller);
    let name = source.file_name().unwrap_or(source.as_os_str()).to_string_lossy();
    let title = format!("{name} on {}", saved.plant.name);
    let test = Test::of(isa, replay, outcome);
    sections.extend(figures::of_controller(args, controller, figures, &test));
    if args.robust {
        let Some(margins) = margins::sections(args, &inputs, interrupt)? else { return Ok(None) };
        sections.extend(margins);
    }
    sections.push(commands(args, &command, &options));
    let scenario = saved.scenario.to_text();
    sections.push(Section::Text("Scenario".to_owned(), scenario, true));
    Ok(Some(Report { title, subtitle, warnings, tiles, motion: Some(motion), sections }))
}

/// The replay that this is the page of.
fn replay_args(args: &ReportArgs, controller: &Path) -> ReplayArgs {
    ReplayArgs {
        controller: controller.to_owned(),
        test: args.test.clone(),
        count: args.count.clone(),
        every: 1,
        no_digest: true,
        threads: args.threads,
        ..ReplayArgs::default()
    }
}

/// What deserves a warning, the worst first.
fn warnings(replayed: &Replayed<'_>, evaluation: &Evaluation) -> Vec<String> {
    let plant = replayed.replay.plant();
    let n_failed = evaluation.n_failed();
    let failed = (n_failed > 0).then(|| {
        format!("{n_failed} of {} failed", counted(evaluation.episodes.len() as u64, "episode"))
    });
    let behaviors = evaluation.behaviors.as_ref();
    let behaviors = behaviors.map(|behaviors| behavior::warnings(plant, behaviors));
    let saved = replayed.controller;
    let above = saved
        .scenario
        .stop
        .target
        .filter(|target| saved.errors.test.is_some_and(|test| test > *target));
    let above = above.map(|target| {
        let test = saved.errors.test.map(error).unwrap_or_default();
        format!(
            "the test error at the end of the training, {test}, is above the target, {}",
            plain(target)
        )
    });
    failed
        .into_iter()
        .chain(behaviors.unwrap_or_default())
        .chain(above)
        .chain(replayed.warning())
        .collect()
}

fn tiles(evaluation: &Evaluation) -> Vec<(String, String)> {
    let n_episodes = evaluation.episodes.len();
    vec![
        ("mean error".to_owned(), error(evaluation.error)),
        ("worst error".to_owned(), error(evaluation.max_error())),
        ("failed episodes".to_owned(), format!("{} of {n_episodes}", evaluation.n_failed())),
    ]
}

fn weights(saved: &SavedController) -> String {
    let Weights::Codes(codes) = &saved.weights;
    weights_in_short(codes.codes.len(), Some(codes.bits))
}

/// How the page and its test can be made again.
fn commands(args: &ReportArgs, replay: &str, options: &str) -> Section {
    let path = |path: &PathBuf| shell::quoted(path);
    let (source, out) = (path(&args.source), path(&args.out));
    let robust = if args.robust { " --robust" } else { "" };
    let program = environment::program();
    let text = format!("{program} report {source} -o {out}{options}{robust}\n{replay}");
    Section::Text("Commands: this page, and its test".to_owned(), text, false)
}
