//! Plant steps or evaluations per second, over about the last second.

use std::time::{Duration, Instant};

/// How long a measurement lasts before the next one begins.
const WINDOW: Duration = Duration::from_millis(500);

/// A rate of something counted.
#[derive(Debug)]
pub struct Rate {
    since: Instant,
    count: u64,
    measured: Option<f64>,
}

impl Rate {
    /// Starts to count now, from `count`.
    pub fn from(count: u64) -> Self {
        Self { since: Instant::now(), count, measured: None }
    }

    /// The rate, after `count` things were counted from the start.
    pub fn update(&mut self, count: u64) -> f64 {
        let elapsed = self.since.elapsed();
        let now = count.saturating_sub(self.count) as f64 / elapsed.as_secs_f64().max(1e-3);
        if elapsed < WINDOW {
            return self.measured.unwrap_or(now);
        }
        (self.since, self.count, self.measured) = (Instant::now(), count, Some(now));
        now
    }
}
