//! What a flip of a bit does to a weight: with both codes, and while only some bits are unlocked.

use std::collections::BTreeSet;

use bitloop_blm::{WeightCode, WeightGrid};
use bitloop_look::{NeighborRow, Picture};
use bitloop_scenario::{AnySaved, Codes, Coding, Freezing, ModelWeights, Weights};

use super::check_weights;
use super::drawn;
use crate::args::PlotArgs;
use crate::failure::Failure;

/// The most bits that are unlocked: more make more dots than can be told apart.
const MOST_UNLOCKED: u32 = 8;

/// The picture of one weight.
pub fn neighbors(args: &PlotArgs) -> Result<Picture, Failure> {
    let codes = codes(args)?;
    let weight = args.weights.first().copied().unwrap_or(0);
    check_weights(args, codes.codes.len())?;
    let found = codes.codes[weight];
    let grid = WeightGrid::new(codes.bits, codes.max_weight)
        .map_err(|error| Failure::of_training(&args.source, error.into()))?;
    let of = |reached: BTreeSet<i32>| reached.into_iter().map(|code| grid.weight(code)).collect();
    let flips = [(Coding::Gray, "Gray code"), (Coding::Binary, "base 2")].map(|(coding, name)| {
        let code = WeightCode::new(codes.bits, coding, Freezing::default());
        let flipped = (0..codes.bits).map(|bit| code.flip(found, bit, codes.bits));
        NeighborRow { name: name.to_owned(), values: of(flipped.collect()) }
    });
    let gray = WeightCode::new(codes.bits, Coding::Gray, Freezing::default());
    let unlocked = (2..=codes.bits.min(MOST_UNLOCKED)).map(|n_bits| NeighborRow {
        name: format!("{n_bits} bits"),
        values: of(reachable(gray, found, n_bits)),
    });
    let unlocked: Vec<NeighborRow> = unlocked.collect();
    let name = args.source.file_name().unwrap_or_default().to_string_lossy();
    let subtitle = format!("weight {weight} of {} bits, up to {}", codes.bits, codes.max_weight);
    let here = grid.weight(found);
    let range = (grid.weight(grid.min_code()), grid.weight(grid.max_code()));
    drawn(args, bitloop_look::neighbors(&name, &subtitle, (here, range), &flips, &unlocked))
}

/// All codes that flips of the unlocked bits lead to.
fn reachable(code: WeightCode, found: i32, n_unlocked: u32) -> BTreeSet<i32> {
    let mut reached = BTreeSet::from([found]);
    for bit in 0..n_unlocked {
        let flipped: Vec<i32> = reached.iter().map(|&of| code.flip(of, bit, n_unlocked)).collect();
        reached.extend(flipped);
    }
    reached
}

/// The codes of a saved controller or model.
fn codes(args: &PlotArgs) -> Result<Codes, Failure> {
    match AnySaved::read(&args.source)? {
        AnySaved::Controller(file) => {
            let Weights::Codes(codes) = file.value.weights;
            Ok(codes)
        }
        AnySaved::Model(file) => match file.value.weights {
            ModelWeights::Codes(codes) => Ok(codes),
            ModelWeights::Real(_) => Err(Failure::NothingFound {
                message: format!("{}: its weights are real numbers", args.source.display()),
                hint: Some("bits are those of a trainer that flips them".to_owned()),
            }),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_few_unlocked_bits_reach_a_coarse_grid_without_zero() {
        // As in the figure of the paper: 5 bits, of which 2 are unlocked, from a small weight.
        let code = WeightCode::new(5, Coding::Gray, Freezing::default());
        assert_eq!(reachable(code, 1, 2), BTreeSet::from([-15, -7, 1, 9]));
        assert_eq!(reachable(code, 1, 5).len(), 32);
    }
}
