//! The trainers of supervised scenarios: those of every task, and those that need examples.

mod extreme_learning;
mod gradient_descent;

use bitloop_data::{BackpropagationOptions, ExtremeLearningOptions};
use bitloop_scenario as file;

use super::task::{ExamplesTask, hidden_activation};
use crate::error::TrainError;
use crate::trainer::Trainer;
use crate::trainers::{CmaEs, RandomSearch, TelescopicBlm};

pub use extreme_learning::ExtremeLearningMachine;
pub use gradient_descent::GradientDescent;

/// The trainer with its settings.
pub(super) fn trainer(
    scenario: &file::Supervised,
) -> Result<Box<dyn Trainer<ExamplesTask>>, TrainError> {
    Ok(match &scenario.training {
        file::SupervisedTraining::TelescopicBlm(blm) => Box::new(TelescopicBlm::try_from(blm)?),
        file::SupervisedTraining::CmaEs(settings) => Box::new(CmaEs::try_from(settings)?),
        file::SupervisedTraining::RandomSearch(settings) => {
            Box::new(RandomSearch::try_from(settings)?)
        }
        file::SupervisedTraining::OneStepSecant(oss) => Box::new(GradientDescent {
            backpropagation: None,
            initial_range: oss.initial_range,
            validate_every: u64::from(oss.validate_every),
        }),
        file::SupervisedTraining::Backpropagation(descent) => Box::new(GradientDescent {
            backpropagation: Some(BackpropagationOptions {
                learning_rate: descent.learning_rate,
                momentum: descent.momentum,
            }),
            initial_range: descent.initial_range,
            validate_every: u64::from(descent.validate_every),
        }),
        file::SupervisedTraining::ExtremeLearning(elm) => Box::new(ExtremeLearningMachine {
            options: ExtremeLearningOptions {
                n_hidden: scenario.hidden().first().map_or(0, |&units| units as usize),
                activation: hidden_activation(scenario, 0),
                hidden_range: elm.hidden_range,
                ridges: elm.ridges.clone(),
            },
        }),
    })
}
