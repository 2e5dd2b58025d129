//! [`Start`]: the schedule of the restarts of CMA-ES.
//!
//! A run ends when it has converged, and another one starts, by the schedule of BIPOP (Hansen,
//! GECCO 2009 workshop, doi 10.1145/1570256.1570333) or IPOP (Auger & Hansen, CEC 2005, doi 10.1109/CEC.2005.1554902). The
//! schedule is ours, since that of the `cmaes` crate gives no control between generations.

use bitloop_plant::Real;
use bitloop_random::Stream;
use bitloop_scenario::{CmaEs, CmaRestarts};

use crate::state::RestartState;

/// The most candidates in a generation after any number of doublings.
const MAX_POPULATION: usize = 100_000;

/// How a run begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Start {
    pub population: usize,
    pub sigma: f64,
    /// Of a small run of BIPOP.
    pub max_evaluations: Option<u64>,
}

impl Start {
    /// How the next run begins; draws two numbers from `stream` for a small run.
    pub fn of_run(
        settings: &CmaEs,
        n_weights: usize,
        state: &RestartState,
        stream: &mut Stream,
    ) -> Self {
        let first =
            settings.population.map_or_else(|| default_population(n_weights), |n| n as usize);
        let doubled = |n_times: u32| {
            let factor = 1_usize.checked_shl(n_times).unwrap_or(usize::MAX);
            first.saturating_mul(factor).min(MAX_POPULATION.max(first))
        };
        let is_small = settings.restarts == CmaRestarts::Bipop
            && state.n_large > 0
            && state.small_evaluations < state.large_evaluations;
        if is_small {
            let (u, v) = (stream.uniform_f64(), stream.uniform_f64());
            // lambda_s = lambda (lambda_l / (2 lambda))^(u^2), sigma_s = sigma 10^(-2 v).
            let ratio = 0.5 * doubled(state.n_large - 1) as f64 / first as f64;
            let factor = if ratio > 1.0 { Real::exp(u * u * Real::ln(ratio)) } else { 1.0 };
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "below MAX"
            )]
            let population = (first as f64 * factor) as usize;
            Self {
                population,
                sigma: settings.sigma * Real::exp(-2.0 * std::f64::consts::LN_10 * v),
                max_evaluations: Some(state.last_large_evaluations / 2),
            }
        } else {
            let n_times = if settings.restarts == CmaRestarts::None { 0 } else { state.n_large };
            Self { population: doubled(n_times), sigma: settings.sigma, max_evaluations: None }
        }
    }
}

impl RestartState {
    /// Records a run that has ended.
    pub(crate) fn record(&mut self, start: &Start, n_evaluations: u64) {
        if start.max_evaluations.is_some() {
            self.small_evaluations += n_evaluations;
        } else {
            self.n_large += 1;
            self.large_evaluations += n_evaluations;
            self.last_large_evaluations = n_evaluations;
        }
    }
}

/// 4 + floor(3 ln n).
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few dozens")]
fn default_population(n_weights: usize) -> usize {
    4 + (3.0 * Real::ln(n_weights as f64)) as usize
}

#[cfg(test)]
mod tests {
    use bitloop_random::Purpose;

    use super::*;

    fn settings(restarts: CmaRestarts) -> CmaEs {
        CmaEs { restarts, ..CmaEs::default() }
    }

    #[test]
    fn ipop_doubles_the_population() {
        let mut state = RestartState::default();
        let mut stream = Stream::new(1, Purpose::Baseline, 0, 0);
        let mut populations = Vec::new();
        for _ in 0..4 {
            let start = Start::of_run(&settings(CmaRestarts::Ipop), 31, &state, &mut stream);
            populations.push(start.population);
            state.record(&start, 1000);
        }
        // 4 + floor(3 ln 31) = 14.
        assert_eq!(populations, [14, 28, 56, 112]);
    }

    #[test]
    fn bipop_gives_both_regimes_about_the_same_evaluations() {
        let mut state = RestartState::default();
        let mut n_small = 0;
        for run in 0..40 {
            let mut stream = Stream::new(1, Purpose::Baseline, run, 0);
            let start = Start::of_run(&settings(CmaRestarts::Bipop), 31, &state, &mut stream);
            let limit = start.max_evaluations;
            assert!((14..=MAX_POPULATION).contains(&start.population));
            assert!(start.sigma <= 0.5 && start.sigma >= 0.005);
            n_small += u32::from(limit.is_some());
            // A large run takes a thousand generations, a small one all evaluations that it is allowed.
            state.record(&start, limit.unwrap_or(1000 * start.population as u64));
        }
        assert!(n_small > 20 && state.n_large > 5, "{n_small} small, {} large", state.n_large);
        assert!(state.small_evaluations < 2 * state.large_evaluations);
    }
}
