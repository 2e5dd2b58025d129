//! `bitloop train`.

mod finished;
mod lines;
mod live;
mod product_file;
mod rate;
mod record;
mod sitting;
mod summary;
mod watch;

use std::path::Path;
use std::time::Duration;

use bitloop_run::{CheckpointWriter, Provenance};
use bitloop_train::{Execution, Progress, SaveInfo, StopReason, TrainError};

use crate::args::TrainArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, shell, tell};
use record::Record;
use sitting::{Found, Sitting};
use summary::Summary;

pub use summary::{ProductJson, in_short, network_in_short};

/// Trains a controller or a network on examples, saves it, and tells how it went.
pub fn train(args: &TrainArgs) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let sitting = match (&args.resume, &args.scenario) {
        (Some(folder), _) => match Sitting::take_up(folder, args, &interrupt)? {
            Found::Sitting(sitting) => *sitting,
            Found::Result(result) => return finished::tell_result(folder, result, args.json),
        },
        (None, Some(file)) => Sitting::begin(args, file, &interrupt)?,
        (None, None) => unreachable!("the command line demands one of them"),
    };
    let Sitting { file, scenario, training, folder, provenance, state, log_bytes, notes } = sitting;
    let resume = resume_command(folder.path());

    let mut watch = watch::start(scenario.stop());
    watch.say(&format!(
        "training {}, seed {}, {}, {}",
        file.display(),
        scenario.seed(),
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    watch.say(&in_short(&*training));
    for note in &notes {
        watch.say(note);
    }
    if args.resume.is_some() {
        let n_evaluations = number::counted(state.n_evaluations(), "evaluation");
        let spent = number::span(state.spent.wall_s);
        watch.say(&format!("going on after {n_evaluations} and {spent}"));
    }
    let period = Duration::from_secs_f64(args.checkpoint_every);
    let writer = CheckpointWriter::start(&folder, provenance.clone(), log_bytes, period)?;
    let mut record = Record::new(writer, resume.clone(), args.isolate.is_some());
    let execution = Execution { isa, n_threads, interrupt: interrupt.flag() };
    let mut show = |progress: &Progress<'_>| {
        watch.show(progress);
        record.note(progress, &mut *watch);
    };
    let outcome = training.train(state, execution, &mut show);
    watch.finish();
    let kept = record.close(outcome.is_ok());
    if let Err(TrainError::Isolation(error)) = &outcome
        && interrupt.came()
    {
        kept?;
        tell(&format!("interrupted: {error}\nall before this is saved; to go on: {resume}"));
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    let outcome = outcome.map_err(|error| match error {
        TrainError::Isolation(error) => {
            Failure::Isolation { error, go_on: kept.is_ok().then(|| resume.clone()) }
        }
        error => Failure::of_training(&file, error),
    })?;

    let Some(outcome) = outcome else {
        kept?;
        tell("the training was cut off before it had found anything");
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    };
    let Provenance { command, scenario_name, bitloop_version, .. } = provenance;
    let info = SaveInfo { command, scenario_name, bitloop_version };
    let product = training.product(&outcome, info).map_err(|problem| Failure::Output {
        target: folder.path().to_owned(),
        message: problem.to_string(),
        hint: None,
    })?;
    let (path, moved) = product_file::save(&folder, &product)?;
    if let Some(moved) = moved {
        let kind = product.kind.name();
        tell(&format!("note: the {kind} that was there before is now {}", moved.display()));
    }
    let summary = Summary {
        training: &*training,
        outcome: &outcome,
        product: &product,
        path: &path,
        seed: scenario.seed(),
        resume: &resume,
    };
    let result = json::object_text(&summary.json())?;
    // What was interrupted is not finished.
    let is_interrupted = outcome.stop_reason == StopReason::Interrupted;
    let finished = if is_interrupted { Ok(()) } else { folder.finish(&result) };
    print(&if args.json { result } else { summary.text() })?;
    finished?;
    if is_interrupted {
        // Whoever is told how to go on must be able to.
        kept?;
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    if let Err(error) = kept {
        tell(&format!("warning: the last of the log or of the checkpoints is missing: {error}"));
    }
    Ok(Done::Fully)
}

/// The command that goes on with the training in a folder.
fn resume_command(folder: &Path) -> String {
    format!("{} train --resume {}", environment::program(), shell::quoted(folder))
}
