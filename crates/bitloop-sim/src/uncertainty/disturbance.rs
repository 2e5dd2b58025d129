//! [`Disturbance`]: what acts on a signal of the plant beside the controller.

use bitloop_plant::{Description, Real};

use super::milder::Neutral;
use super::noise::{Samples, Use};
use super::profile::Profile;
use crate::distribution::Distribution;
use crate::timing::Timing;

/// The name of the time at which a disturbance begins, among what is drawn.
pub(super) const TIME: &str = "time";

/// What a disturbance acts on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target {
    /// It is added to what the actuator of this control gives, beyond its bounds too.
    Control(usize),
    /// It changes this parameter, within the plant's bounds.
    Parameter(usize),
    /// It is added to the derivative of this state, in the state's unit per second.
    State(usize),
}

impl Target {
    /// The target of a name: a control, or else a parameter, or else a state.
    #[must_use]
    pub fn of_name(plant: &Description, name: &str) -> Option<Self> {
        let control = plant.controls.iter().position(|known| known.name == name);
        let parameter = || plant.parameters.iter().position(|known| known.name == name);
        let state = || plant.states.iter().position(|known| known.name == name);
        control
            .map(Self::Control)
            .or_else(|| parameter().map(Self::Parameter))
            .or_else(|| state().map(Self::State))
    }

    /// Its name, if the plant has it.
    pub(super) fn name(self, plant: &Description) -> Option<&str> {
        match self {
            Self::Control(index) => plant.controls.get(index).map(|known| known.name.as_str()),
            Self::Parameter(index) => plant.parameters.get(index).map(|known| known.name.as_str()),
            Self::State(index) => plant.states.get(index).map(|known| known.name.as_str()),
        }
    }
}

/// How a disturbance runs in time. Its values are those of the start of each control period, held over it.
#[derive(Clone, Debug, PartialEq)]
pub enum Course {
    /// Adds a pulse with this integral over time.
    Impulse {
        /// The time in seconds, rounded to the next control period.
        at_s: Distribution,
        /// In the target's unit times seconds.
        area: Distribution,
        /// How long it lasts, in control periods of at least 1.
        n_periods: u32,
    },
    /// Takes the target to another value for the rest of the episode.
    Step {
        /// The time in seconds, rounded to the next control period.
        at_s: Distribution,
        /// The value from then on.
        to: Distribution,
    },
    /// Takes the target to another value in a straight line.
    Ramp {
        /// The time in seconds at which it begins.
        at_s: Distribution,
        /// The value at its end, and from then on.
        to: Distribution,
        /// How long it lasts, in seconds.
        over_s: f64,
    },
    /// Adds a sine from the start of the episode on.
    Sine {
        /// In the target's unit.
        amplitude: Distribution,
        /// The length of a period in seconds.
        period_s: Distribution,
        /// The phase at the start, in radians.
        phase: Distribution,
    },
    /// Takes the target along values over time.
    Profile {
        /// Them.
        values: Profile,
        /// A factor of all of them.
        gain: Distribution,
    },
    /// Adds normal noise through a low-pass filter of first order, in its stationary state from the start on.
    Noise {
        /// The standard deviation, in the target's unit.
        deviation: f64,
        /// What the filter keeps from one control period to the next, e^(-T / time constant); 0 for white noise.
        kept: f64,
    },
}

/// What acts on one target, in order: each course changes what the ones before it give.
#[derive(Clone, Debug, PartialEq)]
pub struct Disturbance {
    /// What it acts on.
    pub target: Target,
    /// How it runs.
    pub courses: Vec<Course>,
}

