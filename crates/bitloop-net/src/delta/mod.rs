//! Networks trained on examples: what a changed weight costs, without a full pass.
//!
//! Owns the samples in lanes, the losses, and [`DeltaEvaluation`], which keeps the sums and outputs of every neuron for
//! every sample, so that a probe recomputes only what the changed weights reach (Brunato & Battiti, IEEE TNNLS 28(3),
//! 2017, Sec. III-B, doi 10.1109/TNNLS.2016.2537300). It must not know who proposes changes, or where samples come from.
//!
//! Two evaluations of a candidate meet here. The *approximate* one adds the change to stored sums, as in the paper, and
//! is quick. The *exact* one sums the changed neuron's whole dot product anew, and all after it, in the order of the full
//! pass, and is done only for candidates that the first one does not rule out. What is stored is always exact, so that
//! nothing drifts however many changes are made, and what is decided depends on the current weights alone.

mod candidate;
mod error;
mod evaluation;
mod exact;
mod loss;
mod loss_sum;
mod penalty;
mod place;
mod quick;
mod report;
mod samples;

pub use error::DeltaError;
pub use evaluation::{DeltaEvaluation, DeltaScratch, WeightChange};
pub use loss::Loss;
pub use report::{FitReport, report};
pub use samples::Samples;
