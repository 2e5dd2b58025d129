//! Margins as text, as JSON and as a picture.

use std::fmt::Write as _;

use bitloop_look::{Axis, LookError, Mark, Panel, Picture, Report, Section};
use bitloop_robust::{Level, Source, Sweep};
use serde::Serialize;

use super::Column;
use crate::output::number::{counted, error, plain};
use crate::output::table::Table;

/// A level with three digits.
fn short(level: f64) -> String {
    format!("{level:.2e}").parse().map_or_else(|_| plain(level), |level: f64| level.to_string())
}

/// The sources of all columns, each once.
fn sources(columns: &[Column]) -> Vec<&Source> {
    let mut sources: Vec<&Source> = Vec::new();
    for sweep in columns.iter().flat_map(|column| &column.sweeps) {
        if !sources.contains(&&sweep.source) {
            sources.push(&sweep.source);
        }
    }
    sources
}

fn sweep_of<'a>(column: &'a Column, source: &Source) -> Option<&'a Sweep> {
    column.sweeps.iter().find(|sweep| sweep.source == *source)
}

/// A table of margins.
pub fn text(columns: &[Column]) -> String {
    let mut text = String::new();
    for column in columns {
        let Level { n_failed, n_episodes, error: mean, .. } = column.baseline;
        let episodes = counted(n_episodes as u64, "episode");
        let _ = writeln!(
            text,
            "{}: error {}, {n_failed} of {episodes} failed",
            column.name,
            error(mean)
        );
    }
    text.push_str("largest level tried without failure in these episodes; in brackets, the first with failures\n");
    let names = columns.iter().map(|column| column.name.as_str());
    let headings: Vec<&str> = ["source", ""].into_iter().chain(names).collect();
    let mut table = Table::new(&headings);
    for source in sources(columns) {
        let cells = columns.iter().map(|column| match sweep_of(column, source) {
            Some(sweep) => cell(sweep),
            None => String::new(),
        });
        let first = [source.name(), source.unit().to_owned()];
        table.row(first.into_iter().chain(cells).collect());
    }
    text.push_str(&table.text());
    text
}

fn cell(sweep: &Sweep) -> String {
    let margin = sweep.margin().map_or("none".to_owned(), short);
    match sweep.first_failure() {
        Some(Level { level, n_failed, n_episodes, .. }) => {
            format!("{margin} ({}: {n_failed} of {n_episodes})", short(level))
        }
        None if sweep.ends_at_bounds => format!("{margin} (the plant's bound)"),
        None => format!("{margin} (all levels)"),
    }
}

/// Results as JSON.
#[derive(Serialize)]
pub struct RobustJson<'a> {
    /// Whether an interrupt left out sources.
    is_part: bool,
    controllers: Vec<ColumnJson<'a>>,
}

#[derive(Serialize)]
struct ColumnJson<'a> {
    name: &'a str,
    baseline: Level,
    sources: Vec<SweepJson<'a>>,
}

#[derive(Serialize)]
struct SweepJson<'a> {
    source: String,
    unit: &'static str,
    margin: Option<f64>,
    /// Whether the next level is beyond what the plant can have.
    ends_at_bounds: bool,
    levels: &'a [Level],
}

/// A page with the table and the picture.
pub fn page(columns: &[Column], is_part: bool) -> Result<String, LookError> {
    let picture = picture(columns)?;
    let part = "Interrupted: sources that are missing were not done.".to_owned();
    let report = Report {
        title: picture.title.clone(),
        subtitle: "Margins are what was seen in so many episodes, and no guarantee.".to_owned(),
        warnings: is_part.then_some(part).into_iter().collect(),
        sections: vec![
            Section::Text("Margins".to_owned(), text(columns), false),
            Section::Figures("Failures by source".to_owned(), vec![picture.svg()?]),
        ],
        ..Report::default()
    };
    Ok(report.html())
}

/// The results of all columns.
pub fn of_columns(columns: &[Column], is_part: bool) -> RobustJson<'_> {
    let controllers = columns.iter().map(|column| {
        let sources = column.sweeps.iter().map(|sweep| {
            let (source, unit) = (sweep.source.name(), sweep.source.unit());
            let Sweep { levels, ends_at_bounds, .. } = sweep;
            SweepJson {
                source,
                unit,
                margin: sweep.margin(),
                ends_at_bounds: *ends_at_bounds,
                levels,
            }
        });
        let (name, baseline) = (column.name.as_str(), column.baseline);
        ColumnJson { name, baseline, sources: sources.collect() }
    });
    RobustJson { is_part, controllers: controllers.collect() }
}

/// A panel for each source: the share of failed episodes over the level, with its interval.
pub fn picture(columns: &[Column]) -> Result<Picture, LookError> {
    let panels = sources(columns).into_iter().map(|source| {
        let mut marks = Vec::new();
        for (color, column) in columns.iter().enumerate() {
            let Some(sweep) = sweep_of(column, source) else { continue };
            let levels = &sweep.levels;
            let band = levels.iter().map(|it| (it.level, it.interval[0], it.interval[1]));
            let share = |it: &Level| it.n_failed as f64 / it.n_episodes as f64;
            let line = levels.iter().map(|it| (it.level, share(it)));
            marks.push(Mark::Band { name: None, color, points: band.collect() });
            let name = Some(column.name.clone());
            marks.push(Mark::Line { name, color, points: line.collect() });
        }
        let x = Axis::linear(Axis::titled(&source.name(), source.unit()));
        Panel { x, y: Axis::linear("failed").over(0.0, 1.0), marks }
    });
    let panels: Vec<Panel> = panels.collect();
    if panels.is_empty() {
        return Err(LookError::Nothing("there are no sources"));
    }
    let names: Vec<&str> = columns.iter().map(|column| column.name.as_str()).collect();
    Ok(Picture {
        title: format!("Robustness of {}", names.join(", ")),
        subtitle: "share of failed episodes over the level, with its 95 % interval".to_owned(),
        panels,
        width: 680,
        panel_height: 190,
        n_columns: 1,
    })
}
