//! [`EpisodeSet`]: episodes drawn once, evaluated again and again.

use bitloop_plant::{Isa, LaneMatrix};

use crate::aggregate::Aggregate;
use crate::closed_loop::ClosedLoop;
use crate::distribution::Distribution;
use crate::error::SimError;
use crate::workspace::column;

/// The most episodes in a set.
pub const MAX_EPISODES: usize = 1 << 20;

/// The most numbers in the initial states, parameters and delayed signals of a set; they take 512 MiB.
pub const MAX_NUMBERS: usize = 1 << 26;

/// What the episodes of a set have in common.
#[derive(Clone, Debug, PartialEq)]
pub struct EpisodeRanges {
    /// Of the initial state: `[n_states]`.
    pub initial: Vec<Distribution>,
    /// Of the parameters: `[n_parameters]`.
    pub parameters: Vec<Distribution>,
    /// How long an episode lasts, in seconds.
    pub horizon_s: f64,
    /// The time at the start that does not count in the error, in seconds; the paper's `t_min`.
    pub transient_s: f64,
}

/// A set of episodes: initial states and parameters, a lane each, how long they last, and how their errors become one.
#[derive(Clone, Debug)]
pub struct EpisodeSet {
    pub(crate) n_episodes: usize,
    pub(crate) initial: LaneMatrix,
    pub(crate) parameters: LaneMatrix,
    /// What is drawn for sensors, actuators and disturbances.
    pub(crate) uncertain: LaneMatrix,
    /// The two words of each episode's noise key, as bit patterns of numbers; no rows where nothing takes it. A plant that owns its
    /// state takes the first as its seed.
    pub(crate) noise_keys: LaneMatrix,
    /// What a failed episode is charged per step, unless the stage cost at its failure is higher.
    pub(crate) failure_cost: Vec<f64>,
    pub(crate) horizon: u64,
    pub(crate) transient: u64,
    /// How the errors of the episodes become that of the set.
    pub(crate) aggregate: Aggregate,
}

impl EpisodeSet {
    /// Draws `n_episodes` episodes. `words(e)` is the random stream of episode `e`; states are drawn before parameters,
    /// each in the plant's order, and only those that vary take words from it. Sensors and actuators come next, then the key
    /// of the noise, and disturbances last: so an uncertainty changes no start, and a disturbance no noise.
    ///
    /// # Errors
    /// [`SimError`] if there are none or too many episodes, a time or a distribution is invalid, or the plant's failure cost is.
    pub fn draw<W: FnMut() -> u64>(
        closed_loop: &ClosedLoop,
        n_episodes: usize,
        ranges: &EpisodeRanges,
        words: impl Fn(u64) -> W,
    ) -> Result<Self, SimError> {
        Self::draw_at(closed_loop, (n_episodes, &|position| position), ranges, words)
    }

    /// Draws the episodes of a larger set with these indices, which are then at positions from 0 on, in this order.
    ///
    /// # Errors
    /// As [`draw`](Self::draw).
    pub fn draw_part<W: FnMut() -> u64>(
        closed_loop: &ClosedLoop,
        indices: &[usize],
        ranges: &EpisodeRanges,
        words: impl Fn(u64) -> W,
    ) -> Result<Self, SimError> {
        Self::draw_at(closed_loop, (indices.len(), &|position| indices[position]), ranges, words)
    }

    /// Draws so many episodes, with the index of each position.
    fn draw_at<W: FnMut() -> u64>(
        closed_loop: &ClosedLoop,
        (n_episodes, index): (usize, &dyn Fn(usize) -> usize),
        ranges: &EpisodeRanges,
        words: impl Fn(u64) -> W,
    ) -> Result<Self, SimError> {
        let mut set = Self::empty(closed_loop, n_episodes, ranges.horizon_s, ranges.transient_s)?;
        let description = closed_loop.plant().description();
        let states = description.states.iter().map(|s| (s.name.as_str(), s.min, s.max));
        let parameters = description.parameters.iter().map(|p| (p.name.as_str(), p.min, p.max));
        check("initial", &ranges.initial, states)?;
        check("parameters", &ranges.parameters, parameters)?;
        let uncertainty = closed_loop.uncertainty();
        for episode in 0..LaneMatrix::padded(n_episodes) {
            // Padding lanes hold copies of the first episode.
            let index = index(if episode < n_episodes { episode } else { 0 });
            let mut words = words(index as u64);
            for (row, distribution) in ranges.initial.iter().enumerate() {
                set.initial.row_mut(row)[episode] = distribution.draw(&mut words);
            }
            for (row, distribution) in ranges.parameters.iter().enumerate() {
                set.parameters.row_mut(row)[episode] = distribution.draw(&mut words);
            }
            for (row, distribution) in uncertainty.drawn().enumerate() {
                set.uncertain.row_mut(row)[episode] = distribution.draw(&mut words);
            }
            for row in 0..set.noise_keys.n_rows() {
                set.noise_keys.row_mut(row)[episode] = f64::from_bits(words());
            }
            let first = uncertainty.drawn().count();
            for (row, distribution) in uncertainty.drawn_of_disturbances().enumerate() {
                set.uncertain.row_mut(first + row)[episode] = distribution.draw(&mut words);
            }
        }
        set.hold_to_bounds(closed_loop);
        set.failure_cost = set.failure_costs(closed_loop)?;
        Ok(set)
    }

