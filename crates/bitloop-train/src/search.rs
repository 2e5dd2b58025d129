//! [`Search`]: what all searches have in common, descents until it is time to stop.

use crate::error::TrainError;
use crate::judge::Judge;
use crate::state::StopReason;
use crate::training::{Event, TrainingOutcome};

/// A search that begins anew again and again.
pub(crate) trait Search<'a> {
    /// Who keeps the books.
    fn judge(&mut self) -> &mut Judge<'a>;

    /// Integration steps of the search so far, and faults of the plant.
    fn work(&mut self) -> (u64, u64);

    /// Shows how it goes, between two descents.
    fn tell(&mut self, event: Event);

    /// One descent, from a new start or from where a saved state left it. `Some` when the whole training must stop. It
    /// leaves a best of the descent.
    fn descend(&mut self) -> Result<Option<StopReason>, TrainError>;

    /// Descends until it is time to stop, then tests the winner.
    fn to_the_end(mut self) -> Result<TrainingOutcome, TrainError>
    where
        Self: Sized,
    {
        let stop_reason = loop {
            let stopped = self.descend()?;
            let is_best = self.judge().end_descent()?;
            self.tell(Event::DescentJudged { is_best });
            if let Some(reason) = stopped {
                break reason;
            }
            let reason = self.judge().ledger.reason_to_stop();
            self.judge().ledger.state.descent += 1;
            if let Some(reason) = reason {
                if reason.is_pause() {
                    // What goes on from here begins the next descent, which this training does not.
                    self.tell(Event::Pausing(reason));
                }
                self.judge().ledger.state.descent -= 1;
                break reason;
            }
        };
        let work = self.work();
        self.judge().conclude(stop_reason, work)
    }
}
