//! `bitloop replay`.

mod checkpoint;
mod episodes;
mod fixed;
pub mod isolated;
mod mcap_file;
mod per_episode;
pub mod report;
mod shard;
mod table_file;
mod trajectories;

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use bitloop_replay::parquet;
use bitloop_replay::{
    Replay, ReplayError, ReplayExecution, ReplayOptions, ReplayOutcome, ReplayProgress,
};
use bitloop_scenario::PlantIdentity;
use bitloop_sim::Controller;
use bitloop_train::TrainError;
use serde::{Deserialize, Serialize};

use crate::args::ReplayArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::isolation;
use crate::output::progress::Display;
use crate::output::target::is_stdout;
use crate::output::{json, print, print_note};
use crate::sandbox;
use crate::test_inputs::TestInputs;
use episodes::Names;
use report::Report;
use table_file::{TableFile, is_packed, is_parquet, write_piece};
use trajectories::Target;

pub use isolated::serve;
pub use shard::merge;

/// The most episodes whose behavior is measured unasked.
const MOST_MEASURED: usize = 100_000;

/// What a replay prints.
#[derive(Debug, Serialize, Deserialize)]
pub struct Printed {
    /// Notes and warnings for the user.
    pub notes: Vec<String>,
    /// The result.
    pub text: String,
    /// Whether the replay was interrupted.
    pub is_part: bool,
    /// Whether the result misses a criterion.
    pub is_missed: bool,
}

/// Where the tables of a replay go.
#[derive(Default)]
pub struct Tables<'a> {
    /// All samples of all episodes.
    pub trajectories: Option<Target<'a>>,
    /// A line for each episode.
    pub episodes: Option<&'a mut (dyn Write + Send)>,
}

/// Runs a saved controller, and prints the result.
pub fn replay(args: &ReplayArgs) -> Result<Done, Failure> {
    if let (Some(part), Some(out)) = (args.shard, &args.out) {
        return shard::run(args, part, out);
    }
    if args.sandbox {
        sandbox::require()?;
    }
    let inputs = inputs(args)?;
    let seconds =
        isolation::seconds(args.isolate, args.sandbox, args.no_isolate, Some(inputs.choice()));
    check_outputs(args, seconds.is_some())?;
    let files = inputs.files();
    let begin = |path: &Option<PathBuf>| {
        path.as_deref().map(|path| TableFile::create(path, &files)).transpose()
    };
    let whole = if args.per_episode { None } else { args.trajectories().map(Path::to_owned) };
    let (mut trajectories, mut episodes) = (begin(&whole)?, begin(&args.episodes_csv)?);
    let (printed, signal) = if let Some(seconds) = seconds {
        // Ctrl-C ends this process, and with it the worker.
        (isolated::run_isolated(seconds, trajectories.as_mut().or(episodes.as_mut()))?, None)
    } else {
        let tables = Tables {
            trajectories: if args.per_episode {
                Some(Target::PerEpisode(&files))
            } else {
                trajectories.as_mut().map(|file| Target::One(file))
            },
            episodes: episodes.as_mut().map(|file| file as _),
        };
        let interrupt = Interrupt::listen();
        let mut display = None;
        let on_progress = &mut |n, progress| {
            display.get_or_insert_with(|| Display::start(n)).show(progress);
        };
        let watched = Watched { interrupt: interrupt.flag(), on_progress };
        let printed = run(args, &inputs, tables, watched);
        display.into_iter().for_each(Display::finish);
        let printed = printed?;
        environment::restore_process();
        let signal = printed.is_part.then(|| interrupt.signal());
        (printed, signal)
    };
    // Where the plant broke, the old files stay.
    for file in [trajectories, episodes].into_iter().flatten() {
        file.finish()?;
    }
    for note in &printed.notes {
        print_note(note);
    }
    if [args.trajectories(), args.episodes_csv.as_deref()].into_iter().flatten().any(is_stdout) {
        print_note(printed.text.trim_end());
    } else {
        print(&printed.text)?;
    }
    Ok(match signal {
        Some(signal) => Done::Interrupted { signal },
        None if printed.is_missed => Done::Missed,
        None => Done::Fully,
    })
}

/// All that a replay reads.
fn inputs(args: &ReplayArgs) -> Result<TestInputs<'_>, Failure> {
    let inputs = TestInputs::read(&args.controller, &args.test, "replay")?;
    Ok(if args.sandbox { inputs.for_sandbox() } else { inputs })
}

