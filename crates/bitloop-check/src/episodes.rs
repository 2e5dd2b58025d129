//! [`Episodes`]: what a plant is run through, and [`Trace`]: all that it answers, to be compared bit for bit.

use std::ops::Range;

use bitloop_plant::{
    Integrator, Isa, LaneMatrix, Parameter, PlantCallError, PlantHandle, PlantLanes, Stretch,
    Variable,
};

use crate::numbers::Numbers;

/// The most integration steps in a control period of a check.
const MAX_STEPS: f64 = 50.0;

/// Episodes with starts, parameters, and controls that are drawn beforehand.
#[derive(Clone, Debug)]
pub(crate) struct Episodes {
    /// `[n_episodes][n_states]`.
    pub initial: Vec<Vec<f64>>,
    /// `[n_episodes][n_parameters]`.
    pub parameters: Vec<Vec<f64>>,
    /// `[n_periods][n_episodes][n_controls]`.
    pub controls: Vec<Vec<Vec<f64>>>,
}

/// How a stretch is run.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    pub isa: Isa,
    pub integrator: Integrator,
    pub step_s: f64,
    /// Integration steps in a control period.
    pub n_steps: u32,
}

impl Manner {
    /// The plant's usual steps on the fastest instruction set.
    pub fn usual(plant: &PlantHandle, integrator: Integrator) -> Self {
        let description = plant.description();
        let ratio = (description.sample_time_s / description.step_s).round();
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "1 to MAX_STEPS"
        )]
        let n_steps = ratio.clamp(1.0, MAX_STEPS) as u32;
        Self { isa: Isa::best(), integrator, step_s: description.step_s, n_steps }
    }

    /// The usual manner with each integrator of the plant.
    pub fn all(plant: &PlantHandle) -> impl Iterator<Item = Self> {
        let integrators = plant.description().integrators.iter();
        integrators.map(|&integrator| Self::usual(plant, integrator))
    }

    /// The usual manner with the plant's default integrator.
    pub fn first(plant: &PlantHandle) -> Self {
        Self::usual(plant, plant.description().integrators[0])
    }

    /// The stretch of `n_steps` from `tick` on, costs counted.
    pub const fn stretch(self, tick: u64, n_steps: u32) -> Stretch {
        let Self { integrator, step_s, .. } = self;
        Stretch { tick, n_steps, step_s, integrator, counts_cost: true }
    }
}

/// A legal value of a state, up to `spread` scales from where it starts.
fn state(variable: &Variable, spread: f64, numbers: &mut Numbers) -> f64 {
    let value = (spread * variable.scale).mul_add(numbers.signed(), variable.default);
    value.clamp(variable.min, variable.max)
}

/// A legal value of a control: anywhere between its bounds, or up to a scale from its center where it has none.
fn control(variable: &Variable, numbers: &mut Numbers) -> f64 {
    let Variable { min, max, center, scale, .. } = *variable;
    if max - min < f64::INFINITY {
        return numbers.share().mul_add(max - min, min).clamp(min, max);
    }
    scale.mul_add(numbers.signed(), center).clamp(min, max)
}

/// A legal value of a parameter, within 5 % of its default.
fn parameter(parameter: &Parameter, numbers: &mut Numbers) -> f64 {
    let Parameter { default, min, max, .. } = *parameter;
    let reach = 0.05 * if default == 0.0 { 1.0 } else { default.abs() };
    reach.mul_add(numbers.signed(), default).clamp(min, max)
}

impl Episodes {
    /// Draws legal episodes, which start up to `spread` scales from the plant's own start.
    pub fn draw(
        plant: &PlantHandle,
        (n_episodes, n_periods): (usize, usize),
        spread: f64,
        numbers: &mut Numbers,
    ) -> Self {
        let description = plant.description();
        let states = &description.states;
        let initial = (0..n_episodes)
            .map(|_| states.iter().map(|v| state(v, spread, numbers)).collect())
            .collect();
        let parameters = (0..n_episodes)
            .map(|_| description.parameters.iter().map(|p| parameter(p, numbers)).collect())
            .collect();
        let controls = (0..n_periods)
            .map(|_| {
                (0..n_episodes)
                    .map(|_| description.controls.iter().map(|v| control(v, numbers)).collect())
                    .collect()
            })
            .collect();
        Self { initial, parameters, controls }
    }

    pub fn len(&self) -> usize {
        self.initial.len()
    }

    pub fn n_periods(&self) -> usize {
        self.controls.len()
    }

    /// Every episode in a lane of its own.
    pub fn in_order(&self) -> Vec<usize> {
        (0..self.len()).collect()
    }

