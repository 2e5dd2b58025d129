//! The behavior of a controller in words: a few lines after a training or a replay, with warnings.

use std::fmt::Write as _;

use bitloop_plant::{Description, Variable};
use bitloop_sim::{BehaviorWarning, Behaviors, Figure, FigureSummary};
use bitloop_train::WorstEpisode;

use crate::output::number::{counted, error, plain};
use crate::output::table::Facts;

/// The most controls or states that a line names.
const MOST_NAMED: usize = 4;

/// Adds what the controller does: at most eight lines. `command` replays the worst episode alone.
pub fn add(
    facts: &mut Facts,
    plant: &Description,
    behaviors: &Behaviors,
    worst: Option<&WorstEpisode>,
    command: &str,
) {
    if behaviors.n_episodes() == 0 {
        return;
    }
    if let Some((control, at_limit)) = largest_median(behaviors, plant, Figure::AtLimit) {
        let at_limit = spread(&at_limit, percent);
        facts.add("at a limit", format!("{} in {at_limit} of queries", named(plant, control)));
    }
    if let Some((control, variation)) = largest_median(behaviors, plant, Figure::Variation) {
        let turns = behaviors.summary(Figure::Reversals, control);
        let turns = turns.map_or_else(|| percent(0.0), |turns| median_of(&turns, percent));
        facts.add(
            "control moves",
            format!(
                "{} by {} of its range at a query, turns in {turns} of queries",
                named(plant, control),
                spread(&variation, percent),
            ),
        );
    }
    if let Some(steady) = behaviors.summary(Figure::SteadyError, 0) {
        let settling = behaviors.summary(Figure::SettlingTime, 0).map(|s| settling(&s));
        let settling = settling.unwrap_or_default();
        facts
            .add("steady error", format!("{} in the last tenth{settling}", spread(&steady, error)));
    }
    facts.add(
        "largest",
        each(&plant.states, |state| {
            let unit = &plant.states[state].unit;
            let largest = behaviors.summary(Figure::Largest, state)?.worst;
            Some(format!("{} {unit}", error(largest)).trim_end().to_owned())
        }),
    );
    if let Some(worst) = worst.filter(|_| behaviors.n_episodes() > 1) {
        facts.add("worst episode", in_words(worst));
        facts.add("", format!("alone: {command} --episode {}", worst.episode));
    }
    for warning in warnings(plant, behaviors) {
        facts.add("WARNING", warning);
    }
}

/// Adds how an error is made up of the plant's own and of penalties.
pub fn add_own_error(facts: &mut Facts, own: f64, all: f64) {
    let penalties = error(all - own);
    facts.add("of it", format!("{} the plant's own, {penalties} penalties", error(own)));
}

/// What deserves a warning: a text for each kind, about the first control that it concerns.
pub fn warnings(plant: &Description, behaviors: &Behaviors) -> Vec<String> {
    let warnings = behaviors.warnings();
    let is_chatter =
        |warning: &&BehaviorWarning| matches!(warning, BehaviorWarning::Chatter { .. });
    let chatter: Vec<_> = warnings.iter().filter(is_chatter).collect();
    let saturation: Vec<_> = warnings.iter().filter(|warning| !is_chatter(warning)).collect();
    let in_words = |of_kind: Vec<&BehaviorWarning>| {
        let mut text = warning(plant, of_kind.first()?);
        if of_kind.len() > 1 {
            // Writing to a string cannot fail.
            let _ =
                write!(text, "; likewise {}", counted(of_kind.len() as u64 - 1, "other control"));
        }
        Some(text)
    };
    [chatter, saturation].into_iter().filter_map(in_words).collect()
}

fn warning(plant: &Description, warning: &BehaviorWarning) -> String {
    let name = |control: usize| &plant.controls[control].name;
    match *warning {
        BehaviorWarning::Chatter { control, n_episodes, n_of, variation, reversals } => format!(
            "{} does not come to rest, chatter or a limit cycle: at the end of {n_episodes} of {n_of} episodes it \
             still moves by {} of its range at a query, and turns in {} of queries",
            name(control),
            percent(variation),
            percent(reversals),
        ),
        BehaviorWarning::Saturation { control, share } => {
            format!("{} is at a limit in {} of all queries", name(control), percent(share))
        }
    }
}

