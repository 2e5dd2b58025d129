//! Model selection: validation within a run, confirmation at its end, the incumbent of all runs.
//!
//! Four sets are used, each with its own random streams. The search minimizes over the training set. The best of a run
//! is the one with the lowest error on the validation set, which is evaluated in full every so many accepted moves, at each
//! new bit, and at the end. The best of a run is then evaluated on the confirmation set, whose episodes are by
//! default as long as those of the test: a controller that balances for 100 s may fall after 500. A target is met when the errors on
//! both sets are at or below it; so whatever is at the target in validation is confirmed, also where weights that missed it
//! in confirmation had a lower error. Of several candidates, of a run that goes on after it has met the target, or of several runs,
//! the one whose worse error of the two is the lowest wins. A confirmation is dropped once it is certain to miss what it is for, the
//! target or the incumbent. The test set is evaluated once, at the end.

use std::time::Instant;

use bitloop_blm::Probe;

use crate::error::TrainError;
use crate::execution::Scoring;
use crate::outcome::Scores;
use crate::progress::Event;
use crate::score::{BoundedScore, Score, SetName};
use crate::session::{Session, Standing};
use crate::state::Candidate;
use crate::task::Task;
use crate::weights::Weights;

/// What a search knows about the training error of weights.
#[derive(Clone, Copy, Debug)]
pub enum TrainingError {
    /// The error of exactly these weights.
    Known(f64),
    /// Nothing, but perhaps the error of the real weights that they are rounded from.
    Unknown {
        /// That error.
        unrounded: Option<f64>,
    },
}

