//! What files say, in the types that run, and back.

use bitloop_blm::{Coding, Freezing, Growth, Initialization, MoveRule, SearchOptions, WeightGrid};
use bitloop_net::{Activation, Layer, Network};
use bitloop_plant::Integrator;
use bitloop_scenario as file;
use bitloop_sim::Distribution;

use crate::error::TrainError;

pub(crate) fn sim_distribution(distribution: file::Distribution) -> Distribution {
    match distribution {
        file::Distribution::Fixed(value) => Distribution::Fixed(value),
        file::Distribution::Uniform { low, high } => Distribution::Uniform { low, high },
        file::Distribution::Normal { mean, sd } => {
            Distribution::Normal { mean, standard_deviation: sd }
        }
    }
}

pub(crate) fn sim_integrator(integrator: file::Integrator) -> Integrator {
    match integrator {
        file::Integrator::Euler => Integrator::Euler,
        file::Integrator::SemiImplicitEuler => Integrator::SemiImplicitEuler,
        file::Integrator::RungeKutta4 => Integrator::RungeKutta4,
        file::Integrator::PlantStep => Integrator::PlantStep,
    }
}

pub(crate) fn file_integrator(integrator: Integrator) -> file::Integrator {
    match integrator {
        Integrator::Euler => file::Integrator::Euler,
        Integrator::SemiImplicitEuler => file::Integrator::SemiImplicitEuler,
        Integrator::RungeKutta4 => file::Integrator::RungeKutta4,
        Integrator::PlantStep => file::Integrator::PlantStep,
    }
}

/// The shape that a scenario asks for, as it will be saved.
pub(crate) fn file_network(controller: &file::ControllerSpec, n_outputs: usize) -> file::Network {
    let units = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
    match controller {
        file::ControllerSpec::FeedForward(spec) => {
            let hidden = spec.hidden.iter().enumerate().map(|(index, &units)| file::Layer {
                units,
                activation: spec.hidden_activation.of(index),
            });
            let output =
                file::Layer { units: units(n_outputs), activation: spec.output_activation };
            file::Network::FeedForward { layers: hidden.chain([output]).collect() }
        }
    }
}

/// The network of a saved shape.
pub(crate) fn network(shape: &file::Network, n_inputs: usize) -> Result<Network, TrainError> {
    let layers = match shape {
        file::Network::FeedForward { layers } => layers
            .iter()
            .map(|layer| Layer::new(layer.units as usize, activation(layer.activation))),
    };
    Ok(Network::new(n_inputs, 1, layers.collect())?)
}

fn activation(activation: file::Activation) -> Activation {
    match activation {
        file::Activation::Tanh => Activation::Tanh,
        file::Activation::Logistic => Activation::Logistic,
        file::Activation::Linear => Activation::Linear,
    }
}

pub(crate) fn search_options(blm: &file::TelescopicBlm) -> Result<SearchOptions, TrainError> {
    let options = SearchOptions {
        grid: WeightGrid::new(blm.bits, blm.max_weight)?,
        coding: match blm.coding {
            file::Coding::Gray => Coding::Gray,
            file::Coding::Binary => Coding::Binary,
        },
        freezing: match blm.freezing {
            file::Freezing::CoarseGrid => Freezing::Number,
            file::Freezing::GrayBits => Freezing::CodeWord,
        },
        move_rule: match blm.moves {
            file::Moves::FirstImproving => MoveRule::FirstImproving,
            file::Moves::BestImproving => MoveRule::BestImproving,
        },
        growth: match blm.growth {
            file::Growth::Fixed => Growth::Fixed,
            file::Growth::AtLocalMinimum => Growth::AtLocalMinimum,
            file::Growth::Threshold { phi, eta } => Growth::Threshold { phi, eta },
        },
        start_bits: blm.start_bits,
        initialization: match blm.initialization {
            file::Initialization::Full => Initialization::Full,
            file::Initialization::Bounded(initial_range) => {
                Initialization::Bounded { initial_range }
            }
            file::Initialization::BoundedOnCoarseGrid(initial_range) => {
                Initialization::BoundedOnCoarseGrid { initial_range }
            }
        },
    };
    options.check()?;
    Ok(options)
}
