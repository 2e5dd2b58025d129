//! Settings of telescopic BLM by the paper's words. What a file leaves out comes from a [`Preset`].
//!
//! A text of an earlier version that spells the defaults of its time out, as saved controllers do, means the same today: the
//! fields that such a text may lack have defaults that depend on fields that it has.
//!
//! The paper is Brunato & Battiti, IEEE TNNLS 28(3), 2017, doi 10.1109/TNNLS.2016.2537300 (TBLM).

use bitloop_blm::{
    BlmError, Candidates, Coding, Freezing, Growth, Initialization, Kicks, MoveRule, SearchOptions,
    Sparsity, WeightGrid,
};
use serde::{Deserialize, Serialize};

use crate::{network::is_false, preset::Preset, stop::Field};

/// Settings of telescopic BLM.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "TelescopicBlmInFile")]
pub struct TelescopicBlm {
    /// Bits of a weight, from 2 to 24. Default: 16.
    pub bits: u32,
    /// Bits that are free to change at first, from 2 to `bits`. Default: 4, the paper's are 2, or all bits with growth
    /// `Fixed`.
    pub start_bits: u32,
    /// Largest weight: weights are multiples of epsilon = `max_weight` / (2^(bits-1) - 1).
    /// Default: 10; on examples without `preset` 1.
    pub max_weight: f64,
    /// Weights at the start of a run. Default: the paper's `Bounded(0.01)`, or the step of the grid where that is wider.
    pub initialization: Initialization,
    /// How an integer weight becomes bits. Default: `Gray`.
    pub coding: Coding,
    /// What the bits that are not free leave to the weight. Default: `CoarseGrid`.
    pub freezing: Freezing,
    /// Which improving move is taken. Default: `BestOf(40)`, the paper's `FirstImproving`.
    pub moves: MoveRule,
    /// What a move changes. Default: `SeveralFlips(extra: 0.9)`, and `SingleFlips` in the paper or where `moves` is given.
    #[serde(skip_serializing_if = "are_single_flips")]
    pub candidates: Candidates,
    /// What follows a local minimum. Default: nothing, the run ends there; 30 kicks of 3 flips on examples without `max_weight` and `preset`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub kicks: Option<Kicks>,
    /// Share of weights that start at zero, from 0 to below 1, and move only when no other one improves (TBLM, Sec. IV; the
    /// paper's is 0.5). Default: none, all weights alike.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub zero_share: Option<f64>,
    /// Whether there are never fewer zeros than at the start, with `zero_share`. Default: no.
    #[serde(skip_serializing_if = "is_false")]
    pub hold_zeros: bool,
    /// When one more bit becomes free. Default: `Threshold(phi: 0.1, eta: 0.95)`.
    pub growth: Growth,
    /// Accepted moves between two validations. Default: 100.
    pub validate_every: u32,
    /// Whether weights are also validated as soon as their training error is at or below the target. Default: yes, but not
    /// in the paper or where `validate_every` is given.
    #[serde(skip_serializing_if = "is_false")]
    pub validate_at_target: bool,
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
            sparsity: self
                .zero_share
                .map(|zero_share| Sparsity { zero_share, is_held: self.hold_zeros }),
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

/// The settings as the file gives them; what is left out follows from the preset and from the others.
#[derive(Deserialize)]
#[serde(rename = "TelescopicBlm", default, deny_unknown_fields)]
pub(crate) struct TelescopicBlmInFile {
    preset: Option<Preset>,
    bits: u32,
    start_bits: Option<u32>,
    max_weight: Option<f64>,
    initialization: Option<Initialization>,
    coding: Coding,
    freezing: Freezing,
    moves: Option<MoveRule>,
    candidates: Option<Candidates>,
    kicks: Field<Kicks>,
    zero_share: Option<f64>,
    hold_zeros: bool,
    growth: Option<Growth>,
    validate_every: Option<u32>,
    validate_at_target: Option<bool>,
}

impl Default for TelescopicBlmInFile {
    fn default() -> Self {
        TelescopicBlmInFile {
            preset: None,
            bits: 16,
            start_bits: None,
            max_weight: None,
            initialization: None,
            coding: Coding::default(),
            freezing: Freezing::default(),
            moves: None,
            candidates: None,
            kicks: Field::LeftOut,
            zero_share: None,
            hold_zeros: false,
            growth: None,
            validate_every: None,
            validate_at_target: None,
        }
    }
}

impl TelescopicBlmInFile {
    /// The preset for a plant, unless the file names one.
    pub fn preset(&self) -> Preset {
        self.preset.unwrap_or(Preset::Measured)
    }

    /// Whether the preset alone says when weights are validated, and does so as soon as they are at the target.
    pub fn validates_by_preset_at_target(&self) -> bool {
        let says_nothing = self.validate_every.is_none() && self.validate_at_target.is_none();
        says_nothing && self.preset().validates_at_target()
    }

    /// The settings, with the values of `preset` for what the file leaves out.
    fn with(self, preset: Preset) -> TelescopicBlm {
        let bits = self.bits;
        let max_weight = self.max_weight.unwrap_or_else(|| preset.max_weight());
        let growth = self.growth.unwrap_or_else(|| preset.growth());
        let all_free = matches!(growth, Growth::Fixed);
        let start_bits = if all_free { bits } else { preset.start_bits(bits) };
        // A text with moves or validations and without these was written when they were not.
        let candidates = match self.moves {
            None => preset.candidates(),
            Some(_) => Candidates::SingleFlips,
        };
        let validate_at_target = self.validate_every.is_none() && preset.validates_at_target();
        TelescopicBlm {
            bits,
            start_bits: self.start_bits.unwrap_or(start_bits),
            max_weight,
            initialization: self
                .initialization
                .unwrap_or_else(|| preset.initialization(bits, max_weight)),
            coding: self.coding,
            freezing: self.freezing,
            moves: self.moves.unwrap_or_else(|| preset.moves()),
            candidates: self.candidates.unwrap_or(candidates),
            kicks: self.kicks.or(preset.kicks()),
            zero_share: self.zero_share,
            hold_zeros: self.hold_zeros,
            growth,
            validate_every: self.validate_every.unwrap_or_else(|| preset.validate_every()),
            validate_at_target: self.validate_at_target.unwrap_or(validate_at_target),
        }
    }
}

impl From<TelescopicBlmInFile> for TelescopicBlm {
    fn from(file: TelescopicBlmInFile) -> Self {
        let preset = file.preset();
        file.with(preset)
    }
}

impl TelescopicBlmInFile {
    /// Whether the scales of layers and outputs are to be found on the examples: the file says nothing of the size of weights.
    pub fn leaves_scales_open(&self) -> bool {
        self.preset.is_none() && self.max_weight.is_none()
    }

    /// The settings on examples. What helps on plants does not help there: the paper's values are the default where the file gives
    /// the size of weights.
    pub fn on_examples(self) -> TelescopicBlm {
        let preset = if self.leaves_scales_open() { Preset::Scaled } else { Preset::Paper };
        let preset = self.preset.unwrap_or(preset);
        self.with(preset)
    }
}