/// The start and the drawn parameters of an episode.
fn in_words(worst: &WorstEpisode) -> String {
    let WorstEpisode { episode, seed, error: value, start, parameters } = worst;
    let list = |values: &std::collections::BTreeMap<String, f64>| {
        let mut named: Vec<String> = values
            .iter()
            .filter(|(_, value)| **value != 0.0)
            .map(|(name, value)| format!("{name} {}", error(*value)))
            .collect();
        let n_more = named.len().saturating_sub(MOST_NAMED);
        named.truncate(MOST_NAMED);
        if n_more > 0 {
            named.push(format!("{n_more} more"));
        }
        named.join(", ")
    };
    let start = list(start);
    let start = if start.is_empty() { "0".to_owned() } else { start };
    let mut text = format!("{episode}, error {}, seed {seed}, starts at {start}", error(*value));
    if !parameters.is_empty() {
        // Writing to a string cannot fail.
        let _ = write!(text, "; drawn: {}", list(parameters));
    }
    text
}

/// The control with the largest median of a figure, and that figure over episodes.
fn largest_median(
    behaviors: &Behaviors,
    plant: &Description,
    figure: Figure,
) -> Option<(usize, FigureSummary)> {
    let controls = 0..plant.controls.len();
    let all = controls.filter_map(|control| Some((control, behaviors.summary(figure, control)?)));
    all.reduce(|most, next| if next.1.median > most.1.median { next } else { most })
}

/// The name of a control, which of several is the one with the largest figure.
fn named(plant: &Description, control: usize) -> String {
    let name = &plant.controls[control].name;
    match plant.controls.len() {
        1 => name.clone(),
        n => format!("{name}, the most of {n} controls,"),
    }
}

/// When the episodes settle.
fn settling(summary: &FigureSummary) -> String {
    let &FigureSummary { median, worst, n_episodes, n_infinite, .. } = summary;
    if n_infinite == n_episodes {
        return "; no episode settles".to_owned();
    }
    let seconds = |value: f64| plain((1e4 * value).round() / 1e4);
    match (n_infinite, n_episodes) {
        (0, 1) => format!("; settles in {} s", seconds(worst)),
        (0, _) => {
            format!("; settles in {} s (median; worst {} s)", seconds(median), seconds(worst))
        }
        (n, _) if median.is_finite() => {
            format!(
                "; settles in {} s (median), {n} of {n_episodes} episodes do not",
                seconds(median)
            )
        }
        (n, _) => format!("; {n} of {n_episodes} episodes do not settle"),
    }
}

/// The median and the worst, in words.
fn spread(summary: &FigureSummary, number: impl Fn(f64) -> String) -> String {
    if summary.n_episodes == 1 {
        return number(summary.worst);
    }
    format!("{} (median; worst {})", number(summary.median), number(summary.worst))
}

/// The median alone, in words.
fn median_of(summary: &FigureSummary, number: impl Fn(f64) -> String) -> String {
    let kind = if summary.n_episodes == 1 { "" } else { " (median)" };
    format!("{}{kind}", number(summary.median))
}

/// A share: `0 %`, `0.31 %`, `12.3 %`.
fn percent(share: f64) -> String {
    match 100.0 * share {
        0.0 => "0 %".to_owned(),
        value @ 10.0.. => format!("{value:.1} %"),
        value @ 0.01..10.0 => format!("{value:.2} %"),
        value => format!("{value:.1e} %"),
    }
}

/// What `text` says of the first few variables; names are left out where there is one.
fn each(variables: &[Variable], text: impl Fn(usize) -> Option<String>) -> String {
    let shown = variables.iter().enumerate().take(MOST_NAMED);
    let mut all: Vec<String> =
        shown.filter_map(|(at, v)| text(at).map(|text| format!("{} {text}", v.name))).collect();
    if variables.len() > MOST_NAMED {
        all.push(format!("{} more", variables.len() - MOST_NAMED));
    }
    all.join(", ")
}
