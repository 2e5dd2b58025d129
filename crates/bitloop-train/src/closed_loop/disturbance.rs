//! The disturbances of a scenario, as the closed loop takes them.

use std::collections::BTreeMap;

use super::uncertainty::{Given, kept};
use bitloop_plant::Description;
use bitloop_scenario::{self as file, FileError, ScenarioFile, suggestion};
use bitloop_sim::{Course, Distribution, Disturbance, Target, Timing};

/// The disturbances or references by target, in the order of their names.
///
/// # Errors
/// Names that the plant does not have, times that are no whole multiples, and values beyond the bounds of a parameter, at
/// their place in the file.
pub(super) fn disturbed(
    within: &Given<'_>,
    kind: &str,
    given: &BTreeMap<String, Vec<file::Disturbance>>,
) -> Result<Vec<Disturbance>, FileError> {
    let Given { file, path: outer, closed_loop } = *within;
    let (plant, timing) = (closed_loop.plant().description(), closed_loop.timing());
    let disturbance = |(name, courses): (&String, &Vec<file::Disturbance>)| {
        let path = format!("{outer}.{kind}.{name}");
        let target = Target::of_name(plant, name).ok_or_else(|| {
            let message =
                format!("plant `{}` has no control, parameter or state `{name}`", plant.name);
            file.error_at_key(&path, message, suggestion(name, &names(plant), "it has"))
        })?;
        let courses = courses.iter().enumerate().map(|(index, course)| {
            let place = Place { file, path: format!("{path}.{index}"), plant, timing, target };
            place.course(course)
        });
        Ok(Disturbance { target, courses: courses.collect::<Result<_, _>>()? })
    };
    given.iter().map(disturbance).collect()
}

/// All that can be disturbed.
fn names(plant: &Description) -> Vec<&str> {
    let controls = plant.controls.iter().map(|known| known.name.as_str());
    let parameters = plant.parameters.iter().map(|known| known.name.as_str());
    let states = plant.states.iter().map(|known| known.name.as_str());
    controls.chain(parameters).chain(states).collect()
}

/// A disturbance at its place in the file.
struct Place<'a> {
    file: &'a ScenarioFile,
    path: String,
    plant: &'a Description,
    timing: Timing,
    target: Target,
}

impl Place<'_> {
    fn course(&self, course: &file::Disturbance) -> Result<Course, FileError> {
        Ok(match *course {
            file::Disturbance::Profile(ref profile) => {
                let values = profile
                    .values(self.file.source.folder())
                    .map_err(|message| self.error("file", message))?;
                Course::Profile { values, gain: profile.gain }
            }
            file::Disturbance::Impulse(file::Impulse { at_s, area, width_s }) => {
                let n_periods = self.timing.queries("width", width_s);
                let n_periods =
                    n_periods.map_err(|error| self.error("width_s", error.to_string()))?;
                Course::Impulse { at_s, area, n_periods: n_periods.max(1) }
            }
            file::Disturbance::Step(file::Step { at_s, to }) => {
                self.check_value(&to)?;
                Course::Step { at_s, to }
            }
            file::Disturbance::Ramp(file::Ramp { at_s, to, over_s }) => {
                self.check_value(&to)?;
                Course::Ramp { at_s, to, over_s }
            }
            file::Disturbance::Sine(file::Sine { amplitude, period_s, phase }) => {
                let least_s = 2.0 * self.timing.sample_time_s();
                if period_s.least() < least_s {
                    let message = format!(
                        "a period of {period_s} s is shorter than two control periods, {least_s} s, which are the shortest that the loop can follow"
                    );
                    return Err(self.error("period_s", message));
                }
                Course::Sine { amplitude, period_s, phase }
            }
            file::Disturbance::Noise(file::FilteredNoise { sd, time_constant_s }) => {
                let kept = kept(self.timing.sample_time_s(), time_constant_s);
                Course::Noise { deviation: sd, kept }
            }
        })
    }

    /// Refuses values that a parameter can never have.
    fn check_value(&self, to: &Distribution) -> Result<(), FileError> {
        let Target::Parameter(index) = self.target else { return Ok(()) };
        let parameter = &self.plant.parameters[index];
        let (min, max) = (parameter.min, parameter.max);
        if min <= to.least() && to.largest() <= max {
            return Ok(());
        }
        let message = format!("{to} leaves the bounds of the plant, from {min:?} to {max:?}");
        Err(self.error("to", message))
    }

    fn error(&self, field: &str, message: String) -> FileError {
        self.file.error_at(&format!("{}.{field}", self.path), message, "change this value")
    }
}
