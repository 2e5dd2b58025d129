//! [`BehaviorRecorder`]: measures the behavior of episodes that run side by side.
//!
//! Each episode is measured on its own lane, so that neither threads nor lanes move a bit.

mod measure;
mod pending;
mod update;

use bitloop_plant::{Isa, dispatch};
use serde::{Deserialize, Serialize};

use crate::behavior::{BehaviorShape, Behaviors, Figure};
use crate::closed_loop::ClosedLoop;
use crate::episodes::EpisodeSet;
use crate::outcome::EpisodeEnd;
use crate::trajectory::{End, Query, Recorder};
use measure::{ControlRow, ControlScale, CostRow, Measure, StateRow};
use pending::PendingQueries;
use update::Update;

/// The steady part of a horizon is one part in so many.
const STEADY_PART: u64 = 10;

/// Measures the behavior of episodes. Its memory is used again for the next ones.
#[derive(Debug)]
pub struct BehaviorRecorder {
    isa: Isa,
    shape: BehaviorShape,
    scales: Vec<ControlScale>,
    /// The value of each state that an overshoot passes.
    defaults: Vec<f64>,
    step_s: f64,
    times: Times,
    /// The episode in each lane, as of the last query.
    lane_episode: Vec<usize>,
    measure: Measure,
    pending: PendingQueries,
    behaviors: Vec<f64>,
}

/// Figures under way, as they are kept between two queries.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct PausedBehavior {
    times: Times,
    lane_episode: Vec<usize>,
    /// The running sums of the live lanes, row after row.
    sums: Vec<f64>,
    behaviors: Vec<f64>,
}

/// The ticks of the episodes under way.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
struct Times {
    horizon: u64,
    transient: u64,
    /// Of the last query.
    tick: u64,
    n_queries: u64,
    /// Where the steady part began, and after how many queries.
    steady: Option<(u64, u64)>,
}

impl Times {
    /// Integration steps up to `tick` since the last query that count in the error.
    fn n_counted(&self, tick: u64) -> f64 {
        (tick.max(self.transient) - self.tick.max(self.transient)) as f64
    }
}

impl BehaviorRecorder {
    /// For episodes of a loop, with the bounds and scales of its interface.
    #[must_use]
    pub fn new(closed_loop: &ClosedLoop, isa: Isa) -> Self {
        let description = closed_loop.plant().description();
        let scales: Vec<_> = closed_loop.interface().outputs.iter().map(ControlScale::of).collect();
        let shape = BehaviorShape { n_controls: scales.len(), n_states: description.states.len() };
        let measure = Measure::new(shape.n_controls, shape.n_states, 0);
        Self {
            isa,
            shape,
            scales,
            defaults: description.states.iter().map(|state| state.default).collect(),
            step_s: closed_loop.timing().step_s(),
            times: Times::default(),
            lane_episode: Vec::new(),
            pending: PendingQueries::new(&measure),
            measure,
            behaviors: Vec::new(),
        }
    }

    /// Begins with `n_episodes` episodes as long as those of `set`.
    pub fn begin(&mut self, set: &EpisodeSet, n_episodes: usize) {
        let times = Times { horizon: set.horizon, transient: set.transient, ..Times::default() };
        self.times = times;
        self.lane_episode.clear();
        if self.measure.n_lanes() < n_episodes {
            self.measure = Measure::new(self.shape.n_controls, self.shape.n_states, n_episodes);
            self.pending = PendingQueries::new(&self.measure);
        }
        self.pending.clear();
        self.behaviors.clear();
        self.behaviors.resize(n_episodes * self.shape.width(), f64::NAN);
    }

    /// The figures as they are between two queries.
    #[must_use]
    pub fn pause(&mut self) -> PausedBehavior {
        self.add_pending();
        PausedBehavior {
            times: self.times,
            lane_episode: self.lane_episode.clone(),
            sums: self.measure.sums(self.lane_episode.len()),
            behaviors: self.behaviors.clone(),
        }
    }

    /// Continues with figures that were paused before `tick`, of `n_episodes` episodes as long as those of `set`; false if
    /// they are those of others.
    #[must_use]
    pub fn resume(
        &mut self,
        paused: &PausedBehavior,
        (set, n_episodes): (&EpisodeSet, usize),
        tick: u64,
    ) -> bool {
        self.begin(set, n_episodes);
        let PausedBehavior { times, lane_episode, sums, behaviors } = paused;
        let fits = (times.horizon, times.transient) == (set.horizon, set.transient)
            && times.tick < tick
            && times.n_queries > 0
            && times.steady.is_none_or(|(since, n)| since <= times.tick && n <= times.n_queries)
            && lane_episode.iter().all(|&episode| episode < n_episodes)
            && lane_episode.len() <= n_episodes
            && behaviors.len() == self.behaviors.len()
            && self.measure.set_sums(lane_episode.len(), sums);
        if fits {
            self.times = *times;
            self.lane_episode.clone_from(lane_episode);
            self.behaviors.clone_from(behaviors);
        }
        fits
    }

    /// The figures of the episodes since `begin`, by their position; NaN for one that has not ended.
    #[must_use]
    pub fn behaviors(&self) -> Behaviors {
        Behaviors::whole(self.shape, self.behaviors.clone())
    }

