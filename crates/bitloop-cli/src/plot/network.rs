//! The network of a saved controller or model, and what a change of one weight changes.

use bitloop_export::{Decoding, Encoding, Portable};
use bitloop_look::{Diagram, Link, Node, Picture};
use bitloop_net::{Feedback, Network};

use super::check_weights;
use super::drawn;
use crate::args::PlotArgs;
use crate::controller::export_failure;
use crate::failure::Failure;

/// The picture.
pub fn network(args: &PlotArgs) -> Result<Picture, Failure> {
    let portable = bitloop_export::read(&args.source);
    let portable = portable.map_err(|error| export_failure(&args.source, error))?;
    let weights = portable.weights.values();
    check_weights(args, weights.len())?;
    let changed = args.weights.first().copied();
    let diagram = diagram(&portable.network, &weights, names(&portable), changed);
    let change = changed.map_or(String::new(), |weight| {
        format!("; orange: what a change of weight {weight} changes")
    });
    let subtitle = format!(
        "{} weights, the darker the larger, blue above 0 and green below{change}",
        weights.len()
    );
    let name = args.source.file_name().unwrap_or_default().to_string_lossy();
    drawn(args, bitloop_look::network(&name, &subtitle, &diagram))
}

/// The names of the network's inputs and outputs: words have an input each, and several classes an output each.
fn names(portable: &Portable) -> (Vec<String>, Vec<String>) {
    let each = |name: &str, words: &[String]| -> Vec<String> {
        words.iter().map(|word| format!("{name} {word}")).collect()
    };
    let inputs = portable.inputs.iter().flat_map(|input| match &input.encoding {
        Encoding::Words(words) => each(&input.name, words),
        Encoding::Scaled { .. } | Encoding::Range { .. } => vec![input.name.clone()],
    });
    let outputs = portable.outputs.iter().flat_map(|output| match &output.decoding {
        Decoding::Classes(words) if words.len() > 2 => each(&output.name, words),
        _ => vec![output.name.clone()],
    });
    (inputs.collect(), outputs.collect())
}

/// All connections, in the order of the weights: layer by layer, neuron by neuron, of each its bias, its inputs, its own past.
fn diagram(
    network: &Network,
    weights: &[f64],
    (inputs, outputs): (Vec<String>, Vec<String>),
    changed: Option<usize>,
) -> Diagram {
    // The newest values of all inputs come first.
    let seen = (0..network.n_seen()).map(|at| {
        let name = inputs.get(at % network.n_inputs()).cloned().unwrap_or_default();
        match at / network.n_inputs() {
            0 => name,
            age => format!("{name}, {age} before"),
        }
    });
    let seen: Vec<String> = seen.collect();
    let layers: Vec<usize> = network.layers().iter().map(|layer| layer.n_neurons).collect();
    let (mut links, mut mark) = (Vec::new(), None);
    let mut weight = 0;
    for (before, layer) in network.layers().iter().enumerate() {
        let column = before + 1;
        let n_fed = if before == 0 { seen.len() } else { layers[before - 1] };
        let n_direct = if column == layers.len() { network.n_direct() } else { 0 };
        for row in 0..layer.n_neurons {
            let to: Node = (column, row);
            let fed = (0..n_fed).map(|from| (before, from));
            let direct = (0..n_direct).map(|from| (0, from));
            let past = match layer.feedback {
                Feedback::None => 0..0,
                Feedback::Full => 0..layer.n_neurons,
                Feedback::SelfOnly => row..row + 1,
            };
            if changed == Some(weight) {
                mark = Some((to, None));
            }
            weight += 1;
            for from in fed.chain(direct).chain(past.map(|from| (column, from))) {
                if changed == Some(weight) {
                    mark = Some((to, Some(links.len())));
                }
                links.push(Link { from, to, weight: weights.get(weight).copied().unwrap_or(0.0) });
                weight += 1;
            }
        }
    }
    Diagram { inputs: seen, layers, outputs, links, changed: mark }
}

#[cfg(test)]
mod tests {
    use bitloop_net::{Activation, Layer};

    use super::*;

    #[test]
    fn connections_follow_the_order_of_the_weights() {
        let hidden = Layer { feedback: Feedback::Full, ..Layer::new(2, Activation::Tanh) };
        let layers = vec![hidden, Layer::new(1, Activation::Linear)];
        let network = Network::new(1, 2, layers).unwrap().with_direct_path().unwrap();
        let weights: Vec<f64> = (0..network.n_weights()).map(|weight| weight as f64).collect();
        let names = || (vec!["x".to_owned()], vec!["u".to_owned()]);
        let of = |changed| diagram(&network, &weights, names(), changed);
        let all = of(None);
        assert_eq!(all.inputs, ["x", "x, 1 before"]);
        // Three neurons have a bias.
        assert_eq!(all.links.len() + 3, weights.len());
        let link = |from, to, weight| Link { from, to, weight };
        assert_eq!(all.links[0], link((0, 0), (1, 0), 1.0));
        assert_eq!(all.links[3], link((1, 1), (1, 0), 4.0));
        assert_eq!(all.links[all.links.len() - 1], link((0, 1), (2, 0), 14.0));
        assert_eq!(of(Some(0)).changed, Some(((1, 0), None)));
        assert_eq!(of(Some(14)).changed, Some(((2, 0), Some(11))));
    }
}
