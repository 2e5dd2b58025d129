//! One pass over episodes: the stages of the loop, period after period, and the ends of episodes.

use std::ops::Range;

use bitloop_blm::ProbeControl;
use bitloop_net::SignalLanes;
use bitloop_plant::{Isa, LaneMatrix, PlantCallError, PlantLanes, Stretch};

use crate::closed_loop::ClosedLoop;
use crate::controller::Controller;
use crate::episodes::EpisodeSet;
use crate::outcome::{EpisodeEnd, EpisodeResult, UnfinishedEpisode};
use crate::trajectory::{End, Query, Recorder};
use crate::workspace::Workspace;

/// Control periods between two looks at the control of a rollout.
pub(crate) const PERIODS_PER_SLICE: u64 = 4;

/// Control periods between two looks at what the plant has done to the processor.
const PERIODS_PER_LOOK: u64 = 64;

/// One pass over a range of episodes. The controller is called once a query for all lanes, so that its type is not known here,
/// and the loop is compiled once.
pub(crate) struct Run<'a> {
    pub(crate) closed_loop: &'a ClosedLoop,
    pub(crate) isa: Isa,
    pub(crate) controller: &'a dyn Controller,
    pub(crate) set: &'a EpisodeSet,
    pub(crate) work: &'a mut Workspace,
    /// Whether the set has a single episode, which the buffers of the controller are prepared for.
    is_alone: bool,
}

impl<'a> Run<'a> {
    /// A pass over episodes of `set`, drawn for a plant of the loop's sizes, in buffers made for the loop and the
    /// controller.
    ///
    /// # Panics
    /// If they are not, which is a mistake in the program.
    pub(crate) fn new(
        closed_loop: &'a ClosedLoop,
        isa: Isa,
        controller: &'a dyn Controller,
        set: &'a EpisodeSet,
        work: &'a mut Workspace,
    ) -> Self {
        let sizes = closed_loop.plant().sizes();
        assert!(
            set.initial.n_rows() == sizes.n_states && set.parameters.n_rows() == sizes.n_parameters,
            "the episodes were drawn for another plant"
        );
        let Workspace { lanes, signals, .. } = &*work;
        assert!(
            lanes.state.n_rows() == sizes.n_states
                && lanes.parameters.n_rows() == sizes.n_parameters
                && signals.input.n_rows() == controller.n_inputs()
                && signals.output.n_rows() == controller.n_outputs(),
            "the workspace was made for another loop"
        );
        let is_alone = set.n_episodes == 1;
        if is_alone {
            controller.prepare_alone(&mut work.signals);
        }
        Self { closed_loop, isa, controller, set, work, is_alone }
    }

    /// All episodes of `range`, each to its horizon or its end; the tick at which `control` calls it off, if it does. A
    /// recorder is shown them by their position in the range.
    pub(crate) fn finish_all(
        &mut self,
        range: Range<usize>,
        control: ProbeControl<'_>,
        recorder: Option<&mut dyn Recorder>,
    ) -> Result<Option<u64>, PlantCallError> {
        let first = range.start;
        self.load(range);
        self.finish_from(first, 0, control, recorder)
    }

    /// All live episodes from `tick` on, the first of the range at position `first`.
    pub(crate) fn finish_from(
        &mut self,
        first: usize,
        mut tick: u64,
        control: ProbeControl<'_>,
        mut recorder: Option<&mut dyn Recorder>,
    ) -> Result<Option<u64>, PlantCallError> {
        let called_off = self.watched(|run| {
            let mut n_periods = 0;
            while tick < run.set.horizon && !run.work.lane_episode.is_empty() {
                if n_periods % PERIODS_PER_SLICE == 0 && control.is_called_off() {
                    return Ok(true);
                }
                tick = run.period(first, tick, &mut recorder)?;
                run.look_at_plant(n_periods)?;
                n_periods += 1;
            }
            Ok(false)
        })?;
        if called_off {
            return Ok(Some(tick));
        }
        self.finish(&mut recorder)?;
        Ok(None)
    }

