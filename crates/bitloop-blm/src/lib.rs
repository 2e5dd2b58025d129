//! Telescopic BLM: local search over short integer weights, one bit flip at a time.
//!
//! The crate owns the weight code, the neighborhood, the order of exploration, the local search
//! and the growth of the precision. It sees an [`Objective`] and never a plant, a network, a file
//! or a clock. Source: Brunato & Battiti, "A telescopic binary learning machine for training
//! neural networks", IEEE TNNLS 28(3), 2017, Sec. III, doi 10.1109/TNNLS.2016.2537300 (TBLM in the
//! docs below); where the print is silent or wrong, the item says which reading it takes.
//!
//! ```
//! use bitloop_blm::{
//!     Candidates, Change, Coding, Freezing, Growth, Initialization, LocalSearch, MoveRule, Objective,
//!     Probe, ProbeControl, SearchOptions, Sequential, Step, WeightGrid,
//! };
//!
//! /// The squared distance to a point.
//! struct Bowl {
//!     weights: Vec<f64>,
//! }
//!
//! impl Objective for Bowl {
//!     type Scratch = Vec<f64>;
//!     fn n_weights(&self) -> usize {
//!         2
//!     }
//!     fn scratch(&self) -> Vec<f64> {
//!         vec![0.0; 2]
//!     }
//!     fn set(&mut self, weights: &[f64]) -> Option<f64> {
//!         self.weights.copy_from_slice(weights);
//!         Some(weights.iter().map(|w| (w - 0.3) * (w - 0.3)).sum())
//!     }
//!     fn probe(&self, tried: &mut Vec<f64>, changes: &[Change], control: ProbeControl<'_>) -> Probe {
//!         tried.copy_from_slice(&self.weights);
//!         for change in changes {
//!             tried[change.weight_index] = change.value;
//!         }
//!         Probe::from_cost(tried.iter().map(|w| (w - 0.3) * (w - 0.3)).sum(), control.bound())
//!     }
//!     fn commit(&mut self, changes: &[Change], _cost: f64) {
//!         for change in changes {
//!             self.weights[change.weight_index] = change.value;
//!         }
//!     }
//! }
//!
//! let options = SearchOptions {
//!     grid: WeightGrid::new(12, 1.0)?,
//!     coding: Coding::Gray,
//!     freezing: Freezing::CoarseGrid,
//!     move_rule: MoveRule::FirstImproving,
//!     growth: Growth::Threshold { phi: 0.1, eta: 0.9 },
//!     start_bits: 2,
//!     initialization: Initialization::Full,
//!     candidates: Candidates::SingleFlips,
//!     kicks: None,
//!     sparsity: None,
//! };
//! let mut explorer = Sequential::new(Bowl { weights: vec![0.0; 2] });
//! let mut search = LocalSearch::begin(options, 1, 0, &mut explorer)?;
//! while search.step(&mut explorer, u64::MAX) != Step::LocalMinimum {}
//! assert!(search.state().current_cost < 1e-6);
//! # Ok::<(), bitloop_blm::BlmError>(())
//! ```
#![forbid(unsafe_code)]

mod error;
mod explorer;
mod finding;
mod initialization;
mod neighborhood;
mod objective;
mod options;
mod permutation;
mod probe_control;
mod round;
mod search;
mod sparsity;
mod speculation;
mod state;
mod telescope;
mod waiting;
mod weight_code;
mod weight_grid;

pub use error::BlmError;
pub use explorer::{AnyExplorer, Explored, Explorer, Plan, Sequential};
pub use finding::{Candidate, Finding};
pub use initialization::Initialization;
pub use neighborhood::{BitFlips, Neighborhood};
pub use objective::{Change, Objective, Probe};
pub use options::{Candidates, Kicks, MoveRule, SearchOptions};
pub use permutation::{Permutation, PermutationKey};
pub use probe_control::ProbeControl;
pub use search::{LocalSearch, Step};
pub use sparsity::Sparsity;
pub use speculation::{Speculative, speculate};
pub use state::{Home, Phase, SearchState};
pub use telescope::{Growth, expected_failures};
pub use weight_code::{Coding, Freezing, WeightCode};
pub use weight_grid::WeightGrid;
