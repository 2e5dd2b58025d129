//! Settings of telescopic BLM by the paper's words, with the paper's values as defaults.
//!
//! The paper is Brunato & Battiti, IEEE TNNLS 28(3), 2017, doi 10.1109/TNNLS.2016.2537300 (TBLM).

use bitloop_blm::{
    BlmError, Candidates, Coding, Freezing, Growth, Initialization, Kicks, MoveRule, SearchOptions,
    Sparsity, WeightGrid,
};
use serde::{Deserialize, Serialize};

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
    /// Weights at the start of a run. Default: `Bounded(0.01)`.
    pub initialization: Initialization,
    /// How an integer weight becomes bits. Default: `Gray`.
    pub coding: Coding,
    /// What the bits that are not free leave to the weight. Default: `CoarseGrid`.
    pub freezing: Freezing,
    /// Which improving move is taken. Default: `FirstImproving`.
    pub moves: MoveRule,
    /// What a move changes. Default: `SingleFlips`.
    #[serde(skip_serializing_if = "are_single_flips")]
    pub candidates: Candidates,
    /// What follows a local minimum. Default: nothing, the run ends there.
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
    /// The representable weights: multiples of epsilon = `max_weight` / (2^(bits-1) - 1).
    ///
    /// # Errors
    /// Bits or a largest weight out of range.
    pub fn grid(&self) -> Result<WeightGrid, BlmError> {
        WeightGrid::new(self.bits, self.max_weight)
    }

    /// The search that these settings describe.
    ///
    /// # Errors
    /// Settings out of range, or such that contradict each other.
    pub fn search_options(&self) -> Result<SearchOptions, BlmError> {
        let options = SearchOptions {
            grid: self.grid()?,
            coding: self.coding,
            freezing: self.freezing,
            move_rule: self.moves,
            growth: self.growth,
            start_bits: self.start_bits,
            initialization: self.initialization,
            candidates: self.candidates,
            kicks: self.kicks,
            sparsity: self.zero_share.map(|zero_share| Sparsity { zero_share }),
        };
        options.check()?;
        Ok(options)
    }
}

impl Default for TelescopicBlm {
    fn default() -> Self {
        TelescopicBlmInFile::default().into()
    }
}

/// Skipped in serialization, so that scenarios older than the field `candidates` keep their digests.
fn are_single_flips(candidates: &Candidates) -> bool {
    *candidates == Candidates::SingleFlips
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
    moves: MoveRule,
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
            moves: MoveRule::default(),
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