    /// Runs control periods, during which the plant's calls are watched.
    pub(crate) fn watched<T>(
        &mut self,
        periods: impl FnOnce(&mut Self) -> Result<T, PlantCallError>,
    ) -> Result<T, PlantCallError> {
        let plant = self.closed_loop.plant();
        plant.watch(&mut self.work.lanes);
        let result = periods(self);
        plant.end_watch(&mut self.work.lanes)?;
        result
    }

    /// Looks at the watched plant after the first control period, and then from time to time.
    #[inline]
    pub(crate) fn look_at_plant(&self, n_periods_before: u64) -> Result<(), PlantCallError> {
        if n_periods_before.is_multiple_of(PERIODS_PER_LOOK) {
            self.closed_loop.plant().look(&self.work.lanes)?;
        }
        Ok(())
    }

    /// Puts the episodes of `range` into lanes, memory zeroed; padding lanes hold copies of the first.
    pub(crate) fn load(&mut self, range: Range<usize>) {
        let Workspace { lanes, signals, penalty, lane_episode, uncertain, .. } = &mut *self.work;
        let (n_episodes, room) = (range.len(), lanes.n_lanes());
        assert!(n_episodes <= room, "a workspace of {room} lanes for {n_episodes} episodes");
        let drawn = uncertain.iter_mut().flat_map(|lanes| {
            [(&self.set.uncertain, &mut lanes.drawn), (&self.set.noise_keys, &mut lanes.noise_keys)]
        });
        for (from, to) in
            [(&self.set.initial, &mut lanes.state), (&self.set.parameters, &mut lanes.parameters)]
                .into_iter()
                .chain(drawn)
        {
            for row in 0..from.n_rows() {
                let (from, to) = (&from.row(row)[range.clone()], to.row_mut(row));
                to[..from.len()].copy_from_slice(from);
                to[from.len()..].fill(from[0]);
            }
        }
        if self.closed_loop.plant().takes_seeds() {
            let keys = &self.set.noise_keys.row(0)[range.clone()];
            lanes.seeds.iter_mut().zip(keys).for_each(|(seed, key)| *seed = key.to_bits());
        }
        lanes.cost.fill(0.0);
        lanes.set_live(n_episodes);
        signals.memory.fill(0.0);
        penalty.fill(0.0);
        lane_episode.clear();
        lane_episode.extend(0..range.len());
        self.work.expect_results(range.len());
    }

    /// One control period from `tick` on, all stages of the loop; returns the tick at its end.
    pub(crate) fn period(
        &mut self,
        first: usize,
        tick: u64,
        recorder: &mut Option<&mut dyn Recorder>,
    ) -> Result<u64, PlantCallError> {
        let loop_ = self.closed_loop;
        let n_lanes = LaneMatrix::covered(self.work.lane_episode.len());
        let stretch = Stretch {
            tick,
            n_steps: 0,
            step_s: loop_.timing().step_s(),
            integrator: loop_.integrator(),
            counts_cost: false,
        };
        self.disturb(n_lanes, tick);
        self.work.lanes.set_live(self.work.lane_episode.len());
        loop_.plant().observe(self.isa, &mut self.work.lanes, n_lanes, stretch)?;
        self.measure(n_lanes, tick);
        self.control(n_lanes);
        if let Some(recorder) = recorder {
            let Workspace { lanes, lane_episode, .. } = &*self.work;
            let PlantLanes { state, observation, control, cost, .. } = lanes;
            let episodes = lane_episode;
            recorder.query(&Query { tick, episodes, state, observation, control, cost });
        }
        let end = (tick + loop_.timing().steps_per_query()).min(self.set.horizon);
        // Charged on commands, as the controller gives them.
        if !loop_.penalties.is_off() {
            let transient = self.set.transient;
            let n_counted = end.max(transient) - tick.max(transient);
            let Workspace { lanes, penalty, .. } = &mut *self.work;
            let when = (tick == 0, n_counted);
            loop_.penalties.charge(self.isa, n_lanes, &lanes.control, penalty, when);
        }
        self.actuate(n_lanes, tick);
        // Hold: u is constant up to the next query, or the horizon; or until a delayed command arrives.
        let mut from = tick;
        for &switch in &loop_.switches {
            let to = end.min(tick + switch);
            self.hold_over(first, Stretch { tick: from, ..stretch }, to, recorder)?;
            from = to;
            self.arrive(switch, tick);
        }
        self.hold_over(first, Stretch { tick: from, ..stretch }, end, recorder)?;
        Ok(end)
    }

