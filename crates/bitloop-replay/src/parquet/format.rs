//! [`ParquetFormat`]: trajectories as the rows of a Parquet file.

use bitloop_sim::Query;
use bitloop_train::TrainError;

use super::{Column, head};
use crate::columns::Columns;
use crate::drawn_parameters::DrawnParameters;
use crate::prepare::Replay;
use crate::trajectory_file::TrajectoryFormat;

/// Trajectories with the rows and columns of the comma-separated values; what the end of an episode does not have is NaN.
#[derive(Debug)]
pub struct ParquetFormat {
    columns: Columns,
    step_s: f64,
    /// Queries from one row to the next, and integration steps.
    every: u64,
    steps_per_row: u64,
}

impl ParquetFormat {
    /// The columns of a replay, with a row for every `every`th query, which is at least 1.
    ///
    /// # Errors
    /// If parameters are drawn, and the plant breaks.
    pub fn new(replay: &Replay, every: u64) -> Result<Self, TrainError> {
        let parameters = DrawnParameters::of(replay)?;
        Ok(Self {
            columns: Columns::of(replay.plant(), replay.shown_observations(), parameters),
            step_s: replay.step_s(),
            every,
            steps_per_row: replay.steps_per_query().saturating_mul(every),
        })
    }

    /// The line that names the columns.
    #[must_use]
    pub fn head(&self) -> Vec<u8> {
        let first = [Column::count("episode"), Column::number("time_s")];
        let others = self.columns.names.iter().map(|name| Column::number(name));
        head(&first.into_iter().chain(others).collect::<Vec<_>>())
    }

    fn begin_row(&self, text: &mut Vec<u8>, episode: usize, tick: u64) {
        text.extend_from_slice(&(episode as u64).to_le_bytes());
        text.extend_from_slice(&seconds(tick, self.step_s).to_le_bytes());
        for value in self.columns.parameters.of_episode(episode) {
            text.extend_from_slice(&value.to_le_bytes());
        }
    }
}

/// The time of a tick. Most steps are one part of a second in so many, and then a quotient is nearest to the decimal number
/// where a product is not.
fn seconds(tick: u64, step_s: f64) -> f64 {
    let per_second = (1.0 / step_s).round();
    if per_second >= 1.0 && 1.0 / per_second == step_s {
        tick as f64 / per_second
    } else {
        tick as f64 * step_s
    }
}

impl TrajectoryFormat for ParquetFormat {
    fn bytes_per_episode(&self, n_queries: u64) -> u64 {
        let width = size_of::<f64>() * (2 + self.columns.names.len());
        (width as u64).saturating_mul(n_queries.div_ceil(self.every).saturating_add(1))
    }

    fn query(&self, first: usize, query: &Query<'_>, texts: &mut [Vec<u8>]) {
        if !query.tick.is_multiple_of(self.steps_per_row) {
            return;
        }
        for (lane, &episode) in query.episodes.iter().enumerate() {
            let text = &mut texts[episode];
            self.begin_row(text, first + episode, query.tick);
            for value in self.columns.values(query, lane) {
                text.extend_from_slice(&value.to_le_bytes());
            }
        }
    }

    fn end(&self, episode: usize, tick: u64, state: &[f64], text: &mut Vec<u8>) {
        self.begin_row(text, episode, tick);
        let n_missing = self.columns.n_missing();
        for &value in state.iter().chain(std::iter::repeat_n(&f64::NAN, n_missing)) {
            text.extend_from_slice(&value.to_le_bytes());
        }
    }

    fn pack(&self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_nearest_to_the_decimal_numbers() {
        assert_eq!(seconds(3, 0.1), 0.3);
        assert_eq!(seconds(29, 0.01), 0.29);
        assert_eq!(seconds(7, 0.25), 1.75);
        assert_eq!(seconds(2, 2.5), 5.0);
    }
}
