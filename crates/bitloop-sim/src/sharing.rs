//! Dividing a rollout: some of its episodes, from a tick on, run on another thread.
//!
//! Lanes know nothing of each other, so that an episode comes to the same bits wherever it runs, and Err of all results in
//! order of their index is that of the undivided rollout. Until then each side knows the partial sums of its own episodes
//! in full, and of the others what they have gained since; added up in another order than Err they may be off by some
//! roundings, so that a margin is left before a rollout is given up because of them. Either way it comes to the same:
//! not below exactly where Err is not.
//!
//! Nobody waits in vain: whoever ran the rollout first takes back what no one took, and whoever took a share lets go of it
//! also by a panic.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use bitloop_plant::LANE_UNIT;

use crate::outcome::EpisodeResult;
use crate::workspace::Load;

/// The fewest live episodes that are worth dividing: each side gets at least a vector of them.
pub(crate) const MIN_EPISODES: usize = 2 * LANE_UNIT;

/// The fewest control periods that must be left; handing over takes as long as a few.
pub(crate) const MIN_PERIODS: u64 = 32;

/// Above the relative error of adding up the most episodes of a set in any order: 2^20 roundings of 2^-53, and as many for
/// the differences.
const MARGIN: f64 = 1e-9;

/// Who wants to know what a rollout comes to, and up to where. A closure that tells whether it is canceled is one.
pub trait Interest {
    /// Whether nobody wants to know any more.
    fn is_canceled(&self) -> bool;

    /// `bound`, or what it has been lowered to meanwhile.
    fn bound(&self, bound: f64) -> f64 {
        bound
    }

    /// Whether [`offer`](Self::offer) would find someone to take a share.
    fn wants_share(&self) -> bool {
        false
    }

    /// Offers some of the episodes to whoever is idle, who takes them with [`ClosedLoop::assist`](crate::ClosedLoop::assist)
    /// under the same controller; or to no one.
    fn offer(&self, share: Arc<Share>) {
        let _ = share;
    }
}

impl<F: Fn() -> bool> Interest for F {
    fn is_canceled(&self) -> bool {
        self()
    }
}

/// Some of the episodes of a rollout, for another thread to finish.
#[derive(Debug)]
pub struct Share {
    /// Until someone takes it.
    load: Mutex<Option<Load>>,
    /// How much Err has grown by these episodes since they were handed over, as bits.
    gain: AtomicU64,
    is_dropped: AtomicBool,
    is_over: AtomicBool,
    outcome: Mutex<Option<ShareOutcome>>,
}

/// What came of a share.
#[derive(Debug)]
pub(crate) struct ShareOutcome {
    /// Whether the plant broke, so that there are no results.
    pub is_broken: bool,
    /// Episode by episode, each with its index.
    pub results: Vec<(usize, EpisodeResult)>,
    /// Episodes that ended in a fault.
    pub n_faults: u64,
}

impl Share {
    pub(crate) fn new(load: Load) -> Self {
        Self {
            load: Mutex::new(Some(load)),
            gain: AtomicU64::new(0.0_f64.to_bits()),
            is_dropped: AtomicBool::new(false),
            is_over: AtomicBool::new(false),
            outcome: Mutex::new(None),
        }
    }

    /// The episodes, if nobody has taken them yet.
    pub(crate) fn take(&self) -> Option<Load> {
        self.load.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    /// Whether the rollout was given up, so that nobody wants to know.
    pub(crate) fn is_dropped(&self) -> bool {
        self.is_dropped.load(Ordering::Relaxed)
    }

    pub(crate) fn publish(&self, gain: f64) {
        self.gain.store(gain.to_bits(), Ordering::Relaxed);
    }

    pub(crate) fn gain(&self) -> f64 {
        f64::from_bits(self.gain.load(Ordering::Relaxed))
    }

    pub(crate) fn is_over(&self) -> bool {
        self.is_over.load(Ordering::Acquire)
    }

    /// What came of it, once it is over; nothing if whoever took it broke off.
    pub(crate) fn outcome(&self) -> Option<ShareOutcome> {
        self.outcome.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

/// A share in the hands of whoever took it; lets go of it when dropped.
pub(crate) struct Holding<'a>(pub &'a Share);

impl Holding<'_> {
    pub fn settle(&self, outcome: ShareOutcome) {
        *self.0.outcome.lock().unwrap_or_else(PoisonError::into_inner) = Some(outcome);
    }
}

impl Drop for Holding<'_> {
    fn drop(&mut self) {
        self.0.is_over.store(true, Ordering::Release);
    }
}

/// The shares that a rollout has handed over and not got back; calls them off when dropped.
#[derive(Default)]
pub(crate) struct Shares(Vec<Arc<Share>>);

impl Shares {
    pub fn push(&mut self, share: Arc<Share>) {
        self.0.push(share);
    }

    pub fn last(&self) -> Option<&Arc<Share>> {
        self.0.last()
    }

    pub fn pop(&mut self) {
        self.0.pop();
    }

    /// Err with unfinished episodes at partial sums, certainly not above the final one: `own` is that of what this side
    /// knows, the shares' episodes as they were handed over.
    pub fn partial_error(&self, own: f64) -> f64 {
        if self.0.is_empty() {
            return own;
        }
        let all = self.0.iter().fold(own, |sum, share| sum + share.gain());
        own.max(all * (1.0 - MARGIN))
    }
}

impl Drop for Shares {
    fn drop(&mut self) {
        for share in &self.0 {
            share.is_dropped.store(true, Ordering::Relaxed);
        }
    }
}

/// Waits a little, spinning at first.
pub(crate) fn wait(n_looks: u32) {
    const N_SPINS: u32 = 2_000;
    if n_looks < N_SPINS {
        std::hint::spin_loop();
    } else {
        std::thread::yield_now();
    }
}
