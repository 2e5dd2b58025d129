//! The results of a replay episode by episode: as a table of comma-separated values, and as JSON.

use std::collections::BTreeMap;

use bitloop_decimal::push_number;
use bitloop_plant::Description;
use bitloop_replay::parquet::{Column, Kind};
use bitloop_replay::{Replay, ReplayOutcome, quoted_name};
use bitloop_sim::{Behaviors, EpisodeEnd, EpisodeResult, Figure, Subject};
use bitloop_train::{Figures, TrainError, episode_figures};
use serde::Serialize;
use serde_json::{Map, Value};

/// Episodes that are drawn at once.
const AT_ONCE: usize = 64;

/// Where an episode started, and what came out.
#[derive(Debug)]
pub struct EpisodeRow {
    episode: usize,
    result: EpisodeResult,
    end_s: f64,
    /// Of all states, and of those parameters that are drawn at random.
    start: Vec<f64>,
    parameters: Vec<f64>,
    /// Among all that have ended.
    position: usize,
}

/// The names of states, and of parameters that are drawn at random.
#[derive(Debug)]
pub struct Names<'a> {
    states: Vec<&'a str>,
    parameters: Vec<&'a str>,
    /// The positions of these parameters among all.
    drawn: Vec<usize>,
    plant: &'a Description,
}

impl<'a> Names<'a> {
    /// Those of a replay.
    pub fn of(replay: &'a Replay) -> Self {
        let plant = replay.plant();
        let drawn = replay.drawn_parameters();
        Self {
            states: plant.states.iter().map(|state| state.name.as_str()).collect(),
            parameters: drawn.iter().map(|&at| plant.parameters[at].name.as_str()).collect(),
            drawn,
            plant,
        }
    }

    /// The line of column names, the figures of behavior last.
    pub fn header(&self) -> Vec<u8> {
        let mut line = "episode,error,end,end_s".to_owned();
        for name in self.further() {
            line.push(',');
            line.push_str(&quoted_name(&name));
        }
        line.push('\n');
        line.into_bytes()
    }

    /// The same columns of a Parquet file.
    pub fn columns(&self) -> Vec<Column> {
        let words = ENDS.map(str::to_owned).to_vec();
        let first = [
            Column::count("episode"),
            Column::number("error"),
            Column { name: "end".to_owned(), kind: Kind::Word(words) },
            Column::number("end_s"),
        ];
        first.into_iter().chain(self.further().iter().map(|name| Column::number(name))).collect()
    }

    /// The names of starts, drawn parameters and figures of behavior.
    fn further(&self) -> Vec<String> {
        let groups = [("start", &self.states), ("parameter", &self.parameters)];
        let mut all: Vec<String> = groups
            .into_iter()
            .flat_map(|(group, names)| names.iter().map(move |name| format!("{group}.{name}")))
            .collect();
        for figure in Figure::ALL {
            let variables = match figure.subject() {
                Subject::Loop => {
                    all.push(figure.name().to_owned());
                    continue;
                }
                Subject::Control => &self.plant.controls,
                Subject::State => &self.plant.states,
            };
            all.extend(variables.iter().map(|v| format!("{}.{}", figure.name(), v.name)));
        }
        all
    }
}

/// Shows the results of all episodes that have ended to `take`, some at a time. Starts and parameters are drawn again.
pub fn for_each<E: From<TrainError>>(
    replay: &Replay,
    outcome: &ReplayOutcome,
    mut take: impl FnMut(&[EpisodeRow]) -> Result<(), E>,
) -> Result<(), E> {
    let names = Names::of(replay);
    let ended = outcome.indices.iter().copied().zip(&outcome.evaluation.episodes);
    let all: Vec<_> = ended.enumerate().map(|(at, (index, result))| (index, result, at)).collect();
    // Consecutive episodes are drawn together.
    for part in all.chunk_by(|a, b| b.0 == a.0 + 1).flat_map(|part| part.chunks(AT_ONCE)) {
        let first = part[0].0;
        let set = replay.draw(first..first + part.len())?;
        let rows = part.iter().enumerate().map(|(drawn, &(episode, &result, position))| {
            let parameters = set.parameters(drawn);
            let end_s = match result.end {
                EpisodeEnd::Horizon => outcome.horizon_s,
                EpisodeEnd::Failed { tick } | EpisodeEnd::Fault { tick } => {
                    replay.decimal_seconds(tick)
                }
            };
            EpisodeRow {
                episode,
                result,
                end_s,
                start: set.start(drawn),
                parameters: names.drawn.iter().map(|&at| parameters[at]).collect(),
                position,
            }
        });
        take(&rows.collect::<Vec<_>>())?;
    }
    Ok(())
}

