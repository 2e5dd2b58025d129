//! [`Exchange`]: where probes that can be divided meet threads that have nothing left to probe.
//!
//! An idle thread looks for an offer until no probe runs any more, and a probe makes one only while somebody looks, so
//! that a probe of which nobody wants a share pays one relaxed load a slice. Nobody waits for the other here: an offer that
//! is not taken falls back on the probe.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bitloop_blm::{Cancel, Idle};
use bitloop_sim::{Interest, Share};

/// How often an idle thread looks again before it gives its turn to others, and before it sleeps in between.
const N_SPINS: u32 = 2_000;
const N_YIELDS: u32 = 1_000;
const NAP: Duration = Duration::from_micros(50);

/// A place for one offer at a time.
#[derive(Debug, Default)]
pub struct Exchange {
    /// Threads that wait for an offer.
    n_idle: AtomicUsize,
    /// Whether there is one; told without the lock.
    has_offer: AtomicBool,
    offer: Mutex<Option<Offer>>,
}

/// Episodes of a candidate, for another thread to run.
#[derive(Debug)]
pub struct Offer {
    pub weights: Vec<f64>,
    pub share: Arc<Share>,
}

impl Exchange {
    /// Waits for an offer until `idle` is over.
    pub fn next(&self, idle: Idle<'_>) -> Option<Offer> {
        self.n_idle.fetch_add(1, Ordering::Relaxed);
        let mut n_looks: u32 = 0;
        let offer = loop {
            if self.has_offer.load(Ordering::Relaxed)
                && let Some(offer) = self.change_offer(None)
            {
                break Some(offer);
            }
            if idle.is_over() {
                break None;
            }
            match n_looks {
                0..N_SPINS => std::hint::spin_loop(),
                looks if looks < N_SPINS + N_YIELDS => std::thread::yield_now(),
                _ => std::thread::sleep(NAP),
            }
            n_looks = n_looks.saturating_add(1);
        };
        self.n_idle.fetch_sub(1, Ordering::Relaxed);
        offer
    }

    /// Replaces what is on offer; a probe whose offer it was finishes those episodes alone.
    fn change_offer(&self, offer: Option<Offer>) -> Option<Offer> {
        let mut place = self.offer.lock().unwrap_or_else(PoisonError::into_inner);
        self.has_offer.store(offer.is_some(), Ordering::Relaxed);
        std::mem::replace(&mut *place, offer)
    }
}

/// The interest of the search in a probe, which idle threads may help with.
pub(crate) struct ProbeInterest<'a> {
    pub cancel: Cancel<'a>,
    pub weights: &'a [f64],
    pub exchange: &'a Exchange,
}

impl Interest for ProbeInterest<'_> {
    fn is_canceled(&self) -> bool {
        self.cancel.is_canceled()
    }

    fn bound(&self, bound: f64) -> f64 {
        self.cancel.bound(bound)
    }

    fn wants_share(&self) -> bool {
        self.exchange.n_idle.load(Ordering::Relaxed) > 0
            && !self.exchange.has_offer.load(Ordering::Relaxed)
            && self.cancel.is_oldest()
    }

    fn offer(&self, share: Arc<Share>) {
        self.exchange.change_offer(Some(Offer { weights: self.weights.to_vec(), share }));
    }
}
