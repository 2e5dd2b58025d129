//! The picture of a controller's weights.

use bitloop_blm::WeightCode;
use bitloop_look::{Picture, WeightRow};
use bitloop_scenario::{Codes, Coding, Freezing, Weights};

use super::drawn;
use crate::args::PlotArgs;
use crate::failure::Failure;
use crate::kind;

/// The bits of all weights.
pub fn weights(args: &PlotArgs) -> Result<Picture, Failure> {
    let controller = kind::controller(&args.source)?;
    let Weights::Codes(Codes { bits, max_weight, codes }) = &controller.value.weights;
    let name = args.source.file_name().unwrap_or_default().to_string_lossy();
    // The bits that a search flips, unless it was asked for binary ones.
    let gray = WeightCode::new(*bits, Coding::Gray, Freezing::default());
    let row = |&code| WeightRow { code: gray.word(code).into() };
    let rows: Vec<WeightRow> = codes.iter().map(row).collect();
    let subtitle = format!("{} weights of {bits} bits, up to {max_weight}; dark is 1", rows.len());
    drawn(args, bitloop_look::weights(&name, &subtitle, *bits, &rows))
}
