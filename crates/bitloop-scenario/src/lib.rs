//! The files that people write and read, all RON: scenarios of two kinds, suites of tests, saved controllers and saved models.
//!
//! Owns the schema, the defaults, the checks that need neither plant nor data, and errors which show file, line,
//! column, the text and a hint. Must not know plants, networks or searches: the conversion to what
//! runs lives in `bitloop-train`, so that a file format never freezes an inner type. It prints
//! nothing and reads no environment.
//!
//! How text becomes values, and errors that show their place, is in `bitloop-text`; [`File`] keeps a value with its text.
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
mod digest;
mod distribution;
mod disturbance;
mod episodes;
mod file;
mod hard_episode;
mod model;
mod network;
mod plant_choice;
mod preset;
mod profile;
mod random_search;
mod reference;
mod saved;
mod saved_check;
mod saved_write;
mod scenario;
mod scenario_file;
mod scenario_kind;
mod simulation;
mod start;
mod stop;
mod suite;
mod supervised;
mod telescopic_blm;
mod training;
mod training_check;
mod uncertainty;
mod uncertainty_check;

// Settings that mean the same in a file and at run time belong to the crate that acts on them.
pub use bitloop_blm::{
    Candidates, Coding, Freezing, Growth, Initialization, Kicks, MoveRule, SearchOptions,
};
pub use bitloop_data::{
    ClassWeights, ColumnChoice, Fold, Format, Missing, PartSize, Scaling as ColumnScaling,
    ScalingMethod, Spirals, Targets, Threshold,
};
pub use bitloop_net::{Activation, Feedback, Loss};
pub use bitloop_plant::Integrator;
pub use bitloop_sim::{
    Aggregate, Distribution, DistributionError, FailureCharge, Noise, Penalties,
};
pub use bitloop_text::{
    Checked, ErrorKind, FileError, FileErrorDetails, Located, Place, Problem, Source, number,
    printable, suggestion,
};

pub use any_saved::AnySaved;
pub use any_scenario::AnyScenario;
pub use check::MOST_STEPS;
pub use cma_es::{CmaEs, CmaRestarts};
pub use controller::{ControllerSpec, FeedForward, LayerActivations, Recurrent, TappedDelay};
pub use curriculum::Curriculum;
pub use disturbance::{Disturbance, FilteredNoise, Impulse, Ramp, Sine, Step};
pub use episodes::{EpisodeSet, Episodes};
pub use file::{File, FileKind};
pub use hard_episode::HardEpisode;
pub use model::{
    Fit, Fits, ModelFile, ModelWeights, SavedColumn, SavedModel, SavedOutputFit, SavedRowDigests,
    SavedRows, SavedValues,
};
pub use network::{Layer, Network};
pub use plant_choice::PlantChoice;
pub use preset::Preset;
pub use profile::Profile;
pub use random_search::RandomSearch;
pub use reference::{UnknownField, fields, reference_page};
pub use saved::{
    Codes, ControllerFile, Errors, InputSignal, MadeBy, OutputSignal, PlantIdentity,
    SavedController, SavedSimulation, Weights,
};
pub use scenario::{Scaling, Scenario};
pub use scenario_file::{ScenarioFile, TrainingPlan};
pub use scenario_kind::ScenarioKind;
pub use simulation::{Simulation, whole_ratio};
pub use start::Start;
pub use stop::{Patience, Stop};
pub use suite::{Pass, Suite, SuiteFile, Test};
pub use supervised::{
    Backpropagation, DataFile, DataSource, ErrorFigure, ErrorMeaning, ErrorUnit, ExtremeLearning,
    LayerScales, OneStepSecant, OutputScale, Regularization, RowOrder, SelectBy, Split, Supervised,
    SupervisedFile, SupervisedNetwork, SupervisedTraining,
};
pub use telescopic_blm::TelescopicBlm;
pub use training::Training;
pub use uncertainty::{Actuator, Sensor, Uncertainty};
