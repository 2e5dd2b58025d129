//! [`BehaviorSummary`]: the behavior of a controller over episodes, with the names of its plant, as results hold it.

use std::collections::BTreeMap;

use bitloop_plant::{Description, Variable};
use bitloop_sim::{BehaviorWarning, Behaviors, Figure, FigureSummary, Subject};
use serde::Serialize;

/// The figures of behavior over episodes, and what deserves a warning.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct BehaviorSummary {
    /// By the names of the figures.
    #[serde(flatten)]
    pub figures: BTreeMap<&'static str, Figures<FigureOverEpisodes>>,
    /// What deserves a warning.
    pub warnings: Vec<NamedWarning>,
}

/// A figure: one value, or one for each control or state by its name. Nothing where no episode has it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Figures<T> {
    /// Of the loop.
    One(Option<T>),
    /// Of each control or state.
    Each(BTreeMap<String, Option<T>>),
}

/// A figure over the episodes that have it. What is infinite is null in JSON.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct FigureOverEpisodes {
    /// The median.
    pub median: f64,
    /// The largest.
    pub worst: f64,
    /// The index of the first episode with the largest.
    pub worst_episode: usize,
    /// How many episodes have the figure.
    pub episodes: usize,
    /// How many of them have an infinite one: they do not settle, or end early.
    pub infinite: usize,
}

/// A warning with the name of the control.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum NamedWarning {
    /// See [`BehaviorWarning::Chatter`].
    Chatter {
        /// The control.
        control: String,
        /// Episodes in which it chatters.
        episodes: usize,
        /// Episodes with a steady part.
        of: usize,
        /// Mean change at a query, as a part of the range.
        variation: f64,
        /// Share of the queries at which it turns.
        reversals: f64,
    },
    /// See [`BehaviorWarning::Saturation`].
    Saturation {
        /// The control.
        control: String,
        /// Share of the queries.
        share: f64,
    },
}

/// The figures of one episode by their names; none for one that it does not have.
#[must_use]
pub fn episode_figures(
    plant: &Description,
    behaviors: &Behaviors,
    position: usize,
) -> BTreeMap<&'static str, Figures<f64>> {
    let figure = |figure, index: usize| {
        let value = behaviors.figure(position, figure)[index];
        value.is_finite().then_some(value)
    };
    all_figures(plant, figure)
}

impl BehaviorSummary {
    /// The summary of episodes of a plant, whose indices are in `indices`.
    #[must_use]
    pub fn of(plant: &Description, behaviors: &Behaviors, indices: &[usize]) -> Self {
        let figure = |figure, index| {
            let summary = behaviors.summary(figure, index)?;
            let FigureSummary { median, worst, worst_position, n_episodes, n_infinite } = summary;
            Some(FigureOverEpisodes {
                median,
                worst,
                worst_episode: indices.get(worst_position).copied().unwrap_or(worst_position),
                episodes: n_episodes,
                infinite: n_infinite,
            })
        };
        let name = |control: usize| plant.controls[control].name.clone();
        let named = |warning| match warning {
            BehaviorWarning::Chatter { control, n_episodes, n_of, variation, reversals } => {
                NamedWarning::Chatter {
                    control: name(control),
                    episodes: n_episodes,
                    of: n_of,
                    variation,
                    reversals,
                }
            }
            BehaviorWarning::Saturation { control, share } => {
                NamedWarning::Saturation { control: name(control), share }
            }
        };
        let warnings = behaviors.warnings().into_iter().map(named).collect();
        Self { figures: all_figures(plant, figure), warnings }
    }
}

/// All figures by their names, from the value of each at an index.
fn all_figures<T>(
    plant: &Description,
    value: impl Fn(Figure, usize) -> Option<T>,
) -> BTreeMap<&'static str, Figures<T>> {
    let each = |figure, variables: &[Variable]| {
        let named = variables.iter().enumerate();
        Figures::Each(named.map(|(at, v)| (v.name.clone(), value(figure, at))).collect())
    };
    let of = |figure: Figure| match figure.subject() {
        Subject::Loop => Figures::One(value(figure, 0)),
        Subject::Control => each(figure, &plant.controls),
        Subject::State => each(figure, &plant.states),
    };
    Figure::ALL.into_iter().map(|figure| (figure.name(), of(figure))).collect()
}
