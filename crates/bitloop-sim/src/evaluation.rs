//! Running a controller over a set of episodes: the error functional, its exact early abort, and how episodes end.
//!
//! Error of an episode (the paper's Eq. 5, as a sum over integration steps k with time after the transient):
//! ```text
//! e = (sum_k c_k) / n_counted + terminal cost          Err = (sum_e e) / n_episodes
//! ```
//! Each episode sums its stage costs in order of time, Err sums episodes in order of their index. Costs are at least 0 and
//! IEEE addition and division are monotone, so the same sums over unfinished episodes never exceed the final ones: once
//! they reach a bound, Err will not be below it. That holds for any slicing of time and any layout of lanes. A set may have
//! another [aggregate](crate::Aggregate) than the mean, for which the same holds.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::ScopedJoinHandle;

use bitloop_blm::ProbeControl;
use bitloop_plant::{Isa, LANE_UNIT};
use crossbeam_utils::Backoff;

use crate::behavior::Behaviors;
use crate::behavior_recorder::BehaviorRecorder;
use crate::closed_loop::ClosedLoop;
use crate::controller::{Controller, LinearFeedback};
use crate::episodes::EpisodeSet;
use crate::error::SimError;
use crate::outcome::{BoundedEvaluation, Evaluation, Rollout};
use crate::paused::Paused;
use crate::recording::Recording;
use crate::run::Run;
use crate::trajectory::Recorder;
use crate::work_queue::{EpisodeTask, WorkQueue};
use crate::workspace::Workspace;

/// The most threads that an evaluation is spread over.
const MAX_THREADS: usize = 256;

