//! Settings of telescopic BLM by the paper's words, with the paper's values as defaults.
//!
//! The paper is Brunato & Battiti, IEEE TNNLS 28(3), 2017, doi 10.1109/TNNLS.2016.2537300 (TBLM).

use serde::{Deserialize, Serialize};

use crate::initialization::{Initialization, coarse_step, epsilon};

/// Settings of telescopic BLM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "TelescopicBlmInFile")]
pub struct TelescopicBlm {
    /// Bits of a weight, from 2 to 24. Default: 16.
    pub bits: u32,
    /// Bits that are free to change at first, from 2 to `bits`. Default: 2, or all bits with
    /// growth `Fixed`.
    pub start_bits: u32,
    /// Largest weight: weights are multiples of epsilon = `max_weight` / (2^(bits-1) - 1).
    /// Default: 10.
    pub max_weight: f64,
    /// Weights at the start of a descent. Default: `Bounded(0.01)`.
    pub initialization: Initialization,
    /// How an integer weight becomes bits. Default: `Gray`.
    pub coding: Coding,
    /// What the bits that are not free leave to the weight. Default: `CoarseGrid`.
    pub freezing: Freezing,
    /// Which improving move is taken. Default: `FirstImproving`.
    pub moves: Moves,
    /// What a move changes. Default: `SingleFlips`.
    #[serde(skip_serializing_if = "Candidates::are_single_flips")]
    pub candidates: Candidates,
    /// What follows a local minimum. Default: nothing, the descent ends there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kicks: Option<Kicks>,
    /// Share of weights that start at zero, from 0 to below 1, and move only when no other one improves (TBLM, Sec. IV; the
    /// paper's is 0.5). Default: none, all weights alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_share: Option<f64>,
    /// When one more bit becomes free. Default: `Threshold(phi: 0.1, eta: 0.95)`.
    pub growth: Growth,
    /// Accepted moves between two validations. Default: 100.
    pub validate_every: u32,
}

impl TelescopicBlm {
    /// Distance of neighboring weights, epsilon = `max_weight` / (2^(bits-1) - 1).
    pub fn epsilon(&self) -> f64 {
        epsilon(self.bits, self.max_weight)
    }

    /// Distance of neighboring weights while only `start_bits` are free, 2^(bits-start_bits) epsilon.
    pub fn coarse_step(&self) -> f64 {
        coarse_step(self.bits, self.start_bits, self.max_weight)
    }
}

impl Default for TelescopicBlm {
    fn default() -> Self {
        TelescopicBlmInFile::default().into()
    }
}

/// How an integer weight becomes bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Coding {
    /// Gray code: neighboring weights are one bit apart.
    #[default]
    Gray,
    /// Plain two's complement.
    Binary,
}

/// What the bits that are not free yet leave to the weight. With `Binary` coding both are the same.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Freezing {
    /// The low bits of the number are frozen, and the free high bits Gray-coded: the reachable
    /// weights are a regular coarse grid (reading B of TBLM, the one its figures show).
    #[default]
    CoarseGrid,
    /// The low bits of the Gray code are frozen (reading A).
    GrayBits,
}

/// Which improving move is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Moves {
    /// The first one found in a random order.
    #[default]
    FirstImproving,
    /// The best of all, ties to the lowest index.
    BestImproving,
    /// The best of at least so many candidates in a random order, 1 or more; if none of them improves,
    /// the first one after them that does. Not in the paper: it lies between the other two.
    BestOf(u32),
}

/// What a candidate changes of the current weights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Candidates {
    /// One bit. The paper's choice.
    #[default]
    SingleFlips,
    /// One bit, and a geometric number of further ones at random places: k extra flips or more with
    /// probability `extra`^k. Not in the paper.
    SeveralFlips {
        /// Probability of each further flip, above 0 and below 1.
        extra: f64,
    },
}

impl Candidates {
    /// Skipped in serialization, so that scenarios older than this field keep their digests.
    fn are_single_flips(&self) -> bool {
        matches!(self, Candidates::SingleFlips)
    }
}

/// Iterated local search: at a local minimum, `flips` random bits are flipped and a new descent starts
/// from there, kept only if it ends lower. The search ends after `count` kicks in a row without
/// success. Not in the paper.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Kicks {
    /// Kicks in a row without success after which the search ends, 1 or more.
    pub count: u32,
    /// Bits flipped by a kick, 1 or more.
    pub flips: u32,
}

/// When one more bit becomes free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub enum Growth {
    /// When no move improves.
    AtLocalMinimum,
    /// When the share of improving moves, estimated by a moving average of the failed probes before
    /// each accepted move, falls below `phi`; at the latest at a local minimum.
    Threshold {
        /// Share of improving moves, above 0 and up to 1. Default: 0.1.
        #[serde(default = "default_phi")]
        phi: f64,
        /// Decay of the moving average, from 0 to below 1. Default: 0.95.
        #[serde(default = "default_eta")]
        eta: f64,
    },
    /// Never.
    Fixed,
}

impl Default for Growth {
    fn default() -> Self {
        Growth::Threshold { phi: default_phi(), eta: default_eta() }
    }
}

fn default_phi() -> f64 {
    0.1
}

fn default_eta() -> f64 {
    0.95
}

/// The settings as the file gives them; `start_bits` follows from the others.
#[derive(Deserialize)]
#[serde(rename = "TelescopicBlm", default, deny_unknown_fields)]
struct TelescopicBlmInFile {
    bits: u32,
    start_bits: Option<u32>,
    max_weight: f64,
    initialization: Initialization,
    coding: Coding,
    freezing: Freezing,
    moves: Moves,
    candidates: Candidates,
    kicks: Option<Kicks>,
    zero_share: Option<f64>,
    growth: Growth,
    validate_every: u32,
}

impl Default for TelescopicBlmInFile {
    fn default() -> Self {
        TelescopicBlmInFile {
            bits: 16,
            start_bits: None,
            max_weight: 10.0,
            initialization: Initialization::Bounded(0.01),
            coding: Coding::default(),
            freezing: Freezing::default(),
            moves: Moves::default(),
            candidates: Candidates::default(),
            kicks: None,
            zero_share: None,
            growth: Growth::default(),
            validate_every: 100,
        }
    }
}

impl From<TelescopicBlmInFile> for TelescopicBlm {
    fn from(file: TelescopicBlmInFile) -> Self {
        let all_free = matches!(file.growth, Growth::Fixed);
        let start_bits = file.start_bits.unwrap_or(if all_free { file.bits } else { 2 });
        TelescopicBlm {
            bits: file.bits,
            start_bits,
            max_weight: file.max_weight,
            initialization: file.initialization,
            coding: file.coding,
            freezing: file.freezing,
            moves: file.moves,
            candidates: file.candidates,
            kicks: file.kicks,
            zero_share: file.zero_share,
            growth: file.growth,
            validate_every: file.validate_every,
        }
    }
}
