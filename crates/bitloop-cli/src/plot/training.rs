//! The picture of a training, from the log in its folder.

use std::path::Path;

use bitloop_folder::{LOG, RESOLVED, read_text_bounded};
use bitloop_look::{LogLine, Picture, TrainingView};
use bitloop_scenario::{AnySaved, AnyScenario, ModelWeights, Weights};

use super::drawn;
use crate::args::{Over, PlotArgs};
use crate::failure::Failure;
use crate::kind;

/// The largest log that is read, in bytes; logs grow with the logarithm of the work.
const LIMIT_BYTES: u64 = 256 << 20;

/// Errors and bits over evaluations; of a training that is under way, those so far.
pub fn training(args: &PlotArgs) -> Result<Picture, Failure> {
    let path = args.source.join(LOG);
    let text = read_text_bounded(&path, LIMIT_BYTES).map_err(|error| Failure::Folder {
        message: format!("{}: {error}", path.display()),
        hint: Some("name the folder of a training, such as runs/NAME-seed1".to_owned()),
    })?;
    let lines: Vec<LogLine> = text.lines().filter_map(LogLine::parse).collect();
    // A folder without its scenario still has a log.
    let scenario = AnyScenario::read(args.source.join(RESOLVED)).ok();
    let target = scenario.and_then(|scenario| scenario.stop().target);
    let title = args.source.display().to_string();
    let view = TrainingView {
        over_seconds: args.over == Over::Seconds,
        is_log: args.log_x,
        n_weights: n_weights(&args.source),
    };
    drawn(args, bitloop_look::training(&title, &lines, target, view))
}

/// How many weights the network of a training has, if it has saved one.
fn n_weights(folder: &Path) -> Option<usize> {
    match AnySaved::read(kind::saved(folder.to_owned())).ok()? {
        AnySaved::Controller(file) => {
            let Weights::Codes(codes) = &file.value.weights;
            Some(codes.codes.len())
        }
        AnySaved::Model(file) => match &file.value.weights {
            ModelWeights::Codes(codes) => Some(codes.codes.len()),
            // No bits are flipped.
            ModelWeights::Real(_) => None,
        },
    }
}
