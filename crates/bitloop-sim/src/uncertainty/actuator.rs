//! [`Actuator`]: how a command becomes a control.

use bitloop_plant::{LaneMatrix, Real};

use crate::distribution::Distribution;
use crate::timing::Timing;

/// How a command becomes a control. Gain, dead band and quantum are counted from the position of rest, and the actuator stays
/// there until the first command arrives.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Actuator {
    /// The index of the control.
    pub control: usize,
    /// Where it rests, in the control's unit.
    pub rest: f64,
    /// The positions that it can reach.
    pub bounds: (f64, f64),
    /// A constant factor of each episode.
    pub gain: Distribution,
    /// Commands that are closer to rest than this do nothing, in the control's unit; a constant of each episode.
    pub dead_band: Distribution,
    /// The fastest change, in units of the control per second; infinite for none. The first command is reached at once.
    pub rate: f64,
    /// Positions are multiples of this away from rest; 0 for none.
    pub quantum: f64,
    /// How long a command takes to arrive, in integration steps.
    pub delay: u64,
}

impl Actuator {
    /// A perfect actuator of a control.
    #[must_use]
    pub const fn perfect(control: usize) -> Self {
        Self {
            control,
            rest: 0.0,
            bounds: (f64::NEG_INFINITY, f64::INFINITY),
            gain: Distribution::Fixed(1.0),
            dead_band: Distribution::Fixed(0.0),
            rate: f64::INFINITY,
            quantum: 0.0,
            delay: 0,
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.gain.check().map_err(|error| format!("its gain: {error}"))?;
        self.dead_band.check().map_err(|error| format!("its dead band: {error}"))?;
        let (low, high) = self.bounds;
        if !(low <= self.rest && self.rest <= high && self.rest.is_finite()) {
            let rest = self.rest;
            return Err(format!("it rests at {rest:?}, which is not within its bounds"));
        }
        if self.rate.is_nan() || self.rate <= 0.0 {
            let rate = self.rate;
            return Err(format!("its rate is {rate:?}, which must be a positive number"));
        }
        if !(self.quantum >= 0.0 && self.quantum.is_finite()) {
            let quantum = self.quantum;
            return Err(format!(
                "its quantum is {quantum:?}, which must be a number of at least 0"
            ));
        }
        Ok(())
    }

    /// The step within a control period at which a command arrives.
    pub(super) fn within_period(&self, timing: Timing) -> u64 {
        self.delay % timing.steps_per_query()
    }

    /// Whole control periods of the delay.
    fn periods(&self, timing: Timing) -> usize {
        usize::try_from(self.delay / timing.steps_per_query()).unwrap_or(usize::MAX)
    }

    /// Rows of memory for commands on their way: those of the delay in whole periods, and one more.
    fn n_pending(&self, timing: Timing) -> usize {
        if self.delay == 0 { 0 } else { self.periods(timing).saturating_add(1) }
    }

    /// Rows of memory: commands on their way, and the last position.
    pub(super) fn n_memory(&self, timing: Timing) -> usize {
        self.n_pending(timing).saturating_add(usize::from(self.rate.is_finite()))
    }

    /// Turns the commands of lanes from `lane` on into the controls of the first part of the period. `drawn` are the rows of
    /// gain and dead band; `memory` the rows of this actuator, `stride` apart.
    #[inline(always)]
    pub(super) fn act<R: Real>(
        &self,
        (lane, query): (usize, u64),
        timing: Timing,
        (gain, dead_band): (&[f64], &[f64]),
        (memory, stride): (&mut [f64], usize),
        control: &mut LaneMatrix,
    ) {
        let Self { rest, bounds: (low, high), .. } = *self;
        let row = &mut control.row_mut(self.control)[lane..];
        let mut offset = (R::load(row) - rest) * R::load(&gain[lane..]);
        let is_dead = offset.abs().lt(R::load(&dead_band[lane..]));
        offset = R::select(is_dead, R::splat(0.0), offset);
        let n_pending = self.n_pending(timing);
        if self.rate.is_finite() {
            let last = &mut memory[n_pending * stride + lane..];
            if query > 0 {
                let most = self.rate * timing.sample_time_s();
                let position = R::load(last);
                offset = offset.clamp(position - most, position + most);
            }
            offset.store(last);
        }
        if self.quantum > 0.0 {
            offset = (offset / self.quantum).round_ties_even() * self.quantum;
        }
        let mut position = (offset + rest).clamp(R::splat(low), R::splat(high));
        if n_pending > 0 {
            let pending = &mut memory[..n_pending * stride];
            if query == 0 {
                let rest = R::splat(rest);
                pending.chunks_exact_mut(stride).for_each(|row| rest.store(&mut row[lane..]));
            }
            let oldest = &mut pending[slot(query, n_pending) * stride + lane..];
            let before = R::load(oldest);
            position.store(oldest);
            position = if self.within_period(timing) > 0 {
                before
            } else {
                R::load(&pending[slot(query + 1, n_pending) * stride + lane..])
            };
        }
        position.store(row);
    }

    /// The row of memory with the command that arrives within the period of a query.
    pub(super) fn arriving(&self, query: u64, timing: Timing) -> usize {
        slot(query + 1, self.n_pending(timing))
    }
}

/// The row of the command of a query, among `n` that are written in turn.
#[inline(always)]
#[expect(clippy::cast_possible_truncation, reason = "the remainder is below a usize")]
fn slot(query: u64, n: usize) -> usize {
    (query % n as u64) as usize
}
