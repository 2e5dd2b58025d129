//! [`Division`]: the parts of one rollout that several threads run, and what is known of Err from all of them.
//!
//! Threads are at different ticks, so Err is compared with the bound at the last mark that all have reached. There the sum
//! of the parts is what an undivided rollout has at that tick, but for the order of adding, for which a margin is left. A
//! divided rollout is therefore dropped no earlier than an undivided one, so that no fault is missed that the undivided one
//! would meet before it is dropped. Where Err is no sum of its parts, no part alone exceeds it, so that the largest part is
//! compared with the bound.

use std::sync::Arc;

use bitloop_blm::ProbeControl;

use crate::aggregate::Aggregate;
use crate::progress::{Marks, Progress};
use crate::work_queue::{EpisodeTask, WorkQueue};
use crate::workspace::EpisodeBatch;

/// Above the relative error of adding up the most episodes of a set in any order: 2^20 roundings of 2^-53, and as many for
/// the differences.
const MARGIN: f64 = 1e-9;

/// What is certain of a divided rollout.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    /// Err reached the bound at a mark that all parts have reached.
    NotBelow,
    /// Err reaches the bound no later than at the last mark of the rollout's own part, which need not continue.
    Ahead,
    /// Some part met a fault.
    Faulty,
}

/// A rollout and the tasks that it has handed over; calls them off when dropped.
pub(crate) struct Division<'a> {
    marks: Marks,
    aggregate: Aggregate,
    controller_parameters: &'a [f64],
    queue: Option<&'a WorkQueue>,
    /// Err of the rollout's own part, the episodes of tasks as they were handed over. `None` while it is undivided.
    own: Option<Progress>,
    tasks: Vec<Arc<EpisodeTask>>,
    /// How many of the tasks are not finished, the first ones.
    n_unfinished: usize,
}

impl<'a> Division<'a> {
    /// An undivided rollout, which may hand over tasks to a queue.
    pub fn new(
        marks: Marks,
        aggregate: Aggregate,
        controller_parameters: &'a [f64],
        queue: Option<&'a WorkQueue>,
    ) -> Self {
        let tasks = Vec::new();
        Self { marks, aggregate, controller_parameters, queue, own: None, tasks, n_unfinished: 0 }
    }

    pub fn is_divided(&self) -> bool {
        self.own.is_some()
    }

    /// The number of the mark at a tick, if a task would be run that is handed over there.
    pub fn wants_task(&self, tick: u64, control: ProbeControl<'_>) -> Option<usize> {
        let queue = self.queue?;
        if control.wants_help() && queue.is_empty() { self.marks.at(tick) } else { None }
    }

    /// Offers episodes at a mark, where Err of the own part is `error`.
    pub fn hand_over(&mut self, mark: usize, error: f64, batch: EpisodeBatch) {
        let Some(queue) = self.queue else { return };
        self.own.get_or_insert_with(|| self.marks.progress_from(mark, error));
        let parameters = self.controller_parameters.to_vec();
        let progress = self.marks.progress_from(mark, 0.0);
        let task = Arc::new(EpisodeTask::new(parameters, batch, progress));
        self.tasks.insert(self.n_unfinished, Arc::clone(&task));
        self.n_unfinished += 1;
        queue.offer(task);
    }

    /// Err of the own part at the next mark.
    pub fn record(&self, error: f64) {
        if let Some(own) = &self.own {
            own.record(error);
        }
    }

    /// Err of the own part at its end.
    pub fn complete(&self, error: f64) {
        if let Some(own) = &self.own {
            own.complete(error);
        }
    }

    /// What is certain by now. `is_own_running` is whether the own part would continue.
    pub fn verdict(&self, control: ProbeControl<'_>, is_own_running: bool) -> Option<Verdict> {
        if self.tasks.iter().any(|task| task.is_faulty()) {
            return Some(Verdict::Faulty);
        }
        let own = self.own.as_ref()?;
        let progress = || self.tasks.iter().map(|task| &task.progress);
        let own_mark = own.known_up_to();
        let common = progress().map(Progress::known_up_to).fold(own_mark, usize::min);
        if common == usize::MAX {
            return None;
        }
        let bound = control.bound();
        let error = self.error_at(own, common);
        if error == f64::INFINITY {
            return Some(Verdict::Faulty);
        }
        if error >= bound {
            return Some(Verdict::NotBelow);
        }
        let is_ahead = is_own_running && common < own_mark;
        (is_ahead && self.error_at(own, own_mark) >= bound).then_some(Verdict::Ahead)
    }

    /// Err at a mark, certainly not above that of the undivided rollout: tasks that have not come as far as they are.
    fn error_at(&self, own: &Progress, mark: usize) -> f64 {
        let own = own.at(mark);
        let gain = |progress: &Progress| progress.at(mark.min(progress.known_up_to()));
        let gains = self.tasks.iter().map(|task| gain(&task.progress));
        if self.aggregate.is_mean() {
            let all = gains.fold(own, |sum, gain| sum + gain);
            return own.max(all * (1.0 - MARGIN));
        }
        gains.fold(own, f64::max)
    }

    /// The newest task that is not finished yet, which becomes so.
    pub fn next_unfinished(&mut self) -> Option<Arc<EpisodeTask>> {
        self.n_unfinished = self.n_unfinished.checked_sub(1)?;
        Some(Arc::clone(&self.tasks[self.n_unfinished]))
    }
}

impl Drop for Division<'_> {
    fn drop(&mut self) {
        for task in &self.tasks {
            task.call_off();
        }
    }
}
