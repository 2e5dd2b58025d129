//! [`Instance`]: a plant that owns its state, such as a simulator with a solver of its own.
//!
//! Such a plant is no function of a state that the host has. Each lane has an instance, which begins an episode at its first
//! call, at tick 0, from the start values in the lane's state, and continues it with each further call: what the lane's
//! state then shows is a copy. An episode stays with its instance, so that it cannot be entered in the middle by other lanes;
//! where lanes move together, instances move along ([`PlantLanes::move_instance`](crate::PlantLanes::move_instance)), and padding is not run
//! ([`PlantLanes::set_live`](crate::PlantLanes::set_live)). An instance whose episode was dropped is used for the next one.

use std::fmt;

use crate::progress::Progress;
use crate::slot_worker::SlotWorker;

/// A plant that owns its state. The same calls after [`begin`](Self::begin) give the same answers.
///
/// An error ends the call of the plant with its text, and this instance is used no more.
pub trait Instance: Send {
    /// Begins an episode at time 0, from these start values and parameters, and writes the state that it begins with.
    ///
    /// # Errors
    /// If there can be no episode any more.
    fn begin(&mut self, x: &mut [f64], p: &[f64]) -> Result<(), String>;

    /// Advances by one step of `step_s` from `t_s` under `u`, and writes the state; NaN where it cannot be computed.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn step(&mut self, t_s: f64, step_s: f64, x: &mut [f64], u: &[f64]) -> Result<(), String>;

    /// Writes the observations to `y`.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn observe(&mut self, t_s: f64, x: &[f64], p: &[f64], y: &mut [f64]) -> Result<(), String>;

    /// The stage cost; negative or NaN is a fault, which ends the episode.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn stage_cost(&mut self, t_s: f64, x: &[f64], u: &[f64], p: &[f64]) -> Result<f64, String>;

    /// The cost of ending here.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn terminal_cost(&mut self, x: &[f64], p: &[f64]) -> Result<f64, String>;

    /// Whether the episode has failed.
    ///
    /// # Errors
    /// As [`begin`](Self::begin).
    fn failed(&mut self, t_s: f64, x: &[f64], p: &[f64]) -> Result<bool, String>;
}

/// Makes instances of a plant that owns its state.
pub trait InstanceMaker: Send + Sync {
    /// An instance for one more lane.
    ///
    /// # Errors
    /// If there can be none, and why.
    fn instance(&self) -> Result<Box<dyn Instance>, String>;

    /// What is charged after a failure.
    fn failure_cost(&self, p: &[f64]) -> f64;
}

/// The instances of lanes. A copy has none.
#[derive(Default)]
pub(crate) struct Instances {
    each: Vec<Option<Running>>,
    /// That of a library whose plant owns its state.
    pub worker: Option<SlotWorker>,
}

/// An instance, and where its episode is.
pub(crate) struct Running {
    pub instance: Box<dyn Instance>,
    pub progress: Progress,
}

impl Clone for Instances {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for Instances {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Instances").field(&self.each.iter().flatten().count()).finish()
    }
}

impl Instances {
    /// The instances of two lanes change places.
    pub fn swap(&mut self, a: usize, b: usize) {
        if let Some(worker) = &mut self.worker {
            worker.swap(a, b);
            return;
        }
        if self.each.len() <= a.max(b) {
            self.each.resize_with(a.max(b) + 1, || None);
        }
        self.each.swap(a, b);
    }

    /// Drops the instance of a lane.
    pub fn forget(&mut self, lane: usize) {
        if let Some(place) = self.each.get_mut(lane) {
            *place = None;
        }
    }

    /// The instance of a lane, made if there is none.
    pub fn of(&mut self, lane: usize, maker: &dyn InstanceMaker) -> Result<&mut Running, String> {
        if self.each.len() <= lane {
            self.each.resize_with(lane + 1, || None);
        }
        let place = &mut self.each[lane];
        match place {
            Some(running) => Ok(running),
            None => Ok(place
                .insert(Running { instance: maker.instance()?, progress: Progress::default() })),
        }
    }
}
