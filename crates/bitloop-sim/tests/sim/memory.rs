//! What a recurrent controller remembers belongs to one episode, and starts at zero.

use bitloop_blm::ProbeControl;
use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::Isa;
use bitloop_sim::{NetworkController, Rollout, Workspace};

use crate::support::{draw, pendulum, pick, random_network, tilted};

/// A network with a window of 3, whose past inputs are memory too.
fn windowed() -> (Network, Vec<f64>) {
    let (_, near) = random_network(8, 5, Feedback::None);
    let layers = vec![
        Layer { n_neurons: 5, activation: Activation::Tanh, feedback: Feedback::SelfOnly },
        Layer::new(1, Activation::Linear),
    ];
    let network = Network::new(4, 3, layers).unwrap();
    let mut weights = Vec::new();
    for unit in near[..25].chunks_exact(5) {
        weights.extend_from_slice(unit);
        weights.extend(unit[1..].iter().map(|w| 0.2 * w));
        weights.extend(unit[1..].iter().map(|w| -0.1 * w));
        weights.push(0.05);
    }
    weights.extend_from_slice(&near[25..]);
    (network, weights)
}

#[test]
fn memory_is_zero_at_the_start_and_never_shared() {
    let closed_loop = pendulum();
    let ranges = tilted(5.0, 0.95);
    let isa = Isa::best();
    for (network, weights) in [random_network(2, 20, Feedback::Full), windowed()] {
        assert!(network.n_memory() > 0);
        let controller = NetworkController { network: &network, weights: &weights };
        let set = pick(&closed_loop, &(0..30).collect::<Vec<_>>(), &ranges, 3);
        let together = closed_loop.evaluate(isa, &controller, &set, 1).unwrap();
        assert!((1..30).contains(&together.n_failed()), "{}", together.n_failed());

        // Again and again in one workspace, with dropped rollouts and other sets in between.
        let mut work = Workspace::new(&closed_loop, &controller, 30);
        let mut probe = |set: &_, bound| {
            closed_loop.probe(isa, &controller, set, &mut work, ProbeControl::alone(bound), None)
        };
        for index in 0..30_u64 {
            let alone = pick(&closed_loop, &[index], &ranges, 3);
            let expected = together.episodes[usize::try_from(index).unwrap()].error;
            assert_eq!(probe(&alone, f64::INFINITY), Rollout::Below(expected));
            assert_eq!(probe(&set, together.error * 0.3), Rollout::NotBelow);
        }
        assert_eq!(probe(&set, f64::INFINITY), Rollout::Below(together.error));
        assert_eq!(probe(&set, f64::INFINITY), Rollout::Below(together.error));
    }
}

#[test]
fn memory_matters() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 8, &tilted(2.0, 0.2), 3);
    let error = |network: &Network, weights: &[f64]| {
        let controller = NetworkController { network, weights };
        closed_loop.evaluate(Isa::best(), &controller, &set, 1).unwrap().error
    };
    let (network, mut weights) = random_network(2, 6, Feedback::Full);
    let before = error(&network, &weights);
    // The weight by which the first unit sees the last one's past.
    weights[4 + 6] += 0.05;
    assert_ne!(error(&network, &weights), before);
}