/// Why an episode ended, in a word, in the order of the numbers in a Parquet file.
const ENDS: [&str; 3] = ["horizon", "failed", "fault"];

/// The position among these.
const fn position(end: EpisodeEnd) -> usize {
    match end {
        EpisodeEnd::Horizon => 0,
        EpisodeEnd::Failed { .. } => 1,
        EpisodeEnd::Fault { .. } => 2,
    }
}

const fn word(end: EpisodeEnd) -> &'static str {
    ENDS[position(end)]
}

/// Appends a row of a Parquet file of so many columns. What an episode does not have is NaN.
pub fn push_row(
    text: &mut Vec<u8>,
    row: &EpisodeRow,
    behaviors: Option<&Behaviors>,
    n_columns: usize,
) {
    let begin = text.len();
    let end = position(row.result.end);
    text.extend((row.episode as u64).to_le_bytes());
    text.extend(row.result.error.to_le_bytes());
    text.extend((end as u64).to_le_bytes());
    let figures = behaviors.map(|all| all.episode(row.position)).unwrap_or_default();
    let numbers = [&row.end_s].into_iter().chain(&row.start).chain(&row.parameters).chain(figures);
    text.extend(numbers.flat_map(|number| number.to_le_bytes()));
    while text.len() < begin + size_of::<f64>() * n_columns {
        text.extend(f64::NAN.to_le_bytes());
    }
}

/// Appends a line of so many comma-separated values. What is infinite is `inf`; what an episode does not have is left empty.
pub fn push_line(
    text: &mut Vec<u8>,
    row: &EpisodeRow,
    behaviors: Option<&Behaviors>,
    n_columns: usize,
) {
    text.extend_from_slice(row.episode.to_string().as_bytes());
    text.push(b',');
    push_number(text, row.result.error);
    text.push(b',');
    text.extend_from_slice(word(row.result.end).as_bytes());
    for &value in [&row.end_s].into_iter().chain(&row.start).chain(&row.parameters) {
        text.push(b',');
        push_number(text, value);
    }
    let figures = behaviors.map(|all| all.episode(row.position)).unwrap_or_default();
    for &value in figures {
        text.push(b',');
        if !value.is_nan() {
            push_number(text, value);
        }
    }
    let n_written = 4 + row.start.len() + row.parameters.len() + figures.len();
    text.extend(std::iter::repeat_n(b',', n_columns - n_written));
    text.push(b'\n');
}

/// The result of an episode as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct EpisodeJson {
    episode: usize,
    error: f64,
    end: &'static str,
    end_s: f64,
    start: Map<String, Value>,
    parameters: Map<String, Value>,
    behavior: Option<BTreeMap<&'static str, Figures<f64>>>,
}

/// The results of all episodes that have ended.
pub fn json(replay: &Replay, outcome: &ReplayOutcome) -> Result<Vec<EpisodeJson>, TrainError> {
    let names = Names::of(replay);
    let map = |names: &[&str], values: &[f64]| {
        names
            .iter()
            .zip(values)
            .map(|(name, value)| ((*name).to_owned(), (*value).into()))
            .collect()
    };
    let behaviors = outcome.evaluation.behaviors.as_ref();
    let mut all = Vec::with_capacity(outcome.indices.len());
    for_each::<TrainError>(replay, outcome, |rows| {
        all.extend(rows.iter().map(|row| EpisodeJson {
            episode: row.episode,
            error: row.result.error,
            end: word(row.result.end),
            end_s: row.end_s,
            start: map(&names.states, &row.start),
            parameters: map(&names.parameters, &row.parameters),
            behavior: behaviors.map(|all| episode_figures(replay.plant(), all, row.position)),
        }));
        Ok(())
    })?;
    Ok(all)
}
