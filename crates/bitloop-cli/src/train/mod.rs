//! `bitloop train`.

mod finished;
mod fit_summary;
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

use bitloop_scenario::AnyScenario;
use bitloop_train::{
    AnyTraining, Execution, FittingOutcome, Keeper, Origin, Product, Progress, SaveInfo,
    StopReason, TrainError, TrainingOutcome, save_controller, save_model,
};

use crate::args::TrainArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::{json, number, print, shell, tell};
use fit_summary::FitSummary;
use record::Record;
use sitting::{Found, Sitting};
use summary::Summary;

pub use fit_summary::network_in_short as fitted_network_in_short;
pub use summary::network_in_short;

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
    let Sitting { file, scenario, training, folder, origin, state, log_bytes, notes } = sitting;
    let resume = resume_command(folder.path());

    let mut watch = watch::start(scenario.stop());
    watch.say(&format!(
        "training {}, seed {}, {}, {}",
        file.display(),
        scenario.seed(),
        number::counted(n_threads.get() as u64, "thread"),
        isa.name(),
    ));
    watch.say(&what_is_trained(&training, &scenario));
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
    let mut show = |progress: &Progress<'_>| {
        watch.show(progress);
        record.note(progress, &mut *watch);
    };
    let outcome = match &training {
        AnyTraining::ClosedLoop(training) => {
            training.run(state, execution, &mut show).map(|end| Some(Outcome::ClosedLoop(end)))
        }
        AnyTraining::Supervised(fitting) => {
            fitting.run(state, execution, &mut show).map(|end| end.map(Outcome::Supervised))
        }
    };
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
    let product = product(&training, &outcome, &scenario, origin);
    let (path, moved) = product_file::save(&folder, &product)?;
    if let Some(moved) = moved {
        let kind = product.kind();
        tell(&format!("note: the {kind} that was there before is now {}", moved.display()));
    }
    let Told { result, text } = told(&training, &outcome, &scenario, &product, &path, &resume)?;
    // What was interrupted is not finished.
    let is_interrupted = outcome.stop_reason() == StopReason::Interrupted;
    let finished = if is_interrupted { Ok(()) } else { folder.finish(&result) };
    print(if args.json { &result } else { &text })?;
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

/// What came of a training of either kind.
enum Outcome {
    ClosedLoop(TrainingOutcome),
    Supervised(FittingOutcome),
}

impl Outcome {
    const fn stop_reason(&self) -> StopReason {
        match self {
            Self::ClosedLoop(outcome) => outcome.stop_reason,
            Self::Supervised(outcome) => outcome.stop_reason,
        }
    }
}

/// An outcome for programs and for people.
struct Told {
    result: String,
    text: String,
}

const OF_A_KIND: &str = "scenario, training and outcome are of one kind";

/// The network, and what it is trained for.
fn what_is_trained(training: &AnyTraining, scenario: &AnyScenario) -> String {
    match (training, scenario) {
        (AnyTraining::ClosedLoop(training), AnyScenario::ClosedLoop(file)) => {
            let network = network_in_short(training, &file.value);
            format!("{network} for {}", file.value.plant)
        }
        (AnyTraining::Supervised(fitting), AnyScenario::Supervised(file)) => {
            let network = fitted_network_in_short(fitting);
            let n_rows = number::counted(fitting.data.training.n_samples as u64, "row");
            format!("{network} by {} on {n_rows}", file.value.training.name())
        }
        _ => unreachable!("{OF_A_KIND}"),
    }
}

/// What is saved.
fn product(
    training: &AnyTraining,
    outcome: &Outcome,
    scenario: &AnyScenario,
    origin: Origin,
) -> Product {
    match (training, outcome, scenario) {
        (
            AnyTraining::ClosedLoop(training),
            Outcome::ClosedLoop(outcome),
            AnyScenario::ClosedLoop(file),
        ) => {
            let info = info(origin, file.value.clone());
            Product::Controller(Box::new(save_controller(training, outcome, info)))
        }
        (
            AnyTraining::Supervised(fitting),
            Outcome::Supervised(outcome),
            AnyScenario::Supervised(file),
        ) => {
            let info = info(origin, file.value.clone());
            Product::Model(Box::new(save_model(fitting, outcome, info)))
        }
        _ => unreachable!("{OF_A_KIND}"),
    }
}

fn info<S>(origin: Origin, scenario: S) -> SaveInfo<S> {
    let Origin { command, scenario_name, bitloop_version, .. } = origin;
    SaveInfo { command, scenario_name, scenario, bitloop_version }
}

/// What is told of it.
fn told(
    training: &AnyTraining,
    outcome: &Outcome,
    scenario: &AnyScenario,
    product: &Product,
    path: &Path,
    resume: &str,
) -> Result<Told, Failure> {
    Ok(match (training, outcome, product, scenario) {
        (
            AnyTraining::ClosedLoop(training),
            Outcome::ClosedLoop(outcome),
            Product::Controller(saved),
            AnyScenario::ClosedLoop(file),
        ) => {
            let summary = Summary { path, saved, outcome, resume };
            let result = json::object_text(&summary.json())?;
            Told { result, text: summary.text(training, &file.value) }
        }
        (
            AnyTraining::Supervised(fitting),
            Outcome::Supervised(outcome),
            Product::Model(saved),
            _,
        ) => {
            let summary = FitSummary { path, saved, outcome, resume };
            let result = json::object_text(&summary.json())?;
            Told { result, text: summary.text(fitting, scenario.stop()) }
        }
        _ => unreachable!("{OF_A_KIND}"),
    })
}

/// The command that goes on with the training in a folder.
fn resume_command(folder: &Path) -> String {
    format!("{} train --resume {}", environment::program(), shell::quoted(folder))
}