    /// A set of so many episodes without their numbers.
    pub(crate) fn empty(
        closed_loop: &ClosedLoop,
        n_episodes: usize,
        horizon_s: f64,
        transient_s: f64,
    ) -> Result<Self, SimError> {
        if n_episodes == 0 || n_episodes > MAX_EPISODES {
            return Err(SimError::TooLarge {
                what: "episodes (or none)",
                value: n_episodes as f64,
                limit: MAX_EPISODES as f64,
            });
        }
        let timing = closed_loop.timing();
        let horizon = timing.ticks("horizon", horizon_s)?;
        let transient = timing.ticks("transient", transient_s)?;
        if transient >= horizon {
            return Err(SimError::NothingCounts { horizon_s, transient_s });
        }
        let (sizes, uncertainty) = (closed_loop.plant().sizes(), closed_loop.uncertainty());
        let n_lanes = LaneMatrix::padded(n_episodes);
        // What the delays of a lane keep is here too: it is taken when the episodes run, for as many of them.
        let n_rows = sizes.n_states
            + sizes.n_parameters
            + uncertainty.n_drawn()
            + uncertainty.n_memory(timing);
        if n_rows.saturating_mul(n_lanes) > MAX_NUMBERS {
            return Err(SimError::TooLarge {
                what: "initial states, parameters and delayed signals of all episodes together",
                value: n_rows as f64 * n_lanes as f64,
                limit: MAX_NUMBERS as f64,
            });
        }
        Ok(Self {
            n_episodes,
            initial: LaneMatrix::zeros(sizes.n_states, n_lanes),
            parameters: LaneMatrix::zeros(sizes.n_parameters, n_lanes),
            uncertain: LaneMatrix::zeros(uncertainty.n_drawn(), n_lanes),
            noise_keys: LaneMatrix::zeros(closed_loop.n_noise_keys(), n_lanes),
            failure_cost: Vec::new(),
            horizon,
            transient,
            aggregate: Aggregate::Mean,
        })
    }

    /// The same episodes with another aggregate of their errors than the mean.
    #[must_use]
    pub fn with_aggregate(self, aggregate: Aggregate) -> Self {
        Self { aggregate, ..self }
    }

    /// How many episodes there are.
    #[must_use]
    pub const fn n_episodes(&self) -> usize {
        self.n_episodes
    }

    /// How many numbers its initial states and parameters are.
    #[must_use]
    pub fn n_numbers(&self) -> usize {
        let n_rows = self.initial.n_rows() + self.parameters.n_rows() + self.uncertain.n_rows();
        n_rows * LaneMatrix::padded(self.n_episodes)
    }

    /// How many integration steps an episode lasts.
    #[must_use]
    pub const fn horizon(&self) -> u64 {
        self.horizon
    }

    /// The initial state of the episode at a position: `[n_states]`.
    ///
    /// # Panics
    /// If there is no such episode.
    #[must_use]
    pub fn start(&self, position: usize) -> Vec<f64> {
        column(&self.initial, position)
    }

    /// The parameters of the episode at a position: `[n_parameters]`.
    ///
    /// # Panics
    /// If there is no such episode.
    #[must_use]
    pub fn parameters(&self, position: usize) -> Vec<f64> {
        column(&self.parameters, position)
    }

