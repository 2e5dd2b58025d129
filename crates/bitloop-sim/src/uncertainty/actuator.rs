//! [`Actuator`]: how a command becomes a control.

use bitloop_plant::{LaneMatrix, Real};

use super::lag;
use super::milder::Neutral;
use super::sensor::{check_from_zero, quantized};
use crate::distribution::Distribution;
use crate::timing::Timing;

/// How a command becomes a control. Gain, dead band, backlash and quantum are counted from the position of rest, and the actuator
/// stays there until the first command arrives.
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
    /// The play between what drives and what is driven, in the control's unit; a constant of each episode. The position stays
    /// where it is until a command is half of it away.
    pub backlash: Distribution,
    /// Positions are multiples of this away from rest, drawn for each episode; 0 for none.
    pub quantum: Distribution,
    /// The time in seconds from which on the position stays as it is, rounded to a control period; [`Actuator::NEVER`] for none.
    pub stuck_at_s: Distribution,
    /// How long a command takes to arrive, in integration steps.
    pub delay: u64,
    /// What is added to the delay in an episode, in integration steps, rounded to whole ones.
    pub lag: Distribution,
}

/// How much is drawn for each actuator.
pub(super) const N_DRAWN: usize = 6;

/// Where in what is drawn.
mod drawn {
    pub const GAIN: usize = 0;
    pub const DEAD_BAND: usize = 1;
    pub const BACKLASH: usize = 2;
    pub const QUANTUM: usize = 3;
    pub const STUCK_AT: usize = 4;
    pub const LAG: usize = 5;
}

