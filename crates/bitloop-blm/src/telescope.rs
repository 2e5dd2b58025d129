//! When to unlock another bit: the growth of the precision (TBLM, Sec. III-D and III-E).
//!
//! Owns the estimate of how rare improving moves have become. Pure functions of numbers; the
//! search holds the moving average and acts on the answer.

use crate::BlmError;
use serde::{Deserialize, Serialize};

/// E(k,N): the expected number of failed probes before the first of k improving moves among N, in
/// random order without replacement.
///
/// E(k,N) = (N - k) / (k + 1). The paper (TBLM, Sec. III-E1) gives a recurrence in N. Its print has
/// the factor (N + k)/N before E(k,N-1); from C(N-1,k)/C(N,k) it is (N - k)/N, and with that the
/// recurrence has this closed form. A test holds it against the corrected recurrence and against
/// enumeration.
pub fn expected_failures(n_improving: usize, n_moves: usize) -> f64 {
    n_moves.saturating_sub(n_improving) as f64 / (n_improving as f64 + 1.0)
}

/// How the number n' of unlocked bits grows from its start towards n.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Growth {
    /// It does not: the run ends in a local minimum at the start bits.
    Fixed,
    /// By one at each local minimum of the current neighborhood.
    AtLocalMinimum,
    /// By one as soon as fewer than a fraction of the moves seem to improve, and at each local
    /// minimum.
    ///
    /// mu <- eta mu + (1 - eta) c after each accepted move, where c counts the failed probes before
    /// it, and mu starts from 0 at each new bit; a bit is unlocked when mu >= E(k,N) with
    /// k = max(1, floor(phi N)). Checked only after an accepted move. Two readings where the print
    /// is silent: floor(phi N) = 0 is taken as 1, so that the threshold is then (N - 1)/2; and a
    /// local minimum below full precision unlocks a bit whatever mu is.
    Threshold {
        /// The fraction of improving moves, in (0, 1]. At 1 each accepted move unlocks a bit. The paper's 0.1 unless given.
        #[serde(default = "default_phi")]
        phi: f64,
        /// The decay of the moving average, in [0, 1). The paper's 0.95 unless given.
        #[serde(default = "default_eta")]
        eta: f64,
    },
}

fn default_phi() -> f64 {
    0.1
}

fn default_eta() -> f64 {
    0.95
}

impl Default for Growth {
    fn default() -> Self {
        Self::Threshold { phi: default_phi(), eta: default_eta() }
    }
}

impl Growth {
    /// # Errors
    /// `phi` outside (0, 1] or `eta` outside [0, 1), NaN included.
    pub fn check(&self) -> Result<(), BlmError> {
        if let Self::Threshold { phi, eta } = *self {
            if !(phi > 0.0 && phi <= 1.0) {
                return Err(BlmError::Phi { found: phi });
            }
            if !(0.0..1.0).contains(&eta) {
                return Err(BlmError::Eta { found: eta });
            }
        }
        Ok(())
    }

    /// The most bits that are ever unlocked.
    pub fn final_bits(&self, start_bits: u32, bits_per_weight: u32) -> u32 {
        if *self == Self::Fixed { start_bits } else { bits_per_weight }
    }

    /// The moving average mu after a move that took `n_failed` failed probes; 0 where none is kept.
    pub fn updated_mean(&self, mean: f64, n_failed: usize) -> f64 {
        match *self {
            Self::Threshold { eta, .. } => eta * mean + (1.0 - eta) * n_failed as f64,
            Self::Fixed | Self::AtLocalMinimum => 0.0,
        }
    }

    /// Whether, after an accepted move, the mean of failed probes reaches the threshold for another bit.
    pub fn is_due(&self, mean: f64, n_moves: usize) -> bool {
        match *self {
            Self::Threshold { phi, .. } => {
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "in 0..=n_moves, since phi is in (0, 1]"
                )]
                let few = (phi * n_moves as f64).floor() as usize;
                mean >= expected_failures(few.max(1), n_moves)
            }
            Self::Fixed | Self::AtLocalMinimum => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Eq. (alpha) and (ekn final) of the paper, with the corrected factor (N - k)/N.
    fn by_recurrence(k: usize, n: usize) -> f64 {
        let (mut alpha, mut expected) = (0.0, 0.0);
        for size in k + 1..=n {
            let factor = (size - k) as f64 / size as f64;
            alpha = factor * (k as f64 / (size as f64 - 1.0) + alpha);
            expected = alpha + factor * expected;
        }
        expected
    }

    /// The mean of the minimum over all subsets of k elements of 0..n.
    fn by_enumeration(k: u32, n: u32) -> f64 {
        let minima: Vec<u32> = (0_u32..1 << n)
            .filter(|subset| subset.count_ones() == k)
            .map(u32::trailing_zeros)
            .collect();
        f64::from(minima.iter().sum::<u32>()) / minima.len() as f64
    }

    #[test]
    fn closed_form_is_the_mean_over_all_subsets() {
        for n in 1..=10_u32 {
            for k in 1..=n {
                let closed = expected_failures(k as usize, n as usize);
                // Sums of integers, then one division on either side: a rounding or two apart.
                assert!((closed - by_enumeration(k, n)).abs() < 1e-14, "{k} of {n}");
            }
        }
    }

    #[test]
    fn closed_form_solves_the_corrected_recurrence() {
        for (k, n) in [(1, 1), (1, 2), (3, 100), (160, 1600), (1, 1600), (1600, 1600)] {
            let closed = expected_failures(k, n);
            // The recurrence rounds some 5000 times.
            assert!((closed - by_recurrence(k, n)).abs() <= 1e-11 * (1.0 + closed), "{k} of {n}");
        }
    }

    #[test]
    fn threshold_is_met_exactly_at_the_expected_failures() {
        let growth = Growth::Threshold { phi: 0.1, eta: 0.5 };
        let at = expected_failures(10, 100);
        assert!(growth.is_due(at, 100));
        assert!(!growth.is_due(at.next_down(), 100));
        // floor(phi N) = 0 is taken as 1.
        assert!(growth.is_due(4.0, 9) && !growth.is_due(3.9, 9));
        assert_eq!(growth.updated_mean(2.0, 6), 4.0);
        assert!(Growth::Threshold { phi: 1.0, eta: 0.9 }.is_due(0.0, 50));
        assert!(!Growth::AtLocalMinimum.is_due(f64::INFINITY, 50));
    }

    #[test]
    fn fractions_outside_are_refused() {
        for phi in [0.0, -0.1, 1.1, f64::NAN] {
            let refused = Growth::Threshold { phi, eta: 0.5 }.check();
            assert!(matches!(refused, Err(BlmError::Phi { .. })));
        }
        for eta in [1.0, -0.1, f64::NAN] {
            let refused = Growth::Threshold { phi: 0.5, eta }.check();
            assert!(matches!(refused, Err(BlmError::Eta { .. })));
        }
        assert_eq!(Growth::Threshold { phi: 1.0, eta: 0.0 }.check(), Ok(()));
    }
}