/// The episodes that a replay runs.
pub fn options(args: &ReplayArgs) -> ReplayOptions {
    ReplayOptions { episode: args.episode, ..args.test.replay(args.count.episodes) }
}

/// Refuses outputs that would be mixed.
fn check_outputs(args: &ReplayArgs, is_isolated: bool) -> Result<(), Failure> {
    let refused = |message: &str, hint: &str| {
        Err(Failure::Usage { message: message.to_owned(), hint: Some(hint.to_owned()) })
    };
    let trajectories = args.trajectories();
    if trajectories.is_some() && trajectories == args.episodes_csv.as_deref() {
        let message = "the trajectories and --episodes-csv name the same file";
        return refused(message, "give each a file of its own");
    }
    if trajectories.is_none() && (args.every > 1 || args.per_episode) {
        let message = "--every and --per-episode are about trajectories, which are not written";
        return refused(message, "name their file with --csv or --mcap");
    }
    let is_asked = args.isolate.is_some() || args.sandbox;
    let in_process =
        if is_asked { "leave out --isolate and --sandbox" } else { "add --no-isolate" };
    if args.per_episode && trajectories.is_some_and(is_stdout) {
        return refused("--per-episode writes files, which `-` is not", "name a file");
    }
    if args.per_episode && is_isolated {
        let message = "--per-episode writes files, which an isolated replay does not";
        return refused(message, in_process);
    }
    if is_isolated && (args.checkpoint.is_some() || args.resume.is_some()) {
        let message = "--checkpoint and --resume save the state of a plant in this process";
        return refused(message, in_process);
    }
    if args.no_behavior && args.pass.is_some_and(|pass| pass.is_on_behavior()) {
        let message = "--pass asks for figures of behavior, which --no-behavior leaves out";
        return refused(message, "leave out one of them");
    }
    if args.mcap.as_deref().is_some_and(|path| is_packed(path) || is_parquet(path)) {
        let message = "an MCAP file is neither packed nor a Parquet file";
        return refused(message, "name a file that ends in .mcap");
    }
    if args.json
        && (trajectories.is_some_and(is_stdout)
            || args.episodes_csv.as_deref().is_some_and(is_stdout))
    {
        return refused("--json and a table both go to standard output", "name a file");
    }
    if is_isolated && trajectories.is_some() && args.episodes_csv.is_some() {
        let message = "an isolated replay writes one file: trajectories or --episodes-csv";
        return refused(message, "run it again for the other one, which gives the same");
    }
    Ok(())
}

/// Who looks at a replay while it runs.
pub struct Watched<'a> {
    /// Ends it soon after it was set.
    pub interrupt: &'a AtomicBool,
    /// Is shown the number of episodes and how far they are, from time to time.
    pub on_progress: &'a mut dyn FnMut(usize, ReplayProgress),
}

/// Runs a saved controller.
pub fn run(
    args: &ReplayArgs,
    inputs: &TestInputs<'_>,
    tables: Tables<'_>,
    watched: Watched<'_>,
) -> Result<Printed, Failure> {
    let Watched { interrupt, on_progress } = watched;
    let replay = inputs.replay(options(args))?;
    let (isa, controller) = (inputs.isa, &inputs.controller);
    let mut notes = notes(&controller.value.plant, &replay);
    let failed = |error| Failure::of_training(&args.controller, error);
    let fixed = fixed::controller(args, controller)?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores).get();
    let execution = ReplayExecution {
        has_digest: !args.no_digest,
        has_behavior: measures_behavior(args, replay.n_episodes()),
        interrupt,
        controller: fixed.as_ref().map(|fixed| fixed as &dyn Controller),
        ..ReplayExecution::new(isa, n_threads)
    };
    let outcome = match tables.trajectories {
        None => match checkpoint::file(args, inputs, &replay)? {
            Some(file) => {
                let n_episodes = replay.n_episodes();
                let on_progress = &mut |progress| on_progress(n_episodes, progress);
                let outcome = file.run(&replay, execution, on_progress)?;
                outcome.map_err(|error| replay_failure(args, error))?
            }
            None => run_shown(args, &replay, execution, on_progress)?,
        },
        Some(target) => trajectories::run(args, &replay, &execution, target, on_progress)?,
    };
    if let (Some(out), Some(path)) = (tables.episodes, &args.episodes_csv) {
        write_episodes(out, path, args, &replay, &outcome)?;
    }
    // For comparison, of the same episodes in double precision.
    let double = match fixed {
        Some(_) if !outcome.is_part() => {
            let execution = ReplayExecution {
                has_digest: false,
                interrupt,
                ..ReplayExecution::new(isa, n_threads)
            };
            Some(run_shown(args, &replay, execution, on_progress)?)
        }
        _ => None,
    };
    let is_part = outcome.is_part() || double.as_ref().is_some_and(ReplayOutcome::is_part);
    let double_error =
        double.filter(|double| !double.is_part()).map(|double| double.evaluation.error);
    let controller = &controller.value;
    let worst = replay.worst(&outcome).map_err(failed)?;
    let report =
        Report { args, controller, replay: &replay, outcome: &outcome, worst, double_error };
    notes.extend(report.warning());
    if let Some(option) = checkpoint::resume_options(args).filter(|_| is_part) {
        notes.push(format!("the state is saved; resume by: {}{option}", report.command()));
    }
    let text =
        if args.json { json::object_text(&report.json().map_err(failed)?)? } else { report.text() };
    let is_missed = !report.misses().is_empty();
    Ok(Printed { notes, text, is_part, is_missed })
}

