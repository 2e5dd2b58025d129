//! [`McapFormat`]: trajectories as the messages of an MCAP file, each a frame until the file is written.
//!
//! Threads that run episodes make the messages, which is most of the work, and hand them on as frames of bytes, in the order of the
//! episodes. What an MCAP file has beside its messages, one thread writes.

use bitloop_decimal::push_number;
use bitloop_plant::{Description, Variable};
use bitloop_sim::{EpisodeSet, Query};
use bitloop_train::TrainError;

use crate::prepare::Replay;
use crate::trajectory_file::TrajectoryFormat;

/// What a message is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Topic {
    /// Of the plant.
    State,
    /// As the controller reads it.
    Observation,
    /// As commanded.
    Control,
    /// The sum of the stage costs so far.
    Cost,
    /// Of the episode, at its start.
    Parameter,
}

impl Topic {
    /// All of them.
    pub const ALL: [Self; 5] =
        [Self::State, Self::Observation, Self::Control, Self::Cost, Self::Parameter];

    /// The name of the channel.
    pub const fn name(self) -> &'static str {
        match self {
            Self::State => "state",
            Self::Observation => "observation",
            Self::Control => "control",
            Self::Cost => "cost",
            Self::Parameter => "parameter",
        }
    }

    /// The names of its numbers, with their units.
    pub fn fields(self, plant: &Description) -> Vec<(String, String)> {
        let of = |variable: &Variable| (variable.name.clone(), variable.unit.clone());
        let all = |variables: &[Variable]| variables.iter().map(of).collect();
        match self {
            Self::State => all(&plant.states),
            Self::Observation => all(&plant.observations),
            Self::Control => all(&plant.controls),
            Self::Cost => vec![("sum".to_owned(), String::new())],
            Self::Parameter => {
                let of = |parameter: &bitloop_plant::Parameter| {
                    (parameter.name.clone(), parameter.unit.clone())
                };
                plant.parameters.iter().map(of).collect()
            }
        }
    }
}

/// Bytes before the message of a frame.
const HEAD: usize = 1 + 8 + 8 + 4;

/// A message on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Frame<'a> {
    /// What it is about.
    pub topic: Topic,
    /// The index of the episode.
    pub episode: u64,
    /// Since the start of the episode.
    pub time_ns: u64,
    /// JSON.
    pub message: &'a [u8],
}

impl<'a> Frame<'a> {
    /// The first frame of some bytes, and how many it takes; none as long as bytes are missing.
    pub fn first(bytes: &'a [u8]) -> Option<(Self, usize)> {
        let (head, rest) = bytes.split_at_checked(HEAD)?;
        let number = |from: usize| head[from..from + 8].try_into().map_or(0, u64::from_le_bytes);
        let length = head[17..21].try_into().map_or(0, u32::from_le_bytes) as usize;
        let topic = Topic::ALL[usize::from(head[0]).min(Topic::ALL.len() - 1)];
        let message = rest.get(..length)?;
        let frame = Self { topic, episode: number(1), time_ns: number(9), message };
        Some((frame, HEAD + length))
    }
}

/// Trajectories as frames.
pub struct McapFormat<'a> {
    replay: &'a Replay,
    /// Of each topic, what stands before each number: `{"x":`, `,"theta":`.
    keys: [Vec<Vec<u8>>; Topic::ALL.len()],
    /// Queries from one message to the next, and integration steps.
    every: u64,
    steps_per_message: u64,
    parameters: Vec<Vec<f64>>,
}

impl<'a> McapFormat<'a> {
    /// The messages of a replay, of every `every`th query.
    ///
    /// # Errors
    /// If episodes cannot be drawn.
    pub fn new(replay: &'a Replay, every: u64) -> Result<Self, TrainError> {
        let set: EpisodeSet = replay.draw(replay.indices())?;
        let keys = Topic::ALL.map(|topic| {
            let fields = topic.fields(replay.plant()).into_iter().enumerate();
            let key = |(at, (name, _)): (usize, (String, String))| {
                let before = if at == 0 { '{' } else { ',' };
                format!("{before}{}:", serde_json::Value::from(name)).into_bytes()
            };
            fields.map(key).collect()
        });
        Ok(Self {
            replay,
            keys,
            every,
            steps_per_message: replay.steps_per_query().saturating_mul(every),
            parameters: (0..set.n_episodes()).map(|at| set.parameters(at)).collect(),
        })
    }