    /// The same episodes made easier: `horizon` integration steps long, started at d + scale (x0 - d) where they would start
    /// at x0. `centers` holds d, a number per state.
    ///
    /// # Panics
    /// If the horizon is not longer than the transient, or there is not one center per state.
    #[must_use]
    pub fn eased(&self, horizon: u64, scale: f64, centers: &[f64]) -> Self {
        assert!(self.transient < horizon, "nothing counts");
        assert_eq!(centers.len(), self.initial.n_rows(), "a center per state");
        let mut eased = Self { horizon, ..self.clone() };
        if scale != 1.0 {
            for (row, center) in centers.iter().enumerate() {
                for value in eased.initial.row_mut(row) {
                    *value = center + scale * (*value - center);
                }
            }
        }
        eased
    }

    /// The same episodes with the share `scale` of their uncertainty: parameters at d + scale (p - d), and likewise what was drawn
    /// for sensors, actuators and disturbances of a loop. `centers` holds d, a number per parameter. They are run in
    /// [`ClosedLoop::milder`].
    ///
    /// # Errors
    /// If the plant's failure cost is invalid at these parameters.
    ///
    /// # Panics
    /// If there is not one center per parameter, or the set was drawn for another loop.
    pub fn milder(
        &self,
        closed_loop: &ClosedLoop,
        scale: f64,
        centers: &[f64],
    ) -> Result<Self, SimError> {
        assert_eq!(centers.len(), self.parameters.n_rows(), "a center per parameter");
        let mut milder = self.clone();
        if scale == 1.0 {
            return Ok(milder);
        }
        for (row, center) in centers.iter().enumerate() {
            for value in milder.parameters.row_mut(row) {
                *value = center + scale * (*value - center);
            }
        }
        closed_loop.uncertainty().ease(scale, &mut milder.uncertain, &milder.parameters);
        milder.failure_cost = milder.failure_costs(closed_loop)?;
        Ok(milder)
    }

    /// The same episodes, one integration step long.
    pub(crate) fn first_step(&self) -> Self {
        Self { horizon: 1, transient: 0, ..self.clone() }
    }

    /// Clamps the tails of normal draws to the plant's bounds.
    pub(crate) fn hold_to_bounds(&mut self, closed_loop: &ClosedLoop) {
        let description = closed_loop.plant().description();
        for (row, state) in description.states.iter().enumerate() {
            for value in self.initial.row_mut(row) {
                *value = value.clamp(state.min, state.max);
            }
        }
        for (row, parameter) in description.parameters.iter().enumerate() {
            for value in self.parameters.row_mut(row) {
                *value = value.clamp(parameter.min, parameter.max);
            }
        }
    }

    pub(crate) fn failure_costs(&self, closed_loop: &ClosedLoop) -> Result<Vec<f64>, SimError> {
        let costs = if let Some(cost) = closed_loop.failure_cost() {
            vec![cost; self.n_episodes]
        } else {
            let n_lanes = self.parameters.n_lanes().max(LaneMatrix::padded(self.n_episodes));
            let mut lanes = closed_loop.plant().lanes(n_lanes);
            lanes.parameters = self.parameters.clone();
            closed_loop.plant().failure_cost(Isa::PORTABLE, &mut lanes, n_lanes)?;
            lanes.end_cost.row(0)[..self.n_episodes].to_vec()
        };
        match costs.iter().find(|cost| !(**cost >= 0.0 && cost.is_finite())) {
            Some(&cost) => Err(SimError::BadFailureCost(cost)),
            None => Ok(costs),
        }
    }
}

/// Checks a distribution per variable, and that a fixed or uniform one stays within the variable's bounds.
fn check<'a>(
    what: &str,
    distributions: &[Distribution],
    variables: impl ExactSizeIterator<Item = (&'a str, f64, f64)>,
) -> Result<(), SimError> {
    if distributions.len() != variables.len() {
        return Err(SimError::BadDistribution {
            name: what.to_owned(),
            why: format!("{} distributions for {} variables", distributions.len(), variables.len()),
        });
    }
    for (distribution, (name, min, max)) in distributions.iter().zip(variables) {
        let outside = match *distribution {
            Distribution::Fixed(value) => !(min <= value && value <= max),
            Distribution::Uniform { low, high } => !(min <= low && high <= max),
            Distribution::Normal { mean, .. } => !(min <= mean && mean <= max),
        };
        let why = distribution.check().err().map(|error| error.to_string()).or_else(|| {
            outside.then(|| {
                format!("{distribution} leaves the bounds of the plant, from {min:?} to {max:?}")
            })
        });
        if let Some(why) = why {
            return Err(SimError::BadDistribution { name: name.to_owned(), why });
        }
    }
    Ok(())
}
