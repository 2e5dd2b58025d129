//! [`SignalConstants`]: the constants that every source has for its signals.

use crate::fixed::Fixed;
use crate::names::Constants;
use crate::portable::{Decoding, Encoding, Portable};

/// Names of constants for positions and units, in the order in which they are written.
#[derive(Debug)]
pub(crate) struct SignalConstants {
    /// Groups of names whose positions in their group are their values: inputs, outputs, words of an input, classes.
    pub positions: Vec<Vec<String>>,
    /// Fixed point alone: names for the bits after the point of each input and output.
    pub bits: Vec<(String, i32)>,
    /// What a user should know of the names.
    pub notes: Vec<String>,
}

impl SignalConstants {
    /// The constants, each name beginning with `prefix`.
    pub fn new(portable: &Portable, prefix: &str, fixed: Option<&Fixed>) -> Self {
        let mut constants = Constants::default();
        let input_names = || portable.inputs.iter().map(|input| input.name.as_str());
        let output_names = || portable.outputs.iter().map(|output| output.name.as_str());
        let inputs = constants.of(&format!("{prefix}IN"), input_names(), "input");
        let outputs = constants.of(&format!("{prefix}OUT"), output_names(), "output");
        let mut worded = Vec::new();
        for (input, constant) in portable.inputs.iter().zip(&inputs) {
            if let Encoding::Words(words) = &input.encoding {
                let words = words.iter().map(String::as_str);
                worded.push(constants.of(&format!("{constant}_IS"), words, "word"));
            }
        }
        for (output, constant) in portable.outputs.iter().zip(&outputs) {
            if let Decoding::Classes(classes) = &output.decoding {
                let classes = classes.iter().map(String::as_str);
                worded.push(constants.of(&format!("{constant}_IS"), classes, "class"));
            }
        }
        let mut bits = Vec::new();
        if let Some(fixed) = fixed {
            let names = constants.of_noted(&format!("{prefix}BITS_IN"), input_names(), "input");
            bits.extend((0..).zip(names).map(|(at, name)| (name, fixed.input_bits(at))));
            let names = constants.of_noted(&format!("{prefix}BITS_OUT"), output_names(), "output");
            bits.extend((0..).zip(names).map(|(at, name)| (name, fixed.output_bits(at))));
        }
        let positions = [inputs, outputs].into_iter().chain(worded).collect();
        Self { positions, bits, notes: constants.into_notes() }
    }
}
