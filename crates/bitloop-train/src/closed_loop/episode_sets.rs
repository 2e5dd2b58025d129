//! [`EpisodeSets`]: all episodes of a training.

use std::sync::{Arc, Mutex, PoisonError};

use bitloop_random::Purpose;
use bitloop_scenario::{Curriculum, EpisodeSet as Lengths, ScenarioFile, TrainingPlan};
use bitloop_sim::{ClosedLoop, EpisodeSet};

use super::hard_episodes::with_hard_episodes;
use super::setup::ClosedLoopSetup;
use crate::error::TrainError;
use crate::score::SetName;

/// The share of the uncertainty that comes after none.
const FIRST_SHARE: f64 = 0.25;

/// The most numbers in the initial states and parameters of all stages of a curriculum.
const MOST_IN_STAGES: usize = 1 << 27;

/// The training episodes of a stage, and the loop that they are run in.
#[derive(Clone, Debug)]
pub struct Stage {
    /// The loop.
    pub closed_loop: ClosedLoop,
    /// The episodes.
    pub episodes: EpisodeSet,
}

/// The episodes of a training.
#[derive(Clone, Debug)]
pub struct EpisodeSets {
    /// The training of each stage of the curriculum, the full one last.
    pub stages: Vec<Stage>,
    /// Where the training episodes come from.
    pub training: TrainingDraws,
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
        let training = TrainingDraws {
            setup: setup.clone(),
            scenario: scenario.clone(),
            lengths: plan.training_episodes,
            curriculum: *curriculum,
            latest: Mutex::default(),
        };
        let stages = training.stages(0)?;
        let validation = draw("validation", plan.validation_episodes, Purpose::ValidationEpisodes)?;
        // The confirmation's defaults are the values of the test, whose mistakes are reported first.
        let test = draw("test", plan.test_episodes, Purpose::TestEpisodes)?;
        let set = plan.confirmation_episodes;
        let confirmation = draw("confirmation", set, Purpose::ConfirmationEpisodes)?;
        Ok(Self {
            stages,
            training,
            validation: validation.with_aggregate(aggregate),
            confirmation: confirmation.with_aggregate(aggregate),
            test,
        })
    }

    /// The training episodes of the last stage.
    pub fn full(&self) -> &EpisodeSet {
        &self.stages.last().expect("the full set is a stage").episodes
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

/// Where the training episodes come from, so that they can be drawn anew.
#[derive(Debug)]
pub struct TrainingDraws {
    setup: ClosedLoopSetup,
    scenario: ScenarioFile,
    lengths: Lengths,
    curriculum: Curriculum,
    /// The draw that was used last, and its number.
    latest: Mutex<Option<(u64, Arc<[Stage]>)>>,
}

impl Clone for TrainingDraws {
    /// The same draws, of which none has been used yet.
    fn clone(&self) -> Self {
        Self {
            setup: self.setup.clone(),
            scenario: self.scenario.clone(),
            lengths: self.lengths,
            curriculum: self.curriculum,
            latest: Mutex::default(),
        }
    }
}

impl TrainingDraws {
    /// The stages of a draw, which depend on its number alone.
    fn stages(&self, draw: u64) -> Result<Vec<Stage>, TrainError> {
        let Self { setup, scenario, lengths, curriculum, .. } = self;
        let all: Vec<usize> = (0..lengths.count as usize).collect();
        let draw = (Purpose::TrainingEpisodes, draw);
        let full = setup.part_of_draw(scenario, "training", *lengths, draw, &all)?;
        let full = with_hard_episodes(setup, scenario, full, *lengths)?
            .with_aggregate(scenario.value.aggregate);
        stages(setup, scenario, full, curriculum)
    }

    /// The same, drawn once for all threads that need it at a time.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn of_draw(&self, draw: u64) -> Result<Arc<[Stage]>, TrainError> {
        let mut latest = self.latest.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((number, stages)) = &*latest
            && *number == draw
        {
            return Ok(Arc::clone(stages));
        }
        let stages: Arc<[Stage]> = self.stages(draw)?.into();
        *latest = Some((draw, Arc::clone(&stages)));
        Ok(stages)
    }
}

/// The stages of a curriculum: horizon, initial states and uncertainty double from one to the next, up to the full set.
fn stages(
    setup: &ClosedLoopSetup,
    scenario: &ScenarioFile,
    full: EpisodeSet,
    curriculum: &Curriculum,
) -> Result<Vec<Stage>, TrainError> {
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
    let nominal = setup.nominal_parameters();
    let full_loop = &setup.closed_loop;
    let mut scale = curriculum.initial_scale;
    let mut uncertain = curriculum.uncertainty_scale;
    let mut stages = Vec::new();
    while horizon < full.horizon() || scale < 1.0 || uncertain < 1.0 {
        if (stages.len() + 2).saturating_mul(full.n_numbers()) > MOST_IN_STAGES {
            let message = "the stages of this curriculum hold too many episodes together";
            let hint = "start closer to the full episodes, or with fewer of them";
            return Err(scenario.error_at("curriculum", message, hint).into());
        }
        let eased = full.eased(horizon.min(full.horizon()), scale.min(1.0), &centers);
        let share = uncertain.min(1.0);
        stages.push(if share < 1.0 {
            let episodes = eased.milder(full_loop, share, &nominal)?;
            Stage { closed_loop: full_loop.milder(share), episodes }
        } else {
            Stage { closed_loop: full_loop.clone(), episodes: eased }
        });
        horizon = horizon.saturating_mul(2);
        scale *= 2.0;
        uncertain = if uncertain > 0.0 { 2.0 * uncertain } else { FIRST_SHARE };
    }
    stages.push(Stage { closed_loop: full_loop.clone(), episodes: full });
    Ok(stages)
}
