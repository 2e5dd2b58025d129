//! The stages between plant and controller: which observations are fed back, and how both sides' numbers are scaled.

use bitloop_plant::{Description, LaneMatrix, Variable};

use crate::error::SimError;

/// One input or output of a controller: a variable of the plant with its center, scale and bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Channel {
    /// Position among the plant's observations or controls.
    pub index: usize,
    /// The plant's value that is 0 for the controller.
    pub center: f64,
    /// The distance from `center` that is 1 for the controller.
    pub scale: f64,
    /// The bounds of actuation; not used for observations.
    pub bounds: (f64, f64),
}

impl Channel {
    /// The channel of variable `index` with the plant's own center, scale and bounds.
    #[must_use]
    pub fn of(index: usize, variable: &Variable) -> Self {
        let Variable { center, scale, min, max, .. } = *variable;
        Self { index, center, scale, bounds: (min, max) }
    }

    const fn is_unscaled(&self) -> bool {
        self.center == 0.0 && self.scale == 1.0
    }

    /// The distance of the bounds, infinite where one is missing.
    pub(crate) fn range(&self) -> f64 {
        self.bounds.1 - self.bounds.0
    }

    /// From where on a control counts as at a limit: within a thousandth of its range of a bound, or of its scale where the
    /// other bound is missing.
    pub(crate) fn limits(&self) -> (f64, f64) {
        let (low, high) = self.bounds;
        let range = self.range();
        let margin = 1e-3 * if range.is_finite() { range } else { self.scale };
        (low + margin, high - margin)
    }

    const fn is_bounded(&self) -> bool {
        let (low, high) = self.bounds;
        low > f64::NEG_INFINITY || high < f64::INFINITY
    }
}

/// The inputs and outputs of a controller, in its order.
#[derive(Clone, Debug, PartialEq)]
pub struct Interface {
    /// A channel per input.
    pub inputs: Vec<Channel>,
    /// A channel per output, one for each of the plant's controls in order.
    pub outputs: Vec<Channel>,
}

impl Interface {
    /// All observations and all controls of a plant, as it scales them.
    #[must_use]
    pub fn of(description: &Description) -> Self {
        let channels = |variables: &[Variable]| {
            variables.iter().enumerate().map(|(i, variable)| Channel::of(i, variable)).collect()
        };
        Self {
            inputs: channels(&description.observations),
            outputs: channels(&description.controls),
        }
    }

    /// The weights of a linear layer between these channels that commands u = b - K y, with u and y in the plant's units;
    /// `gains: [n_outputs][n_inputs]` are K, `offsets: [n_outputs]` are b.
    ///
    /// ```text
    /// the layer sees (y - c) / s and gives (u - C) / S
    /// weight of input j:  -K_ij s_j / S_i
    /// bias:               (b_i - sum_j K_ij c_j - C_i) / S_i
    /// ```
    ///
    /// # Panics
    /// If there are other numbers of gains or offsets.
    #[must_use]
    pub fn linear_weights(&self, gains: &[f64], offsets: &[f64]) -> Vec<f64> {
        let n_inputs = self.inputs.len();
        assert_eq!(
            (gains.len(), offsets.len()),
            (n_inputs * self.outputs.len(), self.outputs.len())
        );
        let mut weights = Vec::with_capacity(gains.len() + offsets.len());
        for ((output, row), offset) in self.outputs.iter().zip(gains.chunks(n_inputs)).zip(offsets)
        {
            let inputs = || self.inputs.iter().zip(row);
            let at_center: f64 = inputs().map(|(input, gain)| -gain * input.center).sum();
            weights.push((offset + at_center - output.center) / output.scale);
            weights.extend(inputs().map(|(input, gain)| -gain * input.scale / output.scale));
        }
        weights
    }

    /// Checks that each channel is one of the plant's, and its numbers are valid.
    pub(crate) fn check(&self, description: &Description) -> Result<(), SimError> {
        let fault =
            |what, channel: usize, why: String| Err(SimError::BadChannel { what, channel, why });
        let inputs = self.inputs.iter().enumerate().map(|(i, channel)| ("input", i, channel));
        let outputs = self.outputs.iter().enumerate().map(|(i, channel)| ("output", i, channel));
        for (what, position, channel) in inputs.chain(outputs) {
            let Channel { index, center, scale, bounds: (low, high) } = *channel;
            if what == "input" && index >= description.observations.len() {
                let n = description.observations.len();
                return fault(what, position, format!("observation {index} of a plant with {n}"));
            }
            if what == "output" && index != position {
                return fault(what, position, format!("it is that of control {index}"));
            }
            if !(center.is_finite() && scale.is_finite() && scale > 0.0) {
                let why =
                    format!("center {center} and scale {scale}: finite, and scale > 0, please");
                return fault(what, position, why);
            }
            let in_order = low <= high;
            if what == "output" && !in_order {
                return fault(what, position, format!("its bounds [{low}, {high}] are empty"));
            }
        }
        Ok(())
    }

    /// Whether a controller's inputs are all of `n_observations` observations in order, unscaled.
    pub(crate) fn is_all_observations(&self, n_observations: usize) -> bool {
        let as_it_is = |(i, input): (usize, &Channel)| input.index == i && input.is_unscaled();
        self.inputs.len() == n_observations && self.inputs.iter().enumerate().all(as_it_is)
    }

    /// Whether a controller's outputs are all of `n_controls` controls in order, neither scaled nor bounded.
    pub(crate) fn is_all_controls(&self, n_controls: usize) -> bool {
        let as_it_is = |output: &Channel| output.is_unscaled() && !output.is_bounded();
        self.outputs.len() == n_controls && self.outputs.iter().all(as_it_is)
    }

    /// The stage `scale`: (y - center) / scale, for lanes `0..n_lanes` of what is fed back.
    pub(crate) fn scale(&self, n_lanes: usize, fed_back: &LaneMatrix, input: &mut LaneMatrix) {
        for (row, channel) in self.inputs.iter().enumerate() {
            let (from, to) = (&fed_back.row(channel.index)[..n_lanes], input.row_mut(row));
            if channel.is_unscaled() {
                to[..n_lanes].copy_from_slice(from);
            } else {
                for (to, from) in to.iter_mut().zip(from) {
                    *to = (from - channel.center) / channel.scale;
                }
            }
        }
    }

    /// The stages `unscale` and `saturate`: center + scale * output, held to the bounds. NaN stays NaN.
    pub(crate) fn actuate(&self, n_lanes: usize, output: &LaneMatrix, control: &mut LaneMatrix) {
        for (row, channel) in self.outputs.iter().enumerate() {
            let (from, to) = (&output.row(row)[..n_lanes], control.row_mut(channel.index));
            if channel.is_unscaled() {
                to[..n_lanes].copy_from_slice(from);
            } else {
                for (to, from) in to.iter_mut().zip(from) {
                    *to = channel.center + channel.scale * from;
                }
            }
            if channel.is_bounded() {
                let (low, high) = channel.bounds;
                for to in &mut to[..n_lanes] {
                    *to = if *to < low { low } else { *to };
                    *to = if *to > high { high } else { *to };
                }
            }
        }
    }
}