impl Actuator {
    /// The time at which an actuator gets stuck that never does.
    pub const NEVER: Distribution = Distribution::Fixed(f64::MAX);

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
            backlash: Distribution::Fixed(0.0),
            quantum: Distribution::Fixed(0.0),
            stuck_at_s: Self::NEVER,
            delay: 0,
            lag: Distribution::Fixed(0.0),
        }
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.gain.check().map_err(|error| format!("its gain: {error}"))?;
        self.dead_band.check().map_err(|error| format!("its dead band: {error}"))?;
        check_from_zero("backlash", &self.backlash)?;
        if self.gets_stuck() {
            self.stuck_at_s.check().map_err(|error| format!("its time of failure: {error}"))?;
        }
        check_from_zero("quantum", &self.quantum)?;
        lag::check(&self.lag)?;
        let (low, high) = self.bounds;
        if !(low <= self.rest && self.rest <= high && self.rest.is_finite()) {
            let rest = self.rest;
            return Err(format!("it rests at {rest:?}, which is not within its bounds"));
        }
        if self.rate.is_nan() || self.rate <= 0.0 {
            let rate = self.rate;
            return Err(format!("its rate is {rate:?}, which must be a positive number"));
        }
        Ok(())
    }

    /// What is drawn for each episode.
    pub(super) const fn drawn(&self) -> [&Distribution; N_DRAWN] {
        let Self { gain, dead_band, backlash, quantum, stuck_at_s, lag, .. } = self;
        [gain, dead_band, backlash, quantum, stuck_at_s, lag]
    }

    /// The same, to be changed.
    pub(super) const fn drawn_mut(&mut self) -> [&mut Distribution; N_DRAWN] {
        let Self { gain, dead_band, backlash, quantum, stuck_at_s, lag, .. } = self;
        [gain, dead_band, backlash, quantum, stuck_at_s, lag]
    }

    /// What each of the drawn is without uncertainty: gain, dead band, backlash, quantum, time of failure, delay.
    pub(super) const fn neutrals() -> [Neutral; N_DRAWN] {
        let none = Neutral::Value(0.0);
        [Neutral::Value(1.0), none, none, none, Neutral::AsDrawn, Neutral::AsDrawn]
    }

    fn gets_stuck(&self) -> bool {
        self.stuck_at_s != Self::NEVER
    }

    fn has_play(&self) -> bool {
        self.backlash != Distribution::Fixed(0.0)
    }

    /// The step within a control period at which a command arrives.
    pub(super) fn within_period(&self, timing: Timing) -> u64 {
        self.delay % timing.steps_per_query()
    }

    /// The steps within a control period at which commands may arrive.
    pub(super) fn switches(&self, timing: Timing) -> Vec<u64> {
        if lag::is_off(&self.lag) {
            return vec![self.within_period(timing)];
        }
        // Episodes differ, so that any step may be one.
        (1..timing.steps_per_query()).collect()
    }

    /// Whether commands may arrive at a step within a control period.
    pub(super) fn arrives_at(&self, step: u64, timing: Timing) -> bool {
        !lag::is_off(&self.lag) || self.within_period(timing) == step
    }

    /// Rows of memory for commands on their way: those of the delay in whole periods, and one more.
    fn n_pending(&self, timing: Timing) -> usize {
        let per_query = timing.steps_per_query();
        if !lag::is_off(&self.lag) {
            return lag::n_rows(&self.lag, self.delay, per_query);
        }
        let periods = usize::try_from(self.delay / per_query).unwrap_or(usize::MAX);
        if self.delay == 0 { 0 } else { periods.saturating_add(1) }
    }

    /// Rows of memory: commands on their way, the last position of the drive, the last one behind the play, and the last one.
    pub(super) fn n_memory(&self, timing: Timing) -> usize {
        let more = [self.rate.is_finite(), self.has_play(), self.gets_stuck()];
        self.n_pending(timing).saturating_add(more.map(usize::from).iter().sum())
    }

    /// Turns the commands of lanes from `lane` on into the controls of the first part of the period. `drawn` begins with the
    /// rows of what is drawn for this actuator, `memory` with its rows, both `stride` apart.
    #[inline(always)]
    pub(super) fn act<R: Real>(
        &self,
        (lane, query): (usize, u64),
        timing: Timing,
        (drawn, memory, stride): (&[f64], &mut [f64], usize),
        control: &mut LaneMatrix,
    ) {
        let Self { rest, bounds: (low, high), .. } = *self;
        let row_of = |index: usize| &drawn[index * stride + lane..];
        let row = &mut control.row_mut(self.control)[lane..];
        let mut offset = (R::load(row) - rest) * R::load(row_of(drawn::GAIN));
        let is_dead = offset.abs().lt(R::load(row_of(drawn::DEAD_BAND)));
        offset = R::select(is_dead, R::splat(0.0), offset);
        let (pending, memory) = memory.split_at_mut(self.n_pending(timing) * stride);
        let mut memory = memory.chunks_exact_mut(stride);
        if self.rate.is_finite()
            && let Some(row) = memory.next()
        {
            let last = &mut row[lane..];
            if query > 0 {
                let most = self.rate * timing.sample_time_s();
                let position = R::load(last);
                offset = offset.clamp(position - most, position + most);
            }
            offset.store(last);
        }
        if self.has_play()
            && let Some(row) = memory.next()
        {
            let last = &mut row[lane..];
            // A normal distribution is checked within three deviations alone.
            let play = (R::load(row_of(drawn::BACKLASH)) * 0.5).max(R::splat(0.0));
            let before = if query > 0 { R::load(last) } else { R::splat(0.0) };
            offset = before.clamp(offset - play, offset + play);
            offset.store(last);
        }
        offset = quantized(offset, &self.quantum, row_of(drawn::QUANTUM));
        let mut position = (offset + rest).clamp(R::splat(low), R::splat(high));
        if self.gets_stuck()
            && let Some(row) = memory.next()
        {
            let last = &mut row[lane..];
            let before = if query > 0 { R::load(last) } else { R::splat(rest) };
            let from =
                (R::load(row_of(drawn::STUCK_AT)) / timing.sample_time_s()).round_ties_even();
            position = R::select(R::splat(query as f64).ge(from), before, position);
            position.store(last);
        }
        if !pending.is_empty() {
            if query == 0 {
                lag::fill(R::splat(rest), lane, (&mut *pending, stride));
            }
            position = if lag::is_off(&self.lag) {
                self.delayed(position, (lane, query), timing, (pending, stride))
            } else {
                lag::write(position, (lane, query), (&mut *pending, stride));
                let delay = self.delay_of(R::load(row_of(drawn::LAG)));
                let units = (0, timing.steps_per_query());
                lag::arrived(delay, (lane, query), units, (pending, stride))
            };
        }
        position.store(row);
    }

    /// The position of a delay that is the same in all episodes.
    #[inline(always)]
    fn delayed<R: Real>(
        &self,
        position: R,
        (lane, query): (usize, u64),
        timing: Timing,
        (pending, stride): (&mut [f64], usize),
    ) -> R {
        let n_pending = pending.len() / stride;
        let oldest = &mut pending[lag::slot(query, n_pending) * stride + lane..];
        let before = R::load(oldest);
        position.store(oldest);
        if self.within_period(timing) > 0 {
            before
        } else {
            R::load(&pending[lag::slot(query + 1, n_pending) * stride + lane..])
        }
    }

    /// The delay of an episode, in integration steps.
    #[inline(always)]
    fn delay_of<R: Real>(&self, lag: R) -> R {
        lag.round_ties_even() + self.delay as f64
    }

    /// Sets the controls of a step within the period of a query, at which commands may arrive. `drawn` and `memory` are as in
    /// [`act`](Self::act).
    pub(super) fn arrive(
        &self,
        (step, query): (u64, u64),
        timing: Timing,
        (drawn, memory, stride): (&[f64], &[f64], usize),
        row: &mut [f64],
    ) {
        let n_pending = self.n_pending(timing);
        let pending = &memory[..n_pending * stride];
        if lag::is_off(&self.lag) {
            let first = lag::slot(query + 1, n_pending) * stride;
            row.copy_from_slice(&pending[first..first + stride]);
            return;
        }
        for (lane, value) in row.iter_mut().enumerate() {
            let delay = self.delay_of(drawn[drawn::LAG * stride + lane]);
            let units = (step, timing.steps_per_query());
            *value = lag::arrived(delay, (lane, query), units, (pending, stride));
        }
    }
}
