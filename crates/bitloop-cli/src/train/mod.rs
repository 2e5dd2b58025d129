//! `bitloop train`.

mod baseline;
mod doing;
mod finished;
mod lines;
mod live;
mod merge;
mod page;
mod rate;
mod shard;
mod sparkline;
mod start;
mod summary;
mod watch;

use std::io::{IsTerminal as _, stderr};
use std::num::NonZeroUsize;
use std::path::Path;
use std::time::Duration;

use bitloop_plant::Isa;
use bitloop_run::{RunEnd, RunError, RunEvent, RunOptions, Trained};
use bitloop_scenario::ScenarioFile;
use bitloop_train::{Execution, StopReason};

use crate::args::TrainArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, print_note, shell};
use doing::Doing;
use page::Page;
use start::Start;
use watch::Watch;

pub use merge::merge;
pub use shard::TRAINING;
pub use summary::in_short;

/// Trains a controller or a network on examples, saves it, and prints the result.
pub fn train(args: &TrainArgs) -> Result<Done, Failure> {
    if let Some(part) = args.shard {
        return shard::train(args, part);
    }
    let interrupt = Interrupt::listen();
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let run = match start::start(args, &interrupt) {
        Ok(Start::Run(run)) => *run,
        Ok(Start::Finished(finished)) => return finished::print_result(finished, args),
        // The plant was not open yet, so that there is nothing to save.
        Err(Failure::Isolation { error, .. }) if interrupt.came() => {
            print_note(&format!("interrupted: {error}"));
            return Ok(Done::Interrupted { signal: interrupt.signal() });
        }
        Err(failure) => return Err(failure),
    };
    let resume = resume_command(run.folder());
    let library = run.training().library();
    let isolation_s = start::isolation_of(args, run.scenario());
    let is_isolated = isolation_s.is_some();
    if let Some(library) = library.filter(|_| !is_isolated) {
        bitloop_host::forbid_exit(format!(
            "the plant of {} has ended this program by calling `exit`\n = hint: all up to the last checkpoint is saved; to \
             resume, with the plant in a process of its own: {resume} --isolate",
            library.path.display()
        ));
    }

    let page = Page::begin(args, run.folder())?;
    let mut watch = watch::start(run.scenario().stop(), run.state());
    watch.say(&format!(
        "training {}, seed {}, {}, {}",
        run.file().display(),
        run.scenario().seed(),
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    watch.say(&in_short(run.training()));
    for note in run.notes() {
        watch.say(&note);
    }
    if args.resume.is_some() {
        let n_evaluations = number::counted(run.state().n_evaluations(), "evaluation");
        let spent = number::span(run.state().spent.wall_s);
        watch.say(&format!("resumed after {n_evaluations} and {spent}"));
    }
    let execution = Execution::new(isa, n_threads, interrupt.flag());
    let period = Duration::from_secs_f64(args.checkpoint_every);
    let options = RunOptions { execution, checkpoint_every: period };
    // An isolated plant stays outside, and JSON has no such line.
    let has_baseline = !(args.json || is_isolated);
    let compared = baseline::scenario(run.scenario()).filter(|_| has_baseline);
    // On a terminal alone, where somebody looks; an isolated plant stays outside.
    let is_shown = stderr().is_terminal() && !is_isolated;
    let mut doing = is_shown.then(|| Doing::of(run.scenario())).flatten();
    let end = run.run(options, &mut |event| {
        show(&mut *watch, event, &resume);
        if let (Some(doing), RunEvent::Progress(progress)) = (&mut doing, event)
            && let Some(text) = doing.look(progress, execution)
        {
            watch.show_doing(&text);
        }
    });
    environment::restore_process();
    watch.finish();
    let is_trained = matches!(&end, Ok(RunEnd::Trained(_)));
    let done = print_end(args, end, compared.as_ref(), (isa, n_threads), (&resume, &interrupt));
    let is_finished = is_trained && matches!(done, Ok(Done::Fully));
    let page = page.map_or(Ok(()), |page| page.finish(args, isolation_s, is_finished));
    let done = done?;
    page.map(|()| done)
}

/// Prints how a run has ended.
fn print_end(
    args: &TrainArgs,
    end: Result<RunEnd, RunError>,
    compared: Option<&ScenarioFile>,
    (isa, n_threads): (Isa, NonZeroUsize),
    (resume, interrupt): (&str, &Interrupt),
) -> Result<Done, Failure> {
    match end {
        Ok(RunEnd::Trained(trained)) => {
            let lqr = compared.and_then(|file| baseline::line(file, &trained, isa, n_threads));
            report(*trained, lqr, (args.json, resume), interrupt)
        }
        Ok(RunEnd::NothingYet { saved }) => {
            saved?;
            print_note("the training was cut off before it had found anything");
            Ok(Done::Interrupted { signal: interrupt.signal() })
        }
        Err(RunError::PlantLost { error, saved }) if interrupt.came() => {
            saved?;
            print_note(&format!(
                "interrupted: {error}\nall before this is saved; to resume: {resume}"
            ));
            Ok(Done::Interrupted { signal: interrupt.signal() })
        }
        Err(RunError::PlantLost { error, saved }) => {
            Err(Failure::Isolation { error, resume: saved.is_ok().then(|| resume.to_owned()) })
        }
        Err(RunError::PlantBroke { error, saved }) => {
            Err(Failure::plant(*error, saved.is_ok().then(|| resume.to_owned())))
        }
        Err(error) => Err(error.into()),
    }
}

/// Shows an event of a run.
fn show(watch: &mut dyn Watch, event: &RunEvent<'_>, resume: &str) {
    match event {
        RunEvent::Progress(progress) => watch.show(progress),
        RunEvent::Pausing(_, Err(error)) => {
            watch.say(&format!("warning: {error}; this training cannot be resumed from here"));
        }
        RunEvent::Pausing(StopReason::Interrupted, Ok(())) => {
            watch.say(
                "interrupted: the best so far is tested and saved; Ctrl-C again leaves at once",
            );
            watch.say(&format!("to resume: {resume}"));
        }
        RunEvent::Pausing(_, Ok(())) => {
            watch.say(&format!("the seconds are over; to resume: {resume} --seconds N"));
        }
        RunEvent::SavingFailed(error) => watch.say(&format!(
            "warning: {error}; the training continues, and tries again to save its state"
        )),
        RunEvent::SavingWorks => watch.say("note: the training's state is saved again"),
    }
}

/// Prints the result of a training that has ended.
fn report(
    trained: Trained,
    lqr: Option<String>,
    (as_json, resume): (bool, &str),
    interrupt: &Interrupt,
) -> Result<Done, Failure> {
    if let Some(moved) = &trained.moved {
        let kind = trained.product.kind.name();
        print_note(&format!("note: the {kind} that was there before is now {}", moved.display()));
    }
    if as_json {
        json::print_object(&trained.result)?;
    } else {
        print(&summary::text(&trained, lqr, resume))?;
    }
    trained.finished?;
    if trained.outcome.stop_reason == StopReason::Interrupted {
        // The command to resume was shown, and must work.
        trained.saved?;
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    if let Err(error) = trained.saved {
        print_note(&format!(
            "warning: the last of the log or of the checkpoints is missing: {error}"
        ));
    }
    Ok(Done::Fully)
}

/// The command that resumes the training in a folder.
fn resume_command(folder: &Path) -> String {
    format!("{} train --resume {}", environment::program(), shell::quoted(folder))
}