    /// Loads episode `order[lane]` into each lane, and copies of the last one into those that are left. Buffers that a
    /// call writes keep what they hold, the sum of costs aside.
    pub fn load(&self, lanes: &mut PlantLanes, order: &[usize]) {
        for lane in 0..lanes.n_lanes() {
            let episode = order[lane.min(order.len() - 1)];
            put(&mut lanes.state, lane, &self.initial[episode]);
            put(&mut lanes.parameters, lane, &self.parameters[episode]);
            lanes.seeds[lane] = episode as u64;
            lanes.cost.row_mut(0)[lane] = 0.0;
            let _ = lanes.take_end_step(lane);
        }
    }

    /// Holds the controls of a period.
    pub fn hold(&self, lanes: &mut PlantLanes, order: &[usize], period: usize) {
        for lane in 0..lanes.n_lanes() {
            let episode = order[lane.min(order.len() - 1)];
            put(&mut lanes.control, lane, &self.controls[period][episode]);
        }
    }

    /// Goes through `periods` with lanes that are loaded, and adds all answers to the traces, one for each lane. A plant that owns
    /// its state is not asked to continue an episode that has ended.
    pub fn advance(
        &self,
        plant: &PlantHandle,
        lanes: &mut PlantLanes,
        (order, periods): (&[usize], Range<usize>),
        manner: Manner,
        traces: &mut Vec<Trace>,
    ) -> Result<(), PlantCallError> {
        traces.resize_with(order.len(), Trace::default);
        let n_lanes = LaneMatrix::covered(order.len());
        for period in periods {
            let tick = period as u64 * u64::from(manner.n_steps);
            let stretch = manner.stretch(tick, manner.n_steps);
            self.hold(lanes, order, period);
            of_running(plant, lanes, &running(traces), |lanes| {
                plant.observe(manner.isa, lanes, n_lanes, stretch)?;
                plant.advance(manner.isa, lanes, n_lanes, stretch).map(drop)
            })?;
            for (lane, trace) in traces.iter_mut().enumerate() {
                trace.add_period(lanes, lane);
            }
        }
        Ok(())
    }

    /// Runs all periods from the start, in fresh lanes.
    pub fn run(
        &self,
        plant: &PlantHandle,
        order: &[usize],
        manner: Manner,
    ) -> Result<Vec<Trace>, PlantCallError> {
        self.run_in(plant, &mut plant.lanes(order.len()), order, manner)
    }

    /// Runs all periods from the start, in lanes that may hold anything.
    pub fn run_in(
        &self,
        plant: &PlantHandle,
        lanes: &mut PlantLanes,
        order: &[usize],
        manner: Manner,
    ) -> Result<Vec<Trace>, PlantCallError> {
        self.load(lanes, order);
        let mut traces = Vec::new();
        self.advance(plant, lanes, (order, 0..self.n_periods()), manner, &mut traces)?;
        ask_for_ends(plant, lanes, manner, &mut traces)?;
        Ok(traces)
    }
}

/// Asks for the terminal and the failure cost of all lanes after their last period, as hosts do, also where an episode has ended.
pub(crate) fn ask_for_ends(
    plant: &PlantHandle,
    lanes: &mut PlantLanes,
    manner: Manner,
    traces: &mut [Trace],
) -> Result<(), PlantCallError> {
    let n_lanes = LaneMatrix::covered(traces.len());
    // In a plant that owns its state, padding has no episode.
    of_running(plant, lanes, &vec![true; traces.len()], |lanes| {
        plant.terminal_cost(manner.isa, lanes, n_lanes)
    })?;
    let terminal = lanes.end_cost.row(0).to_vec();
    plant.failure_cost(manner.isa, lanes, n_lanes)?;
    for (lane, trace) in traces.iter_mut().enumerate() {
        trace.last = [terminal[lane], lanes.end_cost.row(0)[lane]].map(canonical);
    }
    Ok(())
}

/// Calls a plant. If it owns its state, the call is only about the lanes that run, which are the first ones meanwhile: no host
/// continues an episode that has ended.
fn of_running(
    plant: &PlantHandle,
    lanes: &mut PlantLanes,
    runs: &[bool],
    call: impl FnOnce(&mut PlantLanes) -> Result<(), PlantCallError>,
) -> Result<(), PlantCallError> {
    if !plant.owns_state() {
        return call(lanes);
    }
    let running = (0..runs.len()).filter(|&lane| runs[lane]);
    let places: Vec<(usize, usize)> = running.enumerate().collect();
    for &(place, lane) in &places {
        lanes.swap_lanes(place, lane);
    }
    lanes.set_live(places.len());
    let called = call(lanes);
    lanes.set_live(usize::MAX);
    for &(place, lane) in places.iter().rev() {
        lanes.swap_lanes(place, lane);
    }
    called
}

