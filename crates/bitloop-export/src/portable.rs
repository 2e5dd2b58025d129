//! [`Portable`]: what leaves bitloop, in plain terms.

use bitloop_blm::WeightGrid;
use bitloop_net::Network;

use crate::error::ExportError;

/// A controller or a model: a network, its weights, and what its inputs and outputs mean.
#[derive(Clone, Debug, PartialEq)]
pub struct Portable {
    /// Where it comes from.
    pub origin: Origin,
    /// What goes in, in order.
    pub inputs: Vec<Input>,
    /// What comes out, in order.
    pub outputs: Vec<Output>,
    /// The shape.
    pub network: Network,
    /// The weights, in the order that [`Network`] documents.
    pub weights: Weights,
}

/// Where a controller or a model comes from.
#[derive(Clone, Debug, PartialEq)]
pub struct Origin {
    /// The plant that a controller was trained on; none for a model of examples.
    pub plant: Option<String>,
    /// Seconds from one step of a controller to the next; none for a model of examples.
    pub sample_time_s: Option<f64>,
    /// Name of the scenario's file.
    pub scenario: String,
    /// Digest of the scenario.
    pub scenario_digest: String,
    /// Digest of the controller or the model.
    pub digest: String,
    /// The version of bitloop that saved it.
    pub bitloop_version: String,
}

/// One number that goes in.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// Its name.
    pub name: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// What becomes of it before the network sees it.
    pub encoding: Encoding,
}

/// What becomes of a number before the network sees it.
#[derive(Clone, Debug, PartialEq)]
pub enum Encoding {
    /// (y - center) / scale; the number itself for 0 and 1.
    Scaled {
        /// What becomes 0.
        center: f64,
        /// The distance from `center` that becomes 1.
        scale: f64,
    },
    /// low + (high - low) (x - min) / (max - min); the middle of low and high where max = min.
    Range {
        /// What becomes `low`.
        min: f64,
        /// What becomes `high`.
        max: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The position of a word in this list, from 0: an input of 1 for that word, and -1 for each of the others.
    Words(Vec<String>),
}

/// One number that comes out.
#[derive(Clone, Debug, PartialEq)]
pub struct Output {
    /// Its name.
    pub name: String,
    /// Its unit; empty if it has none.
    pub unit: String,
    /// What becomes of the network's output before it is decoded; of numbers alone.
    pub fit: Option<Fit>,
    /// How it is computed from the network's outputs.
    pub decoding: Decoding,
}

/// scale * output + offset, rounded after the product and after the sum.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The factor.
    pub scale: f64,
    /// What is added.
    pub offset: f64,
}

/// How a number is computed from the network's outputs.
#[derive(Clone, Debug, PartialEq)]
pub enum Decoding {
    /// center + scale * output, held to the bounds; the output itself for 0 and 1.
    Scaled {
        /// What 0 becomes.
        center: f64,
        /// The distance from `center` that 1 becomes.
        scale: f64,
        /// The lower bound, or minus infinity.
        min: f64,
        /// The upper bound, or infinity.
        max: f64,
    },
    /// The inverse of [`Encoding::Range`]; `min` where max = min.
    Range {
        /// What `low` becomes.
        min: f64,
        /// What `high` becomes.
        max: f64,
        /// The lower end.
        low: f64,
        /// The upper end.
        high: f64,
    },
    /// The position of a class in this list, from 0: of two classes, the second where the one output is 0.5 or more; of
    /// several, the one of the largest output, the first of equals.
    Classes(Vec<String>),
}

/// The weights.
#[derive(Clone, Debug, PartialEq)]
pub enum Weights {
    /// Integers on a grid.
    Codes(Codes),
    /// Real numbers, of a trainer that has no grid.
    Real(Vec<f64>),
}

/// Weights as integers: weight = code * `step`.
#[derive(Clone, Debug, PartialEq)]
pub struct Codes {
    /// Bits of a code, from 2 to 24.
    pub bits: u32,
    /// The weight of code 1.
    pub step: f64,
    /// Codes from -2^(bits-1) to 2^(bits-1) - 1.
    pub codes: Vec<i32>,
}

impl Codes {
    /// The codes of `bits` bits whose largest stands for `max_weight`.
    ///
    /// # Errors
    /// A grid that there is not.
    pub fn new(bits: u32, max_weight: f64, codes: Vec<i32>) -> Result<Self, ExportError> {
        let hint = "was the file edited by hand?";
        let grid = WeightGrid::new(bits, max_weight)
            .map_err(|error| ExportError::refused(error.to_string(), hint))?;
        Ok(Self { bits, step: grid.epsilon(), codes })
    }
}

impl Weights {
    /// The weights as numbers.
    #[must_use]
    pub fn values(&self) -> Vec<f64> {
        match self {
            Self::Codes(Codes { step, codes, .. }) => {
                codes.iter().map(|&code| f64::from(code) * step).collect()
            }
            Self::Real(values) => values.clone(),
        }
    }
}

impl Encoding {
    /// How many of the network's inputs the number becomes.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        match self {
            Self::Scaled { .. } | Self::Range { .. } => 1,
            Self::Words(words) => words.len(),
        }
    }
}

impl Decoding {
    /// How many of the network's outputs stand for the number.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        match self {
            Self::Classes(classes) if classes.len() > 2 => classes.len(),
            _ => 1,
        }
    }
}

impl Portable {
    /// Checks that channels, shape and weights agree, so that what is made of them can rely on it.
    ///
    /// # Errors
    /// What does not agree.
    pub fn check(&self) -> Result<(), ExportError> {
        let n_inputs: usize = self.inputs.iter().map(|input| input.encoding.n_variables()).sum();
        let n_outputs: usize =
            self.outputs.iter().map(|output| output.decoding.n_variables()).sum();
        let n_weights = match &self.weights {
            Weights::Codes(codes) => codes.codes.len(),
            Weights::Real(values) => values.len(),
        };
        for (what, found, expected) in [
            ("inputs", n_inputs, self.network.n_inputs()),
            ("outputs", n_outputs, self.network.n_outputs()),
            ("weights", n_weights, self.network.n_weights()),
        ] {
            if found != expected {
                let message = format!("{found} {what} for a network with {expected}");
                return Err(ExportError::refused(message, "was the file edited by hand?"));
            }
        }
        let is_scaled_class =
            |it: &Output| it.fit.is_some() && matches!(it.decoding, Decoding::Classes(_));
        if let Some(output) = self.outputs.iter().find(|output| is_scaled_class(output)) {
            let message = format!("the classes of `{}` have a scale and an offset", output.name);
            return Err(ExportError::refused(message, "was the file edited by hand?"));
        }
        Ok(())
    }
}