    /// The stage `disturbances`, at the query of a tick: parameters and states.
    pub(crate) fn disturb(&mut self, n_lanes: usize, tick: u64) {
        let (loop_, Workspace { lanes, uncertain, .. }) = (self.closed_loop, &mut *self.work);
        if let Some(uncertain) = uncertain {
            let (uncertainty, timing) = (loop_.uncertainty(), loop_.timing());
            let place = (n_lanes, timing.query(tick));
            let plant = loop_.plant().description();
            uncertain.disturb(self.isa, place, (uncertainty, timing), plant, lanes);
        }
    }

    /// The stage `sensors`, at the query of a tick.
    pub(crate) fn measure(&mut self, n_lanes: usize, tick: u64) {
        let Workspace { lanes, uncertain, .. } = &mut *self.work;
        if let Some(uncertain) = uncertain {
            let query = self.closed_loop.timing().query(tick);
            let sensors = &self.closed_loop.uncertainty().sensors;
            uncertain.measure(self.isa, (n_lanes, query), sensors, &mut lanes.observation);
        }
    }

    /// The stage `actuators`, at the query of a tick.
    pub(crate) fn actuate(&mut self, n_lanes: usize, tick: u64) {
        let (loop_, Workspace { lanes, uncertain, .. }) = (self.closed_loop, &mut *self.work);
        if let Some(uncertain) = uncertain {
            let (uncertainty, timing) = (loop_.uncertainty(), loop_.timing());
            let place = (n_lanes, timing.query(tick));
            uncertain.act(self.isa, place, uncertainty, timing, &mut lanes.control);
            uncertain.push(uncertainty, timing, &mut lanes.control, |_| true);
        }
    }

    /// Lets the commands arrive that reach their actuators `within` integration steps after the query of a tick.
    pub(crate) fn arrive(&mut self, within: u64, tick: u64) {
        let (loop_, Workspace { lanes, uncertain, .. }) = (self.closed_loop, &mut *self.work);
        if let Some(uncertain) = uncertain {
            let (uncertainty, timing) = (loop_.uncertainty(), loop_.timing());
            uncertain.arrive((within, timing.query(tick)), uncertainty, timing, lanes);
            let arrives = |control| uncertainty.arrives(control, within, timing);
            uncertain.push(uncertainty, timing, &mut lanes.control, arrives);
        }
    }

    /// Advances the plant under one control to tick `to`, first without and then with its cost.
    fn hold_over(
        &mut self,
        first: usize,
        stretch: Stretch,
        to: u64,
        recorder: &mut Option<&mut dyn Recorder>,
    ) -> Result<(), PlantCallError> {
        let (tick, transient) = (stretch.tick, self.set.transient);
        if tick < to.min(transient) {
            let free = Stretch { counts_cost: false, ..stretch };
            self.hold(first, free, to.min(transient), recorder)?;
        }
        let tick = tick.max(transient);
        if tick < to && !self.work.lane_episode.is_empty() {
            self.hold(first, Stretch { tick, counts_cost: true, ..stretch }, to, recorder)?;
        }
        Ok(())
    }

