//! Conversion between the settings of files and the types that act on them.

use std::num::NonZeroUsize;

use bitloop_blm::WeightGrid;
use bitloop_net::{Layer, Network};
use bitloop_scenario as file;

use crate::error::TrainError;
use crate::task::Task;
use crate::trainer::Trainer;
use crate::trainers::{CmaEs, CmaEsOptions, RandomSearch, Restarts, TelescopicBlm};

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

/// The trainer that a scenario asks for, for any task.
pub(crate) fn trainer<T: Task>(
    training: &file::Training,
) -> Result<Box<dyn Trainer<T>>, TrainError> {
    Ok(match training {
        file::Training::TelescopicBlm(blm) => Box::new(TelescopicBlm::try_from(blm)?),
        file::Training::CmaEs(settings) => Box::new(cma_es(settings)?),
        file::Training::RandomSearch(settings) => Box::new(random_search(settings)?),
    })
}

impl TryFrom<&file::TelescopicBlm> for TelescopicBlm {
    type Error = TrainError;

    fn try_from(blm: &file::TelescopicBlm) -> Result<Self, TrainError> {
        let validate_every = u64::from(blm.validate_every);
        Ok(Self { options: blm.search_options()?, validate_every })
    }
}

pub(crate) fn cma_es(cma_es: &file::CmaEs) -> Result<CmaEs, TrainError> {
    Ok(CmaEs {
        options: cma_es_options(cma_es),
        grid: WeightGrid::new(cma_es.bits, cma_es.max_weight)?,
        validate_every: u64::from(cma_es.validate_every),
    })
}

pub(crate) fn random_search(random: &file::RandomSearch) -> Result<RandomSearch, TrainError> {
    let initialization = random.initialization;
    let grid = WeightGrid::new(random.bits, random.max_weight)?;
    initialization.check(&grid, random.bits)?;
    Ok(RandomSearch { grid, initialization, validate_every: u64::from(random.validate_every) })
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
            match file.value.training.as_ref().expect("given above") {
                file::Training::TelescopicBlm(blm) => {
                    TelescopicBlm::try_from(blm).expect("sound").options
                }
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
        let training = |search: &str| {
            let file = scenario(&format!("training: {search}"));
            file.value.training.expect("given above")
        };
        let fields = "sigma: 0.25, population: 20, restarts: Ipop, initial_range: 1";
        let file::Training::CmaEs(settings) = training(&format!("CmaEs({fields})")) else {
            panic!("another trainer")
        };
        let options = CmaEsOptions {
            sigma: 0.25,
            population: NonZeroUsize::new(20),
            restarts: Restarts::Ipop,
            initial_range: 1.0,
        };
        assert_eq!(cma_es(&settings).expect("sound").options, options);
        let random = training("RandomSearch(initialization: Bounded(2))");
        let file::Training::RandomSearch(settings) = random else { panic!("another trainer") };
        let initialization = Initialization::Bounded(2.0);
        assert_eq!(random_search(&settings).expect("sound").initialization, initialization);
    }
}
