//! [`Weights`]: the weights of a network, as codes on a grid or as real numbers.

use bitloop_blm::WeightGrid;

use crate::state::Candidate;

/// Weights of a network.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Codes on a grid.
    Codes {
        /// The grid.
        grid: WeightGrid,
        /// `[n_weights]`.
        codes: Vec<i32>,
    },
    /// Real numbers: `[n_weights]`.
    Real(Vec<f64>),
}

impl Weights {
    /// The weights of a candidate, of a trainer with that grid.
    #[must_use]
    pub fn of(candidate: &Candidate, grid: Option<WeightGrid>) -> Self {
        match grid {
            Some(grid) => Self::Codes { grid, codes: candidate.codes.clone() },
            None => Self::Real(candidate.weights.clone()),
        }
    }

    /// The numbers: `[n_weights]`.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        match self {
            Self::Codes { grid, codes } => codes.iter().map(|&code| grid.weight(code)).collect(),
            Self::Real(weights) => weights.clone(),
        }
    }

    /// Whether they are those of a candidate.
    pub(crate) fn are_of(&self, candidate: &Candidate) -> bool {
        match self {
            Self::Codes { codes, .. } => *codes == candidate.codes,
            Self::Real(weights) => *weights == candidate.weights,
        }
    }

    /// Share of them that is zero.
    #[must_use]
    pub fn zero_share(&self) -> f64 {
        let weights = self.values();
        let n_zeros = weights.iter().filter(|&&weight| weight == 0.0).count();
        n_zeros as f64 / weights.len() as f64
    }
}
