//! [`FixedEpisode`]: an episode whose numbers are given, not drawn.

use bitloop_plant::LaneMatrix;

use crate::closed_loop::ClosedLoop;
use crate::episodes::EpisodeSet;
use crate::error::SimError;
use crate::workspace::column;

/// All that distinguishes an episode from the others of its set.
#[derive(Clone, Debug, PartialEq)]
pub struct FixedEpisode {
    /// `[n_states]`.
    pub initial: Vec<f64>,
    /// `[n_parameters]`.
    pub parameters: Vec<f64>,
    /// What is drawn for sensors, actuators and disturbances, in the order of
    /// [`Uncertainty::distributions`](crate::Uncertainty::distributions).
    pub uncertain: Vec<f64>,
    /// The key of the noise.
    pub noise_key: [u64; 2],
}

impl EpisodeSet {
    /// A set of these episodes, held to the bounds of the plant.
    ///
    /// # Errors
    /// As [`draw`](Self::draw), and for a number that is not finite.
    ///
    /// # Panics
    /// If an episode has other numbers of states, parameters or drawn values than the loop.
    pub fn of(
        closed_loop: &ClosedLoop,
        episodes: &[FixedEpisode],
        horizon_s: f64,
        transient_s: f64,
    ) -> Result<Self, SimError> {
        let mut set = Self::empty(closed_loop, episodes.len(), horizon_s, transient_s)?;
        for lane in 0..LaneMatrix::padded(episodes.len()) {
            // Padding lanes hold copies of the first episode.
            let episode = episodes.get(lane).unwrap_or(&episodes[0]);
            let FixedEpisode { initial, parameters, uncertain, noise_key } = episode;
            for (what, values, rows) in [
                ("initial", initial, &mut set.initial),
                ("parameters", parameters, &mut set.parameters),
                ("uncertainty", uncertain, &mut set.uncertain),
            ] {
                assert_eq!(values.len(), rows.n_rows(), "numbers of {what}");
                for (row, &value) in values.iter().enumerate() {
                    if !value.is_finite() {
                        let (name, why) = (what.to_owned(), format!("{value} is not finite"));
                        return Err(SimError::BadDistribution { name, why });
                    }
                    rows.row_mut(row)[lane] = value;
                }
            }
            for (row, &word) in noise_key.iter().enumerate().take(set.noise_keys.n_rows()) {
                set.noise_keys.row_mut(row)[lane] = f64::from_bits(word);
            }
        }
        set.hold_to_bounds(closed_loop);
        set.failure_cost = set.failure_costs(closed_loop)?;
        Ok(set)
    }

    /// The episode at a position.
    ///
    /// # Panics
    /// If there is no such episode.
    #[must_use]
    pub fn fixed(&self, position: usize) -> FixedEpisode {
        let noise_key = column(&self.noise_keys, position);
        FixedEpisode {
            initial: column(&self.initial, position),
            parameters: column(&self.parameters, position),
            uncertain: column(&self.uncertain, position),
            noise_key: [0, 1].map(|word| noise_key.get(word).map_or(0, |word| word.to_bits())),
        }
    }
}
