//! [`Sensor`]: how an observation is measured.

use bitloop_plant::{LaneMatrix, Real};
use serde::{Deserialize, Serialize};

use super::noise::{Samples, Use};
use crate::distribution::Distribution;

/// White noise of a sensor, in the unit of its observation: a new sample at each query.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Noise {
    /// None.
    #[default]
    None,
    /// Normal with mean 0 and this standard deviation.
    Normal(f64),
    /// Uniform, up to this on each side of 0.
    Uniform(f64),
}

/// How an observation is measured.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sensor {
    /// The index of the observation.
    pub observation: usize,
    /// A constant of each episode that is added, in the observation's unit.
    pub bias: Distribution,
    /// What is added at each query.
    pub noise: Noise,
    /// Readings are multiples of this; 0 for none.
    pub quantum: f64,
    /// Age of a reading, in control periods. Until there is one, the first is repeated.
    pub delay: u32,
    /// The probability that a query repeats the reading of the one before. The first never does.
    pub dropout: f64,
}

impl Sensor {
    /// A perfect sensor of an observation.
    #[must_use]
    pub const fn perfect(observation: usize) -> Self {
        Self {
            observation,
            bias: Distribution::Fixed(0.0),
            noise: Noise::None,
            quantum: 0.0,
            delay: 0,
            dropout: 0.0,
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.bias.check().map_err(|error| format!("its bias: {error}"))?;
        let (amplitude, what) = match self.noise {
            Noise::None => (0.0, ""),
            Noise::Normal(deviation) => (deviation, "standard deviation"),
            Noise::Uniform(most) => (most, "largest deviation"),
        };
        for (value, what) in [(amplitude, what), (self.quantum, "quantum")] {
            if !(value >= 0.0 && value.is_finite()) {
                return Err(format!(
                    "its {what} is {value:?}, which must be a number of at least 0"
                ));
            }
        }
        if !(0.0..=1.0).contains(&self.dropout) {
            let p = self.dropout;
            return Err(format!("its dropout is {p:?}, which must be a probability"));
        }
        Ok(())
    }

    /// Rows of memory: past readings, and the last one delivered.
    pub(super) fn n_memory(&self) -> usize {
        self.delay as usize + usize::from(self.dropout > 0.0)
    }

    /// Turns observations of lanes from `lane` on into readings. `bias` is the row of biases; `memory` the rows of this
    /// sensor, `stride` apart.
    #[inline(always)]
    pub(super) fn measure<R: Real>(
        &self,
        (lane, query): (usize, u64),
        samples: &mut Samples<R>,
        bias: &[f64],
        (memory, stride): (&mut [f64], usize),
        observation: &mut LaneMatrix,
    ) {
        let row = &mut observation.row_mut(self.observation)[lane..];
        let mut reading = R::load(row) + R::load(&bias[lane..]);
        match self.noise {
            Noise::None => {}
            Noise::Normal(deviation) => {
                reading += samples.normal(self.observation) * deviation;
            }
            Noise::Uniform(most) => {
                let (uniform, _) = samples.uniform_pair(self.observation, Use::Noise);
                reading += (uniform * 2.0 - 1.0) * most;
            }
        }
        if self.quantum > 0.0 {
            reading = (reading / self.quantum).round_ties_even() * self.quantum;
        }
        let delay = self.delay as usize;
        if delay > 0 {
            let past = &mut memory[..delay * stride];
            if query == 0 {
                past.chunks_exact_mut(stride).for_each(|row| reading.store(&mut row[lane..]));
            }
            // The remainder is below the number of rows.
            #[expect(clippy::cast_possible_truncation, reason = "it is below a usize")]
            let slot = (query % u64::from(self.delay)) as usize;
            let oldest = &mut past[slot * stride + lane..];
            let delivered = R::load(oldest);
            reading.store(oldest);
            reading = delivered;
        }
        if self.dropout > 0.0 {
            let held = &mut memory[delay * stride + lane..];
            if query > 0 {
                let (uniform, _) = samples.uniform_pair(self.observation, Use::Dropout);
                let is_dropped = uniform.le(R::splat(self.dropout));
                reading = R::select(is_dropped, R::load(held), reading);
            }
            reading.store(held);
        }
        reading.store(row);
    }
}
