//! [`Stream`]: random numbers under the key (seed, purpose, run, index).
//!
//! The draws are written here and not taken from the `rand` crate, whose sampling changes between versions. The generator
//! is not for cryptography.

use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::Purpose;

/// A stream of random numbers: `ChaCha8` under the key (seed, purpose, run, index).
///
/// The 32-byte key is the four words, little endian, in this order; the nonce is zero.
#[derive(Debug, Clone)]
pub struct Stream {
    generator: ChaCha8Rng,
}

impl Stream {
    /// The stream of a root seed, a purpose, a run and an index within the run.
    pub fn new(seed: u64, purpose: Purpose, run: u64, index: u64) -> Self {
        let mut key = [0; 32];
        for (bytes, word) in key.chunks_exact_mut(8).zip([seed, purpose as u64, run, index]) {
            bytes.copy_from_slice(&word.to_le_bytes());
        }
        Self { generator: ChaCha8Rng::from_seed(key) }
    }

    /// The stream of a seed and a name, for draws that belong to no run. The streams of one seed do not depend on how many
    /// names there are, nor on their order.
    ///
    /// The key is the seed expanded by `rand_core`, the nonce the 64-bit FNV-1a hash of the name.
    pub fn named(seed: u64, name: &str) -> Self {
        let mut generator = ChaCha8Rng::seed_from_u64(seed);
        generator.set_stream(name.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
        }));
        Self { generator }
    }

    /// The next 64 bits of the key stream, little endian.
    #[inline]
    pub fn next_u64(&mut self) -> u64 {
        self.generator.next_u64()
    }

    /// A uniform number in [0, 1): the upper 53 bits of a word, times 2^-53. Exact.
    #[inline]
    pub fn uniform_f64(&mut self) -> f64 {
        unit_interval(self.next_u64())
    }

    /// A uniform integer in 0..n, without bias.
    ///
    /// Lemire's multiplication with rejection (ACM TOMACS 29(1), 2019, doi 10.1145/3230636): of the
    /// 128-bit product word * n the upper half is the draw; a word is rejected if the lower half is
    /// below 2^64 mod n, so that each draw keeps the same number of words. One word a draw, but for
    /// rejections, of probability below n / 2^64.
    ///
    /// # Panics
    /// If `n` is 0, for there is nothing to draw.
    #[inline]
    pub fn below(&mut self, n: u64) -> u64 {
        assert!(n > 0, "a draw below 0 does not exist");
        let mut product = u128::from(self.next_u64()) * u128::from(n);
        if low_half(product) < n {
            let n_rejected = n.wrapping_neg() % n;
            while low_half(product) < n_rejected {
                product = u128::from(self.next_u64()) * u128::from(n);
            }
        }
        (product >> 64) as u64
    }

    /// A uniform position in 0..n, by [`Stream::below`].
    ///
    /// # Panics
    /// If `n` is 0.
    #[inline]
    #[expect(clippy::cast_possible_truncation, reason = "the draw is below n, which is a usize")]
    pub fn index_below(&mut self, n: usize) -> usize {
        self.below(n as u64) as usize
    }
}

/// A word as a number in [0, 1): its upper 53 bits, times 2^-53. Exact.
#[inline]
pub fn unit_interval(word: u64) -> f64 {
    const TWO_TO_MINUS_53: f64 = 1.0 / (1_u64 << 53) as f64;
    (word >> 11) as f64 * TWO_TO_MINUS_53
}

#[expect(clippy::cast_possible_truncation, reason = "the low half is what is asked for")]
fn low_half(product: u128) -> u64 {
    product as u64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of an independent implementation of `ChaCha8` and of the draws, in Python.
    #[test]
    fn golden_words_stay() {
        let mut stream = Stream::new(1, Purpose::Permutation, 2, 3);
        assert_eq!(
            [(); 3].map(|()| stream.next_u64()),
            [7_721_313_440_808_763_356, 4_010_224_085_778_835_155, 1_693_129_820_055_746_300]
        );
        assert_eq!(stream.uniform_f64(), 0.584_898_640_977_956_7);
        assert_eq!([(); 6].map(|()| stream.below(10)), [0, 4, 7, 7, 8, 8]);
        assert_eq!(stream.index_below(1_000_000), 674_525);
    }

    #[test]
    fn named_streams_stay_and_differ() {
        let mut stream = Stream::named(1, "purity");
        assert_eq!(
            [(); 2].map(|()| stream.next_u64()),
            [18_328_304_140_736_215_605, 14_507_816_886_328_831_439]
        );
        assert_ne!(Stream::named(1, "range").next_u64(), Stream::named(1, "purity").next_u64());
        assert_ne!(Stream::named(2, "purity").next_u64(), Stream::named(1, "purity").next_u64());
    }

    #[test]
    fn zero_key_gives_the_published_chacha8_block() {
        // ChaCha8, 256-bit zero key, zero nonce: 3e00ef2f895f40d6 7f5bb8e81f09a5a1 (Strombergson's
        // draft-strombergson-chacha-test-vectors-01, TC1). No purpose has tag 0, so the key is bent.
        let mut stream = Stream { generator: ChaCha8Rng::from_seed([0; 32]) };
        assert_eq!(stream.next_u64().to_le_bytes(), 0x3e00_ef2f_895f_40d6_u64.to_be_bytes());
        assert_eq!(stream.next_u64().to_le_bytes(), 0x7f5b_b8e8_1f09_a5a1_u64.to_be_bytes());
    }

    #[test]
    fn each_key_word_makes_another_stream() {
        let first = |seed, purpose, run, index| Stream::new(seed, purpose, run, index).next_u64();
        let words = [
            first(0, Purpose::Kick, 0, 0),
            first(1, Purpose::Kick, 0, 0),
            first(0, Purpose::RandomSearch, 0, 0),
            first(0, Purpose::Kick, 1, 0),
            first(0, Purpose::Kick, 0, 1),
        ];
        for (i, word) in words.iter().enumerate() {
            assert!(!words[..i].contains(word));
        }
    }

    #[test]
    fn below_covers_its_range_evenly_and_uniform_stays_in_the_unit_interval() {
        let mut stream = Stream::new(7, Purpose::RandomSearch, 0, 0);
        let mut counts = [0_u32; 6];
        for _ in 0..60_000 {
            counts[stream.index_below(6)] += 1;
            let u = stream.uniform_f64();
            assert!((0.0..1.0).contains(&u));
        }
        // Standard deviation of each count is 91; five of them.
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 456), "{counts:?}");
    }

    #[test]
    fn below_rejects_where_a_third_of_the_words_must_go() {
        // n = 3 * 2^62: words that land twice as often without rejection are those that are
        // multiples of 3 apart; count thirds.
        let n = 3_u64 << 62;
        let mut stream = Stream::new(8, Purpose::RandomSearch, 0, 0);
        let mut counts = [0_u32; 3];
        for _ in 0..30_000 {
            let draw = stream.below(n);
            assert!(draw < n);
            counts[usize::try_from(draw % 3).expect("below 3")] += 1;
        }
        assert!(counts.iter().all(|count| count.abs_diff(10_000) < 408), "{counts:?}");
    }
}