impl<T: Task> Session<'_, T> {
    /// Validates weights, and shows the result, unless they already are the best of the run. What is at or below the target
    /// is evaluated on the confirmation set too. What meets the target there is the best of the run, or else what has the
    /// lowest validation error. Once the target is met, it is what has the lowest worse error of the two. An interrupt may call
    /// it off; nothing is kept then, and the state of the training can no longer be resumed.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn validate(
        &mut self,
        weights: &Weights,
        training_error: TrainingError,
        standing: Standing,
    ) -> Result<(), TrainError> {
        let best = self.state.best_of_run.as_ref();
        if best.is_some_and(|best| weights.are_of(best)) {
            return Ok(());
        }
        let values = weights.values();
        let Some(score) = self.score(&values, SetName::Validation)? else { return Ok(()) };
        let error = finite_or_worst(score.error);
        let best = self.state.best_of_run.as_ref();
        let is_lowest = best.is_none_or(|best| error < best.validation_error);
        let (mut confirmation_error, mut confirmation_failures) = (None, None);
        if let Some(bound) = self.bound_of_confirmation().filter(|&bound| error < bound)
            && self.task.has(SetName::Confirmation)
        {
            let confirmed = self.confirm(&values, bound)?;
            match confirmed.probe {
                Probe::Below(error) => {
                    (confirmation_error, confirmation_failures) = (Some(error), confirmed.n_failed);
                }
                // By how much it is missed is found at the end of the run, where that matters.
                Probe::NotBelow | Probe::Faulty => {}
                Probe::CalledOff => return Ok(()),
            }
        }
        let must_confirm = self.state.reached.is_some() && self.task.has(SetName::Confirmation);
        let is_best = confirmation_error.is_some() || (is_lowest && !must_confirm);
        if is_best {
            let (codes, weights) = match weights {
                Weights::Codes { codes, .. } => (codes.clone(), Vec::new()),
                Weights::Real(weights) => (Vec::new(), weights.clone()),
            };
            let (training_error, unrounded_training_error) = match training_error {
                TrainingError::Known(error) => (Some(error), None),
                TrainingError::Unknown { unrounded } => (None, unrounded),
            };
            self.state.best_of_run = Some(Candidate {
                codes,
                weights,
                run: self.state.run,
                training_error,
                unrounded_training_error,
                validation_error: error,
                confirmation_error,
                confirmation_failures,
            });
        }
        self.show(standing, Event::Validated { error, is_best }, false);
        self.note_target();
        Ok(())
    }

    /// What the errors of validation and confirmation must both be below to meet the target, or where it is met, to be better
    /// than the best.
    fn bound_of_confirmation(&self) -> Option<f64> {
        let best = self.state.best_of_run.as_ref().filter(|_| self.state.reached.is_some());
        best.map(Candidate::merit).or_else(|| self.target().map(f64::next_up))
    }

    /// Ends a run: evaluates its best on the confirmation set, and makes it the incumbent if the worse error of the two sets
    /// is lower. Returns whether it is the incumbent now. Where an interrupt calls the confirmation off, the best of the run
    /// is the incumbent only if there is no other.
    pub(crate) fn finish_run(&mut self) -> Result<bool, TrainError> {
        let mut is_best = false;
        if let Some(mut best) = self.state.best_of_run.take() {
            let weights = self.weights_of(&best).values();
            let rank = self.state.incumbent.as_ref().map(|incumbent| self.task.rank(incumbent));
            is_best = if let Some(rank) = rank {
                self.is_better(&mut best, &weights, rank)?
            } else {
                if self.is_unconfirmed(&best) {
                    let score = self.score(&weights, SetName::Confirmation)?;
                    best.confirmation_error = score.as_ref().map(|score| score.error);
                    best.confirmation_failures = score.as_ref().map(Score::n_failed);
                }
                true
            };
            if is_best {
                if best.training_error.is_none() {
                    let score = self.score(&weights, SetName::Training)?;
                    best.training_error = score.map(|score| score.error);
                }
                self.state.incumbent = Some(best);
            }
        }
        let (n_evaluations, n_moves) = self.state.of_run();
        self.state.evaluations_before += n_evaluations;
        self.state.moves_before += n_moves;
        self.state.search = None;
        self.state.sampling = None;
        self.state.stage = 0;
        self.state.draw = 0;
        self.state.was_validated_at_target = false;
        self.state.progress = None;
        Ok(is_best)
    }

    /// Whether a candidate's rank is below another; its confirmation error is then known.
    fn is_better(
        &mut self,
        candidate: &mut Candidate,
        weights: &[f64],
        rank: f64,
    ) -> Result<bool, TrainError> {
        // Where there is a confirmation, the rank is the merit, and that is at least the validation error.
        if self.task.rank(candidate) < rank && self.is_unconfirmed(candidate) {
            let confirmed = self.confirm(weights, rank)?;
            let Probe::Below(error) = confirmed.probe else { return Ok(false) };
            candidate.confirmation_error = Some(error);
            candidate.confirmation_failures = confirmed.n_failed;
        }
        Ok(self.task.rank(candidate) < rank)
    }

    fn is_unconfirmed(&self, candidate: &Candidate) -> bool {
        candidate.confirmation_error.is_none() && self.task.has(SetName::Confirmation)
    }

    /// Whether no weights have been validated yet.
    pub(crate) const fn has_found_nothing(&self) -> bool {
        self.state.best_of_run.is_none() && self.state.incumbent.is_none()
    }

    /// The scores that a training reports of its winner, without those that an interrupt calls off.
    pub(crate) fn report(&mut self, weights: &Weights) -> Result<Scores, TrainError> {
        let (task, values) = (self.task, weights.values());
        let mut scores = Scores::default();
        for &set in task.reported() {
            let score = self.score(&values, set)?;
            scores.set(set, score);
        }
        Ok(scores)
    }

    /// The score on a set; none if the user has interrupted the training and its patience is over.
    fn score(&mut self, weights: &[f64], set: SetName) -> Result<Option<Score>, TrainError> {
        self.until_interrupted(|task, scoring| task.score(weights, set, scoring))
    }

    /// The error on the confirmation set, if it is below a bound. The set is large and its episodes are long, so that one
    /// which is certain not to be is not evaluated to the end.
    fn confirm(&mut self, weights: &[f64], bound: f64) -> Result<BoundedScore, TrainError> {
        let confirmed = self.until_interrupted(|task, scoring| {
            let score = task.error_below(weights, SetName::Confirmation, bound, scoring)?;
            Ok(Some(score).filter(|score| score.probe != Probe::CalledOff))
        })?;
        Ok(confirmed.unwrap_or(BoundedScore::CALLED_OFF))
    }

    /// What is evaluated; none if the user has interrupted the training and its patience is over. The state is then one
    /// that no training without an interrupt passes through.
    fn until_interrupted<S>(
        &mut self,
        evaluate: impl FnOnce(&T, Scoring<'_>) -> Result<Option<S>, TrainError>,
    ) -> Result<Option<S>, TrainError> {
        let (deadline, patience) = (self.deadline(), self.execution.patience);
        let since = &self.interrupted;
        let stop =
            || deadline.is_interrupted() && since.get_or_init(Instant::now).elapsed() >= patience;
        if stop() {
            self.is_cut_short = true;
            return Ok(None);
        }
        let scoring = Scoring {
            isa: self.execution.isa,
            n_threads: self.execution.n_threads,
            work: self.work,
            stop: &stop,
        };
        let evaluated = evaluate(self.task, scoring)?;
        self.is_cut_short |= evaluated.is_none();
        Ok(evaluated)
    }
}

/// An error that can be compared: infinite instead of NaN.
fn finite_or_worst(error: f64) -> f64 {
    if error.is_nan() { f64::INFINITY } else { error }
}
