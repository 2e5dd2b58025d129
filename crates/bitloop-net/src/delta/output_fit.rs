//! [`OutputFit`]: scale and offset of each output, solved for by least squares.
//!
//! Short weights can make a sum of the right shape, and rarely one of the right size. So the size is left to two real numbers
//! for each output, which follow from the weights and the samples: the search needs no bits for them.

use bitloop_plant::{Isa, LaneMatrix};

use super::error::DeltaError;
use super::evaluation::check_shape;
use super::report::{CHUNK, answer};
use super::samples::Samples;
use crate::shape::Network;

/// What an output is multiplied by, and what is added then.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct OutputFit {
    /// The factor.
    pub scale: f64,
    /// What is added.
    pub offset: f64,
}

/// Sums over samples of an output z and its target t, in the order of samples: what least squares needs.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Moments {
    pub n: f64,
    pub z: f64,
    pub zz: f64,
    pub zt: f64,
    pub t: f64,
    pub tt: f64,
}

impl Moments {
    /// How many of them change with the weights.
    pub const N_OF_OUTPUT: usize = 3;

    /// Sums about the mean of z: of (z - mean)^2, and of (z - mean) t.
    #[inline(always)]
    fn about_mean(self) -> (f64, f64) {
        let z_mean = self.z / self.n;
        (self.zz - self.z * z_mean, self.zt - self.t * z_mean)
    }

    /// The sum of the squared errors of the best scale and offset; 0 or more, and less than it for fewer samples but for rounding.
    #[inline(always)]
    pub fn residual(self) -> f64 {
        let Self { n, zz, t, tt, .. } = self;
        let all = tt - t * (t / n);
        let (spread, product) = self.about_mean();
        let explained = if is_constant(spread, zz) { 0.0 } else { product * product / spread };
        (all - explained).max(0.0)
    }

    /// Whether the differences of the sums are far from their rounding.
    #[inline(always)]
    pub fn is_well_spread(self) -> bool {
        const SHARE: f64 = 1e-2;
        self.about_mean().0 > SHARE * self.zz
    }

    fn fit(self) -> OutputFit {
        let Self { n, z, zz, t, .. } = self;
        let (spread, product) = self.about_mean();
        let scale = if is_constant(spread, zz) { 0.0 } else { product / spread };
        OutputFit { scale, offset: (t - scale * z) / n }
    }
}

/// Whether a sum of squares about the mean is nothing but the rounding of the sum of squares.
#[inline(always)]
fn is_constant(spread: f64, squares: f64) -> bool {
    const ROUNDING: f64 = 1e-12;
    spread <= ROUNDING * squares
}

/// Scale and offset of each output of a network, by least squares over samples.
///
/// # Errors
/// A network that does not fit the samples, or that has a memory.
///
/// # Panics
/// If `weights` are those of another network.
pub fn fit_outputs(
    isa: Isa,
    network: &Network,
    weights: &[f64],
    samples: &Samples,
) -> Result<Vec<OutputFit>, DeltaError> {
    check_shape(network, samples)?;
    let mut moments = vec![Moments::default(); network.n_outputs()];
    let mut lanes = network.signals(CHUNK.min(samples.inputs().n_lanes()));
    for start in (0..samples.n_samples()).step_by(CHUNK) {
        let n = CHUNK.min(samples.n_samples() - start);
        answer(isa, network, weights, samples, start..start + n, &mut lanes);
        for (output, sums) in moments.iter_mut().enumerate() {
            let targets = &samples.targets().row(output)[start..];
            for (&z, &t) in lanes.output.row(output)[..n].iter().zip(targets) {
                sums.n += 1.0;
                sums.z += z;
                sums.zz += z * z;
                sums.zt += z * t;
                sums.t += t;
                sums.tt += t * t;
            }
        }
    }
    Ok(moments.into_iter().map(Moments::fit).collect())
}

/// Applies fits to outputs, in some lanes; no fits leave them as they are.
pub fn apply_fits(fits: &[OutputFit], outputs: &mut LaneMatrix, n_lanes: usize) {
    for (row, fit) in fits.iter().enumerate() {
        for output in &mut outputs.row_mut(row)[..n_lanes] {
            *output = fit.scale * *output + fit.offset;
        }
    }
}
