//! One training of a campaign, from its scenario to its record.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;

use bitloop_plant::Isa;
use bitloop_scenario::FileError;
use bitloop_train::{
    Execution, PlantAccess, Product, SaveInfo, Score, Scores, SetName, StopReason, TrainError,
    open_training,
};

use crate::campaign::{Campaign, CampaignVariant};
use crate::error::CampaignError;
use crate::finished::FinishedTrainings;
use crate::machine::machine_bits;
use crate::queue::Place;
use crate::search_checkpoint::{self, Checkpointer, SearchCheckpoint, Source};
use crate::training_record::{TrainingCost, TrainingRecord};

impl Campaign {
    /// How many of the trainings that are missing have a checkpoint.
    #[must_use]
    pub fn n_with_checkpoint(&self, finished: &FinishedTrainings) -> usize {
        let has_checkpoint = |&(variant, number): &Place| {
            let (variant, number) = (&self.variants()[variant], as_u32(number));
            self.checkpoint(variant, number, || self.source(variant, number)).is_some()
        };
        finished.missing().iter().filter(|place| has_checkpoint(place)).count()
    }

    /// The checkpoint of a training, from this call or an earlier one.
    fn checkpoint(
        &self,
        variant: &CampaignVariant,
        number: u32,
        source: impl Fn() -> Source,
    ) -> Option<SearchCheckpoint<TrainingRecord>> {
        let earlier = self.options().earlier.iter().map(|source| variant.folder_in(source));
        let folders = std::iter::once(variant.folder.clone()).chain(earlier);
        search_checkpoint::find(folders, number, source)
    }

    /// What must be the same where a training is resumed.
    fn source(&self, variant: &CampaignVariant, number: u32) -> Source {
        let machine = machine_bits(&variant.scenario, variant.has_machine_bits);
        Source { origin: self.origin(variant, number), machine }
    }

    /// Does a training, from its checkpoint if it has one; nothing if it was interrupted. Where a checkpoint cannot be written,
    /// `stop` is set.
    pub(crate) fn execute(
        &self,
        (variant, number): Place,
        (isa, n_threads): (Isa, NonZeroUsize),
        stop: &AtomicBool,
    ) -> Result<Option<(TrainingRecord, Product)>, CampaignError> {
        let execution = Execution::new(isa, n_threads, stop);
        let (variant, number) = (&self.variants()[variant], as_u32(number));
        let scenario = self.scenario(variant, number);
        let training = open_training(&scenario, &PlantAccess::Here(self.registry()))?;
        let plant_digest = training.library().map(|library| library.digest.clone());
        if plant_digest != variant.plant_digest {
            let message = "the plant's library was built anew during the campaign";
            let hint = "give each campaign a copy of the library that stays as it is";
            return Err(in_file(scenario.source().error_at("plant", message, hint)));
        }
        let source = self.source(variant, number);
        let scenario_digest = source.origin.work_digest.clone();
        let (state, mut milestones) = self
            .checkpoint(variant, number, || source.clone())
            .map(|checkpoint| (checkpoint.state, checkpoint.milestones))
            .unwrap_or_default();
        let period = self.checkpoint_period();
        let mut checkpointer =
            Checkpointer::<TrainingRecord>::new(&variant.folder, number, source, period, stop);
        let outcome = training.train(state, execution, &mut |progress| {
            milestones.note(progress);
            checkpointer.note(progress, &milestones);
        })?;
        checkpointer.finish()?;
        let Some(outcome) = outcome.filter(|end| end.stop_reason != StopReason::Interrupted) else {
            return Ok(None);
        };
        let options = self.options();
        let info = SaveInfo {
            // The shortest campaign that has this training, so that its file is the same in any.
            command: format!("{} --runs {}", options.command, number + 1),
            scenario_name: options.scenario_name.clone(),
            bitloop_version: options.bitloop_version.clone(),
        };
        let product = training.product(&outcome, info).map_err(|problem| {
            let hint = "this is a fault of bitloop";
            in_file(scenario.source().error_at("", problem.to_string(), hint))
        })?;
        let set = reported_set(&outcome.scores);
        let score = outcome.scores.least_selected();
        let error = score.map_or(f64::NAN, |score| score.error);
        let has_validation = training.has(SetName::Validation);
        let validation_error = has_validation.then_some(outcome.best.validation_error);
        let milestones = milestones.score(&*training, &outcome, (set, error), execution)?;
        let Some(milestones) = milestones else { return Ok(None) };
        let record = TrainingRecord {
            bitloop_version: options.bitloop_version.clone(),
            scenario_digest,
            plant_digest,
            number,
            seed: scenario.seed(),
            product_digest: product.digest.clone(),
            reported_set: set,
            error,
            training_error: outcome.best.training_error,
            validation_error,
            confirmation_error: outcome.best.confirmation_error,
            failed_episodes: count(score.map_or(0, Score::n_failed)),
            classified: score.and_then(Score::classified),
            stop_reason: outcome.stop_reason,
            runs: outcome.n_runs,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            evaluations_to_target: outcome.reached.map(|reached| reached.n_evaluations),
            fault: (!error.is_finite())
                .then(|| training.diagnose(&outcome.best, execution))
                .flatten(),
            faults: outcome.n_faults,
            milestones,
            cost: Some(TrainingCost::new(&outcome, execution.n_threads)),
        };
        Ok(Some((record, product)))
    }
}

/// The number of a training.
fn as_u32(number: usize) -> u32 {
    u32::try_from(number).expect("a number is below that of trainings")
}

/// A mistake in a file.
fn in_file(error: FileError) -> CampaignError {
    TrainError::File(error).into()
}

/// The set that has selected least: of [`Scores::least_selected`].
const fn reported_set(scores: &Scores) -> SetName {
    match scores {
        Scores { test: Some(_), .. } => SetName::Test,
        Scores { validation: Some(_), .. } => SetName::Validation,
        _ => SetName::Training,
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
