//! How well a network fits samples, in the figures that people compare.

use bitloop_plant::{Isa, LaneMatrix};

use super::error::DeltaError;
use super::evaluation::check_shape;
use super::samples::Samples;
use crate::shape::Network;
use crate::signals::SignalLanes;

/// Lanes answered at once: the buffers of a network of a few hundred neurons then stay in a core's cache.
const CHUNK: usize = 256;

/// How well a network fits samples.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct FitReport {
    /// `sqrt(sum (o - t)^2 / (n_samples n_outputs))`, over all samples and outputs.
    pub rmse: f64,
    /// The share of samples whose class is right; `None` where targets are not classes.
    ///
    /// With several outputs the class is that of the largest output (ties to the first), and targets are classes if one
    /// target of each sample is above all its others. With one output the class is which side of the middle between the
    /// two values of the target it lies on (the middle itself counts as the upper class).
    pub classified: Option<f64>,
}

/// Evaluates a network on samples by its own forward pass.
///
/// # Errors
/// A network that does not fit the samples, or that has a memory.
///
/// # Panics
/// If `weights` are those of another network.
pub fn report(
    isa: Isa,
    network: &Network,
    weights: &[f64],
    samples: &Samples,
) -> Result<FitReport, DeltaError> {
    check_shape(network, samples)?;
    let (mut square_sum, mut n_right) = (0.0, 0_usize);
    let classes = classes(samples);
    let mut lanes = network.signals(CHUNK.min(samples.inputs().n_lanes()));
    for start in (0..samples.n_samples()).step_by(CHUNK) {
        let n = CHUNK.min(samples.n_samples() - start);
        answer(isa, network, weights, samples, start..start + n, &mut lanes);
        for lane in 0..n {
            for output in 0..network.n_outputs() {
                let target = samples.targets().row(output)[start + lane];
                let error = lanes.output.row(output)[lane] - target;
                square_sum += error * error;
            }
            n_right += usize::from(classes.is_some_and(|classes| {
                classes.class(&lanes.output, lane) == classes.class(samples.targets(), start + lane)
            }));
        }
    }
    let n_samples = samples.n_samples() as f64;
    Ok(FitReport {
        rmse: (square_sum / (n_samples * network.n_outputs() as f64)).sqrt(),
        classified: classes.map(|_| n_right as f64 / n_samples),
    })
}

fn answer(
    isa: Isa,
    network: &Network,
    weights: &[f64],
    samples: &Samples,
    range: std::ops::Range<usize>,
    lanes: &mut SignalLanes,
) {
    for row in 0..network.n_inputs() {
        lanes.input.row_mut(row)[..range.len()]
            .copy_from_slice(&samples.inputs().row(row)[range.clone()]);
    }
    network.forward(isa, weights, range.len(), lanes);
}

/// How an output, or a target, stands for a class.
#[derive(Debug, Clone, Copy)]
enum Classes {
    /// The largest of several.
    Largest,
    /// One number, at or above this.
    Above(f64),
}

impl Classes {
    fn class(self, values: &LaneMatrix, lane: usize) -> usize {
        match self {
            Self::Above(middle) => usize::from(values.row(0)[lane] >= middle),
            Self::Largest => (1..values.n_rows()).fold(0, |largest, row| {
                if values.row(row)[lane] > values.row(largest)[lane] { row } else { largest }
            }),
        }
    }
}

/// What classes the targets are, if they are.
fn classes(samples: &Samples) -> Option<Classes> {
    let targets = samples.targets();
    if targets.n_rows() == 1 {
        let row = &targets.row(0)[..samples.n_samples()];
        let low = row.iter().copied().fold(f64::INFINITY, f64::min);
        let high = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let are_two = low < high && row.iter().all(|&t| t == low || t == high);
        return are_two.then_some(Classes::Above(0.5 * (low + high)));
    }
    let have_largest = (0..samples.n_samples()).all(|sample| {
        let largest = Classes::Largest.class(targets, sample);
        (0..targets.n_rows())
            .all(|row| row == largest || targets.row(row)[sample] < targets.row(largest)[sample])
    });
    have_largest.then_some(Classes::Largest)
}