/// Advances the lanes that run by a period from `tick` on, notes which of them end in it, and observes the others at its end.
pub(crate) fn advance_running(
    plant: &PlantHandle,
    lanes: &mut PlantLanes,
    runs: &mut [bool],
    manner: Manner,
    tick: u64,
) -> Result<(), PlantCallError> {
    let n_lanes = runs.len();
    let stretch = manner.stretch(tick, manner.n_steps);
    of_running(plant, lanes, runs, |lanes| {
        plant.advance(manner.isa, lanes, n_lanes, stretch).map(drop)
    })?;
    for (lane, runs) in runs.iter_mut().enumerate() {
        *runs &= lanes.take_end_step(lane) == 0;
    }
    let end = manner.stretch(tick + u64::from(manner.n_steps), 0);
    of_running(plant, lanes, runs, |lanes| plant.observe(manner.isa, lanes, n_lanes, end))
}

/// Of each lane, whether its episode still runs.
fn running(traces: &[Trace]) -> Vec<bool> {
    traces.iter().map(|trace| !trace.has_ended).collect()
}

/// Writes the numbers of one lane.
pub(crate) fn put(matrix: &mut LaneMatrix, lane: usize, numbers: &[f64]) {
    for (row, &number) in numbers.iter().enumerate() {
        matrix.row_mut(row)[lane] = number;
    }
}

/// The numbers of one lane.
pub(crate) fn get(matrix: &LaneMatrix, n_rows: usize, lane: usize) -> Vec<f64> {
    (0..n_rows).map(|row| matrix.row(row)[lane]).collect()
}

/// The bits of a number; those of a NaN are not promised.
fn canonical(number: f64) -> u64 {
    if number.is_nan() { f64::NAN.to_bits() } else { number.to_bits() }
}

/// All that a plant answered in one lane, until the episode ended.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Trace {
    /// For each period: observations, states, cost, step at which the lane ended, cost at the end.
    periods: Vec<Vec<u64>>,
    has_ended: bool,
    /// Terminal and failure cost.
    last: [u64; 2],
}

impl Trace {
    fn add_period(&mut self, lanes: &mut PlantLanes, lane: usize) {
        let end_step = lanes.take_end_step(lane);
        if self.has_ended {
            return;
        }
        let sizes = lanes.sizes();
        let mut numbers = get(&lanes.observation, sizes.n_observations, lane);
        numbers.extend(get(&lanes.state, sizes.n_states, lane));
        numbers.push(lanes.cost.row(0)[lane]);
        numbers.push(f64::from(end_step));
        self.has_ended = end_step > 0;
        numbers.push(if self.has_ended { lanes.end_cost.row(0)[lane] } else { 0.0 });
        self.periods.push(numbers.into_iter().map(canonical).collect());
    }

    /// All numbers, in the order of time.
    pub fn bits(&self) -> impl Iterator<Item = u64> {
        self.periods.iter().flatten().chain(&self.last).copied()
    }

    /// What differs first from `other`, in words.
    pub fn difference(&self, other: &Self, plant: &PlantHandle) -> Option<String> {
        for (period, (mine, others)) in self.periods.iter().zip(&other.periods).enumerate() {
            if let Some(index) = (0..mine.len()).find(|&index| mine[index] != others[index]) {
                let [a, b] = [mine[index], others[index]].map(f64::from_bits);
                return Some(format!(
                    "{} in period {period}: {a:e} against {b:e}",
                    name(plant, index)
                ));
            }
        }
        // A lane that continued after it ended elsewhere differs in the period of that end already.
        let kinds = ["terminal cost", "failure cost"];
        let index = (0..kinds.len()).find(|&index| self.last[index] != other.last[index])?;
        let [a, b] = [self.last[index], other.last[index]].map(f64::from_bits);
        Some(format!("the {}: {a:e} against {b:e}", kinds[index]))
    }
}

/// What stands at `index` of a period.
fn name(plant: &PlantHandle, index: usize) -> String {
    let description = plant.description();
    let n_y = description.observations.len();
    let n_x = description.states.len();
    match index {
        _ if index < n_y => format!("observation `{}`", description.observations[index].name),
        _ if index < n_y + n_x => format!("state `{}`", description.states[index - n_y].name),
        _ => ["cost", "end_step", "end_cost"][index - n_y - n_x].to_owned(),
    }
}

/// The first lane in which two runs differ, in words.
pub(crate) fn first_difference(
    plant: &PlantHandle,
    expected: &[Trace],
    found: &[Trace],
) -> Option<String> {
    let lanes = expected.iter().zip(found).enumerate();
    lanes.into_iter().find_map(|(lane, (expected, found))| {
        let difference = found.difference(expected, plant)?;
        Some(format!("lane {lane}, {difference}"))
    })
}