    /// The stages scale, controller, unscale and saturate.
    ///
    /// Signals that are not changed are swapped with the buffer on the other side: copies would cost a
    /// twentieth of a small network's period, because the vectors loaded next lie across those that `memcpy` stores.
    pub(crate) fn control(&mut self, n_lanes: usize) {
        let (loop_, Workspace { lanes, signals, .. }) = (self.closed_loop, &mut *self.work);
        let act = |signals: &mut SignalLanes| {
            if self.is_alone {
                self.controller.act_alone(self.isa, signals);
            } else {
                self.controller.act(self.isa, n_lanes, signals);
            }
        };
        if loop_.passes_observations {
            std::mem::swap(&mut lanes.observation, &mut signals.input);
            act(signals);
            std::mem::swap(&mut lanes.observation, &mut signals.input);
        } else {
            let seen = if loop_.feeds_back_states() { &lanes.state } else { &lanes.observation };
            loop_.interface().scale(n_lanes, seen, &mut signals.input);
            act(signals);
        }
        if loop_.passes_outputs {
            std::mem::swap(&mut lanes.control, &mut signals.output);
        } else {
            loop_.interface().actuate(n_lanes, &signals.output, &mut lanes.control);
        }
    }

    /// Advances the plant to tick `to`, and takes out the lanes that ended.
    fn hold(
        &mut self,
        first: usize,
        stretch: Stretch,
        to: u64,
        recorder: &mut Option<&mut dyn Recorder>,
    ) -> Result<(), PlantCallError> {
        let work = &mut *self.work;
        let n_lanes = LaneMatrix::covered(work.lane_episode.len());
        work.lanes.set_live(work.lane_episode.len());
        let steps = to - stretch.tick;
        let stretch = Stretch {
            n_steps: u32::try_from(steps).expect("within one control period"),
            ..stretch
        };
        let n_ended =
            self.closed_loop.plant().advance(self.isa, &mut work.lanes, n_lanes, stretch)?;
        work.plant_steps += steps * work.lane_episode.len() as u64;
        if n_ended > 0 {
            self.take_out_ended(first, stretch, recorder)?;
        }
        Ok(())
    }

    /// Sets the results of the episodes whose lanes ended, and moves the other lanes together.
    #[cold]
    fn take_out_ended(
        &mut self,
        first: usize,
        stretch: Stretch,
        recorder: &mut Option<&mut dyn Recorder>,
    ) -> Result<(), PlantCallError> {
        let n_live = self.work.lane_episode.len();
        let n_lanes = LaneMatrix::covered(n_live);
        let mut ended = Vec::new();
        for lane in 0..n_lanes {
            let step = self.work.lanes.take_end_step(lane);
            if step > 0 && lane < n_live {
                ended.push((lane, u64::from(step), self.work.lanes.end_cost.row(0)[lane]));
            }
        }
        self.terminal_cost(n_lanes)?;
        for &(lane, step, cost) in &ended {
            let tick = stretch.tick + step;
            self.work.plant_steps -= u64::from(stretch.n_steps) - step;
            let position = self.work.lane_episode[lane];
            let terminal = self.work.lanes.end_cost.row(0)[lane];
            let mut own_error = f64::INFINITY;
            let result = if cost >= 0.0 && terminal >= 0.0 {
                // Charged the whole rest at once, this step's sample included.
                let charged = self.set.horizon - (tick - 1).max(self.set.transient);
                let failure_cost = self.set.failure_cost[first + position];
                let per_step = self.closed_loop.failure_charge.per_step(failure_cost, cost);
                let sum = self.work.lanes.cost.row(0)[lane] + charged as f64 * per_step;
                // All of this period's penalty is in the sum, if the period counts already.
                let period_end = self.period_end(stretch.tick).max(self.set.transient);
                let n_left = self.set.horizon - period_end;
                own_error = sum / self.n_counted() + terminal;
                let error = self.error(lane, sum, terminal, n_left);
                EpisodeResult { error, end: EpisodeEnd::Failed { tick } }
            } else {
                self.work.n_faults += 1;
                EpisodeResult { error: f64::INFINITY, end: EpisodeEnd::Fault { tick } }
            };
            self.work.results[position] = result;
            if let Some(recorder) = recorder {
                let state = self.work.state_of(lane);
                let cost = self.work.lanes.cost.row(0)[lane];
                recorder.end(position, &End { tick, state: &state, cost, own_error, result });
            }
        }
        // From the back, so that the last lane is never one that is still to be taken out.
        for &(lane, ..) in ended.iter().rev() {
            let last = self.work.lane_episode.len() - 1;
            self.work.lane_episode.swap_remove(lane);
            if lane < last {
                self.work.copy_lane(last, lane);
                self.work.lanes.move_instance(last, lane);
            }
        }
        let n_live = self.work.lane_episode.len();
        if n_live > 0 {
            for lane in n_live..LaneMatrix::covered(n_live) {
                self.work.copy_lane(0, lane);
            }
        }
        Ok(())
    }

