//! [`Numbers`]: the random numbers of a check.

use bitloop_random::Stream;

/// Random numbers from a stream that belongs to a seed and to the name of a check.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(Stream);

impl Numbers {
    /// The stream of the check `name`.
    pub fn new(seed: u64, name: &str) -> Self {
        Self(Stream::named(seed, name))
    }

    /// A number in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.share() - 1.0
    }

    /// A number in [0, 1).
    pub fn share(&mut self) -> f64 {
        self.0.uniform_f64()
    }

    /// A whole number in `[min, max]`.
    pub fn whole(&mut self, min: u64, max: u64) -> u64 {
        let n = (max - min).saturating_add(1);
        min + self.0.next_u64() % n
    }

    /// A coin.
    pub fn coin(&mut self) -> bool {
        self.0.next_u64() & 1 == 1
    }
}
