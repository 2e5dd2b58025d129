//! A trained controller as a file.
//!
//! Owns the fields, and reading with the digest verified. Weights are stored as the integers that
//! the search moved, so a controller read back is the same, bit for bit. What the outside must know
//! to use it (names, order, units, center and scale, saturation, timing) and what made it stand
//! beside them; writing is `saved_write.rs`, the rules `saved_check.rs`.

use bitloop_plant::Integrator;
use bitloop_text::{Checked, FileError, RawField, Source, decode};
use serde::{Deserialize, Serialize};

use crate::{
    digest::check_digest,
    file::{File, FileKind},
    network::Network,
    scenario::Scenario,
};

/// A trained controller, what it is connected to, and what made it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Controller", deny_unknown_fields)]
pub struct SavedController {
    /// Number of the file's format; 0 in files that are older than such numbers.
    #[serde(default)]
    pub format: u32,
    /// The plant it was trained on.
    pub plant: PlantIdentity,
    /// The timing it was trained with.
    pub simulation: SavedSimulation,
    /// What it sees, in the order of the network's inputs.
    pub inputs: Vec<InputSignal>,
    /// What it commands, in the order of the network's outputs.
    pub outputs: Vec<OutputSignal>,
    /// Its shape.
    pub network: Network,
    /// Its weights, in the order that `bitloop-net` documents.
    pub weights: Weights,
    /// Its errors.
    pub errors: Errors,
    /// What made it.
    pub made_by: MadeBy,
    /// The scenario that it was trained in, defaults filled in and with the seed of the run, so that
    /// the file alone is enough to test it again.
    pub scenario: Scenario,
    /// [`SavedController::computed_digest`] when it was saved.
    pub digest: String,
    /// [`SavedController::computed_content_digest`] when it was saved.
    #[serde(default)]
    pub content_digest: String,
}

impl SavedController {
    /// The format that is written.
    pub const FORMAT_NUMBER: u32 = 1;
}

/// Which plant, and which version of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlantIdentity {
    /// Its name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// Digest of its library, if it came from one.
    #[serde(default)]
    pub digest: Option<String>,
    /// Whether the plant declares that its results repeat bit for bit on one machine alone: the errors are then those of the machine
    /// of the training.
    #[serde(default, skip_serializing_if = "crate::network::is_false")]
    pub machine_bits: bool,
    /// Where that library was when the controller was trained: an absolute path. Not part of any digest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub library: Option<String>,
}

/// Timing of the simulation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Simulation", deny_unknown_fields)]
pub struct SavedSimulation {
    /// Integrator.
    pub integrator: Integrator,
    /// Integration step in seconds.
    pub step_s: f64,
    /// Control period in seconds, a whole multiple of the step.
    pub sample_time_s: f64,
}

/// An observation that is an input: the network sees (observation - center) / scale.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Input", deny_unknown_fields)]
pub struct InputSignal {
    /// The plant's name for it.
    pub name: String,
    /// Its unit; empty if it has none.
    #[serde(default)]
    pub unit: String,
    /// In its unit. Default: 0.
    #[serde(default)]
    pub center: f64,
    /// In its unit, above 0. Default: 1.
    #[serde(default = "one")]
    pub scale: f64,
}

/// A control: center + scale * output, then kept within min and max.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename = "Output", deny_unknown_fields)]
pub struct OutputSignal {
    /// The plant's name for it.
    pub name: String,
    /// Its unit; empty if it has none.
    #[serde(default)]
    pub unit: String,
    /// In its unit. Default: 0.
    #[serde(default)]
    pub center: f64,
    /// In its unit, above 0. Default: 1.
    #[serde(default = "one")]
    pub scale: f64,
    /// Smallest value after saturation; without it there is no lower bound.
    #[serde(default)]
    pub min: Option<f64>,
    /// Largest value after saturation; without it there is no upper bound.
    #[serde(default)]
    pub max: Option<f64>,
}

fn one() -> f64 {
    1.0
}

/// The weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Weights {
    /// Integers on the search's grid.
    Codes(Codes),
}

/// Weights as integers: weight = code * `max_weight` / (2^(bits-1) - 1).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Codes {
    /// Bits of a code, from 2 to 24.
    pub bits: u32,
    /// The weight of the largest code.
    pub max_weight: f64,
    /// Codes from -2^(bits-1) to 2^(bits-1) - 1.
    pub codes: Vec<i32>,
}

/// Mean errors over the sets of episodes; nothing for one that was not measured or is not finite.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Errors {
    /// Over the training episodes.
    #[serde(default)]
    pub training: Option<f64>,
    /// Over the training episodes, of the real weights that the search found before they were rounded to the grid of the
    /// codes; none for a search on the grid.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub unrounded_training: Option<f64>,
    /// Over the validation episodes.
    #[serde(default)]
    pub validation: Option<f64>,
    /// Over the confirmation episodes.
    #[serde(default)]
    pub confirmation: Option<f64>,
    /// Over the test episodes.
    #[serde(default)]
    pub test: Option<f64>,
}

/// What made a controller, so that it can be made again.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MadeBy {
    /// The command, as one would type it.
    pub command: String,
    /// Name of the scenario's file, without folders.
    pub scenario: String,
    /// [`ScenarioKind::digest`](crate::ScenarioKind::digest) of the scenario.
    pub scenario_digest: String,
    /// Root seed.
    pub seed: u64,
    /// Which run of the training found it, from 0.
    #[serde(alias = "descent")]
    pub run: u32,
    /// Version of bitloop.
    pub bitloop_version: String,
}

/// A checked controller and the text it came from.
pub type ControllerFile = File<SavedController>;

impl FileKind for SavedController {
    const NAME: &'static str = "Controller";
    const WHAT: &'static str = "controller";
    const LIMIT_BYTES: u64 = 64 << 20;
    const FORMAT: Option<u32> = Some(Self::FORMAT_NUMBER);

    fn raw_fields() -> Vec<RawField> {
        Scenario::raw_fields().into_iter().map(|field| field.inside("scenario")).collect()
    }

    fn decode(source: &Source) -> Result<Self, FileError> {
        decode(source, &Self::raw_fields())
    }

    fn check_rules(&self) -> Checked {
        self.check()
    }

    fn format(&self) -> Option<u32> {
        Some(self.format)
    }

    fn check_digest(&self, source: &Source) -> Result<(), FileError> {
        let covered = "the shape and the weights";
        check_digest(source, "digest", &self.digest, &self.computed_digest(), covered)?;
        // A file that is older than formats has none.
        if self.content_digest.is_empty() { Ok(()) } else { self.check_content_digest(source) }
    }

    fn has_content_digest(&self) -> bool {
        !self.content_digest.is_empty()
    }

    fn check_content_digest(&self, source: &Source) -> Result<(), FileError> {
        let computed = self.computed_content_digest();
        let covered = "signals, timing, errors, scenario and origin";
        check_digest(source, "content_digest", &self.content_digest, &computed, covered)
    }
}
