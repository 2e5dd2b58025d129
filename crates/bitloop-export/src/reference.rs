//! [`Reference`]: what bitloop itself computes, step by step, which exact exports repeat bit for bit.

use bitloop_net::SignalLanes;
use bitloop_plant::Isa;

use crate::portable::{Decoding, Encoding, Fit, Portable};

/// A controller or model that is stepped by bitloop's own arithmetic.
#[derive(Clone, Debug)]
pub struct Reference<'a> {
    portable: &'a Portable,
    weights: Vec<f64>,
    signals: SignalLanes,
}

impl<'a> Reference<'a> {
    /// A controller or model at its start, its memory 0.
    #[must_use]
    pub fn new(portable: &'a Portable) -> Self {
        let signals = portable.network.signals(1);
        Self { portable, weights: portable.weights.values(), signals }
    }

    /// Forgets all past queries.
    pub fn reset(&mut self) {
        self.signals.memory.fill(0.0);
    }

    /// Answers one query: `inputs: [n_inputs]` and the result `[n_outputs]` in their own units.
    ///
    /// # Panics
    /// If `inputs` has another length.
    pub fn step(&mut self, inputs: &[f64]) -> Vec<f64> {
        assert_eq!(inputs.len(), self.portable.inputs.len(), "inputs of another network");
        let mut row = 0;
        for (input, &value) in self.portable.inputs.iter().zip(inputs) {
            for variable in 0..input.encoding.n_variables() {
                let encoded = input.encoding.apply(value, variable);
                self.signals.input.row_mut(row).fill(encoded);
                row += 1;
            }
        }
        let Self { portable, weights, signals } = self;
        let n_lanes = signals.input.n_lanes();
        portable.network.forward(Isa::PORTABLE, weights, n_lanes, signals);
        let raw: Vec<f64> =
            (0..portable.network.n_outputs()).map(|row| signals.output.row(row)[0]).collect();
        let mut rest = raw.as_slice();
        let decoded = portable.outputs.iter().map(|output| {
            let (own, others) = rest.split_at(output.decoding.n_variables());
            rest = others;
            match output.fit {
                Some(Fit { scale, offset }) => output.decoding.apply(&[scale * own[0] + offset]),
                None => output.decoding.apply(own),
            }
        });
        decoded.collect()
    }
}

impl Encoding {
    /// Variable `variable` of a value.
    fn apply(&self, value: f64, variable: usize) -> f64 {
        match *self {
            Self::Scaled { center: 0.0, scale: 1.0 } => value,
            Self::Scaled { center, scale } => (value - center) / scale,
            Self::Range { min, max, low, high } => {
                let width = max - min;
                let position = if width > 0.0 { (value - min) / width } else { 0.5 };
                low + (high - low) * position
            }
            Self::Words(_) => {
                if value == variable as f64 {
                    1.0
                } else {
                    -1.0
                }
            }
        }
    }
}

impl Decoding {
    /// The value that outputs of the network stand for.
    fn apply(&self, outputs: &[f64]) -> f64 {
        match *self {
            Self::Scaled { center, scale, min, max } => {
                let is_unscaled = center == 0.0 && scale == 1.0;
                let value = if is_unscaled { outputs[0] } else { center + scale * outputs[0] };
                let value = if value < min { min } else { value };
                if value > max { max } else { value }
            }
            Self::Range { min, max, low, high } => {
                min + (max - min) * ((outputs[0] - low) / (high - low))
            }
            Self::Classes(_) if outputs.len() == 1 => f64::from(u8::from(outputs[0] >= 0.5)),
            Self::Classes(_) => {
                let mut largest = (0, f64::NEG_INFINITY);
                for (class, &output) in outputs.iter().enumerate() {
                    if output > largest.1 {
                        largest = (class, output);
                    }
                }
                largest.0 as f64
            }
        }
    }
}
