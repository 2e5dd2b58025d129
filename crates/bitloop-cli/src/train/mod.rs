//! `bitloop train`.

mod controller_file;
mod finished;
mod lines;
mod live;
mod rate;
mod record;
mod sitting;
mod summary;
mod watch;

use std::path::Path;
use std::time::Duration;

use bitloop_train::{Execution, Keeper, SaveInfo, StopReason, TrainError, save_controller};

use crate::args::TrainArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, shell, tell};
use record::Record;
use sitting::{Found, Sitting};
use summary::Summary;

pub use summary::network_in_short;

/// Trains a controller, saves it, and tells how it went.
pub fn train(args: &TrainArgs) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let sitting = match (&args.resume, &args.scenario) {
        (Some(folder), _) => match Sitting::take_up(folder, args)? {
            Found::Sitting(sitting) => *sitting,
            Found::Result(result) => return finished::tell_result(folder, result, args.json),
        },
        (None, Some(file)) => Sitting::begin(args, file)?,
        (None, None) => unreachable!("the command line demands one of them"),
    };
    let Sitting { file, scenario, training, folder, origin, state, log_bytes, notes } = sitting;
    let resume = resume_command(folder.path());

    let mut watch = watch::start(&training.stop);
    watch.say(&format!(
        "training {}, seed {}, {}, {}",
        file.display(),
        scenario.scenario.seed,
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    let network = network_in_short(&training, &scenario.scenario);
    watch.say(&format!("{network} for {}", scenario.scenario.plant));
    for note in &notes {
        watch.say(note);
    }
    if args.resume.is_some() {
        let n_evaluations = number::counted(state.n_evaluations(), "evaluation");
        let spent = number::span(state.spent.wall_s);
        watch.say(&format!("going on after {n_evaluations} and {spent}"));
    }
    let period = Duration::from_secs_f64(args.checkpoint_every);
    let keeper = Keeper::start(&folder, origin.clone(), log_bytes, period)?;
    let mut record = Record::new(keeper, resume.clone(), args.isolate.is_some());
    let execution = Execution { isa, n_threads, interrupt: interrupt.flag() };
    let outcome = training.run(state, execution, &mut |progress| {
        watch.show(progress);
        record.note(progress, &mut *watch);
    });
    watch.finish();
    let kept = record.close(outcome.is_ok());
    let outcome = outcome.map_err(|error| match error {
        TrainError::Isolation(error) => {
            Failure::Isolation { error, go_on: kept.is_ok().then(|| resume.clone()) }
        }
        error => Failure::of_training(&file, error),
    })?;

    let info = SaveInfo {
        command: origin.command,
        scenario_name: origin.scenario_name,
        scenario: scenario.scenario.clone(),
        bitloop_version: origin.bitloop_version,
    };
    let saved = save_controller(&training, &outcome, info);
    let (path, moved) = controller_file::save(&folder, &saved)?;
    if let Some(moved) = moved {
        tell(&format!("note: the controller that was there before is now {}", moved.display()));
    }
    let summary = Summary { path: &path, saved: &saved, outcome: &outcome, resume: &resume };
    let result = summary.json();
    // What was interrupted is not finished.
    let is_interrupted = outcome.stop_reason == StopReason::Interrupted;
    let finished =
        if is_interrupted { Ok(()) } else { folder.finish(&json::object_text(&result)?) };
    if args.json {
        json::print_object(&result)?;
    } else {
        print(&summary.text(&training, &scenario.scenario))?;
    }
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
