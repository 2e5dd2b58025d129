//! One training of a campaign, from its scenario to its record.

use super::Campaign;
use crate::error::TrainError;
use crate::milestones::Milestones;
use crate::product::{Product, SaveInfo};
use crate::run_record::RunRecord;
use crate::state::{StopReason, TrainingState};
use crate::task::Score;
use crate::training::{Execution, PlantAccess, open_training};

impl Campaign {
    /// Does a run; returns none if it was interrupted.
    pub(super) fn execute(
        &self,
        variant: usize,
        run: usize,
        execution: Execution<'_>,
    ) -> Result<Option<(RunRecord, Product)>, TrainError> {
        let run = u32::try_from(run).expect("a run is below the number of runs");
        let scenario = self.scenario(&self.variants[variant], run);
        let training = open_training(&scenario, &PlantAccess::Here(&self.registry))?;
        let plant_digest = training.library().map(|library| library.digest.clone());
        if plant_digest != self.variants[variant].plant_digest {
            let message = "the plant's library was built anew during the campaign";
            let hint = "give each campaign a copy of the library that stays as it is";
            return Err(scenario.source().error_at("plant", message, hint).into());
        }
        let mut milestones = Milestones::default();
        let outcome = training.train(TrainingState::new(), execution, &mut |progress| {
            milestones.note(progress);
        })?;
        let Some(outcome) = outcome.filter(|end| end.stop_reason != StopReason::Interrupted) else {
            return Ok(None);
        };
        let milestones = milestones.test(&*training, &outcome, execution)?;
        let info = SaveInfo {
            command: self.options.command.clone(),
            scenario_name: self.options.scenario_name.clone(),
            bitloop_version: self.options.bitloop_version.clone(),
        };
        let product = training.product(&outcome, info).map_err(|problem| {
            scenario.source().error_at("", problem.to_string(), "this is a fault of bitloop")
        })?;
        let reported = outcome.scores.least_selected();
        let record = RunRecord {
            bitloop_version: self.options.bitloop_version.clone(),
            scenario_digest: scenario.digest(),
            plant_digest,
            run,
            seed: scenario.seed(),
            product_digest: product.digest.clone(),
            training_error: outcome.best.training_error.unwrap_or(f64::NAN),
            validation_error: outcome.best.validation_error,
            confirmation_error: outcome.best.confirmation_error,
            test_error: reported.map_or(f64::NAN, |score| score.error),
            failed_episodes: count(reported.map_or(0, Score::n_failed)),
            stop_reason: outcome.stop_reason,
            descents: outcome.n_runs,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            plant_steps: outcome.plant_steps,
            faults: outcome.n_faults,
            wall_s: outcome.wall_s,
            threads: count(execution.n_threads.get()),
            classified: reported.and_then(|score| score.classified),
            milestones,
        };
        Ok(Some((record, product)))
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
