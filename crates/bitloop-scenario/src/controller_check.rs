//! The rules of a controller that can be checked without its plant.

use bitloop_net::Feedback;
use bitloop_text::{Checked, Problem};

use crate::{
    controller::{ControllerSpec, LayerActivations},
    network::count_weights,
};

/// Most hidden layers.
const MOST_LAYERS: usize = 64;
/// Most units in a layer.
const MOST_UNITS: u32 = 65_536;
/// Most weights of the hidden layers.
const MOST_WEIGHTS: u64 = 1 << 24;
/// Most queries in the window of a tapped delay.
const MOST_QUERIES: u32 = 1000;

impl ControllerSpec {
    /// Checks sizes and lists.
    pub(crate) fn check(&self) -> Checked {
        if self.is_direct() && self.hidden().is_empty() && *self != ControllerSpec::Pid {
            return Err(no_hidden_beside("controller.direct"));
        }
        match self {
            ControllerSpec::Linear | ControllerSpec::Pid | ControllerSpec::FeedForward(_) => {
                self.check_layers(1, Feedback::None)
            }
            ControllerSpec::Recurrent(network) => {
                if network.hidden.is_empty() {
                    let message = "a recurrent network without hidden layers remembers nothing";
                    let hint = "add a layer, for instance hidden: [5], or write FeedForward";
                    return Err(Problem::new("controller.hidden", message, hint));
                }
                check_feedback("controller.feedback", network.feedback)?;
                check_window("controller.window", network.window)?;
                self.check_layers(network.window, network.feedback)
            }
            ControllerSpec::TappedDelay(network) => {
                check_window("controller.window", network.window)?;
                self.check_layers(network.window, Feedback::None)
            }
        }
    }

    fn check_layers(&self, n_seen: u32, feedback: Feedback) -> Checked {
        check_hidden("controller", self.hidden(), self.hidden_activation(), n_seen, feedback)
    }
}

/// Checks the hidden layers of the network that the field `field` describes. `n_seen`: numbers that the first layer
/// sees, for each input.
pub(crate) fn check_hidden(
    field: &str,
    hidden: &[u32],
    activations: &LayerActivations,
    n_seen: u32,
    feedback: Feedback,
) -> Checked {
    let path = format!("{field}.hidden");
    if hidden.len() > MOST_LAYERS {
        let message = format!("more than {MOST_LAYERS} hidden layers");
        return Err(Problem::new(&path, message, "use fewer layers"));
    }
    for (index, &units) in hidden.iter().enumerate() {
        if !(1..=MOST_UNITS).contains(&units) {
            let message = format!("a layer has from 1 to {MOST_UNITS} units, found {units}");
            let hint = "five are enough for a pendulum; leave the layer out for none";
            return Err(Problem::new(&format!("{path}.{index}"), message, hint));
        }
    }
    // The number of inputs is the plant's, or the data's; each network has one at least.
    let n_weights = count_weights(u64::from(n_seen), hidden.iter().map(|&units| (units, feedback)));
    if n_weights > MOST_WEIGHTS {
        let message =
            format!("the hidden layers have {n_weights} weights, more than {MOST_WEIGHTS}");
        return Err(Problem::new(&path, message, "use smaller layers"));
    }
    match activations {
        LayerActivations::PerLayer(list) if list.len() != hidden.len() => Err(Problem::new(
            &format!("{field}.hidden_activation"),
            format!("number of activations {}, of hidden layers {}", list.len(), hidden.len()),
            "list one for each hidden layer, or write a single one for all",
        )),
        _ => Ok(()),
    }
}

/// A direct path in a network without hidden layers, in a scenario or saved.
pub(crate) fn no_hidden_beside(path: &str) -> Problem {
    let message = "a direct path needs a hidden layer beside it: without one, all paths are direct";
    Problem::new(path, message, "leave it out, or add a layer, for instance hidden: [5]")
}

/// The feedback of a recurrent network, in a scenario or saved.
pub(crate) fn check_feedback(path: &str, feedback: Feedback) -> Checked {
    if feedback == Feedback::None {
        let message = "a recurrent network needs some feedback";
        return Err(Problem::new(path, message, "use a feed-forward network for none"));
    }
    Ok(())
}

/// A window of a scenario or of a saved network.
pub(crate) fn check_window(path: &str, window: u32) -> Checked {
    if (1..=MOST_QUERIES).contains(&window) {
        return Ok(());
    }
    let message = format!("a window has from 1 to {MOST_QUERIES} queries, found {window}");
    Err(Problem::new(path, message, "it counts the present query too: 2 adds the one before"))
}
