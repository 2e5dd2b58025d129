//! [`Columns`]: the numbers of a row of trajectories, in any format that has rows.

use bitloop_plant::Description;
use bitloop_sim::Query;

use crate::drawn_parameters::DrawnParameters;

/// What a row has after episode and time: drawn parameters, states, observations that are shown, controls.
#[derive(Debug)]
pub struct Columns {
    pub names: Vec<String>,
    pub parameters: DrawnParameters,
    observations: Vec<usize>,
    n_controls: usize,
}

impl Columns {
    /// Those of a plant, of which these observations are shown.
    pub fn of(
        plant: &Description,
        shown: Vec<(usize, String)>,
        parameters: DrawnParameters,
    ) -> Self {
        let (observations, others): (Vec<usize>, Vec<String>) = shown.into_iter().unzip();
        let states = plant.states.iter().map(|state| state.name.clone());
        let controls = plant.controls.iter().map(|control| control.name.clone());
        let drawn = parameters.names.iter().cloned();
        let names = drawn.chain(states).chain(others).chain(controls).collect();
        Self { names, parameters, observations, n_controls: plant.controls.len() }
    }

    /// States, observations and controls of one lane.
    pub fn values<'a>(
        &'a self,
        query: &'a Query<'_>,
        lane: usize,
    ) -> impl Iterator<Item = f64> + 'a {
        let states = (0..query.state.n_rows()).map(move |row| query.state.row(row)[lane]);
        let others = self.observations.iter().map(move |&row| query.observation.row(row)[lane]);
        let controls = (0..query.control.n_rows()).map(move |row| query.control.row(row)[lane]);
        states.chain(others).chain(controls)
    }

    /// How many values the end of an episode does not have.
    pub fn n_missing(&self) -> usize {
        self.observations.len() + self.n_controls
    }
}
