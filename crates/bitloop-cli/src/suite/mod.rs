//! `bitloop test`.

mod checkpoints;
mod junit;
mod report;

use std::path::{Path, PathBuf};

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_replay::{
    Miss, Replay, ReplayError, ReplayExecution, ReplayOutcome, misses, paired_difference,
};
use bitloop_scenario::{ControllerFile, SuiteFile, Test};

use crate::args::TestArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::kind;
use crate::output::progress::Display;
use crate::output::target::OutputFile;
use crate::output::{json, print, print_note};
use crate::registry;
use checkpoints::Checkpoints;

/// The result of a controller in a test.
#[derive(Debug)]
pub struct Tested<'a> {
    test: &'a Test,
    controller: &'a Path,
    end: End,
}

/// How a test of a controller ended.
#[derive(Debug)]
enum End {
    /// It was run.
    Run(Box<Run>),
    /// The controller or the plant does not fit it, or the plant broke.
    Failed { message: String, code: u8 },
    /// The suite was interrupted before or while it was run.
    Interrupted,
}

/// A test that was run to its end.
#[derive(Debug)]
struct Run {
    outcome: ReplayOutcome,
    misses: Vec<Miss>,
    /// The mean of the errors' differences from those of the first controller and half the width of its interval of 95 %,
    /// where both had the same episodes.
    difference: Option<(f64, f64)>,
}

/// A test that was run to its end by the first controller.
struct Reference {
    replay: Replay,
    outcome: ReplayOutcome,
}

/// How the tests are run.
struct Setting {
    registry: Registry,
    isa: Isa,
    n_threads: usize,
    has_digest: bool,
    allows_long: bool,
    interrupt: Interrupt,
    checkpoints: Option<Checkpoints>,
}

/// Runs each test of a suite with each controller, and prints a table.
pub fn test(args: &TestArgs) -> Result<Done, Failure> {
    let suite = SuiteFile::read(&args.suite)?;
    let mut controllers: Vec<(&Path, ControllerFile)> = Vec::new();
    for path in &args.controllers {
        controllers.push((path, kind::controller(path)?));
    }
    let mut setting = Setting {
        registry: registry::registry(),
        isa: environment::isa()?,
        n_threads: args.threads.unwrap_or_else(environment::n_cores).get(),
        // The table does not show it; who resumes tests may ask for another output.
        has_digest: args.json || args.checkpoint.is_some() || args.resume.is_some(),
        allows_long: args.yes,
        interrupt: Interrupt::listen(),
        checkpoints: None,
    };
    let junit_file = args.junit.as_deref().map(|path| {
        let mut inputs = vec![&*args.suite];
        inputs.extend(args.controllers.iter().map(PathBuf::as_path));
        OutputFile::create(path, &inputs)
    });
    let junit_file = junit_file.transpose()?;
    // After all that may be refused, so that the same command can be given again.
    setting.checkpoints = Checkpoints::of(args)?;
    let (setting, interrupt) = (&setting, &setting.interrupt);
    let mut all = Vec::new();
    for (test_at, test) in suite.value.0.iter().enumerate() {
        let mut reference = None;
        for (controller_at, (path, controller)) in controllers.iter().enumerate() {
            let end = if interrupt.came() {
                End::Interrupted
            } else {
                let at = (test_at, controller_at);
                run(setting, (at, test), controller, &mut reference)?
            };
            all.push(Tested { test, controller: path, end });
        }
    }
    if let (Some(mut file), Some(path)) = (junit_file, &args.junit) {
        junit::write(&args.suite, &args.controllers, &all, &mut file)
            .map_err(|error| Failure::output(path, &error))?;
        file.finish()?;
    }
    if args.json {
        json::print_object(&report::json(&all))?;
    } else {
        print(&report::text(args, &suite, &all))?;
    }
    if interrupt.came() {
        print_note("interrupted: some tests were not run");
        if let Some(checkpoints) = &setting.checkpoints
            && checkpoints.has_saved()
        {
            let command = checkpoints.resume_command(args);
            print_note(&format!("the state is saved; resume by: {command}"));
        }
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    }
    let code = all.iter().find_map(|tested| match &tested.end {
        End::Failed { code, .. } => Some(*code),
        End::Run(_) | End::Interrupted => None,
    });
    let is_missed =
        |tested: &Tested<'_>| matches!(&tested.end, End::Run(run) if !run.misses.is_empty());
    match code {
        Some(code) => Ok(Done::InPart { code }),
        None if all.iter().any(is_missed) => Ok(Done::Missed),
        None => Ok(Done::Fully),
    }
}

/// Runs a test of a controller; `at` are the positions of both.
fn run(
    setting: &Setting,
    (at, test): ((usize, usize), &Test),
    controller: &ControllerFile,
    reference: &mut Option<Reference>,
) -> Result<End, Failure> {
    let path = controller.source.file();
    let failed = |error| {
        let failure = Failure::of_training(Path::new(path), error);
        let message = failure.to_string();
        let message = message.lines().next().unwrap_or_default().to_owned();
        End::Failed { message, code: failure.code() }
    };
    let replay = match Replay::of_test(controller, test, setting.allows_long, &setting.registry) {
        Ok(replay) => replay,
        Err(error) => return Ok(failed(error)),
    };
    let execution = ReplayExecution {
        has_digest: setting.has_digest,
        // Who resumes tests may ask for other criteria.
        has_behavior: test.pass.is_on_behavior() || setting.checkpoints.is_some(),
        interrupt: setting.interrupt.flag(),
        ..ReplayExecution::new(setting.isa, setting.n_threads)
    };
    let checkpoints = setting.checkpoints.as_ref().filter(|_| !replay.plant_owns_state());
    let file = checkpoints.map(|all| all.file(at, controller, &replay)).transpose()?;
    let mut display = Display::start(replay.n_episodes());
    let on_progress = &mut |progress| display.show(progress);
    let outcome = match file {
        Some(file) => file.run(&replay, execution, on_progress),
        None => Ok(replay.run_watched(execution, on_progress)),
    };
    display.finish();
    let outcome = outcome?;
    let outcome = match outcome {
        Ok(outcome) if outcome.is_part() => return Ok(End::Interrupted),
        Ok(outcome) => outcome,
        Err(ReplayError::Train(error)) => return Ok(failed(error)),
        Err(ReplayError::Trajectories(error)) => return Err(Failure::stdout(&error)),
    };
    let difference = reference.as_ref().and_then(|first: &Reference| {
        let is_same = replay.has_same_episodes(&first.replay);
        let errors = (&outcome.evaluation, &first.outcome.evaluation);
        if is_same { paired_difference(errors.0, errors.1) } else { None }
    });
    let missed = misses(&test.pass, &outcome.evaluation);
    if reference.is_none() {
        *reference = Some(Reference { replay, outcome: outcome.clone() });
    }
    Ok(End::Run(Box::new(Run { outcome, misses: missed, difference })))
}
