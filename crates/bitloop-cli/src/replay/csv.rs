//! Trajectories as comma-separated values.
//!
//! Rows are written as samples come, so a file of any length takes no memory. A disk that fills up is told at the end:
//! the recorder keeps the first error, and writes no more.

use std::io::{self, Write};

use bitloop_plant::Description;
use bitloop_sim::{EpisodeResult, Recorder, Sample};

/// Writes a row for each sample, and one for the end of each episode.
#[derive(Debug)]
pub struct CsvRecorder<W: Write> {
    out: W,
    step_s: f64,
    /// Observations that have a column: those that are no states.
    observations: Vec<usize>,
    n_controls: usize,
    line: Vec<u8>,
    error: Option<io::Error>,
}

impl<W: Write> CsvRecorder<W> {
    /// Writes the line of names.
    pub fn new(out: W, plant: &Description, step_s: f64) -> Self {
        let is_state = |name: &str| plant.states.iter().any(|state| state.name == name);
        let observations: Vec<usize> = (0..plant.observations.len())
            .filter(|&index| !is_state(&plant.observations[index].name))
            .collect();
        let mut recorder = Self {
            out,
            step_s,
            observations,
            n_controls: plant.controls.len(),
            line: Vec::new(),
            error: None,
        };
        recorder.line.extend_from_slice(b"episode,time_s");
        let states = plant.states.iter().map(|state| &state.name);
        let observations = recorder.observations.iter().map(|&i| &plant.observations[i].name);
        let controls = plant.controls.iter().map(|control| &control.name);
        for name in states.chain(observations).chain(controls) {
            recorder.line.push(b',');
            recorder.line.extend_from_slice(quoted(name).as_bytes());
        }
        recorder.end_line();
        recorder
    }

    /// Where the rows were written.
    ///
    /// # Errors
    /// The first error of the whole recording.
    pub fn finish(mut self) -> io::Result<W> {
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(self.out),
        }
    }

    fn begin_line(&mut self, episode: usize, tick: u64, state: &[f64]) {
        let time_s = tick as f64 * self.step_s;
        // Products like 3 * 0.1 have a tail that no reader wants; a nanosecond is exact enough.
        let time_s = (time_s * 1e9).round() / 1e9;
        // Writing to a vector cannot fail.
        let _ = write!(self.line, "{episode},{time_s:?}");
        for value in state {
            self.cell(*value);
        }
    }

    /// The shortest text that reads back as the same bits.
    fn cell(&mut self, value: f64) {
        let _ = write!(self.line, ",{value:?}");
    }

    fn end_line(&mut self) {
        self.line.push(b'\n');
        if self.error.is_none()
            && let Err(error) = self.out.write_all(&self.line)
        {
            self.error = Some(error);
        }
        self.line.clear();
    }
}

impl<W: Write> Recorder for CsvRecorder<W> {
    fn sample(&mut self, sample: &Sample<'_>) {
        if self.error.is_some() {
            return;
        }
        self.begin_line(sample.episode, sample.tick, sample.state);
        for position in 0..self.observations.len() {
            self.cell(sample.observation[self.observations[position]]);
        }
        for value in sample.control {
            self.cell(*value);
        }
        self.end_line();
    }

    fn end(&mut self, episode: usize, tick: u64, state: &[f64], _result: &EpisodeResult) {
        if self.error.is_some() {
            return;
        }
        self.begin_line(episode, tick, state);
        self.line.extend(std::iter::repeat_n(b',', self.observations.len() + self.n_controls));
        self.end_line();
    }
}

/// A name as RFC 4180 wants it.
fn quoted(name: &str) -> String {
    if name.contains([',', '"', '\n', '\r']) {
        format!("\"{}\"", name.replace('"', "\"\""))
    } else {
        name.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use bitloop_plant::{Integrator, Variable};
    use bitloop_sim::EpisodeEnd;

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

    #[test]
    fn observations_that_are_states_are_not_repeated() {
        let mut out = Vec::new();
        let mut recorder = CsvRecorder::new(&mut out, &plant(), 0.1);
        recorder.sample(&Sample {
            episode: 2,
            tick: 3,
            state: &[1.5, -0.0],
            observation: &[1.5, 1e-7],
            control: &[f64::NAN],
        });
        recorder.end(2, 4, &[0.5, 1.0], &EpisodeResult { error: 0.0, end: EpisodeEnd::Horizon });
        recorder.finish().unwrap();
        let text = String::from_utf8(out).unwrap();
        assert_eq!(
            text,
            "episode,time_s,x,\"a, b\",y,u\n2,0.3,1.5,-0.0,1e-7,NaN\n2,0.4,0.5,1.0,,\n"
        );
    }

    #[test]
    fn a_full_disk_is_told_at_the_end() {
        let mut disk = [0; 32];
        let mut recorder = CsvRecorder::new(&mut disk[..], &plant(), 0.1);
        for tick in 0..3 {
            let sample = Sample {
                episode: 0,
                tick,
                state: &[0.0; 2],
                observation: &[0.0; 2],
                control: &[0.0],
            };
            recorder.sample(&sample);
        }
        assert_eq!(recorder.finish().unwrap_err().kind(), io::ErrorKind::WriteZero);
    }
}
