//! [`Samples`]: examples laid out in lanes.

use bitloop_plant::{LANE_UNIT, LaneMatrix};

use super::error::DeltaError;

/// Lanes are padded to a multiple of this many, a pair of the longest vectors.
pub(super) const SAMPLE_UNIT: usize = 2 * LANE_UNIT;

/// Examples with their targets, variable by variable, a lane per sample; perhaps with weights, by which some count for more.
#[derive(Debug, Clone)]
pub struct Samples {
    count: usize,
    inputs: LaneMatrix,
    targets: LaneMatrix,
    /// `[n_lanes]`, 0 in padding; none where all samples count alike.
    weights: Option<Vec<f64>>,
    total_weight: f64,
}

impl Samples {
    /// Lays out `inputs[i][k]`, input i of sample k, and `targets[j][k]`, target j of sample k.
    ///
    /// # Errors
    /// Nothing to lay out, variables of unequal length, or a number that is not finite.
    pub fn new(inputs: &[Vec<f64>], targets: &[Vec<f64>]) -> Result<Self, DeltaError> {
        let n_samples = inputs.first().ok_or(DeltaError::Empty("input"))?.len();
        if n_samples == 0 {
            return Err(DeltaError::Empty("sample"));
        }
        if targets.is_empty() {
            return Err(DeltaError::Empty("target"));
        }
        Ok(Self {
            count: n_samples,
            inputs: lanes(inputs, "input", n_samples)?,
            targets: lanes(targets, "target", n_samples)?,
            weights: None,
            total_weight: n_samples as f64,
        })
    }

    /// The same samples, the loss of sample k counting `weights[k]` times.
    ///
    /// # Errors
    /// Another number of weights than samples, a weight that is negative or not finite, or weights that sum to nothing.
    pub fn weighted(mut self, weights: &[f64]) -> Result<Self, DeltaError> {
        if weights.len() != self.count {
            let (expected, found) = (self.count, weights.len());
            return Err(DeltaError::Ragged { kind: "weight", index: 0, expected, found });
        }
        let total_weight: f64 = weights.iter().sum();
        if weights.iter().any(|weight| *weight < 0.0)
            || !(total_weight.is_finite() && total_weight > 0.0)
        {
            return Err(DeltaError::SampleWeights { found: total_weight });
        }
        let mut lanes = weights.to_vec();
        lanes.resize(self.inputs.n_lanes(), 0.0);
        self.weights = Some(lanes);
        self.total_weight = total_weight;
        Ok(self)
    }

    /// How often each sample counts: `[n_lanes]`; none where all count alike.
    #[must_use]
    pub fn weights(&self) -> Option<&[f64]> {
        self.weights.as_deref()
    }

    /// The sum of the weights: the number of samples where all count alike.
    #[must_use]
    pub const fn total_weight(&self) -> f64 {
        self.total_weight
    }

    /// How many samples there are; lanes from here on are padding.
    #[must_use]
    pub const fn n_samples(&self) -> usize {
        self.count
    }

    /// The inputs: `[n_inputs][n_lanes]`.
    #[must_use]
    pub const fn inputs(&self) -> &LaneMatrix {
        &self.inputs
    }

    /// The targets: `[n_targets][n_lanes]`.
    #[must_use]
    pub const fn targets(&self) -> &LaneMatrix {
        &self.targets
    }
}

fn lanes(
    variables: &[Vec<f64>],
    kind: &'static str,
    n_samples: usize,
) -> Result<LaneMatrix, DeltaError> {
    let mut lanes = LaneMatrix::zeros(variables.len(), n_samples.next_multiple_of(SAMPLE_UNIT));
    for (index, variable) in variables.iter().enumerate() {
        if variable.len() != n_samples {
            let found = variable.len();
            return Err(DeltaError::Ragged { kind, index, expected: n_samples, found });
        }
        if let Some(sample) = variable.iter().position(|number| !number.is_finite()) {
            let found = variable[sample];
            return Err(DeltaError::NotFinite { kind, index, sample, found });
        }
        lanes.row_mut(index)[..n_samples].copy_from_slice(variable);
    }
    Ok(lanes)
}
