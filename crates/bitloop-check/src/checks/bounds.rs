//! Whether states and observations stay within the bounds that the plant gives.

use bitloop_plant::{LaneMatrix, Variable};

use crate::episodes::{Episodes, Manner, advance_running};
use crate::finding::{Checked, Finding};
use crate::numbers::Numbers;
use crate::subject::Subject;

/// States that started within their bounds stay there as long as the episode runs, and observations are within theirs.
pub(super) fn bounds(subject: &Subject, numbers: &mut Numbers) -> Checked {
    const N_EPISODES: usize = 48;
    let plant = &subject.plant;
    let description = plant.description();
    let is_bounded = |v: &Variable| v.min.is_finite() || v.max.is_finite();
    if !description.states.iter().chain(&description.observations).any(is_bounded) {
        return Ok(Finding::skip("no state or observation has bounds"));
    }
    let episodes = Episodes::draw(plant, (N_EPISODES, 20), 2.0, numbers);
    let order = episodes.in_order();
    for manner in Manner::all(plant) {
        let mut lanes = plant.lanes(N_EPISODES);
        let mut runs = [true; N_EPISODES];
        episodes.load(&mut lanes, &order);
        for period in 0..episodes.n_periods() {
            let tick = period as u64 * u64::from(manner.n_steps);
            episodes.hold(&mut lanes, &order, period);
            advance_running(plant, &mut lanes, &mut runs, manner, tick)?;
            let kinds = [
                ("state", &description.states, &lanes.state),
                ("observation", &description.observations, &lanes.observation),
            ];
            for (kind, variables, matrix) in kinds {
                for (row, variable) in variables.iter().enumerate() {
                    if let Some(value) = outside(variable, matrix, row, &runs) {
                        let Variable { name, min, max, .. } = variable;
                        return Ok(Finding::fail(format!(
                            "{}: {kind} `{name}` is {value} in period {period}, outside [{min}, {max}]",
                            manner.integrator.name()
                        )));
                    }
                }
            }
        }
    }
    Ok(Finding::pass(""))
}

/// A value outside of the bounds by more than rounding, in a lane that runs.
fn outside(variable: &Variable, matrix: &LaneMatrix, row: usize, runs: &[bool]) -> Option<f64> {
    let slack = 1e-9 * variable.scale;
    let values = matrix.row(row).iter().zip(runs).filter(|(_, runs)| **runs);
    values
        .map(|(value, _)| *value)
        .find(|value| *value < variable.min - slack || *value > variable.max + slack)
}
