//! Pictures of what controllers and trainings do, as SVG and PNG, and pages that play what they do.
//!
//! Owns the layout of pictures (panels, axes with units, legends, colors), which numbers of long signals are drawn, one
//! module for each kind of picture, and the pages of reports with their style and their program, in `page/`. It must not know plants, files or how anything is run: its inputs are plain numbers and
//! names. The same input gives the same bytes. Names are text wherever they come from, never markup.
//!
//! A library, plotters, draws; it is compiled without fonts, so that pictures do not depend on those of the machine. Pictures in
//! pixels have letters of a font that is part of the program.

#![forbid(unsafe_code)]

mod answers;
mod axis;
mod canvas;
mod caption;
mod convergence;
mod cuts;
mod draw;
mod ecdf;
mod error;
mod error_map;
mod grid_map;
mod histogram;
mod legend;
mod letters;
mod logarithm;
mod marks;
mod neighbors;
mod network;
mod palette;
mod picture;
mod pixels;
mod plain_text;
mod report;
mod residuals;
mod scale;
mod signals;
mod still;
mod svg;
mod thin;
mod ticks;
mod training;
mod variants;
mod weights;

pub use answers::{RowKind, answers};
pub use axis::Axis;
pub use convergence::{ConvergenceVariant, convergence};
pub use cuts::{Cut, cuts};
pub use ecdf::{EcdfVariant, ecdf};
pub use error::LookError;
pub use error_map::{ErrorPoint, error_map};
pub use grid_map::{GridAxis, grid_map};
pub use histogram::histogram;
pub use neighbors::{NeighborRow, neighbors};
pub use network::{Diagram, Link, Node, network};
pub use picture::{Mark, Panel, Picture, Tile};
pub use report::{
    Film, Motion, MotionEpisode, MotionSignal, RecordedEpisode, Report, Scene, SceneFrame,
    SceneKind, SceneNumber, SceneShape, SceneValue, Section, SignalKind,
};
pub use residuals::residuals;
pub use signals::{PhaseEpisode, Signal, phase, signals};
pub use still::{Moment, still};
pub use thin::Thinned;
pub use training::{LogLine, TrainingView, training};
pub use variants::{VariantErrors, VariantPairs, pairs, variant_errors};
pub use weights::{WeightRow, weights};
