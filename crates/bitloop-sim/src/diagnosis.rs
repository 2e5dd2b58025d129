//! [`ClosedLoop::diagnose`]: finds the first bad value of an evaluation.
//!
//! Evaluations look at few numbers, since they must be fast. So a faulty one is run once more: all episodes until one is
//! faulty, then that one by itself, a step at a time, with a look at every number.

use bitloop_blm::ProbeControl;
use bitloop_plant::{Isa, LaneMatrix, PlantCallError, Stretch};

use crate::closed_loop::ClosedLoop;
use crate::controller::Controller;
use crate::episodes::EpisodeSet;
use crate::plant_fault::{FaultCause, PlantFault};
use crate::run::Run;
use crate::workspace::{Workspace, column};

impl ClosedLoop {
    /// Runs an evaluation once more, on this thread, and finds its first bad value: a broken plant, a negative cost, a number
    /// that is NaN or infinite. Of several episodes that are faulty in the same control period, it is that of the first.
    /// `None` if there is none, or if `control` calls it off.
    ///
    /// # Panics
    /// If the controller does not fit the loop, or the set was drawn for a plant of other sizes.
    pub fn diagnose(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        control: ProbeControl<'_>,
    ) -> Option<PlantFault> {
        self.check_controller(controller).expect("the caller checked the controller");
        let mut work = Workspace::new(self, controller, set.n_episodes);
        let suspects = Run::new(self, isa, controller, set, &mut work).suspects(control)?;
        let mut work = Workspace::new(self, controller, 1);
        for &episode in &suspects.episodes {
            let mut run = Run::new(self, isa, controller, set, &mut work);
            if let Some(found) = run.first_bad_value(episode, control) {
                return Some(found);
            }
            if control.is_called_off() {
                return None;
            }
        }
        let &episode = suspects.episodes.first()?;
        let state = Vec::new();
        let time_s = self.timing().decimal_seconds(suspects.tick);
        Some(PlantFault { episode, tick: suspects.tick, time_s, state, cause: suspects.otherwise })
    }
}

/// Episodes of which one or more are faulty.
struct Suspects {
    /// By index, in order.
    episodes: Vec<usize>,
    /// The start of the control period in which it happened.
    tick: u64,
    /// The cause if none of them is faulty by itself.
    otherwise: FaultCause,
}