    /// The figures of an episode in a lane, in the order of [`Figure::ALL`].
    fn figures(&self, lane: usize, end: &End<'_>) -> Vec<f64> {
        let has_settled = end.result.end == EpisodeEnd::Horizon;
        let mut all = Vec::with_capacity(self.shape.width());
        for figure in Figure::ALL {
            match figure {
                Figure::OwnError => all.push(end.own_error),
                Figure::SteadyError => {
                    all.push(if has_settled {
                        self.steady_error(lane, end)
                    } else {
                        f64::INFINITY
                    });
                }
                Figure::SettlingTime => {
                    all.push(if has_settled { self.settling_s(lane, end) } else { f64::INFINITY });
                }
                Figure::SteadyVariation | Figure::SteadyReversals if !has_settled => {
                    all.extend(std::iter::repeat_n(f64::NAN, self.shape.n_controls));
                }
                Figure::Largest | Figure::Overshoot => {
                    let values = end.state.iter().enumerate();
                    all.extend(values.map(|(state, &x)| self.of_state(figure, state, x, lane)));
                }
                _ => {
                    let controls = 0..self.shape.n_controls;
                    all.extend(controls.map(|control| self.of_control(figure, control, lane)));
                }
            }
        }
        all
    }

    fn of_control(&self, figure: Figure, control: usize, lane: usize) -> f64 {
        let sum = |row| self.measure.control(control, row, lane);
        let n = self.times.n_queries as f64;
        let by_range = |variation: f64| {
            let range = self.scales[control].range;
            let spanned = sum(ControlRow::Most) - sum(ControlRow::Least);
            let range = if range.is_finite() { range } else { spanned };
            if variation == 0.0 { 0.0 } else { variation / range }
        };
        // Queries of the steady part; without one the figures are NaN.
        let (_, n_before) = self.times.steady.unwrap_or((0, self.times.n_queries));
        let n_steady = (self.times.n_queries - n_before) as f64;
        match figure {
            Figure::AtLimit => sum(ControlRow::AtLimit) / n,
            Figure::Variation if n < 2.0 => 0.0,
            Figure::Variation => by_range(sum(ControlRow::Variation) / (n - 1.0)),
            Figure::Reversals => sum(ControlRow::Reversals) / n,
            Figure::Effort => sum(ControlRow::Squares) / n,
            _ if n_steady == 0.0 => f64::NAN,
            Figure::SteadyReversals => {
                (sum(ControlRow::Reversals) - sum(ControlRow::ReversalsBefore)) / n_steady
            }
            _ => {
                let variation = sum(ControlRow::Variation) - sum(ControlRow::VariationBefore);
                by_range(variation / n_steady)
            }
        }
    }

    /// The largest value or the overshoot of a state that ended at `x`.
    fn of_state(&self, figure: Figure, state: usize, x: f64, lane: usize) -> f64 {
        let of = |row| self.measure.state(state, row, lane);
        let least = x.min(of(StateRow::Least));
        let most = x.max(of(StateRow::Most));
        let (start, default) = (of(StateRow::Start), self.defaults[state]);
        match figure {
            Figure::Largest => least.abs().max(most.abs()),
            _ if start > default => (default - least).max(0.0),
            _ if start < default => (most - default).max(0.0),
            _ => f64::NAN,
        }
    }

    fn steady_error(&self, lane: usize, end: &End<'_>) -> f64 {
        let Some((since, _)) = self.times.steady else { return f64::NAN };
        (end.cost - self.measure.cost(CostRow::Before, lane)) / (end.tick - since) as f64
    }

    fn settling_s(&self, lane: usize, end: &End<'_>) -> f64 {
        let Some((since, _)) = self.times.steady else { return f64::NAN };
        let n_counted = self.times.n_counted(end.tick);
        let last = self.measure.last_outside(lane, end.tick, end.cost, n_counted);
        if last <= since as f64 { last * self.step_s } else { f64::INFINITY }
    }

    /// Adds the queries to the sums that these do not hold yet.
    fn add_pending(&mut self) {
        if !self.pending.is_empty() {
            let Self { measure, scales, pending, .. } = self;
            dispatch(self.isa, Update { measure, scales, pending });
            self.pending.clear();
        }
    }

    /// Follows the lanes, which are moved together when episodes end.
    fn follow(&mut self, episodes: &[usize]) {
        if self.lane_episode == episodes {
            return;
        }
        self.add_pending();
        let mut lane_of =
            vec![0; episodes.iter().chain(&self.lane_episode).max().map_or(0, |&last| last + 1)];
        for (lane, &episode) in self.lane_episode.iter().enumerate() {
            lane_of[episode] = lane;
        }
        let from: Vec<usize> = episodes.iter().map(|&episode| lane_of[episode]).collect();
        self.measure.rearrange(&from);
        self.lane_episode.clear();
        self.lane_episode.extend_from_slice(episodes);
    }
}

impl Recorder for BehaviorRecorder {
    fn query(&mut self, query: &Query<'_>) {
        let Times { horizon, transient, n_queries, .. } = self.times;
        if n_queries == 0 {
            self.lane_episode.clear();
            self.lane_episode.extend_from_slice(query.episodes);
            self.measure.begin(query);
        }
        self.follow(query.episodes);
        let n_counted = self.times.n_counted(query.tick);
        self.pending.push(query, n_counted);
        if self.pending.is_full() {
            self.add_pending();
        }
        let is_steady = query.tick >= transient.max(horizon - horizon / STEADY_PART);
        if is_steady && self.times.steady.is_none() {
            self.times.steady = Some((query.tick, n_queries + 1));
            self.add_pending();
            self.measure.begin_steady_part(query);
        }
        self.times.tick = query.tick;
        self.times.n_queries += 1;
    }

    fn end(&mut self, episode: usize, end: &End<'_>) {
        self.add_pending();
        let lane = self.lane_episode.iter().position(|&other| other == episode);
        let lane = lane.expect("an episode ends after its first query");
        let figures = self.figures(lane, end);
        let width = self.shape.width();
        self.behaviors[episode * width..][..width].copy_from_slice(&figures);
    }
}
