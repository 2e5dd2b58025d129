//! [`Waiting`]: how a thread waits for others that mostly take microseconds.

use crossbeam_utils::Backoff;

/// Looks of a thread that waits before it sleeps. Rounds follow each other within microseconds when probes are short, and
/// waking up takes longer than that.
const N_LOOKS: u32 = 1_000;

/// A wait for something that another thread does: spins at first, then gives way to other threads, then asks to sleep.
#[derive(Default)]
pub(crate) struct Waiting {
    backoff: Backoff,
    n_looks: u32,
}

impl Waiting {
    /// Begins anew.
    pub fn reset(&mut self) {
        *self = Self::default();
    }

    /// Waits a little; false, without having waited, when it is time to sleep.
    pub fn snooze(&mut self) -> bool {
        let is_short = self.n_looks < N_LOOKS;
        if is_short {
            self.n_looks += 1;
            self.backoff.snooze();
        }
        is_short
    }
}
