//! [`EpisodeRecord`]: all of an episode's result, so that episodes that were run apart can be put together.

use bitloop_sim::{
    Behaviors, EpisodeDigest, EpisodeEnd, EpisodeResult, Evaluation, TrajectoryDigest,
};
use serde::{Deserialize, Serialize};

use crate::outcome::ReplayOutcome;
use crate::prepare::Replay;

/// What is kept of an episode.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct EpisodeRecord {
    error: f64,
    end: End,
    /// Of its trajectory, if that was asked for.
    digest: Option<EpisodeDigest>,
    /// All figures of its behavior; none if that was not measured.
    figures: Vec<f64>,
}

/// How an episode ended, as it is kept.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
enum End {
    Horizon,
    Failed(u64),
    Fault(u64),
}

impl EpisodeRecord {
    pub(crate) fn new(
        result: EpisodeResult,
        digest: Option<EpisodeDigest>,
        figures: Vec<f64>,
    ) -> Self {
        let end = match result.end {
            EpisodeEnd::Horizon => End::Horizon,
            EpisodeEnd::Failed { tick } => End::Failed(tick),
            EpisodeEnd::Fault { tick } => End::Fault(tick),
        };
        Self { error: result.error, end, digest, figures }
    }

    /// Whether it has a digest and so many figures.
    pub(crate) fn has(&self, a_digest: bool, n_figures: usize) -> bool {
        self.digest.is_some() == a_digest && self.figures.len() == n_figures
    }

    fn result(&self) -> EpisodeResult {
        let end = match self.end {
            End::Horizon => EpisodeEnd::Horizon,
            End::Failed(tick) => EpisodeEnd::Failed { tick },
            End::Fault(tick) => EpisodeEnd::Fault { tick },
        };
        EpisodeResult { error: self.error, end }
    }
}

impl Replay {
    /// The outcome of all episodes, from what was kept of each in order of their index, as if they had been run here. They
    /// took so many seconds. None if there are others than these, or the figures are those of another plant.
    #[must_use]
    pub fn put_together(&self, records: &[EpisodeRecord], wall_s: f64) -> Option<ReplayOutcome> {
        let indices: Vec<usize> = self.indices().collect();
        if records.len() != indices.len() {
            return None;
        }
        self.put_together_part(indices, records, wall_s)
    }

    /// The same of the episodes with these indices, in order.
    pub(crate) fn put_together_part(
        &self,
        indices: Vec<usize>,
        records: &[EpisodeRecord],
        wall_s: f64,
    ) -> Option<ReplayOutcome> {
        let shape = self.behavior_shape();
        let mut figures = Vec::with_capacity(records.len() * shape.width());
        let (mut digest, mut n_digests, mut plant_steps) = (TrajectoryDigest::default(), 0, 0);
        for record in records {
            if !record.figures.is_empty() && record.figures.len() != shape.width() {
                return None;
            }
            figures.extend_from_slice(&record.figures);
            if let Some(of_episode) = record.digest {
                digest.extend(&[of_episode]);
                n_digests += 1;
            }
            plant_steps += match record.end {
                End::Horizon => self.horizon(),
                End::Failed(tick) | End::Fault(tick) => tick.min(self.horizon()),
            };
        }
        let behaviors = Behaviors::of(shape, figures);
        let results = records.iter().map(EpisodeRecord::result).collect();
        Some(ReplayOutcome {
            evaluation: Evaluation {
                behaviors: behaviors.filter(|all| all.n_episodes() == records.len()),
                ..Evaluation::of(results, plant_steps)
            },
            n_episodes: self.n_episodes(),
            unfinished: Vec::new(),
            horizon_s: self.horizon_s(),
            seed: self.seed(),
            trajectory_digest: (n_digests == self.n_episodes()).then(|| digest.finish()),
            indices,
            wall_s,
        })
    }
}
