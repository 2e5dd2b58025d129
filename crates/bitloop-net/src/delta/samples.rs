//! [`Samples`]: examples laid out in lanes.

use bitloop_plant::{LANE_UNIT, LaneMatrix};

use super::error::DeltaError;

/// Lanes are padded to a multiple of this many, a pair of the longest vectors.
pub(super) const SAMPLE_UNIT: usize = 2 * LANE_UNIT;

/// Examples with their targets, variable by variable, a lane per sample.
#[derive(Debug, Clone)]
pub struct Samples {
    count: usize,
    inputs: LaneMatrix,
    targets: LaneMatrix,
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
        })
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