/// Whether the behavior of so many episodes is measured: beyond some, the figures of each would take most of the memory.
fn measures_behavior(args: &ReplayArgs, n_episodes: usize) -> bool {
    let is_needed =
        args.episodes_csv.is_some() || args.pass.is_some_and(|pass| pass.is_on_behavior());
    !args.no_behavior && (n_episodes <= MOST_MEASURED || is_needed)
}

/// Runs all episodes, and shows the user how far they are.
pub fn run_watched(
    args: &ReplayArgs,
    replay: &Replay,
    execution: ReplayExecution<'_>,
) -> Result<ReplayOutcome, Failure> {
    let mut display = Display::start(replay.n_episodes());
    let outcome = run_shown(args, replay, execution, &mut |_, progress| display.show(progress));
    display.finish();
    outcome
}

/// Runs all episodes, and shows how far they are.
fn run_shown(
    args: &ReplayArgs,
    replay: &Replay,
    execution: ReplayExecution<'_>,
    on_progress: &mut dyn FnMut(usize, ReplayProgress),
) -> Result<ReplayOutcome, Failure> {
    let n_episodes = replay.n_episodes();
    let outcome = replay.run_watched(execution, &mut |progress| on_progress(n_episodes, progress));
    outcome.map_err(|error| replay_failure(args, error))
}

/// Why a replay has no result.
fn replay_failure(args: &ReplayArgs, error: ReplayError) -> Failure {
    match error {
        ReplayError::Train(error) => Failure::of_training(&args.controller, error),
        ReplayError::Trajectories(error) => {
            table_file::failure(args.trajectories().unwrap_or(Path::new("-")), &error)
        }
    }
}

/// Writes a line for each episode.
fn write_episodes(
    out: &mut (dyn Write + Send),
    path: &Path,
    args: &ReplayArgs,
    replay: &Replay,
    outcome: &ReplayOutcome,
) -> Result<(), Failure> {
    /// Bytes that are written at once.
    const PIECE: usize = 1 << 20;

    let is_parquet = is_parquet(path);
    let names = Names::of(replay);
    let columns = names.columns();
    let mut text = if is_parquet { parquet::head(&columns) } else { names.header() };
    let mut result = Ok(());
    let shown = episodes::for_each::<TrainError>(replay, outcome, |rows| {
        for row in rows {
            let behaviors = outcome.evaluation.behaviors.as_ref();
            if is_parquet {
                episodes::push_row(&mut text, row, behaviors, columns.len());
            } else {
                episodes::push_line(&mut text, row, behaviors, columns.len());
            }
        }
        if text.len() >= PIECE && result.is_ok() {
            result = write_piece(out, path, &text);
            text.clear();
        }
        Ok(())
    });
    shown.map_err(|error| Failure::of_training(&args.controller, error))?;
    result?;
    write_piece(out, path, &text)
}

/// What to know of the plant.
fn notes(saved: &PlantIdentity, replay: &Replay) -> Vec<String> {
    library_note(saved, replay).into_iter().chain(replay.plant_notes()).collect()
}

/// What to know where the plant's library is not the one of the training.
fn library_note(saved: &PlantIdentity, replay: &Replay) -> Option<String> {
    let digest = saved.digest.as_deref()?;
    match replay.library_digest() {
        Some(found) if found == digest => None,
        Some(found) => Some(format!(
            "note: the plant's library is not the one of the training: its digest is {found:.16}, not {digest:.16}"
        )),
        None => Some(format!(
            "note: the plant comes from no library, but in the training from one with digest {digest:.16}"
        )),
    }
}
