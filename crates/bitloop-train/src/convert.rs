//! What files say, in the types that run, and back.

use std::num::NonZeroUsize;

use bitloop_blm::WeightGrid;
use bitloop_net::{Layer, Network};
use bitloop_scenario as file;

use crate::error::TrainError;
use crate::restarts::{CmaEsOptions, Restarts};
use crate::trainer::Trainer;

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
    let layers = hidden.chain([output]).collect();
    match controller {
        file::ControllerSpec::FeedForward(_) => file::Network::FeedForward { layers },
        file::ControllerSpec::Recurrent(spec) => {
            file::Network::Recurrent { feedback: spec.feedback, layers }
        }
        file::ControllerSpec::TappedDelay(spec) => {
            file::Network::TappedDelay { window: spec.window, layers }
        }
    }
}

/// The network of a saved shape.
pub(crate) fn network(shape: &file::Network, n_inputs: usize) -> Result<Network, TrainError> {
    let layers = shape.layers().iter().enumerate().map(|(index, layer)| Layer {
        n_neurons: layer.units as usize,
        activation: layer.activation,
        feedback: shape.feedback(index),
    });
    Ok(Network::new(n_inputs, shape.window() as usize, layers.collect())?)
}

/// The weights that a saved controller can have.
pub(crate) fn weight_grid(training: &file::Training) -> Result<WeightGrid, TrainError> {
    let (bits, max_weight) = match training {
        file::Training::TelescopicBlm(blm) => (blm.bits, blm.max_weight),
        file::Training::CmaEs(cma_es) => (cma_es.bits, cma_es.max_weight),
        file::Training::RandomSearch(random) => (random.bits, random.max_weight),
    };
    Ok(WeightGrid::new(bits, max_weight)?)
}

/// The search.
pub(crate) fn trainer(training: &file::Training) -> Result<Trainer, TrainError> {
    Ok(match training {
        file::Training::TelescopicBlm(blm) => Trainer::TelescopicBlm(blm.search_options()?),
        file::Training::CmaEs(cma_es) => Trainer::CmaEs(cma_es_options(cma_es)),
        file::Training::RandomSearch(random) => {
            let candidates = random.initialization;
            let grid = WeightGrid::new(random.bits, random.max_weight)?;
            candidates.check(&grid, random.bits)?;
            Trainer::RandomSearch(candidates)
        }
    })
}

/// What happens between two validations, by the number.
pub(crate) fn validate_every(training: &file::Training) -> u64 {
    u64::from(match training {
        file::Training::TelescopicBlm(blm) => blm.validate_every,
        file::Training::CmaEs(cma_es) => cma_es.validate_every,
        file::Training::RandomSearch(random) => random.validate_every,
    })
}

fn cma_es_options(cma_es: &file::CmaEs) -> CmaEsOptions {
    CmaEsOptions {
        sigma: cma_es.sigma,
        population: cma_es.population.map(at_least_one),
        restarts: match cma_es.restarts {
            file::CmaRestarts::None => Restarts::Alike,
            file::CmaRestarts::Ipop => Restarts::Ipop,
            file::CmaRestarts::Bipop => Restarts::Bipop,
        },
        initial_range: cma_es.initial_range,
    }
}

/// A checked scenario has no 0 here.
fn at_least_one(n: u32) -> NonZeroUsize {
    NonZeroUsize::new(n as usize).unwrap_or(NonZeroUsize::MIN)
}

#[cfg(test)]
mod tests {
    use bitloop_blm::{Candidates, Initialization, Kicks, MoveRule};
    use bitloop_net::Feedback;
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
    fn a_tapped_delay_sees_a_window() {
        let (shape, network) = networks("TappedDelay(window: 4, hidden: [5])");
        assert_eq!((network.window(), network.n_weights()), (4, 5 * (1 + 2 * 4) + 6));
        assert!(network.layers().iter().all(|layer| layer.feedback == Feedback::None));
        assert!(matches!(shape, file::Network::TappedDelay { window: 4, .. }));
        networks("TappedDelay(window: 4, hidden: [])");
    }

    #[test]
    fn the_search_is_the_one_that_the_file_describes() {
        let options = |fields: &str| {
            let file = scenario(&format!("training: TelescopicBlm({fields})"));
            match trainer(file.value.training.as_ref().expect("given above")).expect("sound") {
                Trainer::TelescopicBlm(options) => options,
                other => panic!("{other:?}"),
            }
        };
        let paper = options("");
        assert_eq!((paper.move_rule, paper.kicks), (MoveRule::FirstImproving, None));
        assert_eq!(paper.candidates, Candidates::SingleFlips);
        let other = options(
            "moves: BestOf(40), candidates: SeveralFlips(extra: 0.5), kicks: (count: 9, flips: 3)",
        );
        assert_eq!(other.move_rule, MoveRule::BestOf(at_least_one(40)));
        assert_eq!(other.candidates, Candidates::SeveralFlips { extra: 0.5 });
        assert_eq!(other.kicks, Some(Kicks { count: 9, flips: 3 }));
    }

    #[test]
    fn the_baselines_are_those_that_the_file_describes() {
        let trainer = |search: &str| {
            let file = scenario(&format!("training: {search}"));
            trainer(file.value.training.as_ref().expect("given above")).expect("sound")
        };
        let cma_es = CmaEsOptions {
            sigma: 0.25,
            population: NonZeroUsize::new(20),
            restarts: Restarts::Ipop,
            initial_range: 1.0,
        };
        let fields = "sigma: 0.25, population: 20, restarts: Ipop, initial_range: 1";
        assert_eq!(trainer(&format!("CmaEs({fields})")), Trainer::CmaEs(cma_es));
        let random = trainer("RandomSearch(initialization: Bounded(2))");
        let candidates = Initialization::Bounded(2.0);
        assert_eq!(random, Trainer::RandomSearch(candidates));
    }
}
