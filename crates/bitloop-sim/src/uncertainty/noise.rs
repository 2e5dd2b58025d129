//! White noise over lanes: of each lane's key, by the place of the sample.

use std::f64::consts::TAU;

use bitloop_plant::{LaneMatrix, Real};

/// What a sample is drawn for. Samples of other uses at the same query and channel are independent.
#[derive(Clone, Copy)]
pub(super) enum Use {
    Noise = 0,
    Dropout = 1,
    Disturbance = 2,
    Jitter = 3,
}

/// The samples of one query, for a vector of lanes.
pub(super) struct Samples<R: Real> {
    key: [R::Word; 2],
    query: u64,
    /// The second of two normal numbers that are drawn together.
    spare: Option<R>,
    /// The uniform numbers of the next two.
    next_pair: Option<(R, R)>,
}

impl<R: Real> Samples<R> {
    /// Those of the lanes from `lane` on.
    #[inline(always)]
    pub fn new(keys: &LaneMatrix, lane: usize, query: u64) -> Self {
        // No closure: one that is not inlined knows no instruction set.
        let first = R::load(&keys.row(0)[lane..]).to_word();
        let second = R::load(&keys.row(1)[lane..]).to_word();
        Self { key: [first, second], query, spare: None, next_pair: None }
    }

    /// Two uniform numbers in (0, 1].
    #[inline(always)]
    pub fn uniform_pair(&self, channel: usize, purpose: Use) -> (R, R) {
        let [a, b] = self.words(channel, purpose);
        (above_zero(a), above_zero(b))
    }

    #[inline(always)]
    fn words(&self, channel: usize, purpose: Use) -> [R::Word; 2] {
        let place = ((purpose as u64) << 32) | channel as u64;
        threefry::<R>(self.key, [self.query, place])
    }

    /// A standard normal number. Four are drawn at once, by the transform of Box and Muller from the halves of two words; the
    /// others are the next that are asked for, of whatever channel.
    #[inline(always)]
    pub fn normal(&mut self, channel: usize) -> R {
        if let Some(spare) = self.spare.take() {
            return spare;
        }
        let (a, b) = if let Some(pair) = self.next_pair.take() {
            pair
        } else {
            let [a, b] = self.words(channel, Use::Noise);
            self.next_pair = Some((of_lower_half::<R>(a), of_lower_half::<R>(b)));
            (of_upper_half::<R>(a), of_upper_half::<R>(b))
        };
        let radius = (a.ln() * -2.0).sqrt();
        let (sin, cos) = (b * TAU).sin_cos();
        self.spare = Some(radius * sin);
        radius * cos
    }

    /// A standard normal number that belongs to the channel alone.
    #[inline(always)]
    pub fn normal_of(&self, channel: usize, purpose: Use) -> R {
        let (a, b) = self.uniform_pair(channel, purpose);
        (a.ln() * -2.0).sqrt() * (b * TAU).cos()
    }
}

/// Words as numbers in (0, 1], by their upper 52 bits: exact, and without a conversion of integers, which few vectors have.
#[inline(always)]
fn above_zero<R: Real>(word: R::Word) -> R {
    const ONE: u64 = 0x3ff0_0000_0000_0000;
    let from_one = R::from_word(R::word_or(R::word_splat(ONE), R::word_shr::<12>(word)));
    R::splat(2.0) - from_one
}

/// The upper halves of words as numbers in (0, 1].
#[inline(always)]
fn of_upper_half<R: Real>(word: R::Word) -> R {
    above_zero(R::word_and(word, R::word_splat(!u64::from(u32::MAX))))
}

/// The lower halves of words as numbers in (0, 1].
#[inline(always)]
fn of_lower_half<R: Real>(word: R::Word) -> R {
    above_zero(R::word_shl::<32>(word))
}

/// [`bitloop_random::threefry`] over lanes.
#[inline(always)]
fn threefry<R: Real>(key: [R::Word; 2], counter: [u64; 2]) -> [R::Word; 2] {
    let parity = R::word_splat(bitloop_random::THREEFRY_PARITY);
    let keys = [key[0], key[1], R::word_xor(parity, R::word_xor(key[0], key[1]))];
    let add = |word, value| R::word_add(word, R::word_splat(value));
    let mut words = [add(keys[0], counter[0]), add(keys[1], counter[1])];
    for (injection, n_before) in (1_u64..).zip(0..3_usize) {
        words = if injection % 2 == 1 {
            let words = round::<R, 42, 22>(round::<R, 16, 48>(words));
            round::<R, 31, 33>(round::<R, 12, 52>(words))
        } else {
            let words = round::<R, 32, 32>(round::<R, 16, 48>(words));
            round::<R, 21, 43>(round::<R, 24, 40>(words))
        };
        let (first, second) = (keys[(n_before + 1) % 3], keys[(n_before + 2) % 3]);
        words = [R::word_add(words[0], first), add(R::word_add(words[1], second), injection)];
    }
    // Thirteen rounds: one is left.
    round::<R, 16, 48>(words)
}

/// A round with a rotation by `LEFT`, which is 64 less `RIGHT`.
#[inline(always)]
fn round<R: Real, const LEFT: u32, const RIGHT: u32>([a, b]: [R::Word; 2]) -> [R::Word; 2] {
    const { assert!(LEFT + RIGHT == 64) };
    let sum = R::word_add(a, b);
    let rotated = R::word_or(R::word_shl::<LEFT>(b), R::word_shr::<RIGHT>(b));
    [sum, R::word_xor(rotated, sum)]
}
