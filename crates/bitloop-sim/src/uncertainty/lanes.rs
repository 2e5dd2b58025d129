//! [`UncertainLanes`]: what the stages of uncertainty keep of the episodes of a worker, and the stages over lanes.

use std::ops::ControlFlow;

use bitloop_plant::{
    Isa, Kernel, LaneMatrix, LaneWork, PlantLanes, Real, dispatch, for_each_block,
};

use super::noise::Samples;
use super::{Sensor, Uncertainty};
use crate::timing::Timing;

/// The buffers of one worker for a loop with uncertainty, a lane for each episode.
#[derive(Clone, Debug)]
pub(crate) struct UncertainLanes {
    /// What was drawn with each episode.
    pub drawn: LaneMatrix,
    /// Past readings and commands, and what disturbances keep.
    pub memory: LaneMatrix,
    /// The two words of the key of each lane's noise, as bit patterns of numbers.
    pub noise_keys: LaneMatrix,
}

impl UncertainLanes {
    /// Buffers of `n_lanes` lanes.
    pub fn new(uncertainty: &Uncertainty, timing: Timing, n_lanes: usize) -> Self {
        Self {
            drawn: LaneMatrix::zeros(uncertainty.n_drawn(), n_lanes),
            memory: LaneMatrix::zeros(uncertainty.n_memory(timing), n_lanes),
            noise_keys: LaneMatrix::zeros(uncertainty.n_noise_keys(), n_lanes),
        }
    }

    /// All that belongs to the episode in a lane.
    pub fn matrices(&mut self) -> [&mut LaneMatrix; 3] {
        [&mut self.drawn, &mut self.memory, &mut self.noise_keys]
    }

    /// Copies lane `from` over lane `to`.
    pub fn copy_lane(&mut self, from: usize, to: usize) {
        for matrix in self.matrices() {
            matrix.copy_lane(from, to);
        }
    }

    /// Replaces the observations of `n_lanes` lanes by readings.
    pub fn measure(
        &mut self,
        isa: Isa,
        (n_lanes, query): (usize, u64),
        sensors: &[Sensor],
        observation: &mut LaneMatrix,
    ) {
        if sensors.is_empty() {
            return;
        }
        dispatch(isa, Measure { sensors, lanes: self, observation, n_lanes, query });
    }

    /// Replaces the commands of `n_lanes` lanes by the controls of the first part of a period.
    pub fn act(
        &mut self,
        isa: Isa,
        (n_lanes, query): (usize, u64),
        uncertainty: &Uncertainty,
        timing: Timing,
        control: &mut LaneMatrix,
    ) {
        if uncertainty.actuators.is_empty() {
            return;
        }
        dispatch(isa, Act { uncertainty, lanes: self, control, n_lanes, query, timing });
    }

    /// Lets the commands arrive that reach their actuators `step` integration steps after the query.
    pub fn arrive(
        &self,
        (step, query): (u64, u64),
        uncertainty: &Uncertainty,
        timing: Timing,
        lanes: &mut PlantLanes,
    ) {
        let stride = self.memory.n_lanes();
        let first: usize = uncertainty.sensors.iter().map(Sensor::n_memory).sum();
        let mut memory = &self.memory.as_slice()[first * stride..];
        let mut drawn = &self.drawn.as_slice()[uncertainty.first_of_actuators() * stride..];
        for actuator in &uncertainty.actuators {
            if actuator.arrives_at(step, timing) {
                let row = lanes.control.row_mut(actuator.control);
                actuator.arrive((step, query), timing, (drawn, memory, stride), row);
            }
            memory = &memory[actuator.n_memory(timing) * stride..];
            drawn = &drawn[super::actuator::N_DRAWN * stride..];
        }
    }
}

struct Measure<'a> {
    sensors: &'a [Sensor],
    lanes: &'a mut UncertainLanes,
    observation: &'a mut LaneMatrix,
    n_lanes: usize,
    query: u64,
}

impl Kernel for Measure<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.n_lanes);
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Measure<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
        let UncertainLanes { drawn, memory, noise_keys } = &mut *self.lanes;
        let stride = memory.n_lanes();
        let mut memory = memory.as_mut_slice();
        let mut drawn = drawn.as_slice();
        let mut samples = Samples::new(noise_keys, first_lane, self.query);
        for sensor in self.sensors {
            let (of_sensor, others) = memory.split_at_mut(sensor.n_memory() * stride);
            let (place, kept) = ((first_lane, self.query), (drawn, of_sensor, stride));
            sensor.measure::<R>(place, &mut samples, kept, self.observation);
            memory = others;
            drawn = &drawn[super::sensor::N_DRAWN * stride..];
        }
        ControlFlow::Continue(())
    }
}

struct Act<'a> {
    uncertainty: &'a Uncertainty,
    lanes: &'a mut UncertainLanes,
    control: &'a mut LaneMatrix,
    n_lanes: usize,
    query: u64,
    timing: Timing,
}

impl Kernel for Act<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.n_lanes);
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Act<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, first_lane: usize) -> ControlFlow<()> {
        let UncertainLanes { drawn, memory, .. } = &mut *self.lanes;
        let Uncertainty { sensors, actuators, .. } = self.uncertainty;
        let stride = memory.n_lanes();
        let of_sensors: usize = sensors.iter().map(Sensor::n_memory).sum();
        let mut memory = &mut memory.as_mut_slice()[of_sensors * stride..];
        let mut drawn = &drawn.as_slice()[self.uncertainty.first_of_actuators() * stride..];
        for actuator in actuators {
            let n_memory = actuator.n_memory(self.timing);
            let (of_actuator, others) = memory.split_at_mut(n_memory * stride);
            let (place, kept) = ((first_lane, self.query), (drawn, of_actuator, stride));
            actuator.act::<R>(place, self.timing, kept, self.control);
            memory = others;
            drawn = &drawn[super::actuator::N_DRAWN * stride..];
        }
        ControlFlow::Continue(())
    }
}
