//! One run of a campaign, from its scenario to what is filed of it.

use bitloop_scenario::{AnyScenario, Scenario, Supervised};

use super::Campaign;
use crate::any_training::{AnyTraining, Product};
use crate::error::TrainError;
use crate::milestones::Milestones;
use crate::run_record::RunRecord;
use crate::save::{SaveInfo, save_controller};
use crate::state::{StopReason, TrainingState};
use crate::supervised::{Fitting, save_model};
use crate::training::{Execution, Training};

impl Campaign {
    /// Does a run; nothing if it was interrupted.
    pub(super) fn execute(
        &self,
        variant: usize,
        run: usize,
        execution: Execution<'_>,
    ) -> Result<Option<(RunRecord, Product)>, TrainError> {
        let run = u32::try_from(run).expect("a run is below the number of runs");
        let scenario = self.scenario(&self.variants[variant], run);
        let training = AnyTraining::new(&scenario, &self.registry)?;
        if training.plant_digest() != self.variants[variant].plant_digest.as_deref() {
            let message = "the plant's library was built anew during the campaign";
            let hint = "give each campaign a copy of the library that stays as it is";
            return Err(scenario.source().error_at("plant", message, hint).into());
        }
        match (training, scenario) {
            (AnyTraining::ClosedLoop(training), AnyScenario::ClosedLoop(file)) => {
                self.train(&training, run, file.value, execution)
            }
            (AnyTraining::Supervised(fitting), AnyScenario::Supervised(file)) => {
                self.fit(&fitting, run, file.value, execution)
            }
            _ => unreachable!("a scenario's training is of its kind"),
        }
    }

    /// Does a run of a closed loop; nothing if it was interrupted.
    fn train(
        &self,
        training: &Training,
        run: u32,
        scenario: Scenario,
        execution: Execution<'_>,
    ) -> Result<Option<(RunRecord, Product)>, TrainError> {
        let mut milestones = Milestones::default();
        let outcome = training.run(TrainingState::new(), execution, &mut |progress| {
            milestones.note(progress);
        })?;
        if outcome.stop_reason == StopReason::Interrupted {
            return Ok(None);
        }
        let milestones = milestones.test(training, &outcome, execution)?;
        let controller = save_controller(training, &outcome, self.info(scenario));
        let record = RunRecord {
            bitloop_version: self.options.bitloop_version.clone(),
            scenario_digest: controller.made_by.scenario_digest.clone(),
            plant_digest: training.rig.plant_digest().map(str::to_owned),
            run,
            seed: controller.made_by.seed,
            product_digest: controller.digest.clone(),
            training_error: outcome.best.training_error,
            validation_error: outcome.best.validation_error,
            confirmation_error: outcome.best.confirmation_error,
            test_error: outcome.test.error,
            failed_episodes: count(outcome.test.n_failed()),
            stop_reason: outcome.stop_reason,
            descents: outcome.n_descents,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            plant_steps: outcome.plant_steps,
            faults: outcome.n_faults,
            wall_s: outcome.wall_s,
            threads: count(execution.n_threads.get()),
            classified: None,
            milestones,
        };
        Ok(Some((record, Product::Controller(Box::new(controller)))))
    }

    /// Does a run on examples; nothing if it was interrupted. Without rows for the test, those for validation are it, or
    /// else those for training.
    fn fit(
        &self,
        fitting: &Fitting,
        run: u32,
        scenario: Supervised,
        execution: Execution<'_>,
    ) -> Result<Option<(RunRecord, Product)>, TrainError> {
        let outcome = fitting.run(TrainingState::new(), execution, &mut |_| {})?;
        let Some(outcome) = outcome.filter(|end| end.stop_reason != StopReason::Interrupted) else {
            return Ok(None);
        };
        let model = save_model(fitting, &outcome, self.info(scenario));
        let fits = &outcome.fits;
        let told = fits.test.or(fits.validation).or(fits.training);
        let record = RunRecord {
            bitloop_version: self.options.bitloop_version.clone(),
            scenario_digest: model.made_by.scenario_digest.clone(),
            plant_digest: None,
            run,
            seed: model.made_by.seed,
            product_digest: model.digest.clone(),
            training_error: outcome.best.training_error,
            validation_error: outcome.best.validation_error,
            confirmation_error: None,
            test_error: told.map_or(f64::NAN, |fit| fit.rmse),
            failed_episodes: 0,
            stop_reason: outcome.stop_reason,
            descents: outcome.n_descents,
            moves: outcome.n_moves,
            evaluations: outcome.n_evaluations,
            plant_steps: 0,
            faults: 0,
            wall_s: outcome.wall_s,
            threads: count(execution.n_threads.get()),
            classified: told.and_then(|fit| fit.classified),
            milestones: Vec::new(),
        };
        Ok(Some((record, Product::Model(Box::new(model)))))
    }

    /// What products say of their making.
    fn info<S>(&self, scenario: S) -> SaveInfo<S> {
        SaveInfo {
            command: self.options.command.clone(),
            scenario_name: self.options.scenario_name.clone(),
            scenario,
            bitloop_version: self.options.bitloop_version.clone(),
        }
    }
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}
