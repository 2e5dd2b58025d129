//! [`TrajectoryFile`]: where trajectories go, and how they become bytes. They are formatted by the threads that run the episodes,
//! or beside them where one would idle, and written by one thread of its own.

use std::io::Write;

use bitloop_sim::Query;

/// Turns trajectories into the bytes of a file.
pub trait TrajectoryFormat: Sync {
    /// Bytes that an episode of so many queries takes, at the most.
    fn bytes_per_episode(&self, n_queries: u64) -> u64;

    /// Appends a query to the bytes of each episode in it. `texts` are those of the episodes of a block, by their position;
    /// the index of the first is `first`.
    fn query(&self, first: usize, query: &Query<'_>, texts: &mut [Vec<u8>]);

    /// Appends the end of the episode with index `episode`, at `tick` in `state`.
    fn end(&self, episode: usize, tick: u64, state: &[f64], text: &mut Vec<u8>);

    /// The bytes as they are written; each piece of them comes here once.
    fn pack(&self, text: Vec<u8>) -> Vec<u8>;
}

/// A file of trajectories: all samples of an episode in order of time, episode by episode.
pub struct TrajectoryFile<'a> {
    /// How samples become bytes.
    pub format: &'a dyn TrajectoryFormat,
    /// Where the bytes go.
    pub out: &'a mut (dyn Write + Send),
}

impl std::fmt::Debug for TrajectoryFile<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("TrajectoryFile").finish_non_exhaustive()
    }
}
