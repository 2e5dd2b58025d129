//! [`Draft`]: the numbers of a first scenario.

mod text;

use std::collections::BTreeMap;

use bitloop_lqr::LqrError;
use bitloop_plant::Description;
use bitloop_scenario::{FileError, PlantChoice, ScenarioFile, Simulation, Uncertainty};
use bitloop_sim::{Controller as _, Distribution};

use super::scales::{Affine, rounded, rounded_up};
use super::starts::Start;
use super::{TARGET_IN_LQR_ERRORS, TARGET_WHERE_STATES_ARE_HIDDEN};
use crate::lqr_sweep::{LqrSweep, LqrTrial};
use text::digits;

/// Queries that a linear law sees at most: where more of them determine the states, weights become many.
const MOST_QUERIES: usize = 10;
/// By how much the error without control is above that of LQR, at least, where there is something to be gained by control.
const LEAST_GAIN: f64 = 1.1;
/// Of the error of LQR, the share from which on what it costs to hold the default state matters.
const LEAST_REST: f64 = 1e-3;
/// What a target is above that cost, at least, as a share of it: there is something to be gained, and a few digits show it.
const LEAST_ABOVE_REST: f64 = 0.05;
/// Of the episodes of a target, those that a linear law may lose and be good enough.
const MOST_LOST: usize = 50;
/// Weights of the search are at most this.
const MAX_WEIGHT: f64 = 10.0;

/// What a scenario takes from a file beside its starts.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Given {
    /// What is fed back; all that the plant lets be observed if it is none.
    pub observations: Option<Vec<String>>,
    pub parameters: BTreeMap<String, Distribution>,
    pub simulation: Simulation,
    pub uncertainty: Uncertainty,
}

/// The numbers of a first scenario.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    plant: PlantChoice,
    name: String,
    summary: String,
    pub starts: Vec<Start>,
    /// What a file gives, and is no guess.
    given: Option<Given>,
    pub horizon_s: f64,
    pub scaling: Vec<Affine>,
    /// What the regulator that is best on many episodes came to on them, where it is of use.
    lqr: Option<LqrTrial>,
    /// What it costs to hold the default state, which is part of its error.
    rest_cost: f64,
    /// Why it is of none, in a few words.
    no_lqr: String,
    /// Where it sees states that are not observed: queries whose observations are as many as the states, and one more.
    window: Option<usize>,
    target: Option<f64>,
    /// Whether what is drawn moves the goal or the plant, which the regulator does not follow.
    does_goal_move: bool,
    /// Whether the target lies midway between the errors of LQR and of no control.
    is_midway: bool,
    /// The penalty on changes of the controls, where one is in force.
    rate: Option<f64>,
    /// The error of a controller whose outputs are 0.
    pub error_of_nothing: Option<f64>,
}

impl Draft {
    /// Nothing but the plant.
    pub fn of(plant: &PlantChoice) -> Self {
        Self {
            plant: plant.clone(),
            name: plant.text().to_owned(),
            summary: String::new(),
            starts: Vec::new(),
            given: None,
            horizon_s: 1.0,
            scaling: Vec::new(),
            lqr: None,
            rest_cost: 0.0,
            window: None,
            no_lqr: String::new(),
            target: None,
            does_goal_move: false,
            is_midway: false,
            rate: None,
            error_of_nothing: None,
        }
    }

    /// Takes over the plant's own words.
    pub fn describe(&mut self, description: &Description) {
        self.name.clone_from(&description.name);
        self.summary.clone_from(&description.summary);
    }

    /// Takes over what a file gives.
    pub fn take(&mut self, given: Given) {
        self.given = Some(given);
    }

    /// Whether its starts are a guess.
    pub const fn is_guess(&self) -> bool {
        self.given.is_none()
    }

    /// The plant's own name.
    pub fn plant_name(&self) -> &str {
        &self.name
    }

    /// The draft as it would be read.
    pub fn file(&self) -> Result<ScenarioFile, FileError> {
        ScenarioFile::parse(&self.text(&self.plant), &format!("scenario for {}", self.plant))
    }

    /// Scales controls that have neither bounds nor a scale by the gains of the best regulator, in a loop that is scaled as the
    /// draft says. Answers whether there are any.
    pub fn scale_unbounded(&mut self, sweep: &LqrSweep) -> bool {
        let LqrSweep { closed_loop, lqr, .. } = sweep;
        let controls = &closed_loop.plant().description().controls;
        let interface = closed_loop.interface();
        let mut is_changed = false;
        let gains = lqr.controller.parameters().chunks(interface.inputs.len());
        for (output, gains) in interface.outputs.iter().zip(gains) {
            let control = &controls[output.index];
            let scale = 2.0 * largest(gains) / MAX_WEIGHT;
            let is_bounded = control.min.is_finite() && control.max.is_finite();
            if is_bounded || output.scale != 1.0 || !(scale > 1.0 && scale.is_finite()) {
                continue;
            }
            let center_is = self.scaling.iter().find(|affine| affine.signal == control.name);
            let center_is = center_is.and_then(|affine| affine.center_is);
            self.scaling.retain(|affine| affine.signal != control.name);
            self.scaling.push(Affine {
                signal: control.name.clone(),
                unit: control.unit.clone(),
                center: output.center,
                scale: rounded_up(scale),
                center_is,
                source: "the gains of linear feedback",
            });
            is_changed = true;
        }
        is_changed
    }

