//! `bitloop plot`.

pub mod campaign;
mod cuts;
pub mod loops;
pub mod model;
mod neighbors;
mod network;
mod plant;
pub mod record;
pub mod scene;
pub mod signals;
pub mod training;
pub mod weights;

use std::io::Write;
use std::path::{Path, PathBuf};

use bitloop_look::{LookError, Picture};

use crate::args::{Over, PlotArgs, PlotKind};
use crate::failure::Failure;
use crate::kind;
use crate::output::target::OutputFile;
use crate::output::{picture_file, print_note};
use crate::test_inputs::TestInputs;
use loops::Test;

/// Draws a picture, and writes it.
pub fn plot(args: &PlotArgs) -> Result<(), Failure> {
    let in_folder = args.kind.reads_a_saved_file().then(|| {
        let source = kind::saved(args.source.clone());
        PlotArgs { source, ..args.clone() }
    });
    let args = in_folder.as_ref().unwrap_or(args);
    picture_file::check_name(&args.out)?;
    check_options(args)?;
    let mut inputs = vec![args.source.clone()];
    if args.kind.runs_a_test() {
        inputs.extend(TestInputs::read(&args.source, &args.test, "plot")?.files());
    }
    inputs.extend(args.data.clone());
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    // Before the work, so that a place that cannot be written costs no time.
    let mut file = OutputFile::create(&args.out, &inputs)?;
    let picture = match args.kind {
        PlotKind::Trajectory => over_time(args, Test::trajectory),
        PlotKind::Control => over_time(args, Test::control),
        PlotKind::Plant => Test::run(args).and_then(|test| plant::plant(args, &test)),
        PlotKind::Phase => Test::run(args).and_then(|test| test.phase(args)),
        PlotKind::ErrorMap => Test::run(args).and_then(|test| test.error_map(args)),
        PlotKind::Training => training::training(args),
        PlotKind::Campaign => campaign::campaign(args),
        PlotKind::Convergence => campaign::over_evaluations(args),
        PlotKind::Variants => campaign::errors(args),
        PlotKind::ValidationTest => campaign::validation_and_test(args),
        PlotKind::Weights => weights::weights(args),
        PlotKind::WeightValues => model::weight_values(args),
        PlotKind::Answers => model::answers(args),
        PlotKind::Cuts => cuts::cuts(args),
        PlotKind::Neighbors => neighbors::neighbors(args),
        PlotKind::Network => network::network(args),
    }?;
    let bytes = picture_file::bytes(&picture, &args.out).map_err(|error| of_look(args, &error))?;
    file.write_all(&bytes).map_err(|error| Failure::output(&args.out, &error))?;
    file.finish()
}

/// Draws signals of a test over time, and says so if little of that time shows what happens.
fn over_time(
    args: &PlotArgs,
    draw: fn(&Test, &PlotArgs) -> Result<Picture, Failure>,
) -> Result<Picture, Failure> {
    let test = Test::run(args)?;
    let picture = draw(&test, args)?;
    if let Some(note) = test.settling_part() {
        print_note(&note);
    }
    Ok(picture)
}

/// Refuses options that another kind of picture has.
fn check_options(args: &PlotArgs) -> Result<(), Failure> {
    use PlotKind::{Answers, Cuts, Neighbors, Network, Plant, Training};
    let given = [
        (args.data.is_some(), "--data", &[Answers, Cuts][..], "answers or cuts"),
        (
            !args.weights.is_empty(),
            "--weights",
            &[Cuts, Neighbors, Network],
            "cuts, neighbors or network",
        ),
        (!args.times.is_empty(), "--times", &[Plant], "plant"),
        (args.over == Over::Seconds, "--over", &[Training], "training"),
        (args.log_x, "--log-x", &[Training], "training"),
    ];
    for (is_given, option, kinds, names) in given {
        if is_given && !kinds.contains(&args.kind) {
            return Err(Failure::Usage {
                message: format!("{option} is for pictures of kind {names}"),
                hint: Some("leave it out".to_owned()),
            });
        }
    }
    Ok(())
}

/// Why there is no picture of what the user named.
pub fn of_look(args: &PlotArgs, error: &LookError) -> Failure {
    Failure::NothingFound { message: format!("{}: {error}", args.source.display()), hint: None }
}

/// A picture, or why there is none.
fn drawn(args: &PlotArgs, picture: Result<Picture, LookError>) -> Result<Picture, Failure> {
    picture.map_err(|error| of_look(args, &error))
}

/// Refuses weights that a network does not have.
fn check_weights(args: &PlotArgs, n_weights: usize) -> Result<(), Failure> {
    let Some(weight) = args.weights.iter().find(|&&weight| weight >= n_weights) else {
        return Ok(());
    };
    Err(Failure::Usage {
        message: format!("--weights {weight}: there are {n_weights} weights"),
        hint: Some("they are counted from 0, in the order of the file".to_owned()),
    })
}
