//! [`Measure`]: which sums over blocks of samples the cost is made of.

use std::ops::Range;

use bitloop_plant::Real;

use super::loss_sum::{BLOCK, block_sum};
use super::output_fit::Moments;
use super::place::Place;
use super::reach::ChunkRows;
use super::samples::Samples;

/// What the cost is made of.
#[derive(Debug, Clone, Copy)]
pub(super) enum Measure<'a> {
    /// The loss of each block.
    Losses,
    /// For each block and output, sums for least squares; those of the targets are known.
    Fitted(&'a TargetSums),
}

/// Of each block and output, the sums of the targets and of their squares: `[n_blocks][n_outputs]`.
#[derive(Debug)]
pub(super) struct TargetSums(Vec<[f64; 2]>);

impl TargetSums {
    pub fn of(samples: &Samples) -> Self {
        let targets = samples.targets();
        let n_samples = samples.n_samples();
        let blocks = (0..n_samples).step_by(BLOCK).flat_map(|start| {
            (0..targets.n_rows()).map(move |output| {
                let of_block = &targets.row(output)[start..n_samples.min(start + BLOCK)];
                of_block
                    .iter()
                    .fold([0.0, 0.0], |[t, tt], target| [t + target, tt + target * target])
            })
        });
        Self(blocks.collect())
    }
}

/// What some blocks come to.
#[derive(Debug)]
pub(super) struct Partial {
    losses: f64,
    /// Of each output, where outputs are fitted.
    moments: Vec<Moments>,
}

impl Partial {
    /// For a network with so many outputs.
    pub fn new(measure: Measure<'_>, n_outputs: usize) -> Self {
        let n_fitted = match measure {
            Measure::Losses => 0,
            Measure::Fitted(_) => n_outputs,
        };
        Self { losses: 0.0, moments: vec![Moments::default(); n_fitted] }
    }

    pub fn clear(&mut self) {
        self.losses = 0.0;
        self.moments.fill(Moments::default());
    }

    /// No more than what all blocks come to: losses and squared errors are not negative, and the best fit of all is no better for
    /// some than their own best.
    #[inline(always)]
    pub fn lower_bound(&self, measure: Measure<'_>) -> f64 {
        // More than the rounding of the differences of well spread sums, over up to 100000 blocks.
        const MARGIN: f64 = 1e-9;
        match measure {
            Measure::Losses => self.losses,
            Measure::Fitted(_) => {
                // Of a part in which an output hardly varies, it may hardly matter how it varies in all.
                let known = self.moments.iter().filter(|sums| sums.is_well_spread());
                known.map(|sums| sums.residual() - MARGIN * sums.tt).sum()
            }
        }
    }
}

impl Measure<'_> {
    /// Numbers of each block.
    #[inline(always)]
    pub fn n_sums(self, n_outputs: usize) -> usize {
        match self {
            Self::Losses => 1,
            Self::Fitted(_) => Moments::N_OF_OUTPUT * n_outputs,
        }
    }

    /// Notes the sums of the blocks of a chunk, and adds them to `partial`.
    #[inline(always)]
    pub fn sum_blocks<R: Real>(
        self,
        output: &Place,
        samples: &Samples,
        blocks: &Range<usize>,
        rows: &mut ChunkRows,
        block_sums: &mut [f64],
        partial: &mut Partial,
    ) {
        let n_valid = |block: usize| (samples.n_samples() - block * BLOCK).min(BLOCK);
        match self {
            Self::Losses => {
                for (block, losses) in blocks.clone().zip(rows.losses.as_chunks_mut().0) {
                    let loss = block_sum::<R>(losses, n_valid(block));
                    block_sums[block] = loss;
                    partial.losses += loss;
                }
            }
            Self::Fitted(known) => {
                let n_outputs = output.n_neurons;
                let n_sums = self.n_sums(n_outputs);
                for (index, block) in blocks.clone().enumerate() {
                    let n = n_valid(block);
                    for j in 0..n_outputs {
                        let values = &rows.neurons.outputs.row(output.first_row + j);
                        let values = &values[index * BLOCK..][..n];
                        let targets = &samples.targets().row(j)[block * BLOCK..][..n];
                        let sums = moments_of_block::<R>(values, targets);
                        block_sums[block * n_sums + j * Moments::N_OF_OUTPUT..]
                            [..Moments::N_OF_OUTPUT]
                            .copy_from_slice(&sums);
                        let of_targets = known.0[block * n_outputs + j];
                        add(&mut partial.moments[j], n as f64, sums, of_targets);
                    }
                }
            }
        }
    }

    /// The undivided loss of all blocks, whose sums are added in the order of blocks.
    #[inline(always)]
    pub fn total(self, n_samples: usize, block_sums: &[f64], n_outputs: usize) -> f64 {
        match self {
            Self::Losses => block_sums.iter().fold(0.0, |sum, loss| sum + loss),
            Self::Fitted(known) => {
                let n_sums = self.n_sums(n_outputs);
                let of_output = |j: usize| {
                    let mut all = Moments::default();
                    for (block, sums) in block_sums.chunks_exact(n_sums).enumerate() {
                        let n = (n_samples - block * BLOCK).min(BLOCK);
                        let sums = &sums[j * Moments::N_OF_OUTPUT..];
                        let own = [sums[0], sums[1], sums[2]];
                        add(&mut all, n as f64, own, known.0[block * n_outputs + j]);
                    }
                    all.residual()
                };
                (0..n_outputs).map(of_output).sum()
            }
        }
    }
}

#[inline(always)]
fn add(all: &mut Moments, n: f64, [z, zz, zt]: [f64; 3], [t, tt]: [f64; 2]) {
    all.n += n;
    all.z += z;
    all.zz += zz;
    all.zt += zt;
    all.t += t;
    all.tt += tt;
}

/// The sums of z, z^2 and z t over the samples of a block.
#[inline(always)]
fn moments_of_block<R: Real>(values: &[f64], targets: &[f64]) -> [f64; 3] {
    let mut terms = [[0.0; BLOCK]; 3];
    for (lane, (&z, &t)) in values.iter().zip(targets).enumerate() {
        terms[0][lane] = z;
        terms[1][lane] = z * z;
        terms[2][lane] = z * t;
    }
    terms.map(|mut terms| block_sum::<R>(&mut terms, values.len()))
}
