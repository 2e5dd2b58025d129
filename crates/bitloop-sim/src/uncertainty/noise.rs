//! White noise over lanes: of each lane's key, by the place of the sample.

use bitloop_plant::Real;
use bitloop_random::threefry;

/// The most lanes of a vector.
const MAX_LANES: usize = 32;

/// What a sample is drawn for. Samples of other uses at the same query and channel are independent.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Noise = 0,
    Dropout = 1,
}

/// The keys of lanes: the two words of each.
#[derive(Clone, Debug, Default)]
pub(super) struct LaneKeys {
    pub first: Vec<u64>,
    pub second: Vec<u64>,
}

/// Two vectors of uniform numbers in (0, 1], for lanes from `lane` on.
#[inline(always)]
pub(super) fn uniform_pair<R: Real>(
    keys: &LaneKeys,
    lane: usize,
    (query, channel, purpose): (u64, usize, Use),
) -> (R, R) {
    const { assert!(R::LANES <= MAX_LANES) };
    let (first, second) = (&keys.first[lane..][..R::LANES], &keys.second[lane..][..R::LANES]);
    let (mut a, mut b) = ([0.0; MAX_LANES], [0.0; MAX_LANES]);
    let place = ((purpose as u64) << 32) | channel as u64;
    for i in 0..R::LANES {
        let words = threefry([first[i], second[i]], [query, place]);
        (a[i], b[i]) = (above_zero(words[0]), above_zero(words[1]));
    }
    (R::load(&a), R::load(&b))
}

/// A vector of standard normal numbers, by the transform of Box and Muller.
#[inline(always)]
pub(super) fn normal<R: Real>(keys: &LaneKeys, lane: usize, place: (u64, usize, Use)) -> R {
    let (a, b) = uniform_pair::<R>(keys, lane, place);
    let radius = (a.ln() * -2.0).sqrt();
    radius * (b * std::f64::consts::TAU).cos()
}

/// A word as a number in (0, 1], by its upper 52 bits: exact, and without a conversion of integers, which few vectors have.
#[inline(always)]
fn above_zero(word: u64) -> f64 {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    2.0 - f64::from_bits(ONE | (word >> 12))
}
