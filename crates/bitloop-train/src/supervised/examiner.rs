//! [`Examiner`]: which weights are kept, and how a training on examples runs to its end, whatever the trainer.

use bitloop_net::{FitReport, Loss, Samples, report};
use bitloop_scenario::{Fit, Fits};

use crate::error::TrainError;
use crate::ledger::Ledger;
use crate::state::{Candidate, StopReason, TrainingState};
use crate::supervised::fitting::{Fitting, FittingOutcome};
use crate::training::{Event, Execution, Progress};

/// A training on examples under way.
pub(crate) struct Examiner<'a, 'w> {
    pub fitting: &'a Fitting,
    pub execution: Execution<'a>,
    pub ledger: Ledger<'a>,
    watch: &'w mut dyn FnMut(&Progress<'_>),
}

/// Where a search stands, for whoever watches.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Standing {
    pub cost: f64,
    pub unlocked_bits: u32,
}

impl<'a, 'w> Examiner<'a, 'w> {
    pub fn new(
        fitting: &'a Fitting,
        execution: Execution<'a>,
        state: TrainingState,
        watch: &'w mut dyn FnMut(&Progress<'_>),
    ) -> Self {
        let ledger = Ledger::new(&fitting.stop, execution.interrupt, state, false);
        Self { fitting, execution, ledger, watch }
    }

    /// Descends until it is time to stop, then tests the winner; nothing if there is none yet.
    pub fn run(
        mut self,
        mut descend: impl FnMut(&mut Self) -> Result<Option<StopReason>, TrainError>,
    ) -> Result<Option<FittingOutcome>, TrainError> {
        loop {
            let stopped = descend(&mut self)?;
            if stopped.is_some_and(StopReason::is_pause)
                && self.ledger.state.best_of_descent.is_none()
                && self.ledger.state.incumbent.is_none()
            {
                return Ok(None);
            }
            let is_best = self.end_descent()?;
            self.tell(Event::DescentJudged { is_best });
            if let Some(reason) = stopped {
                return self.conclude(reason).map(Some);
            }
            let reason = self.ledger.reason_to_stop();
            self.ledger.state.descent += 1;
            if let Some(reason) = reason {
                if reason.is_pause() {
                    // What goes on from here begins the next descent, which this training does not.
                    self.tell(Event::Pausing(reason));
                }
                self.ledger.state.descent -= 1;
                return self.conclude(reason).map(Some);
            }
        }
    }

    /// Scores weights on the rows that select; the best of the descent is kept. Tells how it went, unless these are the
    /// best already. Weights on a grid come with their codes.
    pub fn validate(
        &mut self,
        codes: &[i32],
        weights: &[f64],
    ) -> Result<Option<Event>, TrainError> {
        let is_on_grid = !codes.is_empty();
        let best = self.ledger.state.best_of_descent.as_ref();
        let is_known = |best: &Candidate| {
            if is_on_grid { best.codes == codes } else { best.weights == weights }
        };
        if best.is_some_and(is_known) {
            return Ok(None);
        }
        let rmse = self.fit(weights, self.fitting.selecting())?.rmse;
        let error = if rmse.is_nan() { f64::INFINITY } else { rmse };
        if best.is_some_and(|best| error >= best.validation_error) {
            return Ok(Some(Event::Validated { error, is_best: false }));
        }
        self.ledger.state.best_of_descent = Some(Candidate {
            codes: codes.to_vec(),
            weights: if is_on_grid { Vec::new() } else { weights.to_vec() },
            descent: self.ledger.state.descent,
            // Known at the end of the descent.
            training_error: f64::INFINITY,
            unrounded_training_error: None,
            validation_error: error,
            confirmation_error: None,
        });
        Ok(Some(Event::Validated { error, is_best: true }))
    }

    /// Shows how it goes within a descent.
    pub fn note(&mut self, standing: Standing, event: Event, is_resumable: bool) {
        let error = match self.fitting.loss {
            // What people compare: without regularization, the RMSE over the training rows.
            Loss::SquaredError => standing.cost.sqrt(),
            Loss::LogisticCrossEntropy | Loss::SoftmaxCrossEntropy => standing.cost,
        };
        self.show(error, standing.unlocked_bits, event, is_resumable);
    }

    /// Shows how it goes between two descents.
    fn tell(&mut self, event: Event) {
        let incumbent = self.ledger.state.incumbent.as_ref();
        let error = incumbent.map_or(f64::INFINITY, |incumbent| incumbent.training_error);
        self.show(error, self.bits(), event, matches!(event, Event::Pausing(_)));
    }

    fn show(&mut self, current_error: f64, unlocked_bits: u32, event: Event, is_resumable: bool) {
        let bits = self.bits();
        self.ledger.account(0, 0);
        (self.watch)(&Progress {
            state: &self.ledger.state,
            current_error,
            unlocked_bits,
            bits,
            plant_steps: 0,
            event,
            is_resumable,
        });
    }

    /// Bits of a weight: all those of a number, where there is no grid.
    pub fn bits(&self) -> u32 {
        self.fitting.grid().map_or(f64::MANTISSA_DIGITS, |grid| grid.bits_per_weight())
    }

    fn end_descent(&mut self) -> Result<bool, TrainError> {
        let mut best = self.ledger.state.best_of_descent.take();
        if let Some(best) = &mut best {
            let weights = self.fitting.weights(best);
            best.training_error = self.fit(&weights, &self.fitting.training)?.rmse;
        }
        Ok(self.ledger.end_descent(best))
    }

    fn conclude(mut self, stop_reason: StopReason) -> Result<FittingOutcome, TrainError> {
        let best = self.ledger.state.incumbent.clone().ok_or(TrainError::NothingFound)?;
        let weights = self.fitting.weights(&best);
        let part = |samples: &Samples| -> Result<Fit, TrainError> {
            let FitReport { rmse, classified } = self.fit(&weights, samples)?;
            Ok(Fit { rows: samples.n_samples() as u64, rmse, classified })
        };
        let fits = Fits {
            training: Some(part(&self.fitting.training)?),
            validation: self.fitting.validation.as_ref().map(part).transpose()?,
            test: self.fitting.test.as_ref().map(part).transpose()?,
        };
        let n_zeros = weights.iter().filter(|&&weight| weight == 0.0).count();
        self.ledger.account(0, 0);
        let state = &self.ledger.state;
        Ok(FittingOutcome {
            zero_share: n_zeros as f64 / weights.len() as f64,
            fits,
            stop_reason,
            n_descents: state.descent + 1,
            n_moves: state.n_moves(),
            n_evaluations: state.n_evaluations(),
            wall_s: state.spent.wall_s,
            best,
        })
    }

    fn fit(&self, weights: &[f64], samples: &Samples) -> Result<FitReport, TrainError> {
        Ok(report(self.execution.isa, &self.fitting.network, weights, samples)?)
    }
}
