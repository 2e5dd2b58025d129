//! A rollout under a bound: when it is dropped, and how it continues with the episodes that it has handed over.

use bitloop_blm::ProbeControl;
use bitloop_plant::{LANE_UNIT, PlantCallError};
use crossbeam_utils::Backoff;

use crate::division::{Division, Verdict};
use crate::outcome::Rollout;
use crate::progress::Marks;
use crate::run::{PERIODS_PER_SLICE, Run};
use crate::work_queue::{EpisodeTask, RunningTask, WorkQueue};
use crate::workspace::{EpisodeBatch, Workspace};

/// The fewest live episodes that are worth dividing: each side gets at least a vector of them.
const MIN_EPISODES: usize = 2 * LANE_UNIT;

/// The fewest control periods that must be left; handing over takes as long as a few.
const MIN_PERIODS: u64 = 32;

/// How running some episodes ended.
#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    /// Each reached its horizon or ended before.
    Finished,
    /// Err reached the bound.
    NotBelow,
    /// Err is certain to reach the bound no later than here, once the tasks have come as far.
    Ahead,
    /// The plant broke, or gave a number that is no cost, or Err became infinite.
    Faulty,
    CalledOff,
}

impl From<Verdict> for End {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::NotBelow => Self::NotBelow,
            Verdict::Ahead => Self::Ahead,
            Verdict::Faulty => Self::Faulty,
        }
    }
}

