//! [`Draft`]: the numbers of a first scenario, and their text.

use std::fmt::Write as _;

use bitloop_plant::Description;
use bitloop_scenario::{FileError, PlantChoice, ScenarioFile, number};
use bitloop_sim::Controller as _;

use super::TARGET_IN_LQR_ERRORS;
use super::scales::{Affine, rounded, rounded_up};
use super::starts::Start;
use crate::closed_loop::ClosedLoopSetup;
use crate::lqr_sweep::{LqrSweep, LqrTrial};

/// Evaluations of a training with a target, which mostly takes fewer.
const MOST_EVALUATIONS: u64 = 200_000;
/// Evaluations of a training without one, all of which it takes.
const EVALUATIONS: u64 = 20_000;
/// Weights are at most this; larger ones than half of it are avoided.
const MAX_WEIGHT: f64 = 10.0;

/// The numbers of a first scenario.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Draft {
    plant: PlantChoice,
    name: String,
    summary: String,
    pub starts: Vec<Start>,
    pub horizon_s: f64,
    pub scaling: Vec<Affine>,
    /// What the best regulator came to, and the number of episodes, where it is of use.
    lqr: Option<(LqrTrial, usize)>,
    max_weight: f64,
    target: Option<f64>,
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
            horizon_s: 1.0,
            scaling: Vec::new(),
            lqr: None,
            max_weight: MAX_WEIGHT,
            target: None,
            error_of_nothing: None,
        }
    }

    /// Takes over the plant's own words.
    pub fn describe(&mut self, description: &Description) {
        self.name.clone_from(&description.name);
        self.summary.clone_from(&description.summary);
    }

    /// The plant's own name.
    pub fn plant_name(&self) -> &str {
        &self.name
    }

    /// The draft as it would be read.
    pub fn file(&self) -> Result<ScenarioFile, FileError> {
        ScenarioFile::parse(&self.text(&self.plant), &format!("scenario for {}", self.plant))
    }

    /// Takes over a target, and a range of weights that holds the gains, from a regulator that keeps most of the episodes
    /// from failing.
    pub fn learn_from(&mut self, sweep: &LqrSweep, setup: &ClosedLoopSetup, n_episodes: usize) {
        let best = sweep.best;
        let target = format!("{:.1e}", TARGET_IN_LQR_ERRORS * best.error).parse().unwrap_or(0.0);
        if 2 * best.n_failed > n_episodes || !(target > 0.0 && best.error.is_finite()) {
            return;
        }
        (self.lqr, self.target) = (Some((best, n_episodes)), Some(target));
        let description = setup.closed_loop.plant().description();
        let interface = setup.closed_loop.interface();
        let scale_of = |scaling: &[Affine], name: &str, own: f64| {
            scaling.iter().find(|scale| scale.signal == name).map_or(own, |scale| scale.scale)
        };
        let gains = sweep.lqr.controller.parameters();
        for (output, gains) in interface.outputs.iter().zip(gains.chunks(interface.inputs.len())) {
            let control = &description.controls[output.index];
            // The gain of the scaled signals, before the control is scaled.
            let per_input = gains.iter().zip(&interface.inputs).map(|(gain, input)| {
                let name = &description.observations[input.index].name;
                (gain * output.scale * scale_of(&self.scaling, name, input.scale) / input.scale)
                    .abs()
            });
            let largest = per_input.fold(0.0, f64::max);
            let scale = scale_of(&self.scaling, &control.name, output.scale);
            let needed = 2.0 * largest / scale;
            if !(needed > self.max_weight && needed.is_finite()) {
                continue;
            }
            if scale == 1.0 && !(control.min.is_finite() && control.max.is_finite()) {
                self.scaling.push(Affine {
                    signal: control.name.clone(),
                    unit: control.unit.clone(),
                    center: 0.0,
                    scale: rounded_up(2.0 * largest / MAX_WEIGHT),
                    source: "the gains of linear feedback",
                });
            } else {
                self.max_weight = rounded_up(needed);
            }
        }
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
        self.push_starts(&mut text);
        self.push_scaling(&mut text);
        text.push_str(if self.is_linear() {
            "    // Where linear feedback does not do: FeedForward(hidden: [5], direct: true), which bends it.\n    \
             controller: Linear,\n\n"
        } else {
            "    // A layer of 5 hidden units. Where something is not observed, Recurrent(hidden: [5]) remembers.\n    \
             controller: FeedForward(hidden: [5]),\n\n"
        });
        let _ = write!(
            text,
            "    // The error is the mean of the plant's cost over time and episodes. The test is ten times as long.\n    \
             episodes: (training: (count: 50, horizon_s: {})),\n\n",
            number(self.horizon_s)
        );
        if let Some(rate) = self.rate_penalty() {
            let _ = writeln!(
                text,
                "    // Where the controls switch to and fro, a cost on their changes helps: penalties: (rate: {}),\n",
                short(rate)
            );
        }
        if self.max_weight == MAX_WEIGHT {
            text.push_str("    training: TelescopicBlm(),\n\n");
        } else {
            let _ = write!(
                text,
                "    // Larger weights than {MAX_WEIGHT}, for the gains of linear feedback.\n    \
                 training: TelescopicBlm(max_weight: {}),\n\n",
                number(self.max_weight)
            );
        }
        self.push_stop(&mut text);
        text.push_str(
            "    // The same seed gives the same controller, bit for bit.\n    seed: 1,\n)\n",
        );
        text
    }

    /// A penalty by which a control that switches between its ends costs about as much as the target, or as a hundredth of what
    /// no control costs.
    fn rate_penalty(&self) -> Option<f64> {
        let level = self.target.or(self.error_of_nothing.map(|error| 0.01 * error))?;
        // Scaled controls are mostly from -1 to 1, and the penalty is on the square of their change.
        Some(rounded(0.25 * level)).filter(|rate| *rate > 0.0 && rate.is_finite())
    }

    fn push_starts(&self, text: &mut String) {
        text.push_str("    // Where episodes start, drawn for each. A guess: write what the controller must cope with.\n");
        if self.starts.is_empty() {
            text.push_str("    initial: {},\n\n");
            return;
        }
        text.push_str("    initial: {\n");
        for Start { state, unit, low, high } in &self.starts {
            let (low, high) = (number(*low), number(*high));
            let _ =
                writeln!(text, "        {state:?}: Uniform({low}, {high}),{}", comment(unit, ""));
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
        for Affine { signal, unit, center, scale, source } in &self.scaling {
            let (center, scale) = (number(*center), number(*scale));
            let source = format!("by {source}");
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
                "    // {}\n    stop: (target: {}, evaluations: {MOST_EVALUATIONS}),\n\n",
                self.target_in_words(),
                short(target)
            );
        } else {
            let _ = write!(
                text,
                "    // {}\n    // `target: ERROR` ends the training as soon as that is reached.\n    \
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
                format!(
                    "The target is {TARGET_IN_LQR_ERRORS} times the error of LQR on these episodes, {}{failed}{nothing}.",
                    digits(best.error)
                )
            }
            None => format!("No target is known: there is no LQR to compare with{nothing}."),
        }
    }

    /// What was assumed, a line each.
    pub fn assumed(&self) -> Vec<String> {
        let starts = self.starts.iter().map(|Start { state, low, high, .. }| {
            format!("{state} from {} to {}", number(*low), number(*high))
        });
        let starts: Vec<String> = starts.collect();
        let mut lines = vec![if starts.is_empty() {
            "episodes start at the plant's default state".to_owned()
        } else {
            format!("episodes start with {}", starts.join(", "))
        }];
        for Affine { signal, center, scale, source, .. } in &self.scaling {
            let (center, scale) = (number(*center), number(*scale));
            lines.push(format!(
                "{signal} is centered at {center} and scaled by {scale}, by {source}"
            ));
        }
        lines.push(format!("episodes of {} s", number(self.horizon_s)));
        lines.push(self.target_in_words());
        lines
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
