//! [`CsvFormat`]: trajectories as comma-separated values.

use bitloop_decimal::{TickTime, push_cell, push_count};
use bitloop_sim::Query;
use bitloop_train::TrainError;

use crate::columns::Columns;
use crate::drawn_parameters::DrawnParameters;
use crate::prepare::Replay;
use crate::trajectory_file::TrajectoryFormat;

/// Bytes of a number and a comma, at the most.
const CELL: usize = 25;

/// What packs pieces of a file, each for itself.
pub type Pack = fn(&[u8]) -> Vec<u8>;

/// Trajectories as comma-separated values: a row for each sample, and one for the end of each episode, with its index and the
/// time in seconds first. Names are quoted as RFC 4180 wants it; numbers are the shortest that read back as the same bits.
#[derive(Debug)]
pub struct CsvFormat {
    time: TickTime,
    columns: Columns,
    /// Queries from one row to the next, and integration steps.
    every: u64,
    steps_per_row: u64,
    pack: Option<Pack>,
}

impl CsvFormat {
    /// The columns of a replay: its states, those observations that are no states, what sensors that are not perfect read of
    /// states (`reading.NAME`), and the commands; before them, parameters that are drawn at random (`parameter.NAME`). It has a row for
    /// every `every`th query, which is at least 1.
    ///
    /// # Errors
    /// If parameters are drawn, and the plant breaks.
    pub fn new(replay: &Replay, every: u64) -> Result<Self, TrainError> {
        let steps_per_row = replay.steps_per_query().saturating_mul(every);
        let parameters = DrawnParameters::of(replay)?;
        let columns = Columns::of(replay.plant(), replay.shown_observations(), parameters);
        Ok(Self { every, steps_per_row, ..Self::of(columns, replay.step_s()) })
    }

    /// The same, in pieces that are packed.
    #[must_use]
    pub fn packed_by(self, pack: Pack) -> Self {
        Self { pack: Some(pack), ..self }
    }

    /// Of these columns, with so many seconds from one tick to the next.
    fn of(columns: Columns, step_s: f64) -> Self {
        Self { time: TickTime::new(step_s), columns, every: 1, steps_per_row: 1, pack: None }
    }

    /// Bytes of a row, at the most. It has an episode and a time, too.
    fn bytes_per_row(&self) -> usize {
        (self.columns.names.len() + 2) * CELL
    }

    /// Episode, time and parameters.
    fn begin_row(&self, text: &mut Vec<u8>, episode: usize, time: &[u8]) {
        push_count(text, episode);
        text.push(b',');
        text.extend_from_slice(time);
        for &value in self.columns.parameters.of_episode(episode) {
            push_cell(text, value);
        }
    }

    /// The line of names.
    pub fn header(&self) -> Vec<u8> {
        let mut line = b"episode,time_s".to_vec();
        for name in &self.columns.names {
            line.push(b',');
            line.extend_from_slice(quoted_name(name).as_bytes());
        }
        line.push(b'\n');
        line
    }
}

impl TrajectoryFormat for CsvFormat {
    fn bytes_per_episode(&self, n_queries: u64) -> u64 {
        // The end has a row, too.
        (self.bytes_per_row() as u64)
            .saturating_mul(n_queries.div_ceil(self.every).saturating_add(1))
    }

    fn query(&self, first: usize, query: &Query<'_>, texts: &mut [Vec<u8>]) {
        if !query.tick.is_multiple_of(self.steps_per_row) {
            return;
        }
        let mut time = Vec::with_capacity(CELL);
        self.time.push(&mut time, query.tick);
        let bytes_per_row = self.bytes_per_row();
        for (lane, &episode) in query.episodes.iter().enumerate() {
            let text = &mut texts[episode];
            text.reserve(bytes_per_row);
            self.begin_row(text, first + episode, &time);
            self.columns.values(query, lane).for_each(|value| push_cell(text, value));
            text.push(b'\n');
        }
    }

    fn end(&self, episode: usize, tick: u64, state: &[f64], text: &mut Vec<u8>) {
        let mut time = Vec::new();
        self.time.push(&mut time, tick);
        self.begin_row(text, episode, &time);
        for &value in state {
            push_cell(text, value);
        }
        text.extend(std::iter::repeat_n(b',', self.columns.n_missing()));
        text.push(b'\n');
    }

    fn pack(&self, text: Vec<u8>) -> Vec<u8> {
        match self.pack {
            Some(pack) => pack(&text),
            None => text,
        }
    }
}

/// A name of a column as RFC 4180 wants it.
pub fn quoted_name(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use bitloop_plant::{Description, Integrator, LaneMatrix, Variable};

    use super::*;

    fn plant() -> Description {
        Description {
            name: "p".into(),
            version: "1".into(),
            summary: String::new(),
            states: vec![Variable::new("x", "m"), Variable::new("a, b", "")],
            controls: vec![Variable::new("u", "N")],
            observations: vec![Variable::new("x", "m"), Variable::new("y", "V")],
            parameters: Vec::new(),
            structure: Vec::new(),
            integrators: vec![Integrator::Euler],
            step_s: 0.1,
            sample_time_s: 0.1,
        }
    }

    fn matrix(lanes: &[&[f64]]) -> LaneMatrix {
        let mut matrix = LaneMatrix::zeros(lanes[0].len(), 8);
        for (lane, values) in lanes.iter().enumerate() {
            for (row, value) in values.iter().enumerate() {
                matrix.row_mut(row)[lane] = *value;
            }
        }
        matrix
    }

    #[test]
    fn rows_have_states_shown_observations_and_controls() {
        let shown = vec![(1, "y".to_owned())];
        let columns = Columns::of(&plant(), shown, DrawnParameters::default());
        let format = CsvFormat::of(columns, 0.1);
        let mut texts = vec![Vec::new(), Vec::new()];
        let query = Query {
            tick: 3,
            episodes: &[1, 0],
            state: &matrix(&[&[1.5, -0.0], &[7.0, 8.0]]),
            observation: &matrix(&[&[1.5, 1e-7], &[7.0, 9.0]]),
            control: &matrix(&[&[f64::NAN], &[2.0]]),
            cost: &matrix(&[&[0.0], &[0.0]]),
        };
        format.query(2, &query, &mut texts);
        format.end(3, 4, &[0.5, 1.0], &mut texts[1]);
        assert_eq!(format.header(), b"episode,time_s,x,\"a, b\",y,u\n");
        let [first, second] = [0, 1].map(|i| String::from_utf8(texts[i].clone()).unwrap());
        assert_eq!(first, "2,0.3,7.0,8.0,9.0,2.0\n");
        assert_eq!(second, "3,0.3,1.5,-0.0,1e-7,NaN\n3,0.4,0.5,1.0,,\n");
        assert!(second.len() as u64 <= format.bytes_per_episode(1));
    }
}
