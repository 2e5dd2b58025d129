//! [`Behaviors`]: the figures of many episodes, and their summary.

use super::figure::{Figure, Subject};
use crate::quantile::{quantile, sorted};

/// How many numbers the figures of an episode are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct BehaviorShape {
    /// Controls of the plant.
    pub n_controls: usize,
    /// States of the plant.
    pub n_states: usize,
}

impl BehaviorShape {
    /// How many numbers a figure is.
    #[must_use]
    pub const fn n_of(self, figure: Figure) -> usize {
        match figure.subject() {
            Subject::Loop => 1,
            Subject::Control => self.n_controls,
            Subject::State => self.n_states,
        }
    }

    /// How many numbers all figures of an episode are.
    #[must_use]
    pub fn width(self) -> usize {
        Figure::ALL.iter().map(|&figure| self.n_of(figure)).sum()
    }

    /// Where the numbers of a figure begin.
    fn offset(self, figure: Figure) -> usize {
        let before = Figure::ALL.iter().take_while(|&&other| other != figure);
        before.map(|&other| self.n_of(other)).sum()
    }
}

/// The figures of episodes, in order of their position. A number that an episode does not have is NaN.
#[derive(Clone, Debug, Default)]
pub struct Behaviors {
    shape: BehaviorShape,
    /// Episode by episode, figure by figure: `[n_episodes][width]`.
    values: Vec<f64>,
}

/// A figure over episodes that have it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FigureSummary {
    /// The median, infinite where half of them are.
    pub median: f64,
    /// The largest.
    pub worst: f64,
    /// The position of the first episode with the largest.
    pub worst_position: usize,
    /// How many episodes have the figure.
    pub n_episodes: usize,
    /// How many of them have an infinite one.
    pub n_infinite: usize,
}

impl PartialEq for Behaviors {
    /// The same bits, NaN included.
    fn eq(&self, other: &Self) -> bool {
        let bits = |of: &Self| of.values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        self.shape == other.shape && bits(self) == bits(other)
    }
}

impl Behaviors {
    /// Of no episodes yet.
    #[must_use]
    pub const fn new(shape: BehaviorShape) -> Self {
        Self { shape, values: Vec::new() }
    }

    /// The figures in `values`, episode by episode; none if they are no whole number of episodes.
    #[must_use]
    pub fn of(shape: BehaviorShape, values: Vec<f64>) -> Option<Self> {
        let is_whole = shape.width() > 0 && values.len().is_multiple_of(shape.width());
        is_whole.then_some(Self { shape, values })
    }

    /// The figures of whole episodes.
    pub(crate) const fn whole(shape: BehaviorShape, values: Vec<f64>) -> Self {
        Self { shape, values }
    }

    /// Numbers of controls and states.
    #[must_use]
    pub const fn shape(&self) -> BehaviorShape {
        self.shape
    }

    /// All numbers: `[n_episodes][width]`.
    #[must_use]
    pub fn into_values(self) -> Vec<f64> {
        self.values
    }

    /// How many episodes there are.
    #[must_use]
    pub fn n_episodes(&self) -> usize {
        self.values.len().checked_div(self.shape.width()).unwrap_or(0)
    }

    /// All figures of an episode: `[width]`.
    ///
    /// # Panics
    /// If there is no such episode.
    #[must_use]
    pub fn episode(&self, position: usize) -> &[f64] {
        let width = self.shape.width();
        &self.values[position * width..][..width]
    }

    /// A figure of an episode: a number for each control or state, or one.
    ///
    /// # Panics
    /// If there is no such episode.
    #[must_use]
    pub fn figure(&self, position: usize, figure: Figure) -> &[f64] {
        &self.episode(position)[self.shape.offset(figure)..][..self.shape.n_of(figure)]
    }

    /// Adds the episode at a position of `other`.
    ///
    /// # Panics
    /// If it has other numbers of controls or states, or no such episode.
    pub fn push(&mut self, other: &Self, position: usize) {
        assert_eq!(self.shape, other.shape, "figures of one plant");
        self.values.extend_from_slice(other.episode(position));
    }

    /// Adds all episodes of `other`; of any plant where there are none yet.
    ///
    /// # Panics
    /// If it has other numbers of controls or states.
    pub fn extend(&mut self, other: Self) {
        if self.values.is_empty() {
            *self = other;
        } else {
            assert_eq!(self.shape, other.shape, "figures of one plant");
            self.values.extend(other.values);
        }
    }

    /// The mean error without penalties, in order of the episodes.
    #[must_use]
    pub fn own_error(&self) -> f64 {
        let errors = (0..self.n_episodes()).map(|at| self.figure(at, Figure::OwnError)[0]);
        errors.fold(0.0, |sum, error| sum + error) / self.n_episodes() as f64
    }

    /// A figure of the control or state at `index` over all episodes that have it; none if none has.
    ///
    /// # Panics
    /// If there is no such control or state.
    #[must_use]
    pub fn summary(&self, figure: Figure, index: usize) -> Option<FigureSummary> {
        let values = (0..self.n_episodes()).map(|at| self.figure(at, figure)[index]);
        let defined: Vec<(usize, f64)> =
            values.enumerate().filter(|(_, value)| !value.is_nan()).collect();
        let worst = defined
            .iter()
            .copied()
            .reduce(|worst, next| if next.1 > worst.1 { next } else { worst });
        worst.map(|(worst_position, worst)| FigureSummary {
            median: quantile(&sorted(defined.iter().map(|one| one.1)), 0.5),
            worst,
            worst_position,
            n_episodes: defined.len(),
            n_infinite: defined.iter().filter(|one| one.1 == f64::INFINITY).count(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn summaries_leave_out_episodes_without_the_figure() {
        let shape = BehaviorShape { n_controls: 1, n_states: 1 };
        let mut values = Vec::new();
        for settling in [3.0, f64::NAN, f64::INFINITY, 1.0] {
            let mut episode = vec![0.0; shape.width()];
            episode[shape.offset(Figure::SettlingTime)] = settling;
            values.extend(episode);
        }
        let all = Behaviors::of(shape, values).unwrap();
        let summary = all.summary(Figure::SettlingTime, 0).unwrap();
        assert_eq!((summary.median, summary.worst), (3.0, f64::INFINITY));
        assert_eq!((summary.worst_position, summary.n_episodes, summary.n_infinite), (2, 3, 1));
        assert_eq!(Behaviors::new(shape).summary(Figure::SettlingTime, 0), None);
        assert_eq!(Behaviors::of(shape, vec![0.0; shape.width() + 1]), None);
    }
}
