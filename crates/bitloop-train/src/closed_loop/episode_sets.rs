//! [`EpisodeSets`]: all episodes of a training.

use bitloop_random::Purpose;
use bitloop_scenario::{Curriculum, ScenarioFile, TrainingPlan};
use bitloop_sim::EpisodeSet;

use super::hard_episodes::with_hard_episodes;
use super::setup::ClosedLoopSetup;
use crate::error::TrainError;
use crate::score::SetName;

/// The most numbers in the initial states and parameters of all stages of a curriculum.
const MOST_IN_STAGES: usize = 1 << 27;

/// The episodes of a training.
#[derive(Clone, Debug)]
pub struct EpisodeSets {
    /// The training episodes of each stage of the curriculum, the full ones last.
    pub stages: Vec<EpisodeSet>,
    /// The episodes that select within a run.
    pub validation: EpisodeSet,
    /// The episodes that a target is confirmed on.
    pub confirmation: EpisodeSet,
    /// The episodes of the reported error.
    pub test: EpisodeSet,
}

impl EpisodeSets {
    /// Draws all episodes of a training, each set from streams of its own.
    ///
    /// # Errors
    /// An invalid value, with its place in the file.
    pub fn draw(
        setup: &ClosedLoopSetup,
        scenario: &ScenarioFile,
        plan: &TrainingPlan<'_>,
        curriculum: &Curriculum,
    ) -> Result<Self, TrainError> {
        let draw = |name, set, purpose| setup.episodes(scenario, name, set, purpose);
        // What is minimized is what selects; the test keeps the mean, which all tests have.
        let aggregate = scenario.value.aggregate;
        let full = draw("training", plan.training_episodes, Purpose::TrainingEpisodes)?;
        let full = with_hard_episodes(setup, scenario, full, plan.training_episodes)?
            .with_aggregate(aggregate);
        let stages = stages(setup, scenario, full, curriculum)?;
        let validation = draw("validation", plan.validation_episodes, Purpose::ValidationEpisodes)?;
        // The confirmation's defaults are the values of the test, whose mistakes are reported first.
        let test = draw("test", plan.test_episodes, Purpose::TestEpisodes)?;
        let set = plan.confirmation_episodes;
        let confirmation = draw("confirmation", set, Purpose::ConfirmationEpisodes)?;
        Ok(Self {
            stages,
            validation: validation.with_aggregate(aggregate),
            confirmation: confirmation.with_aggregate(aggregate),
            test,
        })
    }

    /// The training episodes of the last stage.
    pub fn full(&self) -> &EpisodeSet {
        self.stages.last().expect("the full set is a stage")
    }

    /// A set by its name.
    pub fn named(&self, name: SetName) -> &EpisodeSet {
        match name {
            SetName::Training => self.full(),
            SetName::Validation => &self.validation,
            SetName::Confirmation => &self.confirmation,
            SetName::Test => &self.test,
        }
    }
}

/// The training episodes of each stage of a curriculum: horizon and initial states double from stage to stage, up to the
/// full set.
fn stages(
    setup: &ClosedLoopSetup,
    scenario: &ScenarioFile,
    full: EpisodeSet,
    curriculum: &Curriculum,
) -> Result<Vec<EpisodeSet>, TrainError> {
    let mut horizon = match curriculum.horizon_s {
        None => full.horizon(),
        Some(seconds) => {
            setup.closed_loop.timing().ticks("first horizon of the curriculum", seconds).map_err(
                |error| {
                    let hint = "change this value";
                    scenario.error_at("curriculum.horizon_s", error.to_string(), hint)
                },
            )?
        }
    };
    let states = &setup.closed_loop.plant().description().states;
    let centers: Vec<f64> = states.iter().map(|state| state.default).collect();
    let mut scale = curriculum.initial_scale;
    let mut stages = Vec::new();
    while horizon < full.horizon() || scale < 1.0 {
        if (stages.len() + 2).saturating_mul(full.n_numbers()) > MOST_IN_STAGES {
            let message = "the stages of this curriculum hold too many episodes together";
            let hint = "start closer to the full episodes, or with fewer of them";
            return Err(scenario.error_at("curriculum", message, hint).into());
        }
        stages.push(full.eased(horizon.min(full.horizon()), scale.min(1.0), &centers));
        horizon = horizon.saturating_mul(2);
        scale *= 2.0;
    }
    stages.push(full);
    Ok(stages)
}
