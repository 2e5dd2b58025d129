//! Networks with many weights at exactly zero (TBLM, Sec. IV).
//!
//! "Let the current neurons fully express their potential before adding additional neurons": part of the weights start at
//! zero, and stay there as long as a change of the others helps.

use bitloop_random::{Purpose, Stream};

use crate::{BlmError, Initialization, SearchOptions};

/// Sparsity-enforcing search.
///
/// * Of n weights, floor(`zero_share` n) at random start at zero, and the others at values other than zero, drawn from the
///   initialization until they are.
/// * In every neighborhood the bits of weights other than zero are probed first, in random order, and those of weights at
///   zero only when none of them improves, in random order too. The move rule holds among the former; among the latter
///   the first improving move is taken.
///
/// Which weights are zero is looked up at the start of each neighborhood; a weight may come back to zero, and is then
/// probed last again. Nothing else keeps them there: zeros that help by moving do so, one by one, unless they are held: then a
/// candidate with fewer of them than at the start, and than now, is passed over, and counts as an evaluation that failed. With frozen low bits ([`Freezing::CoarseGrid`](crate::Freezing::CoarseGrid)) only weights whose frozen part is zero can.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sparsity {
    /// The share of weights that start at zero, in [0, 1); the paper's is 0.5.
    pub zero_share: f64,
    /// Whether there are never fewer zeros than at the start.
    pub is_held: bool,
}

impl Sparsity {
    /// # Errors
    /// A share outside [0, 1), NaN included.
    pub fn check(&self) -> Result<(), BlmError> {
        if (0.0..1.0).contains(&self.zero_share) {
            Ok(())
        } else {
            Err(BlmError::ZeroShare { found: self.zero_share })
        }
    }

    /// How many of so many weights start at zero: floor(`zero_share` n).
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "in 0..=n_weights, since the share is in [0, 1)"
    )]
    pub fn n_zeros(&self, n_weights: usize) -> usize {
        (self.zero_share * n_weights as f64).floor() as usize
    }
}

impl SearchOptions {
    /// How many zeros a candidate may have fewer than `codes`; none where they are not held.
    pub(crate) fn spare_zeros(&self, codes: &[i32]) -> Option<usize> {
        let sparsity = self.sparsity.filter(|sparsity| sparsity.is_held)?;
        let n_zeros = codes.len() - n_nonzero(codes);
        Some(n_zeros.saturating_sub(sparsity.n_zeros(codes.len())))
    }

    /// The initial codes of a run: from stream (seed, Initialization, run, 0), and which of them are zero from index 1.
    ///
    /// # Errors
    /// As [`SearchOptions::check`].
    pub fn initial_codes(
        &self,
        n_weights: usize,
        seed: u64,
        run: u64,
    ) -> Result<Vec<i32>, BlmError> {
        let Self { grid, start_bits, initialization, sparsity, .. } = self;
        let Some(sparsity) = sparsity else {
            return initialization.draw(grid, *start_bits, n_weights, seed, run);
        };
        sparsity.check()?;
        initialization.check(grid, *start_bits)?;
        let mut values = Stream::new(seed, Purpose::Initialization, run, 0);
        let mut places = Stream::new(seed, Purpose::Initialization, run, 1);
        let n_zeros = sparsity.n_zeros(n_weights);
        let mut codes = vec![0; n_weights];
        // Selection sampling: each weight is zero with the share of zeros that are still to come.
        let mut n_zeros_left = n_zeros;
        for (weight_index, code) in codes.iter_mut().enumerate() {
            if places.index_below(n_weights - weight_index) < n_zeros_left {
                n_zeros_left -= 1;
            } else {
                *code = nonzero_code(*initialization, &mut values, &self.grid, *start_bits)?;
            }
        }
        Ok(codes)
    }
}

/// Draws until the code is not zero: twice on average, at worst, since the initialization was checked.
fn nonzero_code(
    initialization: Initialization,
    stream: &mut Stream,
    grid: &crate::WeightGrid,
    start_bits: u32,
) -> Result<i32, BlmError> {
    loop {
        match initialization.draw_from(stream, grid, start_bits, 1)?[0] {
            0 => {}
            code => return Ok(code),
        }
    }
}

/// The weights in the order in which their moves stand: those other than zero first.
pub(crate) fn nonzero_first(codes: &[i32], order: &mut Vec<u32>) {
    order.clear();
    let numbered = || (0_u32..).zip(codes);
    order.extend(numbered().filter(|(_, code)| **code != 0).map(|(index, _)| index));
    order.extend(numbered().filter(|(_, code)| **code == 0).map(|(index, _)| index));
}

/// How many weights are not zero.
pub(crate) fn n_nonzero(codes: &[i32]) -> usize {
    codes.iter().filter(|&&code| code != 0).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Candidates, Coding, Freezing, Growth, MoveRule, WeightGrid};

    fn options(zero_share: f64) -> SearchOptions {
        let grid = WeightGrid::new(12, 6.0).expect("valid");
        SearchOptions {
            grid,
            coding: Coding::Gray,
            freezing: Freezing::CoarseGrid,
            move_rule: MoveRule::FirstImproving,
            growth: Growth::AtLocalMinimum,
            start_bits: 2,
            initialization: Initialization::Bounded(grid.epsilon()),
            candidates: Candidates::SingleFlips,
            kicks: None,
            sparsity: Some(Sparsity { zero_share, is_held: false }),
        }
    }

    #[test]
    fn exactly_the_share_of_weights_starts_at_zero() {
        for (zero_share, n_weights, expected) in
            [(0.5, 501, 250), (0.5, 1, 0), (0.0, 300, 0), (0.99, 10, 9)]
        {
            let codes = options(zero_share).initial_codes(n_weights, 1, 0).expect("valid");
            assert_eq!(n_weights - n_nonzero(&codes), expected, "{zero_share} of {n_weights}");
        }
    }

    #[test]
    fn every_weight_is_as_likely_zero() {
        let mut counts = [0_u32; 8];
        for run in 0..4000 {
            let codes = options(0.5).initial_codes(8, 1, run).expect("valid");
            for (count, code) in counts.iter_mut().zip(codes) {
                *count += u32::from(code == 0);
            }
        }
        // Standard deviation 32; five of them.
        assert!(counts.iter().all(|count| count.abs_diff(2000) < 160), "{counts:?}");
    }

    #[test]
    fn shares_outside_are_refused() {
        for zero_share in [1.0, -0.1, f64::NAN] {
            assert!(matches!(options(zero_share).check(), Err(BlmError::ZeroShare { .. })));
        }
    }
}
