//! [`Numbers`]: the random numbers of a check.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// Random numbers from a stream of `ChaCha8` that belongs to a seed and to the name of a check.
#[derive(Clone, Debug)]
pub(crate) struct Numbers(ChaCha8Rng);

impl Numbers {
    /// The stream of the check `name`.
    pub fn new(seed: u64, name: &str) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        // FNV-1a: a stream's number moves neither with the order of the checks nor with their count.
        let stream = name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        });
        rng.set_stream(stream);
        Self(rng)
    }

    /// A number in [-1, 1).
    pub fn signed(&mut self) -> f64 {
        2.0 * self.share() - 1.0
    }

    /// A number in [0, 1).
    pub fn share(&mut self) -> f64 {
        (self.0.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
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
