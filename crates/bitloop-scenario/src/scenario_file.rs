//! A scenario of a closed loop together with its text: the requests that it may be too short for.

use bitloop_text::{Checked, ErrorKind, FileError, Problem, RawField, Source, decode};

use crate::{
    controller::{ControllerSpec, LayerActivations},
    distribution,
    disturbance::Disturbance,
    episodes::EpisodeSet,
    file::{File, FileKind},
    hard_episode::HardEpisode,
    plant_choice::PlantChoice,
    scenario::Scenario,
    start::absolute,
    stop::Stop,
    training::Training,
    uncertainty::Uncertainty,
};

/// A checked scenario and the text it came from.
pub type ScenarioFile = File<Scenario>;

impl FileKind for Scenario {
    const NAME: &'static str = "Scenario";
    const WHAT: &'static str = "scenario";
    const LIMIT_BYTES: u64 = 1 << 20;

    fn raw_fields() -> Vec<RawField> {
        let mut fields = vec![
            PlantChoice::raw_field("plant"),
            distribution::raw_field("parameters.*"),
            distribution::raw_field("initial.*"),
            LayerActivations::raw_field("controller.hidden_activation"),
        ];
        fields.extend(HardEpisode::raw_fields().into_iter().map(|field| field.inside("against")));
        fields
            .extend(Uncertainty::raw_fields().into_iter().map(|field| field.inside("uncertainty")));
        fields
    }

    fn decode(source: &Source) -> Result<Self, FileError> {
        decode(source, &Self::raw_fields())
    }

    fn check_rules(&self) -> Checked {
        self.check()
    }
}

/// All that a training needs, complete.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TrainingPlan<'a> {
    /// The controller to train.
    pub controller: &'a ControllerSpec,
    /// The search.
    pub training: &'a Training,
    /// When it ends.
    pub stop: &'a Stop,
    /// What the search minimizes over.
    pub training_episodes: EpisodeSet,
    /// What picks the best controller.
    pub validation_episodes: EpisodeSet,
    /// What must agree before a target counts as met.
    pub confirmation_episodes: EpisodeSet,
    /// What is reported in the end.
    pub test_episodes: EpisodeSet,
}

impl File<Scenario> {
    /// Whether `other` is the same scenario, except for its seed.
    #[must_use]
    pub fn is_same_but_for_the_seed(&self, other: &Scenario) -> bool {
        self.value == Scenario { seed: self.value.seed, ..other.clone() }
    }

    /// What a training needs.
    ///
    /// # Errors
    /// If the scenario is a test alone: no controller, no search, or no training episodes.
    pub fn require_training(&self) -> Result<TrainingPlan<'_>, FileError> {
        let scenario = &self.value;
        let episodes = &scenario.episodes;
        let missing = |what: &str, example: &str| {
            let message = format!("this scenario says no {what}, so nothing can be trained");
            let hint = format!(
                "add `{example}`; a test scenario is for `bitloop replay CONTROLLER --scenario FILE`"
            );
            self.source.error_at("", message, hint).with_kind(ErrorKind::Incomplete)
        };
        let controller = scenario
            .controller
            .as_ref()
            .ok_or_else(|| missing("controller", "controller: FeedForward(hidden: [5])"))?;
        let training = scenario
            .training
            .as_ref()
            .ok_or_else(|| missing("training", "training: TelescopicBlm()"))?;
        let no_episodes = || missing("training episodes", "episodes: (training: (horizon_s: 100))");
        Ok(TrainingPlan {
            controller,
            training,
            stop: &scenario.stop,
            training_episodes: episodes.training.ok_or_else(no_episodes)?,
            validation_episodes: episodes.validation.ok_or_else(no_episodes)?,
            confirmation_episodes: episodes.confirmation.ok_or_else(no_episodes)?,
            test_episodes: episodes.test.ok_or_else(no_episodes)?,
        })
    }

    /// The test episodes.
    ///
    /// # Errors
    /// If the scenario has neither their length nor that of the training episodes.
    pub fn require_test(&self) -> Result<EpisodeSet, FileError> {
        self.value.episodes.test.ok_or_else(|| {
            let message = "this scenario says no test episodes";
            let hint = "add `episodes: (test: (horizon_s: 1000))`";
            self.source.error_at("episodes", message, hint).with_kind(ErrorKind::Incomplete)
        })
    }

    /// Takes the values of profiles in files into the scenario, so that it needs the files no more.
    ///
    /// # Errors
    /// If a table cannot be read, at the place that names it.
    pub fn embed_profiles(&mut self) -> Result<(), FileError> {
        let paths = self.value.uncertainty.course_paths();
        for (path, course) in paths.into_iter().zip(self.value.uncertainty.courses_mut()) {
            let Disturbance::Profile(profile) = course else { continue };
            profile.embed(self.source.folder()).map_err(|message| {
                let path = format!("uncertainty.{path}.file");
                self.source.error_at(&path, message, "correct the table")
            })?;
        }
        Ok(())
    }

    /// Makes paths absolute, that of the plant's library and that of the controller it starts from, so that the scenario
    /// means the same wherever it is written to.
    ///
    /// # Errors
    /// If a path is not UTF-8, or there is no current folder.
    pub fn make_absolute(&mut self) -> Result<(), FileError> {
        if let Some(path) = self.value.plant.path_mut() {
            *path = absolute(&self.source, "plant", path, "library or FMU")?;
        }
        self.value.start.make_absolute(&self.source)?;
        self.embed_profiles()?;
        self.value.check().map_err(|problem: Problem| problem.place_in(&self.source))
    }
}
