//! [`Throughput`]: how fast this machine trains in a scenario.

use std::num::NonZeroUsize;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bitloop_blm::ProbeControl;
use bitloop_plant::Isa;
use bitloop_sim::{NetworkController, Workspace};

use crate::closed_loop::{ClosedLoopTraining, LocalRollouts};
use crate::error::TrainError;
use crate::execution::Execution;
use crate::progress::Event;
use crate::state::TrainingState;
use crate::training::Training;

/// How fast this machine trains in a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throughput {
    /// Evaluations a second of the scenario's own search, early abort and all, on all threads.
    pub evaluations_per_s: f64,
    /// Integration steps a second of evaluations without a bound, on one thread.
    pub plant_steps_per_s_one_core: f64,
    /// The same on all threads at once.
    pub plant_steps_per_s_all_cores: f64,
    /// How many of the training episodes failed under the controller that was measured, the best of the search. Failed
    /// episodes leave their lanes, so that the rate is that of the others.
    pub n_failed: usize,
    /// How many training episodes there are.
    pub n_episodes: usize,
}

impl Throughput {
    /// Trains for a third of `seconds`, without the scenario's target and budgets, and runs the best controller over the
    /// training episodes for the rest: first on one thread, then on `n_threads`, each with lanes of its own.
    ///
    /// # Errors
    /// As of [`Training::train`].
    pub fn measure(
        mut training: ClosedLoopTraining,
        isa: Isa,
        n_threads: NonZeroUsize,
        seconds: f64,
    ) -> Result<Self, TrainError> {
        let share = Duration::from_secs_f64(seconds / 3.0);
        let (evaluations_per_s, weights) = search(&mut training, isa, n_threads, share)?;
        let LocalRollouts { closed_loop, network, sets, .. } = &training.task.rollouts;
        let controller = NetworkController { network, weights: &weights };
        let set = sets.full();
        let evaluation = closed_loop.evaluate(isa, &controller, set, n_threads.get())?;
        // Steps a second of one thread.
        let run = || {
            let mut work = Workspace::new(closed_loop, &controller, set.n_episodes());
            let started = Instant::now();
            while started.elapsed() < share {
                let is_over = || started.elapsed() >= share;
                let control = ProbeControl::alone(f64::INFINITY).stopped_by(&is_over);
                // The result is known; the work that it took is counted in `work`.
                let _ = closed_loop.probe(isa, &controller, set, &mut work, control, None);
            }
            work.plant_steps as f64 / started.elapsed().as_secs_f64()
        };
        let plant_steps_per_s_one_core = run();
        let plant_steps_per_s_all_cores = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..n_threads.get()).map(|_| scope.spawn(run)).collect();
            let join = |worker: std::thread::ScopedJoinHandle<'_, f64>| {
                worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
            };
            workers.into_iter().map(join).sum()
        });
        Ok(Self {
            evaluations_per_s,
            plant_steps_per_s_one_core,
            plant_steps_per_s_all_cores,
            n_failed: evaluation.n_failed(),
            n_episodes: set.n_episodes(),
        })
    }
}

/// Evaluations a second, validation included, and the weights of the best controller.
fn search(
    training: &mut ClosedLoopTraining,
    isa: Isa,
    n_threads: NonZeroUsize,
    time: Duration,
) -> Result<(f64, Vec<f64>), TrainError> {
    training.stop = bitloop_scenario::Stop {
        target: None,
        refine: None,
        evaluations: None,
        runs: None,
        run_evaluations: None,
        seconds: Some(time.as_secs_f64()),
        patience: training.stop.patience,
    };
    // Only the search is measured, neither confirmation nor test.
    let sets = Arc::make_mut(&mut training.task.rollouts.sets);
    sets.confirmation = sets.validation.clone();
    sets.test = sets.validation.clone();
    training.task.sets = Arc::clone(&training.task.rollouts.sets);
    let interrupt = AtomicBool::new(false);
    let execution = Execution::new(isa, n_threads, &interrupt);
    let started = Instant::now();
    let (mut n_evaluations, mut elapsed) = (0, Duration::ZERO);
    let outcome = training.train(TrainingState::new(), execution, &mut |progress| {
        if progress.event != Event::RunEnded {
            (n_evaluations, elapsed) = (progress.state.n_evaluations(), started.elapsed());
        }
    })?;
    let weights = outcome.ok_or(TrainError::NothingFound)?.weights.values();
    Ok((n_evaluations as f64 / elapsed.as_secs_f64().max(1e-9), weights))
}
