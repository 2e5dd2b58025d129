//! Data sets, and learning from examples.
//!
//! This crate owns the way from a table of numbers and words to scaled [`Examples`], the cost of a network over them as
//! the search sees it, and what is trained on them by other means than telescopic BLM. It must not know plants, closed
//! loops or scenarios.
//!
//! Examples lie variable by variable, one sample behind the other, since all that is done with them goes over the
//! samples lane by lane.
//!
//! A [`DataSpec`] says where rows come from, which columns are inputs and targets, how numbers are scaled and how rows
//! are split; [`DataSpec::load`] makes a [`Dataset`] of it. The scaling and the words that were learnt from the training rows are
//! an [`Encoding`], which is saved beside a network, so that the network can be applied to other files.
//!
//! The baselines go step by step, so that a caller can keep a budget: [`Backpropagation`] and [`OneStepSecant`] descend
//! an [`ErrorFunction`], [`ExtremeLearning`] solves for an output layer.

#![forbid(unsafe_code)]

mod affine;
#[cfg(feature = "arrow")]
mod arrow_file;
mod backpropagation;
mod cells;
mod cholesky;
mod class_weights;
mod column_choice;
mod column_file;
mod columns;
mod dataset;
#[cfg(any(feature = "arrow", feature = "parquet"))]
mod decoding;
mod descent;
mod encoding;
mod error;
mod error_function;
mod examples;
mod extreme_learning;
mod fit_error;
mod format;
mod layer_exponents;
mod line_search;
mod missing;
mod objective;
mod one_step_secant;
#[cfg(feature = "parquet")]
mod parquet_file;
mod part_size;
mod read;
mod row_digest;
mod row_labels;
mod rows;
mod spirals;
mod split;
mod table;
mod target_score;
mod threshold;
mod unknown_words;

pub use affine::Affine;
pub use backpropagation::{Backpropagation, BackpropagationOptions};
pub use class_weights::ClassWeights;
pub use column_choice::ColumnChoice;
pub use columns::{Columns, Scaling, ScalingMethod, Targets};
pub use dataset::{DataSource, DataSpec, Dataset, OwnFiles};
pub use descent::{Descent, DescentStep, initial_weights};
pub use encoding::{Answer, EncodedColumn, Encoding, Values};
pub use error::{DataError, DataErrorDetails, DataErrorKind, DataPlace};
pub use error_function::{Counts, ErrorFunction};
pub use examples::Examples;
pub use extreme_learning::{
    ExtremeLearning, ExtremeLearningFit, ExtremeLearningOptions, ExtremeLearningStep, MAX_HIDDEN,
};
pub use fit_error::FitError;
pub use format::Format;
pub use layer_exponents::layer_exponents;
pub use missing::Missing;
pub use objective::Supervised;
pub use one_step_secant::OneStepSecant;
pub use part_size::PartSize;
pub use read::Limits;
pub use row_digest::{PartDigests, RowDigest};
pub use spirals::Spirals;
pub use split::{Fold, RowOrder, Split, SplitRows};
pub use table::Table;
pub use target_score::{ClassScore, NumberScore, TargetScore};
pub use threshold::Threshold;
pub use unknown_words::UnknownWords;
