//! [`Draft`]: the numbers of a first scenario, and their text.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use bitloop_lqr::LqrError;
use bitloop_plant::Description;
use bitloop_scenario::{FileError, PlantChoice, ScenarioFile, Simulation, Uncertainty, number};
use bitloop_sim::{Controller as _, Distribution};

use super::scales::{Affine, rounded, rounded_up};
use super::starts::Start;
use super::{TARGET_IN_LQR_ERRORS, TARGET_WHERE_STATES_ARE_HIDDEN};
use crate::lqr_sweep::{LqrSweep, LqrTrial};

/// Evaluations of a training with a target, which mostly takes fewer.
const MOST_EVALUATIONS: u64 = 200_000;
/// Evaluations for which the run goes on once the target is reached.
const REFINE: u64 = 2000;
/// Evaluations of a training without one, all of which it takes.
const EVALUATIONS: u64 = 20_000;
/// Episodes of a confirmation, and their length in those of the training: a start in 300 that fails shows in 29 of 30 trainings.
const CONFIRMATION: (u32, f64) = (1000, 2.0);
/// The same where states are not observed: laws of a few queries are less damped, and what swings up slowly shows later.
const CONFIRMATION_WHERE_STATES_ARE_HIDDEN: (u32, f64) = (500, 4.0);
/// Queries that a linear law sees at most: where more of them determine the states, weights become many.
const MOST_QUERIES: usize = 10;
/// By how much the error without control is above that of LQR, at least, where there is something to be gained by control.
const LEAST_GAIN: f64 = 1.1;
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
    /// What the best regulator came to, and the number of episodes, where it is of use.
    lqr: Option<(LqrTrial, usize)>,
    /// Where the regulator sees states that are not observed: queries whose observations are as many as the states, and one more.
    window: Option<usize>,
    /// Why it is of none, in a few words.
    no_lqr: String,
    target: Option<f64>,
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
            window: None,
            no_lqr: String::new(),
            target: None,
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

    /// Takes over a target from a regulator that keeps most of the episodes from failing, in a loop that is scaled as the draft
    /// says.
    pub fn learn_from(&mut self, sweep: &LqrSweep, n_episodes: usize) {
        let best = sweep.best;
        let sizes = sweep.closed_loop.plant().sizes();
        let n_fed_back = self.n_fed_back(sizes.n_observations);
        let sees_states = sweep.closed_loop.feeds_back_states();
        let window = sees_states.then(|| window(sizes.n_states, n_fed_back));
        let target = of_lqr_error(target_in_lqr_errors(window), best);
        if !sweep.is_of_use(n_episodes) {
            self.no_lqr = format!("it fails in {} of {n_episodes} episodes", best.n_failed);
            return;
        }
        if !(target > 0.0 && best.error.is_finite()) {
            self.no_lqr = format!("its error is {}", digits(best.error));
            return;
        }
        (self.lqr, self.target) = (Some((best, n_episodes)), Some(target));
        self.window = window;
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
        let (Some(target), Some((best, _))) = (self.target, self.lqr) else { return };
        if error > target {
            return;
        }
        if error > LEAST_GAIN * best.error {
            let midway = 0.5 * (best.error + error);
            self.target = format!("{midway:.1e}").parse().ok();
            self.is_midway = true;
        } else {
            self.no_lqr = format!("its error, {}, is hardly below that", digits(best.error));
            (self.lqr, self.target, self.rate, self.window) = (None, None, None, None);
        }
    }

    /// Takes over why there is no regulator.
    pub fn learn_that_there_is_none(&mut self, reason: &LqrError) {
        self.no_lqr = reason.in_short();
    }

    /// Whether linear feedback will do.
    fn is_linear(&self) -> bool {
        self.lqr.is_some_and(|(best, _)| best.n_failed == 0)
    }

    /// The text of the file.
    pub fn text(&self, plant: &PlantChoice) -> String {
        let plant = plant.written();
        let mut text = format!(
            "// {}: {}\n\
             //\n\
             // `bitloop train FILE` trains a controller in it, `bitloop scenario check FILE` explains it, and\n\
             // `bitloop scenario fields` all that can be written here.\n\
             Scenario(\n    plant: {plant},\n\n",
            one_line(&self.name),
            one_line(&self.summary),
        );
        self.push_given(&mut text);
        self.push_starts(&mut text);
        self.push_scaling(&mut text);
        self.push_controller(&mut text);
        let (n_confirmations, length) =
            if self.window.is_some() { CONFIRMATION_WHERE_STATES_ARE_HIDDEN } else { CONFIRMATION };
        let _ = write!(
            text,
            "    // The error is the mean of the plant's cost over time and episodes. A target is confirmed on many\n    \
             // episodes, so that no start in a hundred fails. The test is ten times as long.\n    \
             episodes: (training: (count: 50, horizon_s: {}), confirmation: (count: {n_confirmations}, horizon_s: {})),\n\n",
            number(self.horizon_s),
            number(length * self.horizon_s)
        );
        self.push_rate(&mut text);
        text.push_str("    training: TelescopicBlm(),\n\n");
        self.push_stop(&mut text);
        text.push_str(
            "    // The same seed gives the same controller, bit for bit.\n    seed: 1,\n)\n",
        );
        text
    }

    fn push_controller(&self, text: &mut String) {
        let _ = match (self.window, self.is_linear()) {
            (Some(window), true) => write!(
                text,
                "    // Not all states are observed: a linear law of the last {window} queries, which show how they change. Where that does\n    \
                 // not do: TappedDelay(window: {window}, hidden: [5], direct: true), or Recurrent(hidden: [5]), which remembers.\n    \
                 controller: TappedDelay(window: {window}, hidden: []),\n\n"
            ),
            (Some(window), false) => write!(
                text,
                "    // Not all states are observed: a layer of 5 hidden units that see the last {window} queries, which show how they\n    \
                 // change. Recurrent(hidden: [5]) remembers longer.\n    \
                 controller: TappedDelay(window: {window}, hidden: [5]),\n\n"
            ),
            (None, true) => write!(
                text,
                "    // Where linear feedback does not do: FeedForward(hidden: [5], direct: true), which bends it.\n    \
                 controller: Linear,\n\n"
            ),
            (None, false) => write!(
                text,
                "    // A layer of 5 hidden units. Where something is not observed, TappedDelay(window: 3, hidden: [5]) sees the last\n    \
                 // queries too, and Recurrent(hidden: [5]) remembers.\n    \
                 controller: FeedForward(hidden: [5]),\n\n"
            ),
        };
    }

    fn push_rate(&self, text: &mut String) {
        if let Some(rate) = self.rate {
            let _ = write!(
                text,
                "    // A cost on changes of the controls: those that switch to and fro miss the target.\n    \
                 penalties: (rate: {}),\n\n",
                short(rate)
            );
        } else if let Some(rate) =
            self.error_of_nothing.and_then(|error| rate_penalty(0.01 * error))
        {
            let _ = writeln!(
                text,
                "    // Where the controls switch to and fro, a cost on their changes helps: penalties: (rate: {}),\n",
                short(rate)
            );
        }
    }

    /// Puts a penalty on changes of the controls in force, if there is a target: a control that switches between its ends at
    /// each query costs a quarter of the target where all states are observed, and so misses it. Answers whether there is one.
    pub fn penalize_changes(&mut self) -> bool {
        let error = self.lqr.map(|(best, _)| of_lqr_error(TARGET_IN_LQR_ERRORS, best));
        self.rate = error.and_then(rate_penalty);
        self.rate.is_some()
    }

    fn push_given(&self, text: &mut String) {
        let Some(Given { observations, parameters, simulation, uncertainty }) = &self.given else {
            return;
        };
        if let Some(observations) = observations {
            let names: Vec<String> = observations.iter().map(|name| format!("{name:?}")).collect();
            let _ = write!(text, "    observations: [{}],\n\n", names.join(", "));
        }
        if !parameters.is_empty() {
            text.push_str("    parameters: {\n");
            for (name, drawn) in parameters {
                let _ = writeln!(text, "        {name:?}: {},", written(drawn));
            }
            text.push_str("    },\n\n");
        }
        let Simulation { integrator, step_s, sample_time_s } = simulation;
        let fields = [
            integrator.map(|integrator| format!("integrator: {integrator:?}")),
            step_s.map(|step_s| format!("step_s: {}", number(step_s))),
            sample_time_s.map(|sample_time_s| format!("sample_time_s: {}", number(sample_time_s))),
        ];
        let fields: Vec<String> = fields.into_iter().flatten().collect();
        if !fields.is_empty() {
            let _ = write!(text, "    simulation: ({}),\n\n", fields.join(", "));
        }
        if *uncertainty != Uncertainty::default() {
            let lines = uncertainty.written().replace('\n', "\n    ");
            let _ = write!(text, "    uncertainty: {lines},\n\n");
        }
    }

    fn push_starts(&self, text: &mut String) {
        text.push_str(if self.is_guess() {
            "    // Where episodes start, drawn for each. A guess: write what the controller must cope with.\n"
        } else {
            "    // Where episodes start, drawn for each.\n"
        });
        text.push_str(
            "    // After a change here, `bitloop scenario new PLANT --from THIS_FILE` finds scales and target anew.\n",
        );
        if self.starts.is_empty() {
            text.push_str("    initial: {},\n\n");
            return;
        }
        text.push_str("    initial: {\n");
        for Start { state, unit, drawn, .. } in &self.starts {
            let _ = writeln!(text, "        {state:?}: {},{}", written(drawn), comment(unit, ""));
        }
        text.push_str("    },\n\n");
    }

    fn push_scaling(&self, text: &mut String) {
        if self.scaling.is_empty() {
            return;
        }
        text.push_str(
            "    // A controller sees (value - center) / scale, and commands center + scale * output.\n    scaling: {\n",
        );
        for Affine { signal, unit, center, scale, center_is, source } in &self.scaling {
            let (center, scale) = (number(*center), number(*scale));
            let source = match center_is {
                None => format!("by {source}"),
                Some(center_is) if source.is_empty() => format!("the center {center_is}"),
                Some(center_is) => format!("the center {center_is}, the scale is by {source}"),
            };
            let _ = writeln!(
                text,
                "        {signal:?}: (center: {center}, scale: {scale}),{}",
                comment(unit, &source)
            );
        }
        text.push_str("    },\n\n");
    }

    fn push_stop(&self, text: &mut String) {
        if let Some(target) = self.target {
            let _ = write!(
                text,
                "    // {}\n    // Once that is reached, the run goes on for up to {REFINE} evaluations to lower the error further.\n    \
                 stop: (target: {}, refine: {REFINE}, evaluations: {MOST_EVALUATIONS}),\n\n",
                self.target_in_words(),
                short(target)
            );
        } else {
            let _ = write!(
                text,
                "    // {}\n    // `target: ERROR, refine: {REFINE}` ends the training at most so many evaluations after that is reached.\n    \
                 stop: (evaluations: {EVALUATIONS}),\n\n",
                self.target_in_words()
            );
        }
    }

    fn target_in_words(&self) -> String {
        let nothing = self
            .error_of_nothing
            .map_or(String::new(), |error| format!("; without control it is {}", digits(error)));
        match self.lqr {
            Some((best, n_episodes)) => {
                let failed = match best.n_failed {
                    0 => String::new(),
                    n => format!(", {n} of {n_episodes} episodes failed"),
                };
                let sight = if self.window.is_some() { ", which sees all states," } else { "" };
                let lqr = format!(
                    "the error of LQR{sight} on these episodes, {}{failed}",
                    digits(best.error)
                );
                if let Some(error) = self.error_of_nothing.filter(|_| self.is_midway) {
                    let error = digits(error);
                    format!(
                        "The target is midway between {lqr}, and that without control, {error}."
                    )
                } else {
                    let times = target_in_lqr_errors(self.window);
                    format!("The target is {times} times {lqr}{nothing}.")
                }
            }
            None => format!(
                "No target is known, since there is no LQR to compare with: {}{nothing}.",
                one_line(&self.no_lqr)
            ),
        }
    }

    /// What was assumed, a line each.
    pub fn assumed(&self) -> Vec<String> {
        let starts = self.starts.iter().map(|Start { state, drawn, .. }| match drawn {
            Distribution::Uniform { low, high } => {
                format!("{state} from {} to {}", number(*low), number(*high))
            }
            drawn => format!("{state} = {}", written(drawn)),
        });
        let starts: Vec<String> = starts.collect();
        let mut lines = vec![if starts.is_empty() {
            "episodes start at the plant's default state".to_owned()
        } else {
            format!("episodes start with {}", starts.join(", "))
        }];
        for Affine { signal, center, scale, center_is, source, .. } in &self.scaling {
            let (center, scale) = (number(*center), number(*scale));
            let center_is =
                center_is.map_or(String::new(), |center_is| format!(", which {center_is},"));
            let source = if source.is_empty() { String::new() } else { format!(", by {source}") };
            lines.push(format!(
                "{signal} is centered at {center}{center_is} and scaled by {scale}{source}"
            ));
        }
        lines.push(format!("episodes of {} s", number(self.horizon_s)));
        if let Some(rate) = self.rate {
            lines.push(format!("a penalty of {} on changes of the controls", short(rate)));
        }
        lines.push(self.target_in_words());
        lines
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

/// So many errors of a regulator, with two digits.
fn of_lqr_error(times: f64, best: LqrTrial) -> f64 {
    format!("{:.1e}", times * best.error).parse().unwrap_or(0.0)
}

/// The largest size of some gains.
fn largest(gains: &[f64]) -> f64 {
    gains.iter().fold(0.0, |largest, gain| gain.abs().max(largest))
}

/// A distribution as scenarios write it.
fn written(drawn: &Distribution) -> String {
    match drawn {
        Distribution::Fixed(value) => number(*value),
        Distribution::Uniform { low, high } => {
            format!("Uniform({}, {})", number(*low), number(*high))
        }
        Distribution::Normal { mean, standard_deviation } => {
            format!("Normal(mean: {}, sd: {})", number(*mean), number(*standard_deviation))
        }
    }
}

/// What a plant has written, as part of a comment: on one line.
fn one_line(text: &str) -> String {
    text.split(|c: char| c.is_control()).collect::<Vec<_>>().join(" ")
}

fn comment(unit: &str, source: &str) -> String {
    let parts: Vec<String> =
        [unit, source].iter().filter(|part| !part.is_empty()).map(|part| one_line(part)).collect();
    if parts.is_empty() { String::new() } else { format!("  // {}", parts.join(", ")) }
}

/// Three digits.
fn digits(value: f64) -> String {
    format!("{value:.2e}").parse::<f64>().map_or_else(|_| value.to_string(), short)
}

/// With an exponent where zeros would have to be counted.
fn short(value: f64) -> String {
    if (1e-3..1e6).contains(&value) { number(value) } else { format!("{value:e}") }
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
