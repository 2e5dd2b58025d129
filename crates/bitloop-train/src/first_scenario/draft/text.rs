//! The text of a [`Draft`], and what it assumes in words.

use std::fmt::Write as _;

use bitloop_scenario::{PlantChoice, Simulation, Uncertainty, number};
use bitloop_sim::Distribution;

use super::{Draft, Given, rate_penalty, target_in_lqr_errors};
use crate::first_scenario::N_EPISODES_OF_TARGET;
use crate::first_scenario::scales::Affine;
use crate::first_scenario::starts::Start;

/// Evaluations of a training with a target, which mostly takes fewer.
const MOST_EVALUATIONS: u64 = 200_000;
/// Evaluations for which the run goes on once the target is reached.
const REFINE: u64 = 2000;
/// Evaluations of a training without one, all of which it takes.
const EVALUATIONS: u64 = 20_000;
/// Episodes of a confirmation, and their length in those of the training: a start in 300 that fails shows in 29 of 30 trainings.
const CONFIRMATION: (u32, f64) = (1000, 2.0);
/// The same where states are not observed: laws of a few queries are less damped, and what swings up slowly shows later. They are
/// as long as those of the test.
const CONFIRMATION_WHERE_STATES_ARE_HIDDEN: (u32, f64) = (200, 10.0);

impl Draft {
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
             // episodes, where rare failures show. The test is ten times as long.\n    \
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
            Some(best) => {
                let failed = match best.n_failed {
                    0 => String::new(),
                    n => format!(", of which {n} fail"),
                };
                let sight = if self.window.is_some() { ", which sees all states," } else { "" };
                let lqr = format!(
                    "the error of LQR{sight} on {N_EPISODES_OF_TARGET} such episodes{failed}, {}",
                    digits(best.error)
                );
                if self.does_goal_move {
                    format!(
                        "No target is known: what is drawn moves the goal, or what holds the plant, and LQR does not follow, so \
                         that {lqr}, is no measure{nothing}."
                    )
                } else if let Some(error) = self.error_of_nothing.filter(|_| self.is_midway) {
                    let error = digits(error);
                    format!(
                        "The target is midway between {lqr}, and that without control, {error}."
                    )
                } else {
                    let times = target_in_lqr_errors(self.window);
                    let above = if self.rest_cost > 0.0 {
                        let rest_cost = digits(self.rest_cost);
                        format!(", above the {rest_cost} that it costs to hold the default state")
                    } else {
                        String::new()
                    };
                    format!("The target is {times} times {lqr}{above}{nothing}.")
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
pub(super) fn digits(value: f64) -> String {
    format!("{value:.2e}").parse::<f64>().map_or_else(|_| value.to_string(), short)
}

/// With an exponent where zeros would have to be counted.
fn short(value: f64) -> String {
    if (1e-3..1e6).contains(&value) { number(value) } else { format!("{value:e}") }
}
