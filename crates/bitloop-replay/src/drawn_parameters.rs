//! [`DrawnParameters`]: the parameters of each episode that are drawn at random, for tables.

use bitloop_train::TrainError;

use crate::prepare::Replay;

/// The parameters of each episode of a replay that are drawn at random.
#[derive(Debug, Default)]
pub struct DrawnParameters {
    /// The names of their columns, `parameter.NAME`.
    pub names: Vec<String>,
    /// Of each episode in turn, from the first one on.
    values: Vec<f64>,
    first_episode: usize,
}

impl DrawnParameters {
    /// Draws those of all episodes again; nothing where all parameters are fixed.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn of(replay: &Replay) -> Result<Self, TrainError> {
        let drawn = replay.drawn_parameters();
        if drawn.is_empty() {
            return Ok(Self::default());
        }
        let name = |&at: &usize| format!("parameter.{}", replay.plant().parameters[at].name);
        let set = replay.draw(replay.indices())?;
        let mut values = Vec::with_capacity(set.n_episodes() * drawn.len());
        for position in 0..set.n_episodes() {
            let all = set.parameters(position);
            values.extend(drawn.iter().map(|&at| all[at]));
        }
        Ok(Self {
            names: drawn.iter().map(name).collect(),
            values,
            first_episode: replay.indices().start,
        })
    }

    /// Those of an episode of the replay, in the order of the names.
    #[must_use]
    pub fn of_episode(&self, episode: usize) -> &[f64] {
        let n = self.names.len();
        let position = episode.saturating_sub(self.first_episode);
        self.values.get(position * n..(position + 1) * n).unwrap_or_default()
    }
}
