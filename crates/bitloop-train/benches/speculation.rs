//! The speed-up by a second core: the same runs on one thread and on two, in turn.
//!
//! Each pair gives the same moves; the ratio of their times is what speculation gains. Two threads at least share the
//! machine's memory and power, so that the bound is below 2; `alone` is what two independent runs at once reach of it,
//! one on each core: the best that any division of the work could reach on this machine at that time.
//! `cargo bench -p bitloop-train --bench speculation`.

mod run;

use std::num::NonZeroUsize;
use std::time::Instant;

use bitloop_blm::speculate;
use bitloop_plant::Isa;
use bitloop_train::{Task as _, WorkCounter};

use run::{Run, Task};

/// Evaluations of a run: enough to get from falling at once to balancing.
const N_EVALUATIONS: u64 = 3000;

fn main() {
    for name in ["pendulum-full-16bit", "pendulum-positions"] {
        let task = Task::named(name);
        println!("{name}: seconds of {N_EVALUATIONS} evaluations, one thread / two");
        let mut ratios: Vec<f64> = (1..=5).map(|seed| ratio(&task, seed)).collect();
        ratios.sort_by(f64::total_cmp);
        println!("  median {:.2}", ratios[2]);
    }
}

/// Seconds of one thread over those of two.
fn ratio(task: &Task, seed: u64) -> f64 {
    let (reference, one) = timed(task, seed, 1);
    let (run, two) = timed(task, seed, 2);
    assert_eq!(run, reference, "threads must not change a move");
    let started = Instant::now();
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| timed(task, seed, 1));
        }
    });
    let both = started.elapsed().as_secs_f64();
    let (ratio, alone) = (one / two, 2.0 * one / both);
    println!(
        "  seed {seed}: {one:.3} / {two:.3} = {ratio:.2}, alone {alone:.2}; {} moves to an error of {:.1e}",
        run.moves, run.error
    );
    ratio
}

fn timed(task: &Task, seed: u64, n_threads: usize) -> (Run, f64) {
    let work = WorkCounter::default();
    let objective = task.training.task.objective(Isa::best(), &work, &|| false).expect("it fits");
    let n_threads = NonZeroUsize::new(n_threads).expect("at least one");
    let started = Instant::now();
    let run = speculate(objective, n_threads, |explorer| {
        task.run(seed, N_EVALUATIONS, explorer, |objective| objective)
    });
    (run, started.elapsed().as_secs_f64())
}
