//! [`Cutoff`]: when to give up a training and start another one.

use super::facts::TrainingFacts;

/// The evaluation count at which giving up a training and starting another one costs least.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cutoff {
    /// Evaluations after which to start anew.
    pub evaluations: u64,
    /// Expected evaluations to a success with it.
    pub expected_evaluations: f64,
}

/// The cut-off that makes independent restarts cheapest, in evaluations.
///
/// With trainings cut off at c, those are successes that had found a success at c or before, and each training costs c or what
/// it took, so that `E(c) = sum_i min(n_i, c) / #{i: t_i <= c}`, for c without bound the plain cost of all trainings over
/// successes. As a function of c, E falls only where a success comes in, so the `t_i` are all that must be tried; ties go to
/// the smaller c. Like any minimum over a sample it is optimistic: with few successes, take it as a hint.
#[must_use]
pub fn best_cutoff(trainings: &[TrainingFacts]) -> Option<Cutoff> {
    let mut times: Vec<u64> = trainings.iter().filter_map(|training| training.success_at).collect();
    times.sort_unstable();
    times.dedup();
    let mut best: Option<Cutoff> = None;
    for evaluations in times {
        let cost: u64 =
            trainings.iter().map(|training| training.evaluations.min(evaluations)).sum();
        let successes = trainings.iter().filter_map(|training| training.success_at);
        let n_successes = successes.filter(|&at| at <= evaluations).count();
        let expected_evaluations = cost as f64 / n_successes as f64;
        if best.is_none_or(|best| expected_evaluations < best.expected_evaluations) {
            best = Some(Cutoff { evaluations, expected_evaluations });
        }
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::statistics::facts::tests::facts;

    #[test]
    fn the_cutoff_weighs_what_stuck_runs_cost_against_late_successes() {
        // E(10) = 40/1; E(30) = (10 + 30 + 30 + 30)/2 = 50; E(90) = (10 + 30 + 90 + 90)/3 = 73.3.
        let trainings = [
            facts(0.01, Some(10), 10),
            facts(0.01, Some(30), 30),
            facts(0.01, Some(90), 100),
            facts(1.2, None, 1000),
        ];
        let cutoff = best_cutoff(&trainings).unwrap();
        assert_eq!(cutoff, Cutoff { evaluations: 10, expected_evaluations: 40.0 });
        // A training that continues after its success is paid for up to the cut-off: E(10) = 20, E(20) = 40/2.
        let trainings = [facts(0.01, Some(10), 50), facts(0.01, Some(20), 50)];
        assert_eq!(best_cutoff(&trainings).unwrap().evaluations, 10);
        // Stuck trainings that end early by themselves need no cut-off: E(80) = 162/1, E(90) = 182/2.
        let trainings = [facts(1.2, None, 1), facts(1.2, None, 1), facts(0.01, Some(80), 90), {
            facts(0.01, Some(90), 90)
        }];
        let cutoff = best_cutoff(&trainings).unwrap();
        assert_eq!(cutoff, Cutoff { evaluations: 90, expected_evaluations: 91.0 });
        assert_eq!(best_cutoff(&[facts(1.2, None, 5)]), None);
    }
}
