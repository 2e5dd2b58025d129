//! [`FirstScenario`]: a scenario for a plant of which nothing is known but its description.
//!
//! Where episodes start and how long they last follow from the description by rules of thumb. What signals come to is
//! measured by short rollouts, and what linear feedback comes to by LQR, where the plant has an equilibrium. All of it is
//! written into the text as numbers, to be read and changed, so that the scenario means the same ever after.

mod draft;
mod scales;
mod starts;

use std::num::NonZeroUsize;

use bitloop_host::Registry;
use bitloop_plant::{Description, Isa};
use bitloop_random::Purpose;
use bitloop_scenario::{PlantChoice, whole_ratio};
use bitloop_sim::EpisodeSet;

use crate::closed_loop::ClosedLoopSetup;
use crate::error::TrainError;
use crate::lqr_sweep::{LqrSweep, Reach};
use draft::Draft;

/// Control periods of a training episode.
const N_PERIODS: f64 = 200.0;

/// The error to be reached, in errors of the best linear-quadratic regulator on the training episodes.
const TARGET_IN_LQR_ERRORS: f64 = 2.0;

/// Times by which the starts of episodes are narrowed while all of them fail at once.
const N_NARROWED: u32 = 3;

/// A scenario for a plant.
#[derive(Clone, Debug, PartialEq)]
pub struct FirstScenario {
    draft: Draft,
}

impl FirstScenario {
    /// The scenario for a plant. It draws from the streams of seed 1, which is that of the scenario.
    ///
    /// # Errors
    /// If the plant cannot be opened, or breaks.
    pub fn new(
        plant: &PlantChoice,
        registry: &Registry,
        isa: Isa,
        n_threads: NonZeroUsize,
    ) -> Result<Self, TrainError> {
        let mut draft = Draft::of(plant);
        let plant = ClosedLoopSetup::new(&draft.file()?, registry)?;
        let description = plant.closed_loop.plant().description();
        draft.describe(description);
        draft.starts = starts::starts(description);
        draft.horizon_s = horizon_s(description);
        let (setup, training) = narrowed(&mut draft, registry, isa)?;
        let sweep = match LqrSweep::new(
            &setup.closed_loop,
            &setup.nominal_parameters(),
            &training,
            isa,
            n_threads,
            Reach::AsFarAsBetter,
        ) {
            Ok(sweep) => Some(sweep),
            // Its error is what a target would be compared with, and no reason to give up.
            Err(TrainError::Lqr(_)) => None,
            Err(error) => return Err(error),
        };
        draft.scaling = scales::of_controls(description, sweep.is_some());
        draft.scaling.extend(scales::of_observations(&setup, &training, isa)?);
        if let Some(sweep) = sweep {
            draft.learn_from(&sweep, &setup, training.n_episodes());
        }
        let nothing = setup.closed_loop.without_control(isa, &training, n_threads.get())?;
        draft.error_of_nothing = Some(nothing.error);
        // What is written can be read: otherwise this module is at fault.
        draft.file()?;
        Ok(Self { draft })
    }

    /// The name of the plant.
    #[must_use]
    pub fn plant_name(&self) -> &str {
        self.draft.plant_name()
    }

    /// The text of the file, with the plant written as `plant`: the path of a library starts at the folder of the file.
    #[must_use]
    pub fn text(&self, plant: &PlantChoice) -> String {
        self.draft.text(plant)
    }

    /// What was assumed, a line each.
    #[must_use]
    pub fn assumed(&self) -> Vec<String> {
        self.draft.assumed()
    }
}

/// The setup and the training episodes of the draft, its starts narrowed until not all of them fail in their first step.
fn narrowed(
    draft: &mut Draft,
    registry: &Registry,
    isa: Isa,
) -> Result<(ClosedLoopSetup, EpisodeSet), TrainError> {
    for n_narrowed in 0..=N_NARROWED {
        let file = draft.file()?;
        let setup = ClosedLoopSetup::new(&file, registry)?;
        let set = file.value.episodes.training.expect("the draft has training episodes");
        let training = setup.episodes(&file, "training", set, Purpose::TrainingEpisodes)?;
        if n_narrowed == N_NARROWED || !setup.closed_loop.fails_at_once(isa, &training)? {
            return Ok((setup, training));
        }
        let is_last = n_narrowed + 1 == N_NARROWED;
        draft.starts = if is_last { Vec::new() } else { starts::narrower(&draft.starts) };
    }
    unreachable!("the last turn returns")
}

/// Some 200 control periods, rounded where that is a whole number of integration steps.
fn horizon_s(description: &Description) -> f64 {
    let seconds = N_PERIODS * description.sample_time_s;
    let round = scales::rounded(seconds);
    if whole_ratio(round, description.step_s).is_some() { round } else { seconds }
}
