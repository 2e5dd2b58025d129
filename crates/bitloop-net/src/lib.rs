//! Neural networks over lanes: shapes, the layout of their weights, the batched forward pass, recurrent memory,
//! and delta evaluation over examples.
//!
//! This crate owns what a network computes and in which order, so that the same weights give the same bits everywhere. It
//! must not know where weights come from (a search, a file) or what the inputs mean (a plant's observations, a data set).
//! Its arithmetic is that of `bitloop_plant`.

#![forbid(unsafe_code)]

mod activation;
mod alone;
mod delta;
mod forward;
mod layer_scaling;
mod shape;
mod signals;

pub use activation::Activation;
pub use delta::{
    DeltaError, DeltaEvaluation, DeltaScaling, DeltaScratch, FitReport, Loss, OutputFit, Samples,
    TargetKind, WeightChange, WeightSteps, apply_fits, fit_outputs, report, report_fitted,
};
pub use layer_scaling::{LayerScaling, LayerScalingError};
pub use shape::{Feedback, Layer, MAX_WEIGHTS, Network, ShapeError};
pub use signals::SignalLanes;
