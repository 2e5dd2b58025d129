//! The command line of bitloop, as a library: [`main_with`] is all of it, for a program whose plants are linked in.
//!
//! This crate prints, reads the environment and the clock's signals, and picks exit codes; it must hold no more than
//! that. What a command does lives in the libraries, whose values it turns into text.

#![forbid(unsafe_code)]

mod args;
mod behavior;
mod bench;
mod campaign;
mod check;
mod checkpoint_file;
mod controller;
mod describe;
mod environment;
mod failure;
mod isolation;
mod kind;
mod linked;
mod lqr;
mod map;
mod merge;
mod model;
mod network_text;
mod new_scenario;
mod output;
mod overrides;
mod plant;
mod plant_json;
mod plant_new;
mod plot;
mod predict;
mod registry;
mod replay;
mod report;
mod robust;
mod sandbox;
mod scenario;
mod shards;
mod start_folder;
mod suite;
mod test_inputs;
mod train;
mod worst;

use std::process::ExitCode;

use bitloop_host::{Registry, Sandbox};

use args::{Command, ControllerCommand, PlantCommand, ScenarioCommand};
use failure::{Done, Failure, conclude};

/// Runs the command that this program was called for, with these plants beside the libraries that scenarios name, and
/// returns the program's exit code.
///
/// The program starts itself again where a plant needs a process of its own, so that this must be all that its `main` does.
/// `examples/linked-plant` is such a program.
pub fn main_with(plants: Registry) -> ExitCode {
    start_folder::note();
    linked::set(plants);
    environment::outlive_file_limit();
    let command = args::parse();
    if is_worker(&command) {
        bitloop_host::close_inherited();
    } else {
        output::take_stdout();
        bitloop_host::forbid_exit(environment::EXIT_MESSAGE.to_owned());
    }
    let result = run(&command);
    if !is_worker(&command) {
        sandbox::report_denied();
    }
    let code = conclude(result);
    bitloop_host::allow_exit();
    code
}

/// Whether the command answers another process, which takes over standard output and watches how this one ends.
const fn is_worker(command: &Command) -> bool {
    matches!(
        command,
        Command::PlantCheckWorker { .. }
            | Command::PlantDescribeWorker { .. }
            | Command::TrainWorker { .. }
            | Command::ReplayWorker(_)
            | Command::ReportWorker(_)
    )
}

fn run(command: &Command) -> Result<Done, Failure> {
    match command {
        Command::Train(args) => return train::train(args),
        Command::Campaign(args) => return campaign::campaign(args),
        Command::Compare(args) => return campaign::compare(args),
        Command::Merge(args) => return merge::merge(args),
        Command::ShardScript(args) => return shards::shard_script(args),
        Command::Replay(args) => return replay::replay(args),
        Command::Report(args) => return report::report(args),
        Command::Watch(args) => return report::watch(args),
        Command::ReportWorker(args) => report::serve(args)?,
        Command::Test(args) => return suite::test(args),
        Command::Robust(args) => return robust::robust(args),
        Command::Worst(args) => return worst::worst(args),
        Command::Map(args) => return map::map(args),
        Command::TrainWorker { sandbox, readable, name, library } => {
            let library = name.as_deref().zip(library.as_deref());
            let readable = readable.clone();
            let sandbox = sandbox.then(|| Sandbox::of_libraries(readable));
            isolation::serve_training(sandbox.as_ref(), library)?;
        }
        Command::ReplayWorker(args) => replay::serve(args)?,
        Command::Plot(args) => plot::plot(args)?,
        Command::Predict(args) => predict::predict(args)?,
        Command::Lqr(args) => lqr::lqr(args)?,
        Command::Bench(args) => bench::bench(args)?,
        Command::Plant(PlantCommand::New(args)) => plant_new::new(args)?,
        Command::Plant(PlantCommand::List { no_sandbox, json }) => plant::list(*no_sandbox, *json)?,
        Command::Plant(PlantCommand::Info { plant, json }) => plant::info(plant, *json)?,
        Command::Plant(PlantCommand::Check(args)) => check::check(args)?,
        Command::PlantCheckWorker { sandbox, plant } => check::serve(*sandbox, plant)?,
        Command::PlantDescribeWorker { sandbox, library } => {
            describe::serve_description(*sandbox, library)?;
        }
        Command::Scenario(ScenarioCommand::New { plant, from, out }) => {
            new_scenario::new(plant, from.as_deref(), out.as_deref())?;
        }
        Command::Scenario(ScenarioCommand::Check { file, json }) => scenario::check(file, *json)?,
        Command::Scenario(ScenarioCommand::Fields { path }) => scenario::fields(path)?,
        Command::Controller(ControllerCommand::Show { file, json }) => {
            controller::show(file, *json)?;
        }
        Command::Controller(ControllerCommand::Upgrade { files }) => controller::upgrade(files)?,
        Command::Controller(ControllerCommand::Export(args)) => controller::export(args)?,
        Command::Controller(ControllerCommand::Import(args)) => controller::import(args)?,
    }
    Ok(Done::Fully)
}
