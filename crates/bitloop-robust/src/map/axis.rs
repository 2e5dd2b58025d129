//! [`Axis`]: what varies along one side of a map.

use bitloop_scenario::suggestion;
use bitloop_sim::{Distribution, FixedEpisode};
use serde::{Deserialize, Serialize};

use crate::error::AxisError;
use crate::tested::Tested;

/// A state at the start or a parameter, over a range.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Axis {
    /// Its name.
    pub name: String,
    /// Its unit.
    pub unit: String,
    is_state: bool,
    index: usize,
    /// The least value.
    pub low: f64,
    /// The largest value.
    pub high: f64,
    /// How many values there are, both ends included.
    pub n: usize,
}

impl Axis {
    /// Reads `name` or `name=low:high`; without a range, it is the one that the test draws from.
    ///
    /// # Errors
    /// A name that the plant does not have, or a range that is none or leaves its bounds.
    pub fn parse(text: &str, n: usize, tested: &Tested) -> Result<Self, AxisError> {
        let fault =
            |message: String, hint: String| AxisError { axis: text.to_owned(), message, hint };
        let (name, range) = text.split_once('=').map_or((text, None), |(a, b)| (a, Some(b)));
        let name = name.trim();
        let plant = tested.plant();
        let states = plant.states.iter().enumerate();
        let states = states.map(|(at, it)| (true, at, &it.name, &it.unit, it.min, it.max));
        let parameters = plant.parameters.iter().enumerate();
        let parameters = parameters.map(|(at, it)| (false, at, &it.name, &it.unit, it.min, it.max));
        let Some((is_state, index, _, unit, min, max)) =
            states.chain(parameters).find(|known| known.2 == name)
        else {
            let states = plant.states.iter().map(|state| state.name.as_str());
            let names = states.chain(plant.parameters.iter().map(|it| it.name.as_str()));
            let names: Vec<&str> = names.collect();
            let message = format!("plant `{}` has no state or parameter of this name", plant.name);
            return Err(fault(message, suggestion(name, &names, "it has")));
        };
        let example = || format!("give its range: {name}=-0.5:0.5");
        let (low, high) = match (range, tested.distribution(name)) {
            (Some(range), _) => {
                let numbers = range.split_once(':').and_then(|(low, high)| {
                    Some((low.trim().parse().ok()?, high.trim().parse().ok()?))
                });
                numbers.ok_or_else(|| fault(format!("`{range}` is no range"), example()))?
            }
            (None, Some(drawn)) if !matches!(drawn, Distribution::Fixed(_)) => {
                (drawn.least().max(min), drawn.largest().min(max))
            }
            (None, _) => {
                return Err(fault("the test draws it from no range".to_owned(), example()));
            }
        };
        if !(low < high && (high - low).is_finite()) {
            return Err(fault(format!("{low:?} is not below {high:?}"), example()));
        }
        if low < min || high > max {
            let message =
                format!("{low:?} to {high:?} leaves the bounds of the plant, {min:?} to {max:?}");
            return Err(fault(message, "give a narrower range".to_owned()));
        }
        if n < 2 {
            let hint = "for instance --grid 100x100".to_owned();
            return Err(fault(format!("{n} values are no range"), hint));
        }
        let (name, unit) = (name.to_owned(), unit.clone());
        Ok(Self { name, unit, is_state, index, low, high, n })
    }

    /// The value at a position.
    #[must_use]
    pub fn value(&self, position: usize) -> f64 {
        let share = position as f64 / (self.n - 1) as f64;
        self.low * (1.0 - share) + self.high * share
    }

    /// Sets the value of an episode.
    pub(super) fn set(&self, episode: &mut FixedEpisode, position: usize) {
        let values = if self.is_state { &mut episode.initial } else { &mut episode.parameters };
        values[self.index] = self.value(position);
    }
}
