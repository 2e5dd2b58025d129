//! [`Training`]: a scenario of either kind, ready to train.

use std::collections::BTreeMap;
use std::fmt;

use bitloop_blm::WeightGrid;
use bitloop_net::Network;
use bitloop_plant::Description;
use bitloop_scenario::{self as file, Problem, Stop};

use crate::error::TrainError;
use crate::execution::Execution;
use crate::library::{Library, plant_notes};
use crate::outcome::{Outcome, Scores};
use crate::product::{Product, ProductKind, SaveInfo};
use crate::progress::Progress;
use crate::score::{Score, SetName};
use crate::state::{Candidate, TrainingState};
use crate::state_fault::StateFault;

/// A scenario of either kind, ready to train. [`open_training`](crate::open_training) makes one.
pub trait Training: fmt::Debug + Send + Sync {
    /// Trains from `state` on, which is [`TrainingState::new`] at first. Returns none if it is stopped before it has found
    /// any weights.
    ///
    /// # Errors
    /// [`TrainError`] if the search refuses its settings, the state does not fit, or the plant breaks on a validation or
    /// test.
    fn train(
        &self,
        state: TrainingState,
        execution: Execution<'_>,
        observer: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Outcome>, TrainError>;

    /// Checks a state that was saved.
    ///
    /// # Errors
    /// The first number that this training cannot have reached.
    fn check_state(&self, state: &TrainingState) -> Result<(), StateFault>;

    /// Scores a candidate on a set, in full; none if it is interrupted.
    ///
    /// # Errors
    /// If the plant breaks.
    fn score(
        &self,
        candidate: &Candidate,
        set: SetName,
        execution: Execution<'_>,
    ) -> Result<Option<Score>, TrainError>;

    /// What the bests of runs are compared by; the lower of two wins.
    fn rank(&self, candidate: &Candidate) -> f64;

    /// The scores that a training reports of its winner; none if that is interrupted.
    ///
    /// # Errors
    /// If the plant breaks.
    fn report(
        &self,
        winner: &Candidate,
        execution: Execution<'_>,
    ) -> Result<Option<Scores>, TrainError>;

    /// The first bad value of a candidate on the training set, in words: of a training without a finite error.
    fn diagnose(&self, candidate: &Candidate, execution: Execution<'_>) -> Option<String>;

    /// The file of an outcome's network.
    ///
    /// # Errors
    /// If a rule of the format is broken, so that the file could not be read back.
    fn product(&self, outcome: &Outcome, info: SaveInfo) -> Result<Product, Problem>;

    /// Whether it trains a controller or a model.
    fn product_kind(&self) -> ProductKind;

    /// Whether there is such a set.
    fn has(&self, set: SetName) -> bool;

    /// The description of the plant, if there is one.
    fn plant(&self) -> Option<&Description>;

    /// The library that the plant comes from, if there is a plant and it comes from one.
    fn library(&self) -> Option<&Library>;

    /// Whether the results hold on one machine alone, since the plant says so of its bits.
    fn has_machine_bits(&self) -> bool;

    /// How many episodes its sets have, and their length; none of examples.
    fn episodes(&self) -> Option<&file::Episodes>;

    /// What a user should know of the plant and its library.
    fn plant_notes(&self) -> Vec<String> {
        plant_notes(self.library(), self.has_machine_bits())
    }

    /// Digests of the rows that it learns from, by the name of each part; none in closed loop.
    fn data_digests(&self) -> BTreeMap<String, String>;

    /// When to stop; `runs` counts all of them, also those of which `regularization: Auto` makes one.
    fn stop(&self) -> &Stop;

    /// Has the training stop after so many runs, instead of those of the scenario.
    fn set_runs(&mut self, runs: u32);

    /// The network's shape, as it will be saved.
    fn shape(&self) -> &file::Network;

    /// The network.
    fn network(&self) -> &Network;

    /// The grid of the weights, if the trainer has one.
    fn grid(&self) -> Option<WeightGrid>;

    /// The share of the weights that are zero where a run starts from random ones, if the scenario asks for some.
    fn start_zero_share(&self) -> Option<f64>;

    /// The trainer's name in scenarios.
    fn trainer_name(&self) -> &'static str;

    /// Whether a run can be saved before its end. Else one that is interrupted begins anew.
    fn saves_within_run(&self) -> bool;

    /// What the network is trained for, in words: "for inverted-pendulum", "on 1038 rows".
    fn subject(&self) -> String;

    /// What its errors are, of examples; none in closed loop.
    fn error_meaning(&self) -> Option<file::ErrorMeaning>;
}
