//! `bitloop plot`.

pub mod campaign;
pub mod loops;
pub mod model;
pub mod record;
pub mod training;
pub mod weights;

use std::io::Write;
use std::path::{Path, PathBuf};

use bitloop_look::{LookError, Picture};

use crate::args::{PlotArgs, PlotKind};
use crate::failure::Failure;
use crate::output::target::{OutputFile, check_picture_name};
use crate::test_inputs::TestInputs;
use loops::Test;

/// Draws a picture, and writes it.
pub fn plot(args: &PlotArgs) -> Result<(), Failure> {
    check_picture_name(&args.out)?;
    if args.data.is_some() && args.kind != PlotKind::Answers {
        return Err(Failure::Usage {
            message: "--data is for pictures of kind answers".to_owned(),
            hint: Some("leave it out".to_owned()),
        });
    }
    let mut inputs = vec![args.source.clone()];
    if args.kind.runs_a_test() {
        inputs.extend(TestInputs::read(&args.source, &args.test, "plot")?.files());
    }
    inputs.extend(args.data.clone());
    let inputs: Vec<&Path> = inputs.iter().map(PathBuf::as_path).collect();
    // Before the work, so that a place that cannot be written costs no time.
    let mut file = OutputFile::create(&args.out, &inputs)?;
    let picture = match args.kind {
        PlotKind::Trajectory => Test::run(args).and_then(|test| test.trajectory(args)),
        PlotKind::Control => Test::run(args).and_then(|test| test.control(args)),
        PlotKind::Phase => Test::run(args).and_then(|test| test.phase(args)),
        PlotKind::ErrorMap => Test::run(args).and_then(|test| test.error_map(args)),
        PlotKind::Training => training::training(args),
        PlotKind::Campaign => campaign::campaign(args),
        PlotKind::Weights => weights::weights(args),
        PlotKind::WeightValues => model::weight_values(args),
        PlotKind::Answers => model::answers(args),
    }?;
    let svg = picture.svg().map_err(|error| of_look(args, &error))?;
    file.write_all(svg.as_bytes()).map_err(|error| Failure::output(&args.out, &error))?;
    file.finish()
}

/// Why there is no picture of what the user named.
pub fn of_look(args: &PlotArgs, error: &LookError) -> Failure {
    Failure::NothingFound { message: format!("{}: {error}", args.source.display()), hint: None }
}

/// A picture, or why there is none.
fn drawn(args: &PlotArgs, picture: Result<Picture, LookError>) -> Result<Picture, Failure> {
    picture.map_err(|error| of_look(args, &error))
}
