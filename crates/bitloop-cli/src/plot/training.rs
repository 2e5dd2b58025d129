//! The picture of a training, from the log in its folder.

use bitloop_folder::{LOG, RESOLVED, read_text_bounded};
use bitloop_look::{LogLine, Picture};
use bitloop_scenario::AnyScenario;

use super::drawn;
use crate::args::PlotArgs;
use crate::failure::Failure;

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
    drawn(args, bitloop_look::training(&title, &lines, target))
}
