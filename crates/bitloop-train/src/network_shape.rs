//! The shape of a network, as files have it and as it is evaluated.

use bitloop_net::{Feedback, Layer, Network};
use bitloop_scenario as file;

use crate::error::TrainError;

/// The shape that a scenario asks for, as it will be saved.
pub(crate) fn file_network(controller: &file::ControllerSpec, n_outputs: usize) -> file::Network {
    let hidden = controller.hidden().iter().enumerate().map(|(index, &units)| file::Layer {
        units,
        activation: controller.hidden_activation().of(index),
    });
    let output = file::Layer {
        units: u32::try_from(n_outputs).unwrap_or(u32::MAX),
        activation: controller.output_activation(),
    };
    let layers: Vec<file::Layer> = hidden.chain([output]).collect();
    let direct = controller.is_direct();
    match controller {
        file::ControllerSpec::Pid => {
            // An integrator for each control: it sums what it sees, and keeps most of what it had.
            let feedback = Feedback::SelfOnly;
            file::Network::Recurrent {
                feedback,
                window: 2,
                layers: [&layers[..], &layers].concat(),
                direct,
            }
        }
        file::ControllerSpec::Linear | file::ControllerSpec::FeedForward(_) => {
            file::Network::FeedForward { layers, direct }
        }
        file::ControllerSpec::Recurrent(spec) => {
            let (feedback, window) = (spec.feedback, spec.window);
            file::Network::Recurrent { feedback, window, layers, direct }
        }
        file::ControllerSpec::TappedDelay(spec) => {
            file::Network::TappedDelay { window: spec.window, layers, direct }
        }
    }
}

/// The weights by which the integrators of a PID law keep what they have summed; none of other controllers.
pub(crate) fn integrator_weights(
    controller: &file::ControllerSpec,
    network: &Network,
) -> Vec<usize> {
    if *controller != file::ControllerSpec::Pid {
        return Vec::new();
    }
    // Of each integrator: a constant, the inputs of two queries, itself.
    let n_integrators = network.layers()[0].n_neurons;
    let n_of_each = 1 + network.n_inputs() * network.window() + 1;
    (1..=n_integrators).map(|n| n * n_of_each - 1).collect()
}

/// The network of a saved shape, with so many inputs.
///
/// # Errors
/// A shape that has no network.
pub fn network(shape: &file::Network, n_inputs: usize) -> Result<Network, TrainError> {
    let layers = shape.layers().iter().enumerate().map(|(index, layer)| Layer {
        n_neurons: layer.units as usize,
        activation: layer.activation,
        feedback: shape.feedback(index),
    });
    let network = Network::new(n_inputs, shape.window() as usize, layers.collect())?;
    Ok(if shape.is_direct() { network.with_direct_path()? } else { network })
}

#[cfg(test)]
mod tests {
    use bitloop_net::Activation;
    use bitloop_scenario::ScenarioFile;

    use super::*;

    fn scenario(fields: &str) -> ScenarioFile {
        let text = format!("Scenario(plant: \"p\", {fields})");
        ScenarioFile::parse(&text, "a.ron").unwrap_or_else(|error| panic!("{error}"))
    }

    /// The network of a controller with 2 inputs and 1 output, in both forms.
    fn networks(controller: &str) -> (file::Network, Network) {
        let file = scenario(&format!("controller: {controller}"));
        let shape = file_network(file.value.controller.as_ref().expect("given above"), 1);
        let network = network(&shape, 2).expect("small");
        assert_eq!(shape.n_weights(2), network.n_weights() as u64, "{controller}");
        (shape, network)
    }

    #[test]
    fn hidden_layers_remember_and_the_output_layer_does_not() {
        for (name, feedback) in [("Full", Feedback::Full), ("SelfOnly", Feedback::SelfOnly)] {
            let (_, network) = networks(&format!("Recurrent(hidden: [5, 3], feedback: {name})"));
            let remembers: Vec<_> = network.layers().iter().map(|layer| layer.feedback).collect();
            assert_eq!(remembers, [feedback, feedback, Feedback::None]);
            assert_eq!((network.window(), network.n_memory()), (1, 8));
        }
        let (_, network) = networks("FeedForward(hidden: [5, 3])");
        assert_eq!(network.n_memory(), 0);
    }

    #[test]
    fn a_direct_path_goes_beside_the_hidden_units() {
        let (shape, network) = networks("FeedForward(hidden: [5], direct: true)");
        assert_eq!((network.n_weights(), network.n_direct()), (5 * 3 + 1 + 5 + 2, 2));
        assert!(shape.is_direct());
        let (_, network) = networks("TappedDelay(window: 4, hidden: [5], direct: true)");
        assert_eq!(network.n_direct(), 8);
        networks("Recurrent(hidden: [5, 3], direct: true)");
    }

    #[test]
    fn linear_feedback_is_a_network_without_hidden_layers() {
        assert_eq!(networks("Linear"), networks("FeedForward(hidden: [])"));
    }

    #[test]
    fn a_pid_law_has_an_integrator_for_each_control_and_sees_two_queries() {
        let (shape, network) = networks("Pid");
        // The integrator: a constant, two inputs at two queries, itself. The output: a constant, the integrator, the same inputs.
        assert_eq!((network.window(), network.n_weights()), (2, (1 + 4 + 1) + (1 + 1 + 4)));
        // Remembered: the integrator, and two inputs of the query before.
        assert_eq!((network.n_memory(), network.n_direct()), (3, 4));
        assert!(matches!(shape, file::Network::Recurrent { window: 2, direct: true, .. }));
        assert!(network.layers().iter().all(|layer| layer.activation == Activation::Linear));
        // The last weight of each integrator is its own.
        let file = scenario("controller: Pid");
        let spec = file.value.controller.as_ref().expect("given above");
        assert_eq!(integrator_weights(spec, &network), [5]);
        let two = super::network(&file_network(spec, 2), 3).expect("small");
        assert_eq!(integrator_weights(spec, &two), [7, 15]);
    }

    #[test]
    fn a_recurrent_network_may_see_a_window_too() {
        let (_, network) = networks("Recurrent(hidden: [5], window: 3)");
        assert_eq!((network.window(), network.n_weights()), (3, 5 * (1 + 2 * 3 + 5) + 6));
    }

    #[test]
    fn a_tapped_delay_sees_a_window() {
        let (shape, network) = networks("TappedDelay(window: 4, hidden: [5])");
        assert_eq!((network.window(), network.n_weights()), (4, 5 * (1 + 2 * 4) + 6));
        assert!(network.layers().iter().all(|layer| layer.feedback == Feedback::None));
        assert!(matches!(shape, file::Network::TappedDelay { window: 4, .. }));
        networks("TappedDelay(window: 4, hidden: [])");
    }
}