impl Course {
    /// What is drawn for each episode, with the name of each.
    pub(super) fn drawn(&self) -> impl Iterator<Item = (&'static str, &Distribution)> {
        let drawn: [Option<(&'static str, &Distribution)>; 3] = match self {
            Self::Impulse { at_s, area, .. } => [Some((TIME, at_s)), Some(("area", area)), None],
            Self::Step { at_s, to } | Self::Ramp { at_s, to, .. } => {
                [Some((TIME, at_s)), Some(("value", to)), None]
            }
            Self::Sine { amplitude, period_s, phase } => {
                [Some(("amplitude", amplitude)), Some(("period", period_s)), Some(("phase", phase))]
            }
            Self::Profile { gain, .. } => [Some(("gain", gain)), None, None],
            Self::Noise { .. } => [None; 3],
        };
        drawn.into_iter().flatten()
    }

    /// What each of the drawn is without the disturbance, where `to` is the value of the target without it.
    pub(super) fn neutrals(&self, to: Neutral) -> Vec<Neutral> {
        let (none, as_drawn) = (Neutral::Value(0.0), Neutral::AsDrawn);
        match self {
            Self::Impulse { .. } => vec![as_drawn, none],
            Self::Step { .. } | Self::Ramp { .. } => vec![as_drawn, to],
            Self::Sine { .. } => vec![none, as_drawn, as_drawn],
            Self::Profile { .. } => vec![as_drawn],
            Self::Noise { .. } => Vec::new(),
        }
    }

    /// The same, to be changed.
    pub(super) fn drawn_mut(&mut self) -> impl Iterator<Item = &mut Distribution> {
        let drawn: [Option<&mut Distribution>; 3] = match self {
            Self::Impulse { at_s, area, .. } => [Some(at_s), Some(area), None],
            Self::Step { at_s, to } | Self::Ramp { at_s, to, .. } => [Some(at_s), Some(to), None],
            Self::Sine { amplitude, period_s, phase } => {
                [Some(amplitude), Some(period_s), Some(phase)]
            }
            Self::Profile { gain, .. } => [Some(gain), None, None],
            Self::Noise { .. } => [None, None, None],
        };
        drawn.into_iter().flatten()
    }

    /// Rows of memory: the state of a filter.
    fn n_memory(&self) -> usize {
        match self {
            Self::Noise { kept, .. } => usize::from(*kept > 0.0),
            _ => 0,
        }
    }

    fn check(&self) -> Result<(), String> {
        for (what, distribution) in self.drawn() {
            distribution.check().map_err(|error| format!("its {what}: {error}"))?;
        }
        let (value, what) = match *self {
            Self::Ramp { over_s, .. } => (over_s, "duration"),
            Self::Noise { kept, .. } if !(0.0..=1.0).contains(&kept) => {
                return Err(format!("its filter keeps {kept:?}, which must be from 0 to 1"));
            }
            Self::Noise { deviation, .. } => (deviation, "standard deviation"),
            Self::Impulse { n_periods: 0, .. } => return Err("its duration is 0".to_owned()),
            Self::Sine { period_s, .. } if period_s.least() <= 0.0 => {
                return Err(format!("its period is {period_s}, which must be positive"));
            }
            _ => return Ok(()),
        };
        if value >= 0.0 && value.is_finite() {
            return Ok(());
        }
        Err(format!("its {what} is {value:?}, which must be a number of at least 0"))
    }

    /// Changes `value` as at the start of a control period. `drawn` are the rows of this course at the lanes in hand, `memory`
    /// those of its filter, if it has one.
    #[inline(always)]
    fn apply<R: Real>(
        &self,
        value: R,
        (query, channel): (u64, usize),
        timing: Timing,
        samples: &Samples<R>,
        drawn: impl Fn(usize) -> R,
        memory: Option<&mut [f64]>,
    ) -> R {
        let period_s = timing.sample_time_s();
        let since = |at_s: R| R::splat(query as f64) - (at_s / period_s).round_ties_even();
        let zero = R::splat(0.0);
        match *self {
            Self::Impulse { n_periods, .. } => {
                let (since, n) = (since(drawn(0)), f64::from(n_periods));
                let height = drawn(1) / (n * period_s);
                let pulse = R::select(since.lt(R::splat(n)), height, zero);
                value + R::select(since.ge(zero), pulse, zero)
            }
            Self::Step { .. } => R::select(since(drawn(0)).ge(zero), drawn(1), value),
            Self::Ramp { over_s, .. } => {
                let passed_s =
                    R::splat(timing.seconds(query * timing.steps_per_query())) - drawn(0);
                let share = (passed_s / over_s).clamp(zero, R::splat(1.0));
                let on_the_way = value + (drawn(1) - value) * share;
                let is_over = passed_s.ge(R::splat(over_s));
                let is_on = passed_s.ge(zero);
                R::select(is_over, drawn(1), R::select(is_on, on_the_way, value))
            }
            Self::Sine { .. } => {
                let turns = R::splat(timing.seconds(query * timing.steps_per_query())) / drawn(1);
                let turns = turns - turns.round_ties_even();
                value + drawn(0) * (turns * std::f64::consts::TAU + drawn(2)).sin()
            }
            Self::Profile { ref values, .. } => {
                let now_s = timing.seconds(query * timing.steps_per_query());
                values.at(now_s).map_or(value, |at| drawn(0) * at)
            }
            Self::Noise { deviation, kept } => {
                let white = samples.normal_of(channel, Use::Disturbance) * deviation;
                let Some(row) = memory else { return value + white };
                let filtered = if query == 0 {
                    white
                } else {
                    R::load(row) * kept + white * (1.0 - kept * kept).sqrt()
                };
                filtered.store(row);
                value + filtered
            }
        }
    }
}

impl Disturbance {
    /// Rows of memory: the undisturbed parameter, or what is added to the control; and the filters.
    pub(super) fn n_memory(&self) -> usize {
        1 + self.courses.iter().map(Course::n_memory).sum::<usize>()
    }

    /// Rows of what is drawn.
    pub(super) fn n_drawn(&self) -> usize {
        self.courses.iter().map(|course| course.drawn().count()).sum()
    }

    pub(super) fn check(&self) -> Result<(), String> {
        self.courses.iter().try_for_each(Course::check)
    }

    /// The value of a vector of lanes from `lane` on at a query, where it is `value` without this disturbance. `drawn` and
    /// `memory` begin with the rows of this disturbance, `stride` apart; `channel` is that of its first course.
    #[inline(always)]
    pub(super) fn value<R: Real>(
        &self,
        value: R,
        ((lane, query), channel): ((usize, u64), usize),
        timing: Timing,
        samples: &Samples<R>,
        (drawn, memory, stride): (&[f64], &mut [f64], usize),
    ) -> R {
        let (mut row, mut kept) = (0, 1);
        let mut disturbed = value;
        for (place, course) in self.courses.iter().enumerate() {
            let of_course = |index: usize| R::load(&drawn[(row + index) * stride + lane..]);
            let n_memory = course.n_memory();
            let filter =
                (n_memory > 0).then(|| &mut memory[kept * stride + lane..(kept + 1) * stride]);
            let when = (query, channel + place);
            disturbed = course.apply(disturbed, when, timing, samples, of_course, filter);
            row += course.drawn().count();
            kept += n_memory;
        }
        disturbed
    }
}