    /// Takes over a target from the regulator that is best on many episodes, in a loop that is scaled as the draft says.
    pub fn learn_from(&mut self, sweep: &LqrSweep) {
        self.forget_regulator();
        let best = sweep.best;
        let sizes = sweep.closed_loop.plant().sizes();
        let n_fed_back = self.n_fed_back(sizes.n_observations);
        let sees_states = sweep.closed_loop.feeds_back_states();
        let window = sees_states.then(|| window(sizes.n_states, n_fed_back));
        // What rounding leaves of a cost at rest is none.
        let rest_cost = Some(sweep.lqr.rest_cost).filter(|cost| *cost > LEAST_REST * best.error);
        let rest_cost = rest_cost.unwrap_or(0.0);
        let above_rest = target_in_lqr_errors(window) * (best.error - rest_cost);
        let target = rounded_target(rest_cost, above_rest);
        if !(best.error.is_finite() && best.error > 0.0) {
            self.no_lqr = format!("its error is {}", digits(best.error));
        } else if above_rest < LEAST_ABOVE_REST * rest_cost || target <= 0.0 {
            self.no_lqr = format!(
                "its error, {}, is not much above what it costs to hold the default state, {}",
                digits(best.error),
                digits(rest_cost)
            );
        } else {
            (self.lqr, self.target, self.window) = (Some(best), Some(target), window);
            self.rest_cost = rest_cost;
        }
    }

    fn forget_regulator(&mut self) {
        (self.lqr, self.target, self.window) = (None, None, None);
        (self.rest_cost, self.does_goal_move) = (0.0, false);
    }

    /// Takes over that the best regulator fails in most training episodes.
    pub fn learn_that_it_fails(&mut self, n_failed: usize, n_episodes: usize) {
        self.forget_regulator();
        self.no_lqr = format!("it fails in {n_failed} of {n_episodes} episodes");
    }

    /// How many of the plant's observations are fed back.
    fn n_fed_back(&self, n_observations: usize) -> usize {
        let named = self.given.as_ref().and_then(|given| given.observations.as_ref());
        named.map_or(n_observations, Vec::len)
    }

    /// Takes over the error without control. A target is below it: midway between it and that of the regulator, where the usual one
    /// is not. Where the regulator is hardly better, there is none.
    pub fn learn_without_control(&mut self, error: f64) {
        self.error_of_nothing = Some(error);
        let (Some(target), Some(best)) = (self.target, self.lqr) else {
            // One that was for a target which the error with it does not give.
            self.rate = None;
            return;
        };
        if error > target {
            return;
        }
        let above_rest = |error: f64| error - self.rest_cost;
        if above_rest(error) > LEAST_GAIN * above_rest(best.error) {
            let midway = 0.5 * (above_rest(best.error) + above_rest(error));
            self.target = Some(rounded_target(self.rest_cost, midway));
            self.is_midway = true;
        } else {
            self.no_lqr = format!("its error, {}, is hardly below that", digits(best.error));
            self.forget_regulator();
            self.rate = None;
        }
    }

    /// Takes over that what is drawn moves the goal or the plant: the regulator's error is no measure then, though its law is one to begin with.
    pub fn learn_that_the_goal_moves(&mut self) {
        if self.lqr.is_some() {
            (self.does_goal_move, self.target, self.rate) = (true, None, None);
        }
    }

    /// Takes over why there is no regulator.
    pub fn learn_that_there_is_none(&mut self, reason: &LqrError) {
        self.no_lqr = reason.in_short();
    }

    /// Whether linear feedback will do.
    fn is_linear(&self) -> bool {
        self.lqr.is_some_and(|best| best.n_failed <= MOST_LOST)
    }

    /// Puts a penalty on changes of the controls in force, if there is a target: a control that switches between its ends at
    /// each query costs a quarter of the target where all states are observed, and so misses it. Answers whether there is one.
    pub fn penalize_changes(&mut self) -> bool {
        if self.does_goal_move {
            return false;
        }
        let above_rest = self.lqr.map(|best| best.error - self.rest_cost);
        let error = above_rest.map(|error| rounded_target(0.0, TARGET_IN_LQR_ERRORS * error));
        self.rate = error.and_then(rate_penalty);
        self.rate.is_some()
    }
}

/// Queries that have as many observations as there are states, and one more.
fn window(n_states: usize, n_fed_back: usize) -> usize {
    (1 + n_states.div_ceil(n_fed_back.max(1))).min(MOST_QUERIES)
}

/// The error to be reached, in errors of the best regulator.
const fn target_in_lqr_errors(window: Option<usize>) -> f64 {
    if window.is_some() { TARGET_WHERE_STATES_ARE_HIDDEN } else { TARGET_IN_LQR_ERRORS }
}

/// A target so far above what it costs to hold the default state, with two digits, or a third one that tells it from that cost.
fn rounded_target(rest_cost: f64, above_rest: f64) -> f64 {
    let target = rest_cost + above_rest;
    let text = if rest_cost > 0.0 { format!("{target:.2e}") } else { format!("{target:.1e}") };
    text.parse().unwrap_or(0.0)
}

/// The largest size of some gains.
fn largest(gains: &[f64]) -> f64 {
    gains.iter().fold(0.0, |largest, gain| gain.abs().max(largest))
}

/// A penalty on changes of the controls by which a control that switches between its ends at each query costs about `error`.
/// Scaled controls are mostly from -1 to 1, and the penalty is on the square of their change.
fn rate_penalty(error: f64) -> Option<f64> {
    Some(rounded(0.25 * error)).filter(|rate| *rate > 0.0 && rate.is_finite())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_window_has_more_observations_than_states_and_few_queries() {
        for (n_states, n_fed_back, queries) in [
            (2, 1, 3),
            (4, 2, 3),
            (6, 3, 3),
            (3, 2, 3),
            (4, 1, 5),
            (5, 6, 2),
            (256, 1, 10),
            (2, 0, 3),
        ] {
            assert_eq!(window(n_states, n_fed_back), queries, "{n_states} of {n_fed_back}");
        }
    }
}
