//! [`BehaviorWarning`]: behavior that a user has to know of.

use super::figure::Figure;
use super::table::Behaviors;

/// Part of a control's range that it changes by at each query of the steady part, on the mean, from which on it chatters.
const CHATTER: f64 = 0.02;

/// Share of the queries of the steady part at which a control turns, from which on it chatters. A slow change has none.
const TURNS: f64 = 0.02;

/// Share of the episodes, or of the queries, that a warning is about.
const MANY: f64 = 0.1;

/// Behavior that deserves a warning.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum BehaviorWarning {
    /// A control does not come to rest: it still moves to and fro at the end of more than a tenth of the episodes.
    Chatter {
        /// The control.
        control: usize,
        /// The episodes in which it does.
        n_episodes: usize,
        /// All episodes with a steady part.
        n_of: usize,
        /// Mean change at a query of the steady part of these episodes, as a part of the range.
        variation: f64,
        /// Mean share of the queries of that part at which it turns.
        reversals: f64,
    },
    /// A control is at a limit in more than a tenth of all queries.
    Saturation {
        /// The control.
        control: usize,
        /// The mean over episodes of the share of their queries.
        share: f64,
    },
}

impl Behaviors {
    /// What deserves a warning, control by control.
    #[must_use]
    pub fn warnings(&self) -> Vec<BehaviorWarning> {
        let controls = 0..self.shape().n_controls;
        controls
            .flat_map(|control| self.chatter(control).into_iter().chain(self.saturation(control)))
            .collect()
    }

    fn chatter(&self, control: usize) -> Option<BehaviorWarning> {
        let steady: Vec<(f64, f64)> = (0..self.n_episodes())
            .map(|at| {
                let of = |figure| self.figure(at, figure)[control];
                (of(Figure::SteadyVariation), of(Figure::SteadyReversals))
            })
            .filter(|(variation, _)| !variation.is_nan())
            .collect();
        let chattering: Vec<_> = steady
            .iter()
            .filter(|(variation, turns)| *variation >= CHATTER && *turns >= TURNS)
            .collect();
        let (n_episodes, n_of) = (chattering.len(), steady.len());
        let mean = |values: &dyn Fn(&(f64, f64)) -> f64| {
            chattering.iter().map(|one| values(one)).sum::<f64>() / n_episodes as f64
        };
        (n_episodes as f64 > MANY * n_of as f64).then(|| BehaviorWarning::Chatter {
            control,
            n_episodes,
            n_of,
            variation: mean(&|one| one.0),
            reversals: mean(&|one| one.1),
        })
    }

    fn saturation(&self, control: usize) -> Option<BehaviorWarning> {
        let n = self.n_episodes();
        let shares = (0..n).map(|at| self.figure(at, Figure::AtLimit)[control]);
        let share = shares.sum::<f64>() / n as f64;
        (share > MANY).then_some(BehaviorWarning::Saturation { control, share })
    }
}
