//! [`Beside`]: the trajectory of a lone episode, formatted by a thread of its own while the episode goes on.
//!
//! Numbers take longer to format than to compute. Where episodes are fewer than threads, one that would idle formats them.

use std::sync::mpsc::{Receiver, Sender, SyncSender, channel, sync_channel};
use std::thread::Scope;

use bitloop_plant::{LANE_UNIT, LaneMatrix, Sizes};
use bitloop_sim::Query;

use crate::text::Text;

/// Queries that are handed over at once.
const QUERIES: usize = 256;

/// Batches of queries that may wait to be formatted.
const BATCHES_AHEAD: usize = 8;

/// Hands what is recorded of lone episodes to the thread that formats them.
pub struct Beside {
    jobs: SyncSender<Job>,
    taken: Receiver<Vec<Vec<u8>>>,
    samples: Samples,
}

enum Job {
    Begin { block: usize, episode: usize },
    Samples(Samples),
    End { tick: u64, state: Vec<f64> },
    Take,
}

/// Queries of an episode.
#[derive(Default)]
struct Samples {
    ticks: Vec<u64>,
    /// Of each query the states, the observations, the controls, and the cost.
    values: Vec<f64>,
}

impl Beside {
    /// With a thread that formats into `text`, which ends with this value, for a plant of these sizes.
    pub fn new<'scope>(scope: &'scope Scope<'scope, '_>, text: Text<'scope>, sizes: Sizes) -> Self {
        let (jobs, of_episode) = sync_channel(BATCHES_AHEAD);
        let (to_taker, taken) = channel();
        scope.spawn(move || format_all(text, sizes, &of_episode, &to_taker));
        Self { jobs, taken, samples: Samples::default() }
    }

    pub fn begin(&mut self, block: usize, episode: usize) {
        self.samples = Samples::default();
        self.hand_over(Job::Begin { block, episode });
    }

    pub fn query(&mut self, query: &Query<'_>) {
        self.samples.ticks.push(query.tick);
        for matrix in [query.state, query.observation, query.control, query.cost] {
            let rows = matrix.as_slice().iter().step_by(matrix.n_lanes());
            self.samples.values.extend(rows);
        }
        if self.samples.ticks.len() == QUERIES {
            self.hand_over_samples();
        }
    }

    pub fn end(&mut self, tick: u64, state: &[f64]) {
        self.hand_over_samples();
        self.hand_over(Job::End { tick, state: state.to_vec() });
    }

    /// All that is left, in order; of an episode that was called off, too.
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        self.hand_over_samples();
        self.hand_over(Job::Take);
        // The thread is gone where it has panicked, which is noticed when it is joined.
        self.taken.recv().unwrap_or_default()
    }

    fn hand_over_samples(&mut self) {
        let samples = std::mem::take(&mut self.samples);
        self.samples.ticks.reserve(QUERIES);
        self.samples.values.reserve(samples.values.len());
        self.hand_over(Job::Samples(samples));
    }

    fn hand_over(&self, job: Job) {
        let _ = self.jobs.send(job);
    }
}

/// Formats what comes, until no more does.
fn format_all(
    mut text: Text<'_>,
    sizes: Sizes,
    jobs: &Receiver<Job>,
    taken: &Sender<Vec<Vec<u8>>>,
) {
    let Sizes { n_states, n_observations, n_controls, .. } = sizes;
    let mut rows = [n_states, n_observations, n_controls, 1]
        .map(|n_rows| LaneMatrix::zeros(n_rows, LANE_UNIT));
    let width = rows.iter().map(LaneMatrix::n_rows).sum();
    for job in jobs {
        match job {
            Job::Begin { block, episode } => text.begin(block, episode, 1),
            Job::Samples(Samples { ticks, values }) => {
                for (tick, values) in ticks.into_iter().zip(values.chunks(width)) {
                    let places = rows
                        .iter_mut()
                        .flat_map(|matrix| matrix.as_mut_slice().iter_mut().step_by(LANE_UNIT));
                    places.zip(values).for_each(|(place, &value)| *place = value);
                    let [state, observation, control, cost] = &rows;
                    text.query(&Query { tick, episodes: &[0], state, observation, control, cost });
                }
            }
            Job::End { tick, state } => text.end(0, tick, &state),
            // Nobody takes it where the replay has failed.
            Job::Take => drop(taken.send(text.take())),
        }
    }
}
