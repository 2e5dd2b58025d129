//! Random initial weights (TBLM, Sec. III-F).

use bitloop_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

use crate::{BlmError, WeightGrid};

/// How the initial weights of a run are drawn, one after another in weight order, from stream
/// (seed, Initialization, run, 0).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub enum Initialization {
    /// Uniform over all codes of the grid, so that every bit is 0 or 1 with equal probability.
    Full,
    /// Uniform reals within plus and minus this range, rounded to the nearest code.
    ///
    /// The range is the paper's `w_init`, at least epsilon and at most the weight range.
    Bounded(f64),
    /// Uniform among the multiples of 2^(n-n') epsilon within plus and minus this range,
    /// n' the start bits, so that all frozen bits are zero and the coarse grid holds the origin.
    ///
    /// The range is at least 2^(n-n') epsilon and at most the weight range. (The paper asks for more than the step; at the
    /// step itself three weights are possible, which will do.)
    BoundedOnCoarseGrid(f64),
}

impl Initialization {
    /// # Errors
    /// A range so small that all weights would be zero, or larger than the grid's.
    pub fn check(&self, grid: &WeightGrid, start_bits: u32) -> Result<(), BlmError> {
        let (initial_range, step, on_coarse_grid) = match *self {
            Self::Full => return Ok(()),
            Self::Bounded(initial_range) => (initial_range, grid.epsilon(), false),
            Self::BoundedOnCoarseGrid(initial_range) => {
                (initial_range, grid.weight(coarse_step(grid, start_bits)), true)
            }
        };
        if initial_range < step {
            return Err(BlmError::InitialRangeTooSmall {
                found: initial_range,
                step,
                on_coarse_grid,
            });
        }
        if initial_range.is_nan() || initial_range > grid.weight_range() {
            return Err(BlmError::InitialRangeTooLarge {
                found: initial_range,
                weight_range: grid.weight_range(),
            });
        }
        Ok(())
    }

    /// Draws `n_weights` codes.
    ///
    /// # Errors
    /// As [`Initialization::check`].
    pub fn draw(
        &self,
        grid: &WeightGrid,
        start_bits: u32,
        n_weights: usize,
        seed: u64,
        run: u64,
    ) -> Result<Vec<i32>, BlmError> {
        let mut stream = Stream::new(seed, Purpose::Initialization, run, 0);
        self.draw_from(&mut stream, grid, start_bits, n_weights)
    }

    /// Draws `n_weights` codes from another stream.
    ///
    /// # Errors
    /// As [`Initialization::check`].
    pub fn draw_from(
        &self,
        stream: &mut Stream,
        grid: &WeightGrid,
        start_bits: u32,
        n_weights: usize,
    ) -> Result<Vec<i32>, BlmError> {
        self.check(grid, start_bits)?;
        let codes = (0..n_weights).map(|_| match *self {
            Self::Full => uniform_code(stream, grid.min_code(), grid.max_code()),
            Self::Bounded(initial_range) => {
                grid.nearest_code(initial_range * (2.0 * stream.uniform_f64() - 1.0))
            }
            Self::BoundedOnCoarseGrid(initial_range) => {
                let step = coarse_step(grid, start_bits);
                #[expect(clippy::cast_possible_truncation, reason = "at most 2^23, as checked")]
                let largest = (initial_range / grid.weight(step)) as i32;
                step * uniform_code(stream, -largest, largest)
            }
        });
        Ok(codes.collect())
    }
}

/// 2^(n-n'), the step of the coarse grid in units of epsilon.
fn coarse_step(grid: &WeightGrid, start_bits: u32) -> i32 {
    1 << (grid.bits_per_weight() - start_bits)
}

fn uniform_code(stream: &mut Stream, min: i32, max: i32) -> i32 {
    let draw = stream.below(u64::from(max.abs_diff(min)) + 1);
    min + i32::try_from(draw).expect("codes have at most 24 bits")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    fn codes(initialization: Initialization, start_bits: u32) -> BTreeSet<i32> {
        // n = 5 and epsilon = 1.
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        let drawn = initialization.draw(&grid, start_bits, 2000, 11, 0).expect("valid");
        drawn.into_iter().collect()
    }

    #[test]
    fn each_kind_draws_its_whole_set() {
        assert!(codes(Initialization::Full, 2).into_iter().eq(-16..16));
        assert!(codes(Initialization::Bounded(2.2), 2).into_iter().eq(-2..=2));
        assert!(codes(Initialization::Bounded(15.0), 2).into_iter().eq(-15..=15));
        let coarse = |initial_range| Initialization::BoundedOnCoarseGrid(initial_range);
        assert!(codes(coarse(8.0), 2).into_iter().eq([-8, 0, 8]));
        assert!(codes(coarse(15.0), 3).into_iter().eq([-12, -8, -4, 0, 4, 8, 12]));
        assert!(codes(coarse(3.0), 5).into_iter().eq(-3..=3));
    }

    #[test]
    fn ranges_that_leave_only_zeros_are_refused_with_the_step() {
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        let refused = Initialization::Bounded(0.9).check(&grid, 2);
        let expected =
            BlmError::InitialRangeTooSmall { found: 0.9, step: 1.0, on_coarse_grid: false };
        assert_eq!(refused, Err(expected));
        let refused = Initialization::BoundedOnCoarseGrid(7.9).check(&grid, 2);
        let message = refused.expect_err("too small").to_string();
        assert!(message.contains("7.9") && message.contains("step 8"), "{message}");
    }

    #[test]
    fn ranges_outside_the_grid_are_refused() {
        let grid = WeightGrid::new(5, 15.0).expect("valid");
        for initial_range in [15.1, f64::INFINITY, f64::NAN] {
            let refused = Initialization::Bounded(initial_range).check(&grid, 5);
            assert!(matches!(refused, Err(BlmError::InitialRangeTooLarge { .. })));
        }
    }

    #[test]
    fn golden_codes_stay_and_runs_differ() {
        let grid = WeightGrid::new(16, 10.0).expect("valid");
        let draw = |kind: Initialization, run| kind.draw(&grid, 4, 4, 1, run).expect("valid");
        assert_eq!(draw(Initialization::Full, 0), [-17_333, 21_608, -495, -9_736]);
        assert_ne!(draw(Initialization::Full, 0), draw(Initialization::Full, 1));
        assert_eq!(draw(Initialization::Bounded(1.0), 0), [-1_733, 2_161, -49, -974]);
        let coarse = Initialization::BoundedOnCoarseGrid(5.0);
        assert_eq!(draw(coarse, 0), [-8_192, 8_192, 0, -4_096]);
    }
}
