//! [`Sensor`]: how an observation is measured.

use bitloop_plant::{LaneMatrix, Real};
use serde::{Deserialize, Serialize};

use super::lag;
use super::milder::Neutral;
use super::noise::{Samples, Use};
use crate::distribution::Distribution;

/// Noise of a sensor, in the unit of its observation: a new sample at each query.
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
    /// The longest time before a query at which a reading may be taken, as a share of the control period: drawn at each query,
    /// uniform from 0. Between two queries the observation is taken as a straight line.
    pub jitter: f64,
    /// A constant of each episode that is added, in the observation's unit.
    pub bias: Distribution,
    /// What is added at each query.
    pub noise: Noise,
    /// What a low-pass filter of first order keeps of normal noise from one query to the next, e^(-T / time constant), in its
    /// stationary state from the start on; 0 for white noise.
    pub noise_kept: f64,
    /// Readings are multiples of this, drawn for each episode; 0 for none.
    pub quantum: Distribution,
    /// Age of a reading, in control periods. Until there is one, the first is repeated.
    pub delay: u32,
    /// What is added to the delay in an episode, in control periods, rounded to whole ones.
    pub lag: Distribution,
    /// The probability that a query repeats the reading of the one before. The first never does.
    pub dropout: f64,
}

/// The rows of memory of a sensor, in order.
struct Rows {
    /// The observation of the query before.
    jitter: usize,
    filter: usize,
    delay: usize,
    lag: usize,
    dropout: usize,
}

