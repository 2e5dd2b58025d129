//! [`BlmError`]: why a request to this crate cannot be carried out.
//!
//! Every error happens before the search starts; once it runs, all outcomes are values.

/// Why options, an initialization or a saved state cannot be used.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BlmError {
    /// Bits per weight outside 2..=24.
    #[error("bits per weight must lie in 2..=24, found {found}")]
    BitsPerWeight {
        /// The value asked for.
        found: u32,
    },
    /// A weight range that gives no usable discretization step.
    #[error("the weight range must be positive, finite and neither tiny nor huge, found {found}")]
    WeightRange {
        /// The value asked for.
        found: f64,
    },
    /// Start bits outside 1..=`bits_per_weight`.
    #[error("start bits must lie in 1..={bits_per_weight}, the bits per weight, found {found}")]
    StartBits {
        /// The value asked for.
        found: u32,
        /// The bits per weight of the grid.
        bits_per_weight: u32,
    },
    /// A threshold fraction outside (0, 1].
    #[error("phi must be above 0 and at most 1, found {found}")]
    Phi {
        /// The value asked for.
        found: f64,
    },
    /// A probability of further flips outside (0, 1).
    #[error("the probability of further flips must lie between 0 and 1, found {found}")]
    ExtraFlips {
        /// The value asked for.
        found: f64,
    },
    /// A share of initial zeros outside [0, 1).
    #[error(
        "the share of weights that start at zero must be at least 0 and below 1, found {found}"
    )]
    ZeroShare {
        /// The value asked for.
        found: f64,
    },
    /// Kicks of which there are none, or which flip nothing.
    #[error("kicks need a count and a number of flips of at least 1")]
    NoKicks,
    /// A decay factor outside [0, 1).
    #[error("eta must be at least 0 and below 1, found {found}")]
    Eta {
        /// The value asked for.
        found: f64,
    },
    /// Initial weights that would all be zero.
    #[error(
        "the initial range {found} is below the step {step} of the {} grid, so every weight would start at zero: raise it to \
         the step or more, or use more {}",
        if *on_coarse_grid { "coarse" } else { "weight" },
        if *on_coarse_grid { "start bits" } else { "bits per weight" }
    )]
    InitialRangeTooSmall {
        /// The value asked for.
        found: f64,
        /// The smallest range that reaches a weight other than zero.
        step: f64,
        /// Whether the step is that of the coarse grid of the start bits.
        on_coarse_grid: bool,
    },
    /// Initial weights that would leave the grid, or a range that is not a number.
    #[error(
        "the initial range must be a number at most the weight range {weight_range}, found {found}"
    )]
    InitialRangeTooLarge {
        /// The value asked for.
        found: f64,
        /// The largest range of the grid.
        weight_range: f64,
    },
    /// An objective without weights.
    #[error("the objective must have at least 1 weight, found 0")]
    NoWeights,
    /// More moves than the search can number.
    #[error(
        "weights times bits must stay at or below {}, found {n_weights} times {bits_per_weight}",
        u32::MAX
    )]
    TooManyMoves {
        /// The number of weights of the objective.
        n_weights: usize,
        /// The bits per weight of the grid.
        bits_per_weight: u32,
    },
    /// Codes that belong to another number of weights.
    #[error(
        "the objective has {expected} weights, found {found} codes: use codes of the same network"
    )]
    CodeCount {
        /// The number of weights of the objective.
        expected: usize,
        /// The number of codes given.
        found: usize,
    },
    /// A code that the grid does not have.
    #[error("the code of weight {weight_index} must fit {bits_per_weight} bits, found {found}")]
    CodeOutOfRange {
        /// Which weight.
        weight_index: usize,
        /// Its code.
        found: i32,
        /// The bits per weight of the grid.
        bits_per_weight: u32,
    },
    /// A saved state whose unlocked bits the options cannot have led to.
    #[error(
        "the options allow {start_bits}..={final_bits} unlocked bits, found {found} in the saved state: resume it with the \
         options it was made with"
    )]
    UnlockedBits {
        /// The unlocked bits in the state.
        found: u32,
        /// The start bits of the options.
        start_bits: u32,
        /// The most bits that the options' growth unlocks.
        final_bits: u32,
    },
    /// A saved state that stands outside its neighborhood, or whose best move does.
    #[error(
        "the saved state points at move {found} of a neighborhood of {n_moves}: resume it with the options it was made with"
    )]
    Position {
        /// The position or move index in the state.
        found: usize,
        /// The number of moves of the neighborhood.
        n_moves: usize,
    },
    /// A saved cost or average that no search can have reached.
    #[error("the saved {field} is {found}, which no search reaches: use an earlier checkpoint")]
    SavedNumber {
        /// The name of the field.
        field: &'static str,
        /// Its value.
        found: f64,
    },
    /// A saved state whose cost is not that of its weights under this objective.
    #[error(
        "the saved cost is {saved}, but the objective now gives {recomputed} for the same weights: resume it with the \
         objective it was made with"
    )]
    CostMoved {
        /// The cost in the state.
        saved: f64,
        /// The cost that the objective gives now.
        recomputed: f64,
    },
    /// The first evaluation was called off by the objective.
    #[error("the first evaluation was called off")]
    CalledOff,
}