impl Run<'_> {
    /// The episodes that are faulty first; `None` if none is, or they are called off.
    fn suspects(&mut self, control: ProbeControl<'_>) -> Option<Suspects> {
        self.load(0..self.set.n_episodes);
        let mut tick = 0;
        while tick < self.set.horizon && !self.work.lane_episode.is_empty() {
            if control.is_called_off() {
                return None;
            }
            let mut live = self.work.lane_episode.clone();
            match self.period(0, tick, &mut None) {
                Ok(end) => {
                    let episodes = self.infinite_episodes();
                    if !episodes.is_empty() {
                        return Some(Suspects {
                            episodes,
                            tick,
                            otherwise: FaultCause::NotRepeated,
                        });
                    }
                    tick = end;
                }
                Err(error) => {
                    live.sort_unstable();
                    let otherwise = FaultCause::Call(error);
                    return Some(Suspects { episodes: live, tick, otherwise });
                }
            }
        }
        let mut live = self.work.lane_episode.clone();
        if let Err(error) = self.finish(&mut None) {
            live.sort_unstable();
            return Some(Suspects { episodes: live, tick, otherwise: FaultCause::Call(error) });
        }
        let episodes = self.infinite_episodes();
        if !episodes.is_empty() {
            return Some(Suspects { episodes, tick, otherwise: FaultCause::NotRepeated });
        }
        if self.error_of_results().is_finite() {
            return None;
        }
        let errors = self.work.results.iter().map(|result| result.error).enumerate();
        let (largest, _) = errors.max_by(|(_, a), (_, b)| a.total_cmp(b))?;
        Some(Suspects { episodes: vec![largest], tick, otherwise: FaultCause::MeanOverflow })
    }

    /// Episodes whose error is infinite by now, in order of their index.
    fn infinite_episodes(&self) -> Vec<usize> {
        let Workspace { lanes, lane_episode, results, .. } = &*self.work;
        let costs = lane_episode.iter().zip(lanes.cost.row(0));
        let mut episodes: Vec<usize> =
            costs.filter(|(_, cost)| cost.is_infinite()).map(|(&episode, _)| episode).collect();
        episodes
            .extend((0..results.len()).filter(|&episode| results[episode].error == f64::INFINITY));
        episodes.sort_unstable();
        episodes.dedup();
        episodes
    }

    /// Runs an episode by itself, a step at a time.
    fn first_bad_value(&mut self, episode: usize, control: ProbeControl<'_>) -> Option<PlantFault> {
        self.load(episode..episode + 1);
        let timing = self.closed_loop.timing();
        let n_lanes = LaneMatrix::covered(1);
        for tick in 0..self.set.horizon {
            let before = self.work.state_of(0);
            let within = tick % timing.steps_per_query();
            if within == 0 && control.is_called_off() {
                return None;
            }
            let stretch = Stretch {
                tick,
                n_steps: 1,
                step_s: timing.step_s(),
                integrator: self.closed_loop.integrator(),
                counts_cost: tick >= self.set.transient,
            };
            let (ended, cause) = match self.step(within, stretch) {
                Ok(ended) => ended,
                Err(error) => (true, Some(FaultCause::Call(error))),
            };
            if let Some(cause) = cause {
                // A cost belongs to the state after the step.
                let after = self.work.state_of(0);
                let is_cost = matches!(
                    cause,
                    FaultCause::Value { function: "advance" | "terminal_cost", .. }
                );
                return Some(if is_cost && after.iter().all(|value| value.is_finite()) {
                    self.fault(episode, tick + 1, &after, cause)
                } else {
                    self.fault(episode, tick, &before, cause)
                });
            }
            if ended {
                return None;
            }
        }
        let state = self.work.state_of(0);
        let cause = match self.terminal(n_lanes) {
            Ok(cause) => cause?,
            Err(error) => FaultCause::Call(error),
        };
        Some(self.fault(episode, self.set.horizon, &state, cause))
    }

    /// One integration step of the loaded episode, so many steps after a query; says whether the episode ended, and what is bad.
    fn step(
        &mut self,
        within: u64,
        stretch: Stretch,
    ) -> Result<(bool, Option<FaultCause>), PlantCallError> {
        let n_lanes = LaneMatrix::covered(1);
        let (plant, description) =
            (self.closed_loop.plant(), self.closed_loop.plant().description());
        if within > 0 {
            self.arrive(within, stretch.tick - within);
        } else {
            self.disturb(n_lanes, stretch.tick);
            plant.observe(self.isa, &mut self.work.lanes, n_lanes, stretch)?;
            let names = description.observations.iter().map(|v| v.name.as_str());
            let values = column(&self.work.lanes.observation, 0);
            if let Some(bad) = first_not_finite("observe", "observation", names, &values) {
                return Ok((false, Some(bad)));
            }
            self.measure(n_lanes, stretch.tick);
            self.control(n_lanes);
            let names = description.controls.iter().map(|v| v.name.as_str());
            let values = column(&self.work.lanes.control, 0);
            if let Some(bad) = first_not_finite("controller", "control", names, &values) {
                return Ok((false, Some(bad)));
            }
            self.actuate(n_lanes, stretch.tick);
        }
        let n_ended = plant.advance(self.isa, &mut self.work.lanes, n_lanes, stretch)?;
        let has_ended = n_ended > 0 && self.work.lanes.take_end_step(0) > 0;
        let end_cost = self.work.lanes.end_cost.row(0)[0];
        let names = description.states.iter().map(|v| v.name.as_str());
        let bad_state = first_not_finite("advance", "state", names, &self.work.state_of(0));
        let value = |quantity: &str, value| {
            Some(FaultCause::Value { function: "advance", quantity: quantity.to_owned(), value })
        };
        if !has_ended {
            let sum = self.work.lanes.cost.row(0)[0];
            let bad_cost = if sum.is_finite() { None } else { value("sum of stage costs", sum) };
            return Ok((false, bad_state.or(bad_cost)));
        }
        if bad_state.is_some() {
            return Ok((true, bad_state));
        }
        if !(end_cost >= 0.0 && end_cost.is_finite()) {
            return Ok((true, value("stage cost", end_cost)));
        }
        Ok((true, self.terminal(n_lanes)?))
    }

    /// What is bad about the terminal cost.
    fn terminal(&mut self, n_lanes: usize) -> Result<Option<FaultCause>, PlantCallError> {
        self.closed_loop.plant().terminal_cost(self.isa, &mut self.work.lanes, n_lanes)?;
        let value = self.work.lanes.end_cost.row(0)[0];
        let is_sound = value >= 0.0 && value.is_finite();
        let quantity = "terminal cost".to_owned();
        Ok((!is_sound).then_some(FaultCause::Value { function: "terminal_cost", quantity, value }))
    }

    fn fault(&self, episode: usize, tick: u64, state: &[f64], cause: FaultCause) -> PlantFault {
        let states = &self.closed_loop.plant().description().states;
        let state = states.iter().map(|v| v.name.clone()).zip(state.iter().copied()).collect();
        let time_s = self.closed_loop.timing().decimal_seconds(tick);
        PlantFault { episode, tick, time_s, state, cause }
    }
}

fn first_not_finite<'n>(
    function: &'static str,
    kind: &str,
    names: impl Iterator<Item = &'n str>,
    values: &[f64],
) -> Option<FaultCause> {
    let (name, &value) = names.zip(values).find(|(_, value)| !value.is_finite())?;
    Some(FaultCause::Value { function, quantity: format!("{kind} `{name}`"), value })
}