impl Sensor {
    /// A perfect sensor of an observation.
    #[must_use]
    pub const fn perfect(observation: usize) -> Self {
        Self {
            observation,
            jitter: 0.0,
            bias: Distribution::Fixed(0.0),
            noise: Noise::None,
            noise_kept: 0.0,
            quantum: Distribution::Fixed(0.0),
            delay: 0,
            lag: Distribution::Fixed(0.0),
            dropout: 0.0,
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.bias.check().map_err(|error| format!("its bias: {error}"))?;
        lag::check(&self.lag)?;
        check_from_zero("quantum", &self.quantum)?;
        let (amplitude, what) = match self.noise {
            Noise::None => (0.0, ""),
            Noise::Normal(deviation) => (deviation, "standard deviation"),
            Noise::Uniform(most) => (most, "largest deviation"),
        };
        if !(amplitude >= 0.0 && amplitude.is_finite()) {
            return Err(format!(
                "its {what} is {amplitude:?}, which must be a number of at least 0"
            ));
        }
        if self.noise_kept > 0.0 && !matches!(self.noise, Noise::Normal(_)) {
            return Err("its filter is one of normal noise, and it has none".to_owned());
        }
        for (value, what) in [
            (self.dropout, "dropout"),
            (self.jitter, "jitter"),
            (self.noise_kept, "share that its filter keeps"),
        ] {
            if !(0.0..=1.0).contains(&value) {
                return Err(format!("its {what} is {value:?}, which must be from 0 to 1"));
            }
        }
        Ok(())
    }

    /// What is drawn for each episode.
    pub(super) const fn drawn(&self) -> [&Distribution; N_DRAWN] {
        [&self.bias, &self.quantum, &self.lag]
    }

    /// The same, to be changed.
    pub(super) const fn drawn_mut(&mut self) -> [&mut Distribution; N_DRAWN] {
        [&mut self.bias, &mut self.quantum, &mut self.lag]
    }

    /// What each of the drawn is without uncertainty: bias, quantum, delay.
    pub(super) const fn neutrals() -> [Neutral; N_DRAWN] {
        [Neutral::Value(0.0), Neutral::Value(0.0), Neutral::AsDrawn]
    }

    fn rows(&self) -> Rows {
        Rows {
            jitter: usize::from(self.jitter > 0.0),
            filter: usize::from(self.noise_kept > 0.0),
            delay: self.delay as usize,
            lag: lag::n_rows(&self.lag, 0, 1),
            dropout: usize::from(self.dropout > 0.0),
        }
    }

    /// Rows of memory.
    pub(super) fn n_memory(&self) -> usize {
        let Rows { jitter, filter, delay, lag, dropout } = self.rows();
        [jitter, filter, delay, lag, dropout].into_iter().fold(0, usize::saturating_add)
    }

    /// Turns observations of lanes from `lane` on into readings. `drawn` begins with the rows of what is drawn for this sensor,
    /// `memory` with its rows, both `stride` apart.
    #[inline(always)]
    pub(super) fn measure<R: Real>(
        &self,
        (lane, query): (usize, u64),
        samples: &mut Samples<R>,
        (drawn, memory, stride): (&[f64], &mut [f64], usize),
        observation: &mut LaneMatrix,
    ) {
        let rows = self.rows();
        // No closure: one that is not inlined knows no instruction set.
        let (bias, quantum) = (&drawn[lane..], &drawn[stride + lane..]);
        let lag = &drawn[2 * stride + lane..];
        let (of_jitter, memory) = memory.split_at_mut(rows.jitter * stride);
        let (of_filter, memory) = memory.split_at_mut(rows.filter * stride);
        let (of_delay, memory) = memory.split_at_mut(rows.delay * stride);
        let (of_lag, of_dropout) = memory.split_at_mut(rows.lag * stride);
        let row = &mut observation.row_mut(self.observation)[lane..];
        let mut reading = R::load(row);
        if self.jitter > 0.0 {
            let last = &mut of_jitter[lane..];
            let now = reading;
            if query > 0 {
                let (share, _) = samples.uniform_pair(self.observation, Use::Jitter);
                reading = now + (R::load(last) - now) * (share * self.jitter);
            }
            now.store(last);
        }
        reading += R::load(bias);
        match self.noise {
            Noise::None => {}
            Noise::Normal(deviation) => {
                let mut noise = samples.normal(self.observation) * deviation;
                if self.noise_kept > 0.0 {
                    let (kept, last) = (self.noise_kept, &mut of_filter[lane..]);
                    if query > 0 {
                        noise = R::load(last) * kept + noise * (1.0 - kept * kept).sqrt();
                    }
                    noise.store(last);
                }
                reading += noise;
            }
            Noise::Uniform(most) => {
                let (uniform, _) = samples.uniform_pair(self.observation, Use::Noise);
                reading += (uniform * 2.0 - 1.0) * most;
            }
        }
        reading = quantized(reading, &self.quantum, quantum);
        if rows.delay > 0 {
            if query == 0 {
                lag::fill(reading, lane, (of_delay, stride));
            }
            let oldest = &mut of_delay[lag::slot(query, rows.delay) * stride + lane..];
            let delivered = R::load(oldest);
            reading.store(oldest);
            reading = delivered;
        }
        if rows.lag > 0 {
            if query == 0 {
                lag::fill(reading, lane, (&mut *of_lag, stride));
            }
            lag::write(reading, (lane, query), (&mut *of_lag, stride));
            let delay = R::load(lag).round_ties_even();
            reading = lag::arrived(delay, (lane, query), (0, 1), (of_lag, stride));
        }
        if self.dropout > 0.0 {
            let held = &mut of_dropout[lane..];
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

/// How much is drawn for each sensor.
pub(super) const N_DRAWN: usize = 3;

/// Checks a number that must not be negative.
pub(super) fn check_from_zero(what: &str, values: &Distribution) -> Result<(), String> {
    if values.check().is_ok() && values.least() >= 0.0 {
        return Ok(());
    }
    Err(format!("its {what} is {values}, which must be a number of at least 0"))
}

/// A value in multiples of a quantum, where that is above 0; `drawn` begins with that of the lanes in hand.
#[inline(always)]
pub(super) fn quantized<R: Real>(value: R, quantum: &Distribution, drawn: &[f64]) -> R {
    match *quantum {
        Distribution::Fixed(quantum) if quantum > 0.0 => {
            (value / quantum).round_ties_even() * quantum
        }
        Distribution::Fixed(_) => value,
        Distribution::Uniform { .. } | Distribution::Normal { .. } => {
            let quantum = R::load(drawn);
            let rounded = (value / quantum).round_ties_even() * quantum;
            R::select(quantum.gt(R::splat(0.0)), rounded, value)
        }
    }
}