impl ClosedLoop {
    /// Whether every episode of a set fails in its very first step, without control: its starts lie in the failure set.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn fails_at_once(&self, isa: Isa, set: &EpisodeSet) -> Result<bool, SimError> {
        let outcome = self.without_control(isa, &set.first_step(), 1)?;
        Ok(outcome.n_failed() == outcome.episodes.len())
    }

    /// Runs every episode of a set to its end with a controller whose output is always 0, as
    /// [`evaluate`](Self::evaluate) does.
    ///
    /// # Errors
    /// If the plant breaks.
    pub fn without_control(
        &self,
        isa: Isa,
        set: &EpisodeSet,
        n_threads: usize,
    ) -> Result<Evaluation, SimError> {
        let (n_inputs, n_outputs) = (self.interface().inputs.len(), self.interface().outputs.len());
        let no_control = LinearFeedback::new(n_inputs, vec![0.0; n_inputs * n_outputs]);
        self.evaluate(isa, &no_control, set, n_threads)
    }

    /// Runs every episode of a set to its end, spread over `n_threads` threads.
    ///
    /// The number of threads changes no bit; more than there are blocks of 8 episodes, or than 256, are not used.
    ///
    /// # Errors
    /// [`SimError`] if the controller does not fit or the plant breaks.
    ///
    /// # Panics
    /// If the set was drawn for a plant of other sizes.
    pub fn evaluate(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        n_threads: usize,
    ) -> Result<Evaluation, SimError> {
        let control = ProbeControl::alone(f64::INFINITY);
        let evaluation = self.evaluate_until(isa, controller, set, n_threads, control)?;
        Ok(evaluation.expect("nothing calls it off"))
    }

    /// Like [`evaluate`](Self::evaluate), but `None` as soon as `control` calls it off, which is asked every few control
    /// periods. The bound does not matter.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate).
    pub fn evaluate_until(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        n_threads: usize,
        control: ProbeControl<'_>,
    ) -> Result<Option<Evaluation>, SimError> {
        self.evaluate_all(isa, controller, set, n_threads, (control, false))
    }

    /// Like [`evaluate`](Self::evaluate), with the behavior of each episode.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate).
    pub fn observe(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        n_threads: usize,
    ) -> Result<Evaluation, SimError> {
        let control = ProbeControl::alone(f64::INFINITY);
        let evaluation = self.observe_until(isa, controller, set, n_threads, control)?;
        Ok(evaluation.expect("nothing calls it off"))
    }

    /// Like [`observe`](Self::observe), but `None` as soon as `control` calls it off, as in
    /// [`evaluate_until`](Self::evaluate_until).
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate).
    pub fn observe_until(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        n_threads: usize,
        control: ProbeControl<'_>,
    ) -> Result<Option<Evaluation>, SimError> {
        self.evaluate_all(isa, controller, set, n_threads, (control, true))
    }

    /// All episodes in parts, until `control` calls them off, and with their behavior if it is observed.
    fn evaluate_all(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        n_threads: usize,
        (control, is_observed): (ProbeControl<'_>, bool),
    ) -> Result<Option<Evaluation>, SimError> {
        self.check_controller(controller)?;
        let parts = in_parts(set.n_episodes, n_threads, |range| {
            let mut work = Workspace::new(self, controller, range.len());
            let mut observer = is_observed.then(|| BehaviorRecorder::new(self, isa));
            if let Some(observer) = &mut observer {
                observer.begin(set, range.len());
            }
            let recorder = observer.as_mut().map(|observer| observer as &mut dyn Recorder);
            let mut run = Run::new(self, isa, controller, set, &mut work);
            let called_off = run.finish_all(range, control, recorder)?;
            let behaviors = observer.map(|observer| observer.behaviors());
            let part = (work.results, work.plant_steps, behaviors);
            Ok::<_, SimError>(called_off.is_none().then_some(part))
        });
        let (mut episodes, mut plant_steps) = (Vec::with_capacity(set.n_episodes), 0);
        let mut behaviors: Option<Behaviors> = None;
        for part in parts {
            let Some((results, steps, of_part)) = part? else { return Ok(None) };
            episodes.extend(results);
            plant_steps += steps;
            match (&mut behaviors, of_part) {
                (Some(behaviors), Some(of_part)) => behaviors.extend(of_part),
                (behaviors, of_part) => *behaviors = of_part,
            }
        }
        let evaluation = Evaluation::aggregated(set.aggregate, episodes, plant_steps);
        Ok(Some(Evaluation { behaviors, ..evaluation }))
    }

    /// Runs every episode of a set to its end on this thread, side by side, and shows each query and each end to `recorder`.
    /// Every few control periods `control` is asked whether to call it off; the bound does not matter.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate).
    ///
    /// # Panics
    /// As [`evaluate`](Self::evaluate); or if `work` was made for fewer episodes or for a loop or controller of other sizes.
    pub fn record(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        work: &mut Workspace,
        control: ProbeControl<'_>,
        recorder: &mut dyn Recorder,
    ) -> Result<Recording, SimError> {
        self.record_from(isa, controller, set, work, None, (control, recorder))
    }

    /// Continues a recording of the same episodes, which was called off, from where it was paused; without a pause it is
    /// begun. The recorder has seen what was recorded before.
    ///
    /// # Errors
    /// As [`evaluate`](Self::evaluate); or [`SimError::OtherEpisodes`] if other episodes were paused.
    ///
    /// # Panics
    /// As [`record`](Self::record).
    pub fn record_from(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        work: &mut Workspace,
        paused: Option<&Paused>,
        (control, recorder): (ProbeControl<'_>, &mut dyn Recorder),
    ) -> Result<Recording, SimError> {
        self.check_controller(controller)?;
        let steps_before = work.plant_steps;
        let mut run = Run::new(self, isa, controller, set, work);
        let called_off = match paused {
            None => run.finish_all(0..set.n_episodes, control, Some(recorder))?,
            Some(paused) => {
                let tick = run.resume(paused).ok_or(SimError::OtherEpisodes)?;
                run.finish_from(0, tick, control, Some(recorder))?
            }
        };
        let plant_steps =
            run.work.plant_steps - steps_before + paused.map_or(0, Paused::plant_steps);
        let unfinished = called_off.map(|tick| run.unfinished(tick));
        let paused = called_off
            .filter(|_| !run.work.lane_episode.is_empty())
            .map(|tick| Box::new(run.pause(tick, plant_steps)));
        let episodes = work.results.clone();
        let Some(unfinished) = unfinished else {
            let evaluation = Evaluation::aggregated(set.aggregate, episodes, plant_steps);
            return Ok(Recording::Finished(evaluation));
        };
        let is_live = |position: usize| unfinished.iter().any(|live| live.position == position);
        let ended = episodes.into_iter().enumerate().filter(|(position, _)| !is_live(*position));
        Ok(Recording::CalledOff { ended: ended.collect(), unfinished, plant_steps, paused })
    }

    /// Runs the episodes of a set until it is certain whether their error is below the bound of `control`, or until
    /// `control` calls it off.
    ///
    /// Some of the episodes are offered to `queue` when `control` says that another thread would run them; the result is the
    /// same.
    ///
    /// # Panics
    /// If the controller does not fit the loop, the set was drawn for a plant of other sizes, or `work` was made for
    /// fewer episodes or for a loop or controller of other sizes. All are mistakes of the program, found at the first call.
    pub fn probe(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        work: &mut Workspace,
        control: ProbeControl<'_>,
        queue: Option<&WorkQueue>,
    ) -> Rollout {
        self.check_controller(controller).expect("the caller checked the controller");
        Run::new(self, isa, controller, set, work).probe(control, queue)
    }

    /// Like [`probe`](Self::probe), spread over `n_threads` threads, with what is known of its episodes.
    ///
    /// The number of threads changes no bit of the rollout. A plant that owns its state keeps its episodes, so that on several
    /// threads they are run to their ends.
    ///
    /// # Errors
    /// [`SimError`] if the controller does not fit.
    ///
    /// # Panics
    /// If the set was drawn for a plant of other sizes.
    pub fn probe_on_threads(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        n_threads: usize,
        control: ProbeControl<'_>,
    ) -> Result<BoundedEvaluation, SimError> {
        self.check_controller(controller)?;
        let n_helpers = n_threads.clamp(1, MAX_THREADS) - 1;
        if n_helpers > 0 && self.plant().owns_state() {
            match self.evaluate_until(isa, controller, set, n_threads, control) {
                Ok(None) => return Ok(BoundedEvaluation::of(Rollout::CalledOff, &[], 0)),
                Ok(Some(whole)) if whole.error < f64::INFINITY => {
                    let is_below = whole.error < control.bound();
                    let rollout =
                        if is_below { Rollout::Below(whole.error) } else { Rollout::NotBelow };
                    return Ok(BoundedEvaluation::of(rollout, &whole.episodes, whole.plant_steps));
                }
                // Only a rollout on one thread knows whether the bound was reached before the fault.
                Ok(_) | Err(_) => {}
            }
        }
        let workspace = || Workspace::new(self, controller, set.n_episodes);
        let mut work = workspace();
        if n_helpers == 0 || self.plant().owns_state() {
            let rollout = self.probe(isa, controller, set, &mut work, control, None);
            return Ok(BoundedEvaluation::of(rollout, &work.results, work.plant_steps));
        }
        let (queue, is_over) = (WorkQueue::default(), AtomicBool::new(false));
        let help = || {
            let mut work = workspace();
            let backoff = Backoff::new();
            while !is_over.load(Ordering::Relaxed) {
                match queue.take() {
                    Some(task) => {
                        self.run_task(isa, controller, set, &mut work, &task);
                        backoff.reset();
                    }
                    None => backoff.snooze(),
                }
            }
            work.plant_steps
        };
        std::thread::scope(|scope| {
            let helpers: Vec<_> = (0..n_helpers).map(|_| scope.spawn(help)).collect();
            let ended = EndHelp(&is_over);
            let rollout =
                self.probe(isa, controller, set, &mut work, control.helped(), Some(&queue));
            drop(ended);
            let steps = helpers.into_iter().map(join).sum::<u64>();
            Ok(BoundedEvaluation::of(rollout, &work.results, work.plant_steps + steps))
        })
    }

    /// Finishes the episodes of a task of a probe of `controller` over `set`, if no thread has taken them yet. The work it
    /// takes is counted in `work`, a fault in the probe.
    ///
    /// # Panics
    /// As [`probe`](Self::probe); or if the task is that of another loop, controller or set.
    pub fn run_task(
        &self,
        isa: Isa,
        controller: &dyn Controller,
        set: &EpisodeSet,
        work: &mut Workspace,
        task: &EpisodeTask,
    ) {
        self.check_controller(controller).expect("the caller checked the controller");
        Run::new(self, isa, controller, set, work).run_task(task);
    }
}

/// The results of whole blocks of lanes, on as many threads as there are parts, in order of the episodes.
fn in_parts<T: Send>(
    n_episodes: usize,
    n_threads: usize,
    run: impl Fn(Range<usize>) -> T + Sync,
) -> Vec<T> {
    let n_blocks = n_episodes.div_ceil(LANE_UNIT);
    let size = n_blocks.div_ceil(n_threads.clamp(1, MAX_THREADS)) * LANE_UNIT;
    let part = |start: usize| start..(start + size).min(n_episodes);
    let starts: Vec<usize> = (0..n_episodes).step_by(size).collect();
    if let [start] = starts[..] {
        return vec![run(part(start))];
    }
    std::thread::scope(|scope| {
        let run = &run;
        let workers: Vec<_> =
            starts.iter().map(|&start| scope.spawn(move || run(part(start)))).collect();
        workers.into_iter().map(join).collect()
    })
}

/// The result of a thread, or its panic.
fn join<T>(worker: ScopedJoinHandle<'_, T>) -> T {
    worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

/// Sends the threads that help home when it is dropped, by a panic too.
struct EndHelp<'a>(&'a AtomicBool);

impl Drop for EndHelp<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}
