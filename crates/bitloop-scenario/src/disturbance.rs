//! Disturbances: what acts on the plant beside the controller.

use bitloop_sim::Distribution;
use bitloop_text::{Checked, Problem};
use serde::{Deserialize, Serialize};

use crate::check::{check_above_zero, check_at_least_zero, check_distribution};
use crate::distribution::{one, zero};
use crate::profile::Profile;

/// What acts on a control, a parameter or a state. Its values are those of the start of each control period.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Disturbance {
    /// Adds a pulse.
    Impulse(Impulse),
    /// Takes the signal to another value for the rest of the episode.
    Step(Step),
    /// Takes the signal to another value in a straight line.
    Ramp(Ramp),
    /// Adds a sine.
    Sine(Sine),
    /// Takes the signal along given values over time.
    Profile(Profile),
    /// Adds normal noise, white or through a low-pass filter.
    Noise(FilteredNoise),
}

/// A pulse with a given integral over time.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Impulse {
    /// When it begins, rounded to a control period.
    #[serde(with = "one")]
    pub at_s: Distribution,
    /// Its integral, in the signal's unit times seconds.
    #[serde(with = "one")]
    pub area: Distribution,
    /// How long it lasts, a whole multiple of the control period; 0 for one of them, the default.
    #[serde(default)]
    pub width_s: f64,
}

/// Another value for the rest of the episode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Step {
    /// When it begins, rounded to a control period.
    #[serde(with = "one")]
    pub at_s: Distribution,
    /// The value from then on.
    #[serde(with = "one")]
    pub to: Distribution,
}

/// A straight line to another value, which stays for the rest of the episode.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ramp {
    /// When it begins.
    #[serde(with = "one")]
    pub at_s: Distribution,
    /// The value at its end.
    #[serde(with = "one")]
    pub to: Distribution,
    /// How long it lasts, above 0.
    pub over_s: f64,
}

/// A sine from the start of the episode on.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Sine {
    /// In the signal's unit.
    #[serde(with = "one")]
    pub amplitude: Distribution,
    /// The length of a period, above 0.
    #[serde(with = "one")]
    pub period_s: Distribution,
    /// The phase at the start, in radians. Default: 0.
    #[serde(default = "zero", with = "one")]
    pub phase: Distribution,
}

/// Normal noise through a low-pass filter of first order.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FilteredNoise {
    /// The standard deviation of what is added.
    pub sd: f64,
    /// The time constant of the filter; 0 for white noise, the default.
    #[serde(default)]
    pub time_constant_s: f64,
}

impl Disturbance {
    /// The fields that hold distributions.
    pub(crate) const DRAWN: [&'static str; 7] =
        ["at_s", "area", "to", "amplitude", "period_s", "phase", "gain"];

    /// What is drawn for each episode, by the name of its field, in the order in which it is drawn.
    pub(crate) fn distributions(&self) -> impl Iterator<Item = (&'static str, &Distribution)> {
        let fields = match self {
            Self::Impulse(Impulse { at_s, area, .. }) => vec![("at_s", at_s), ("area", area)],
            Self::Step(Step { at_s, to }) | Self::Ramp(Ramp { at_s, to, .. }) => {
                vec![("at_s", at_s), ("to", to)]
            }
            Self::Sine(Sine { amplitude, period_s, phase }) => {
                vec![("amplitude", amplitude), ("period_s", period_s), ("phase", phase)]
            }
            Self::Profile(Profile { gain, .. }) => vec![("gain", gain)],
            Self::Noise(_) => Vec::new(),
        };
        fields.into_iter()
    }

    /// The time at which it begins, where it has one.
    #[must_use]
    pub const fn at_s(&self) -> Option<Distribution> {
        match self {
            Self::Impulse(Impulse { at_s, .. })
            | Self::Step(Step { at_s, .. })
            | Self::Ramp(Ramp { at_s, .. }) => Some(*at_s),
            Self::Sine(_) | Self::Profile(_) | Self::Noise(_) => None,
        }
    }

    pub(crate) fn check(&self, longest_s: Option<f64>) -> Checked {
        if let Some(at_s) = self.at_s() {
            check_distribution("at_s", &at_s)?;
            let first_s = at_s.least();
            if first_s < 0.0 {
                let message = format!("{at_s} has times before the start of an episode");
                return Err(Problem::new("at_s", message, "write times of 0 or more"));
            }
            if let Some(longest_s) = longest_s.filter(|longest_s| first_s >= *longest_s) {
                let message = format!(
                    "it never acts: the longest episode lasts {longest_s} s, and it begins at {at_s} s"
                );
                return Err(Problem::new("at_s", message, "write a time within the horizon"));
            }
        }
        match *self {
            Self::Profile(ref profile) => profile.check(),
            Self::Impulse(Impulse { area, width_s, .. }) => {
                check_distribution("area", &area)?;
                check_at_least_zero("width_s", width_s, "a width")
            }
            Self::Step(Step { to, .. }) => check_distribution("to", &to),
            Self::Ramp(Ramp { to, over_s, .. }) => {
                check_distribution("to", &to)?;
                check_above_zero("over_s", over_s, "the duration of a ramp", "s")
            }
            Self::Sine(Sine { amplitude, period_s, phase }) => {
                check_distribution("amplitude", &amplitude)?;
                check_distribution("period_s", &period_s)?;
                check_above_zero("period_s", period_s.least(), "the period of a sine", "s")?;
                check_distribution("phase", &phase)
            }
            Self::Noise(FilteredNoise { sd, time_constant_s }) => {
                check_at_least_zero("sd", sd, "the standard deviation")?;
                check_at_least_zero("time_constant_s", time_constant_s, "a time constant")
            }
        }
    }
}