    /// Sets the results of the episodes that reached the horizon.
    pub(crate) fn finish(
        &mut self,
        recorder: &mut Option<&mut dyn Recorder>,
    ) -> Result<(), PlantCallError> {
        let n_live = self.work.lane_episode.len();
        self.work.lanes.set_live(n_live);
        self.terminal_cost(LaneMatrix::covered(n_live))?;
        for lane in 0..n_live {
            let terminal = self.work.lanes.end_cost.row(0)[lane];
            let position = self.work.lane_episode[lane];
            let mut own_error = f64::INFINITY;
            let result = if terminal >= 0.0 {
                let sum = self.work.lanes.cost.row(0)[lane];
                own_error = sum / self.n_counted() + terminal;
                let error = self.error(lane, sum, terminal, 0);
                EpisodeResult { error, end: EpisodeEnd::Horizon }
            } else {
                self.work.n_faults += 1;
                let tick = self.set.horizon;
                EpisodeResult { error: f64::INFINITY, end: EpisodeEnd::Fault { tick } }
            };
            self.work.results[position] = result;
            if let Some(recorder) = recorder {
                let state = self.work.state_of(lane);
                let (tick, cost) = (self.set.horizon, self.work.lanes.cost.row(0)[lane]);
                recorder.end(position, &End { tick, state: &state, cost, own_error, result });
            }
        }
        self.work.lane_episode.clear();
        Ok(())
    }

    /// The error of a lane that ended with this sum of stage costs, and `n_left` steps before it that count.
    fn error(&self, lane: usize, sum: f64, terminal: f64, n_left: u64) -> f64 {
        let Workspace { penalty, .. } = &*self.work;
        let penalties = &self.closed_loop.penalties;
        let sum = if penalties.is_off() { sum } else { sum + penalties.sum(penalty, lane, n_left) };
        sum / self.n_counted() + terminal
    }

    /// The tick at the end of the control period that `tick` is in.
    fn period_end(&self, tick: u64) -> u64 {
        let steps = u64::from(self.closed_loop.timing().steps_per_period());
        ((tick / steps + 1) * steps).min(self.set.horizon)
    }

    fn terminal_cost(&mut self, n_lanes: usize) -> Result<(), PlantCallError> {
        let work = &mut *self.work;
        self.closed_loop.plant().terminal_cost(self.isa, &mut work.lanes, n_lanes)
    }

    /// The live episodes at `tick`, with their errors so far.
    pub(crate) fn unfinished(&self, tick: u64) -> Vec<UnfinishedEpisode> {
        let n_counted = tick.saturating_sub(self.set.transient);
        let costs = self.work.lanes.cost.row(0);
        let (penalties, rows) = (&self.closed_loop.penalties, &self.work.penalty);
        let lanes = self.work.lane_episode.iter().zip(costs).enumerate();
        lanes
            .map(|(lane, (&position, cost))| {
                let sum = cost + penalties.sum(rows, lane, 0);
                let error = (n_counted > 0).then(|| sum / n_counted as f64);
                UnfinishedEpisode { position, tick, error }
            })
            .collect()
    }

    /// How many samples of the stage cost an episode's error is the mean of.
    pub(crate) fn n_counted(&self) -> f64 {
        (self.set.horizon - self.set.transient) as f64
    }
}