impl Run<'_> {
    /// All episodes of the set, until it is certain whether Err is below the bound, or they are called off. Some of them may
    /// be handed over to other threads on the way.
    pub(crate) fn probe(
        &mut self,
        control: ProbeControl<'_>,
        queue: Option<&WorkQueue>,
    ) -> Rollout {
        let controller = self.controller;
        let parameters = controller.parameters();
        let mut division = Division::new(self.marks(), self.set.aggregate, parameters, queue);
        match self.run_divided(control, &mut division) {
            // Only an undivided rollout knows whether Err reached the bound before the fault.
            End::Faulty if division.is_divided() => {
                drop(division);
                self.probe(control, None)
            }
            End::Finished => {
                let error = self.error_of_results();
                if error < control.bound() { Rollout::Below(error) } else { Rollout::NotBelow }
            }
            End::NotBelow | End::Ahead => Rollout::NotBelow,
            End::Faulty => Rollout::Faulty,
            End::CalledOff => Rollout::CalledOff,
        }
    }

    /// Finishes the episodes of a task, unless it is called off.
    pub(crate) fn run_task(&mut self, task: &EpisodeTask) {
        let Some(batch) = task.take() else { return };
        let running = RunningTask(task);
        self.work.expect_results(self.set.n_episodes);
        let end = self.run_batch(&batch, task, |run, _| {
            if run.work.n_faults > 0 {
                Some(End::Faulty)
            } else {
                task.is_called_off().then_some(End::CalledOff)
            }
        });
        match end {
            End::Finished => {
                let result = |&episode: &usize| (episode, self.work.results[episode]);
                running.report(batch.episodes.iter().map(result).collect());
            }
            End::Faulty => running.report_fault(),
            End::NotBelow | End::Ahead | End::CalledOff => {}
        }
    }

    fn run_divided(&mut self, control: ProbeControl<'_>, division: &mut Division<'_>) -> End {
        self.load(0..self.set.n_episodes);
        let marks = self.marks();
        let end = self.pursue(0, |run, tick| {
            if division.is_divided() && marks.at(tick).is_some() {
                division.record(run.partial_error());
            }
            run.look(tick, control, division, true)
        });
        match end {
            End::Finished => division.complete(self.error_of_results()),
            End::Ahead => {}
            End::NotBelow | End::Faulty | End::CalledOff => return end,
        }
        while let Some(task) = division.next_unfinished() {
            let end = if let Some(batch) = task.take() {
                self.run_batch(&batch, &task, |run, tick| run.look(tick, control, division, false))
            } else {
                self.await_task(&task, control, division)
            };
            if end != End::Finished {
                return end;
            }
        }
        if self.error_of_results() == f64::INFINITY { End::Faulty } else { End::Finished }
    }

    /// Waits for a task that another thread has taken, and takes over its results.
    fn await_task(
        &mut self,
        task: &EpisodeTask,
        control: ProbeControl<'_>,
        division: &Division<'_>,
    ) -> End {
        let backoff = Backoff::new();
        while !task.is_over() {
            if control.is_called_off() {
                return End::CalledOff;
            }
            if let Some(verdict) = division.verdict(control, false) {
                return verdict.into();
            }
            backoff.snooze();
        }
        match task.take_results() {
            Some(results) => {
                for (episode, result) in results {
                    self.work.results[episode] = result;
                }
                End::Finished
            }
            None if task.is_faulty() => End::Faulty,
            // The thread that took it has panicked.
            None => End::CalledOff,
        }
    }

    /// Runs the episodes of a batch, and records in `task` how Err grows by them.
    fn run_batch(
        &mut self,
        batch: &EpisodeBatch,
        task: &EpisodeTask,
        mut look: impl FnMut(&mut Self, u64) -> Option<End>,
    ) -> End {
        let marks = self.marks();
        let tick = self.work.take_on(batch);
        let before = self.partial_error();
        let end = self.pursue(tick, |run, tick| {
            if marks.at(tick).is_some() {
                task.progress.record(run.growth(batch, before));
            }
            look(run, tick)
        });
        if end == End::Finished {
            task.progress.complete(self.growth(batch, before));
        }
        end
    }

    /// How much Err has grown by a batch, if it is a sum, since it was `before`; else the least that it is by the batch alone.
    fn growth(&mut self, batch: &EpisodeBatch, before: f64) -> f64 {
        let error = self.partial_error();
        let (aggregate, results) = (self.set.aggregate, &self.work.results);
        if aggregate.is_mean() {
            return error - before;
        }
        aggregate.of_part(results.len(), batch.episodes.iter().map(|&at| results[at].error))
    }

    /// The live episodes from `tick` on, each to its horizon or its end, or until `look` gives another end. It is asked
    /// between slices, with the tick.
    fn pursue(
        &mut self,
        mut tick: u64,
        mut look: impl FnMut(&mut Self, u64) -> Option<End>,
    ) -> End {
        let mut go_on = || -> Result<Option<End>, PlantCallError> {
            let end = self.watched(|run| {
                let mut n_periods = 0;
                while tick < run.set.horizon && !run.work.lane_episode.is_empty() {
                    tick = run.period(0, tick, &mut None)?;
                    run.look_at_plant(n_periods)?;
                    n_periods += 1;
                    if n_periods % PERIODS_PER_SLICE == 0
                        && let Some(end) = look(run, tick)
                    {
                        return Ok(Some(end));
                    }
                }
                Ok(None)
            })?;
            if end.is_none() {
                self.finish(&mut None)?;
            }
            Ok(end)
        };
        match go_on() {
            Ok(Some(end)) => end,
            Ok(None) if self.work.n_faults == 0 => End::Finished,
            Ok(None) | Err(_) => End::Faulty,
        }
    }

    /// Whether to end here, between slices. Hands over episodes if a thread is idle.
    fn look(
        &mut self,
        tick: u64,
        control: ProbeControl<'_>,
        division: &mut Division<'_>,
        is_own: bool,
    ) -> Option<End> {
        if control.is_called_off() {
            return Some(End::CalledOff);
        }
        if division.is_divided() {
            if self.work.n_faults > 0 {
                return Some(End::Faulty);
            }
            if let Some(verdict) = division.verdict(control, is_own) {
                return Some(verdict.into());
            }
        } else {
            let error = self.partial_error();
            if error == f64::INFINITY {
                return Some(End::Faulty);
            }
            if error >= control.bound() {
                return Some(End::NotBelow);
            }
        }
        if let Some(mark) = division.wants_task(tick, control) {
            self.hand_over(tick, mark, division);
        }
        None
    }

    /// Offers half of the live episodes, if they are worth it.
    #[cold]
    fn hand_over(&mut self, tick: u64, mark: usize, division: &mut Division<'_>) {
        // Another thread's lanes have no instances of these episodes.
        if self.closed_loop.plant().owns_state() {
            return;
        }
        let n_live = self.work.lane_episode.len();
        let steps_per_period = u64::from(self.closed_loop.timing().steps_per_period());
        let n_periods = (self.set.horizon - tick) / steps_per_period;
        if n_live >= MIN_EPISODES && n_periods >= MIN_PERIODS {
            let error = self.partial_error();
            // Whole cache lines stay, so that there is no padding to fill.
            let n_kept = (n_live / 2).next_multiple_of(LANE_UNIT);
            division.hand_over(mark, error, self.work.split_off(n_kept, tick));
        }
    }

    fn marks(&self) -> Marks {
        let steps_per_period = u64::from(self.closed_loop.timing().steps_per_period());
        Marks::new(self.set.horizon, PERIODS_PER_SLICE * steps_per_period)
    }

    /// Err with unfinished episodes at their partial sums: never above the final one.
    fn partial_error(&mut self) -> f64 {
        let n_counted = self.n_counted();
        let penalties = &self.closed_loop.penalties;
        let Workspace { lanes, penalty, lane_episode, results, .. } = &mut *self.work;
        let costs = lane_episode.iter().zip(lanes.cost.row(0));
        if penalties.is_off() {
            for (&position, cost) in costs {
                results[position].error = cost / n_counted;
            }
        } else {
            for (lane, (&position, cost)) in costs.enumerate() {
                results[position].error = (cost + penalties.sum(penalty, lane, 0)) / n_counted;
            }
        }
        self.error_of_results()
    }

    /// The error of the set by its results.
    pub(crate) fn error_of_results(&self) -> f64 {
        self.set.aggregate.of(self.work.results.iter().map(|result| result.error))
    }
}