    fn push(
        &self,
        text: &mut Vec<u8>,
        (topic, episode, tick): (Topic, usize, u64),
        values: impl Iterator<Item = f64>,
    ) {
        let keys = &self.keys[topic as usize];
        if keys.is_empty() {
            return;
        }
        text.push(topic as u8);
        text.extend_from_slice(&(episode as u64).to_le_bytes());
        text.extend_from_slice(&time_ns(tick, self.replay.step_s()).to_le_bytes());
        let length_at = text.len();
        text.extend_from_slice(&[0; 4]);
        for (key, value) in keys.iter().zip(values) {
            text.extend_from_slice(key);
            // JSON has no other numbers.
            if value.is_finite() {
                push_number(text, value);
            } else {
                text.extend_from_slice(b"null");
            }
        }
        text.push(b'}');
        let length = u32::try_from(text.len() - length_at - 4).unwrap_or(u32::MAX);
        text[length_at..length_at + 4].copy_from_slice(&length.to_le_bytes());
    }
}

/// The time of a tick in nanoseconds.
fn time_ns(tick: u64, step_s: f64) -> u64 {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it saturates")]
    let time = (tick as f64 * step_s * 1e9).round() as u64;
    time
}

impl TrajectoryFormat for McapFormat<'_> {
    fn bytes_per_episode(&self, n_queries: u64) -> u64 {
        let of = |keys: &Vec<Vec<u8>>| keys.iter().map(|key| key.len() + 25).sum::<usize>() + HEAD;
        let bytes = self.keys.iter().map(of).sum::<usize>() as u64;
        bytes.saturating_mul(n_queries.div_ceil(self.every).saturating_add(2))
    }

    fn query(&self, first: usize, query: &Query<'_>, texts: &mut [Vec<u8>]) {
        if !query.tick.is_multiple_of(self.steps_per_message) {
            return;
        }
        for (lane, &position) in query.episodes.iter().enumerate() {
            let (text, episode) = (&mut texts[position], first + position);
            if query.tick == 0 {
                let begin = self.replay.indices().start;
                let parameters = self.parameters[episode - begin].iter().copied();
                self.push(text, (Topic::Parameter, episode, 0), parameters);
            }
            for (topic, matrix) in [
                (Topic::State, query.state),
                (Topic::Observation, query.observation),
                (Topic::Control, query.control),
                (Topic::Cost, query.cost),
            ] {
                let values = (0..matrix.n_rows()).map(|row| matrix.row(row)[lane]);
                self.push(text, (topic, episode, query.tick), values);
            }
        }
    }

    fn end(&self, episode: usize, tick: u64, state: &[f64], text: &mut Vec<u8>) {
        self.push(text, (Topic::State, episode, tick), state.iter().copied());
    }

    fn pack(&self, text: Vec<u8>) -> Vec<u8> {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_read_as_they_come() {
        let mut bytes = vec![Topic::Control as u8];
        bytes.extend(7_u64.to_le_bytes());
        bytes.extend(50_000_000_u64.to_le_bytes());
        bytes.extend(8_u32.to_le_bytes());
        bytes.extend(b"{\"u\":1}.");
        let (frame, length) = Frame::first(&bytes).unwrap();
        assert_eq!((frame.topic, frame.episode, length), (Topic::Control, 7, bytes.len()));
        assert_eq!((frame.time_ns, frame.message), (50_000_000, &b"{\"u\":1}."[..]));
        assert!((0..bytes.len()).all(|n| Frame::first(&bytes[..n]).is_none()));
        assert_eq!(time_ns(3, 0.01), 30_000_000);
        assert_eq!(time_ns(u64::MAX, 1e300), u64::MAX);
    }
}
