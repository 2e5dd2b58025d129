//! The rules of a saved controller that can be checked without its plant.

use bitloop_text::Problem;

use crate::{
    check::{check_above_zero, check_name},
    controller_check::{check_feedback, check_window, no_hidden_beside},
    network::Network,
    saved::{Codes, SavedController, Weights},
    simulation::whole_ratio,
};

impl SavedController {
    /// Checks that sizes agree and values are in range; the digest is checked by the reader.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Result<(), Problem> {
        check_name("plant.name", &self.plant.name)?;
        let simulation = &self.simulation;
        check_above_zero("simulation.step_s", simulation.step_s, "the integration step", "s")?;
        let sample_time_s = simulation.sample_time_s;
        check_above_zero("simulation.sample_time_s", sample_time_s, "the sample time", "s")?;
        if whole_ratio(sample_time_s, simulation.step_s).is_none() {
            let message = "the sample time is no multiple of the step";
            return Err(Problem::new("simulation.sample_time_s", message, EDITED));
        }
        self.check_signals()?;
        self.check_shape()?;
        let Weights::Codes(codes) = &self.weights;
        check_codes(codes)?;
        let n_weights = self.network.n_weights(self.inputs.len());
        if codes.codes.len() as u64 != n_weights {
            return Err(Problem::new(
                "weights.codes",
                format!("{} weights, but the network has {n_weights}", codes.codes.len()),
                "the file was edited or cut short: take a fresh copy, or train it again",
            ));
        }
        Ok(())
    }

    fn check_signals(&self) -> Result<(), Problem> {
        let inputs = self.inputs.iter().enumerate().map(|(index, input)| {
            (format!("inputs.{index}"), &input.name, input.center, input.scale)
        });
        let outputs = self.outputs.iter().enumerate().map(|(index, output)| {
            (format!("outputs.{index}"), &output.name, output.center, output.scale)
        });
        for (path, name, center, scale) in inputs.chain(outputs) {
            check_name(&format!("{path}.name"), name)?;
            check_above_zero(&format!("{path}.scale"), scale, "a scale", "")?;
            if !center.is_finite() {
                let path = format!("{path}.center");
                return Err(Problem::new(&path, "a center must be finite", EDITED));
            }
        }
        for (index, output) in self.outputs.iter().enumerate() {
            if let (Some(min), Some(max)) = (output.min, output.max)
                && min > max
            {
                let message = format!("the smallest value {min} is above the largest {max}");
                return Err(Problem::new(&format!("outputs.{index}.min"), message, EDITED));
            }
        }
        Ok(())
    }

    fn check_shape(&self) -> Result<(), Problem> {
        let layers = self.network.layers();
        match self.network {
            Network::Recurrent { .. } if layers.len() < 2 => {
                let message = "a recurrent network without hidden layers remembers nothing";
                return Err(Problem::new("network.layers", message, EDITED));
            }
            _ if self.network.is_direct() && layers.len() < 2 => {
                return Err(no_hidden_beside("network.direct"));
            }
            Network::FeedForward { .. } => {}
            Network::Recurrent { feedback, window, .. } => {
                check_feedback("network.feedback", feedback)?;
                check_window("network.window", window)?;
            }
            Network::TappedDelay { window, .. } => check_window("network.window", window)?,
        }
        if let Some(index) = layers.iter().position(|layer| layer.units == 0) {
            let path = format!("network.layers.{index}.units");
            return Err(Problem::new(&path, "a layer has no units", EDITED));
        }
        let n_outputs = layers.last().map_or(0, |layer| u64::from(layer.units));
        if n_outputs == 0 || n_outputs != self.outputs.len() as u64 {
            let message = format!(
                "the last layer has {n_outputs} units, but there are {} outputs",
                self.outputs.len()
            );
            return Err(Problem::new("network.layers", message, EDITED));
        }
        Ok(())
    }
}

pub(crate) const EDITED: &str = "was the file edited by hand?";

pub(crate) fn check_codes(codes: &Codes) -> Result<(), Problem> {
    if !(2..=24).contains(&codes.bits) {
        let message = format!("bits must be from 2 to 24, found {}", codes.bits);
        return Err(Problem::new("weights.bits", message, EDITED));
    }
    check_above_zero("weights.max_weight", codes.max_weight, "the largest weight", "")?;
    let bound = 1i32 << (codes.bits - 1);
    if let Some(index) = codes.codes.iter().position(|code| !(-bound..bound).contains(code)) {
        let path = format!("weights.codes.{index}");
        let message =
            format!("the code {} does not fit in {} bits", codes.codes[index], codes.bits);
        return Err(Problem::new(&path, message, EDITED));
    }
    Ok(())
}
