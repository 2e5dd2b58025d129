//! Networks trained on examples: the cost of changed weights without a full pass.
//!
//! Owns the samples in lanes, the losses, and [`DeltaEvaluation`], which keeps the sums and outputs of every neuron for
//! every sample, so that a probe recomputes only what the changed weights reach (Brunato & Battiti, IEEE TNNLS 28(3),
//! 2017, Sec. III-B, doi 10.1109/TNNLS.2016.2537300). It must not know who proposes changes, or where samples come from.
//!
//! Sums do not drift, however many changes are added to them, since they are exact. Weights are small whole numbers of
//! steps; inputs and the outputs of hidden neurons are rounded to whole numbers of a quantum, a power of two that is so
//! chosen for each layer that any sum of products is a whole number of quanta below 2^53, which a `f64` holds without
//! rounding. So the order in which terms are added, taken away and replaced does not matter: what is stored is what a
//! full pass would give, and so is what a probe answers.

mod error;
mod evaluation;
mod kernels;
mod lanes;
mod loss;
mod loss_sum;
mod measure;
mod output_fit;
mod penalty;
mod place;
mod reach;
mod report;
mod samples;

pub use error::DeltaError;
pub use evaluation::{DeltaEvaluation, DeltaScaling, DeltaScratch, WeightChange};
pub use loss::Loss;
pub use output_fit::{OutputFit, apply_fits, fit_outputs};
pub use place::WeightSteps;
pub use report::{FitReport, TargetKind, report, report_fitted};
pub use samples::Samples;
