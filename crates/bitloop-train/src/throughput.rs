//! [`Throughput`]: how fast this machine trains in a scenario.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use bitloop_plant::Isa;
use bitloop_sim::{NetworkController, Workspace};

use crate::error::TrainError;
use crate::state::TrainingState;
use crate::training::{Event, Execution, Training};

/// How fast this machine trains in a scenario.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Throughput {
    /// Evaluations a second of the scenario's own search, early abort and all, on all threads.
    pub evaluations_per_s: f64,
    /// Integration steps a second of evaluations without a bound, on one thread.
    pub plant_steps_per_s_one_core: f64,
    /// The same on all threads at once.
    pub plant_steps_per_s_all_cores: f64,
    /// How many of the training episodes failed under the controller that was measured, the best of the search. Lanes of
    /// failed episodes are closed up, so that the rate is that of the others.
    pub n_failed: usize,
    /// How many training episodes there are.
    pub n_episodes: usize,
}

impl Throughput {
    /// Trains for a third of `seconds`, whatever the scenario's target and budgets, and runs the best controller over the
    /// training episodes for the rest: first on one thread, then on `n_threads`, each with lanes of its own.
    ///
    /// # Errors
    /// As of [`Training::run`].
    pub fn measure(
        mut training: Training,
        isa: Isa,
        n_threads: NonZeroUsize,
        seconds: f64,
    ) -> Result<Self, TrainError> {
        let share = Duration::from_secs_f64(seconds / 3.0);
        let (evaluations_per_s, codes) = search(&mut training, isa, n_threads, share)?;
        let weights = training.weights(&codes);
        let controller = NetworkController { network: &training.network, weights: &weights };
        let set = training.full_episodes();
        let closed_loop = &training.rig.closed_loop;
        let evaluation = closed_loop.evaluate(isa, &controller, set, n_threads.get())?;
        // Steps a second of one thread.
        let run = || {
            let mut work = Workspace::new(closed_loop, &controller, set.n_episodes());
            let started = Instant::now();
            while started.elapsed() < share {
                let is_over = || started.elapsed() >= share;
                let bound = f64::INFINITY;
                // What it comes to is known; the work that it took is counted in `work`.
                let _ = closed_loop.probe(isa, &controller, set, &mut work, bound, &is_over);
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

/// Evaluations a second, validation included, and the codes of the best controller.
fn search(
    training: &mut Training,
    isa: Isa,
    n_threads: NonZeroUsize,
    time: Duration,
) -> Result<(f64, Vec<i32>), TrainError> {
    training.stop = bitloop_scenario::Stop {
        target: None,
        evaluations: None,
        descents: None,
        descent_evaluations: None,
        seconds: Some(time.as_secs_f64()),
        patience: training.stop.patience,
    };
    // What is measured is the search, and neither confirmation nor test.
    training.confirmation = training.validation.clone();
    training.test = training.validation.clone();
    let interrupt = AtomicBool::new(false);
    let execution = Execution { isa, n_threads, interrupt: &interrupt };
    let started = Instant::now();
    let (mut n_evaluations, mut elapsed) = (0, Duration::ZERO);
    let outcome = training.run(TrainingState::new(), execution, &mut |progress| {
        if progress.event != Event::DescentEnded {
            (n_evaluations, elapsed) = (progress.state.n_evaluations(), started.elapsed());
        }
    })?;
    Ok((n_evaluations as f64 / elapsed.as_secs_f64().max(1e-9), outcome.best.codes))
}
