//! The files that people write and read, all RON: scenarios of two kinds, saved controllers and saved models.
//!
//! Owns the schema, the defaults, the checks that need neither plant nor data, and errors which show file, line,
//! column, the text and a hint. Must not know plants, networks or searches: the conversion to what
//! runs lives in `bitloop-train`, so that a file format never freezes an inner type. It prints
//! nothing and reads no environment.
//!
//! The text is parsed by `ron` into plain serde types, which lose their places; [`Source`] keeps the
//! text, and finds the place of a field again by its path (`training.bits`) when an error needs it.
//! That keeps the types free of spans, and lets a caller place errors which only it can see, such
//! as an observation that the plant lacks.
//!
//! ```
//! let file = bitloop_scenario::ScenarioFile::parse(
//!     r#"Scenario(plant: "inverted-pendulum", episodes: (test: (horizon_s: 1000)))"#,
//!     "short.ron",
//! )?;
//! assert_eq!(file.require_test()?.count, 50);
//!
//! let typo = bitloop_scenario::ScenarioFile::parse("Scenario(plnt: \"x\")", "typo.ron");
//! assert!(typo.unwrap_err().to_string().contains("did you mean `plant`?"));
//! # Ok::<(), bitloop_scenario::FileError>(())
//! ```
#![forbid(unsafe_code)]

mod any_saved;
mod any_scenario;
mod check;
mod cma_es;
mod controller;
mod controller_check;
mod curriculum;
mod decode;
mod digest;
mod distribution;
mod edit;
mod entries;
mod episodes;
mod error;
mod initialization;
mod model;
mod network;
mod plant_choice;
mod problem;
mod random_search;
mod read;
mod saved;
mod saved_check;
mod saved_write;
mod scenario;
mod scenario_file;
mod simulation;
mod source;
mod stop;
mod supervised;
mod telescopic_blm;
mod tokens;
mod training;
mod training_check;

pub use any_saved::AnySaved;
pub use any_scenario::AnyScenario;
pub use cma_es::{CmaEs, CmaRestarts};
pub use controller::{ControllerSpec, FeedForward, LayerActivations, Recurrent, TappedDelay};
pub use curriculum::Curriculum;
pub use decode::suggestion;
pub use distribution::Distribution;
pub use episodes::{EpisodeSet, Episodes};
pub use error::{ErrorKind, FileError, FileErrorDetails, Place};
pub use initialization::Initialization;
pub use model::{
    Fit, Fits, ModelFile, ModelWeights, SavedColumn, SavedModel, SavedRows, SavedValues,
};
pub use network::{Activation, Feedback, Layer, Network};
pub use plant_choice::PlantChoice;
pub use problem::Problem;
pub use random_search::RandomSearch;
pub use read::{CONTROLLER_LIMIT_BYTES, SCENARIO_LIMIT_BYTES};
pub use saved::{
    Codes, ControllerFile, Errors, InputSignal, MadeBy, OutputSignal, PlantIdentity,
    SavedController, SavedSimulation, Weights,
};
pub use scenario::{Scaling, Scenario};
pub use scenario_file::{ScenarioFile, TrainingPlan};
pub use simulation::{Integrator, Simulation, whole_ratio};
pub use source::{Located, Source};
pub use stop::{Patience, Stop};
pub use supervised::{
    Backpropagation, Column, ColumnScaling, DataFile, DataFormat, DataSource, ExtremeLearning,
    Loss, OneStepSecant, RowOrder, SpiralSet, Split, Supervised, SupervisedFile, SupervisedNetwork,
    SupervisedTraining, Targets,
};
pub use telescopic_blm::{Candidates, Coding, Freezing, Growth, Kicks, Moves, TelescopicBlm};
pub use training::Training;
