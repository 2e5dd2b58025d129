//! Disturbances over lanes.

use std::ops::ControlFlow;

use bitloop_plant::{
    Description, Isa, Kernel, LaneMatrix, LaneWork, PlantLanes, Real, dispatch, for_each_block,
};

use super::noise::Samples;
use super::{Actuator, Sensor, Target, UncertainLanes, Uncertainty};
use crate::timing::Timing;

impl UncertainLanes {
    /// Sets the disturbances of `n_lanes` lanes for the control period of a query, and applies those of parameters and states.
    pub fn disturb(
        &mut self,
        isa: Isa,
        (n_lanes, query): (usize, u64),
        (uncertainty, timing): (&Uncertainty, Timing),
        plant: &Description,
        lanes: &mut PlantLanes,
    ) {
        if uncertainty.disturbances.is_empty() {
            return;
        }
        dispatch(isa, Disturb { uncertainty, plant, timing, kept: self, lanes, n_lanes, query });
    }

    /// Adds its disturbance to each control that `is_due`.
    pub fn push(
        &self,
        uncertainty: &Uncertainty,
        timing: Timing,
        control: &mut LaneMatrix,
        is_due: impl Fn(usize) -> bool,
    ) {
        let mut memory = first_of_memory(uncertainty, timing);
        for disturbance in &uncertainty.disturbances {
            if let Target::Control(index) = disturbance.target
                && is_due(index)
            {
                let added = self.memory.row(memory);
                control.row_mut(index).iter_mut().zip(added).for_each(|(to, by)| *to += by);
            }
            memory += disturbance.n_memory();
        }
    }
}

/// The first row of memory of disturbances.
fn first_of_memory(uncertainty: &Uncertainty, timing: Timing) -> usize {
    let sensors: usize = uncertainty.sensors.iter().map(Sensor::n_memory).sum();
    let n_memory = |actuator: &Actuator| actuator.n_memory(timing);
    sensors + uncertainty.actuators.iter().map(n_memory).sum::<usize>()
}

struct Disturb<'a> {
    uncertainty: &'a Uncertainty,
    plant: &'a Description,
    timing: Timing,
    kept: &'a mut UncertainLanes,
    lanes: &'a mut PlantLanes,
    n_lanes: usize,
    query: u64,
}

impl Kernel for Disturb<'_> {
    type Output = ();

    #[inline(always)]
    fn run<R: Real>(mut self) {
        let all = 0..LaneMatrix::covered(self.n_lanes);
        let _ = for_each_block::<R>(&mut self, all);
    }
}

impl LaneWork for Disturb<'_> {
    #[inline(always)]
    fn block<R: Real>(&mut self, lane: usize) -> ControlFlow<()> {
        let Self { uncertainty, plant, timing, query, .. } = *self;
        let UncertainLanes { drawn, memory, noise_keys } = &mut *self.kept;
        let stride = memory.n_lanes();
        let samples = Samples::<R>::new(noise_keys, lane, query);
        let mut drawn = &drawn.as_slice()[uncertainty.first_of_disturbances() * stride..];
        let mut memory =
            &mut memory.as_mut_slice()[first_of_memory(uncertainty, timing) * stride..];
        let mut channel = 0;
        for disturbance in &uncertainty.disturbances {
            let (own, others) = memory.split_at_mut(disturbance.n_memory() * stride);
            let undisturbed = match disturbance.target {
                Target::Control(_) | Target::State(_) => R::splat(0.0),
                Target::Parameter(index) => {
                    if query == 0 {
                        R::load(&self.lanes.parameters.row(index)[lane..]).store(&mut own[lane..]);
                    }
                    R::load(&own[lane..])
                }
            };
            let place = ((lane, query), channel);
            let value =
                disturbance.value(undisturbed, place, timing, &samples, (drawn, own, stride));
            match disturbance.target {
                Target::Control(_) => value.store(&mut own[lane..]),
                Target::Parameter(index) => {
                    let bounds = &plant.parameters[index];
                    let value = value.clamp(R::splat(bounds.min), R::splat(bounds.max));
                    value.store(&mut self.lanes.parameters.row_mut(index)[lane..]);
                }
                Target::State(index) => {
                    let state = &mut self.lanes.state.row_mut(index)[lane..];
                    (R::load(state) + value * timing.sample_time_s()).store(state);
                }
            }
            channel += disturbance.courses.len();
            drawn = &drawn[disturbance.n_drawn() * stride..];
            memory = others;
        }
        ControlFlow::Continue(())
    }
}
