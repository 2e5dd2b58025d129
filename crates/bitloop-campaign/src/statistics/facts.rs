//! [`TrainingFacts`]: the numbers of a training that statistics need.

/// The numbers of a training that statistics need.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingFacts {
    /// Its final error; NaN counts as infinite.
    pub error: f64,
    /// Whether it ended as a success, and the evaluation count from which on the candidate that it kept was one.
    pub success_at: Option<u64>,
    /// Evaluations it took.
    pub evaluations: u64,
    /// Integration steps it took; NaN if that is not known, as the next ones.
    pub plant_steps: f64,
    /// Seconds it took.
    pub wall_s: f64,
    /// Seconds times cores that it took.
    pub core_s: f64,
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    pub fn facts(error: f64, success_at: Option<u64>, evaluations: u64) -> TrainingFacts {
        TrainingFacts {
            error,
            success_at,
            evaluations,
            plant_steps: 10.0 * evaluations as f64,
            wall_s: 2.0,
            core_s: 4.0,
        }
    }
}
