//! Plant steps that early abort saves: the same search, the same accepted moves, with every probe run to its end and with
//! probes dropped as soon as they cannot improve. Steps of failed episodes count on neither side.
//!
//! `pendulum-positions` saves little in the median, 1.4: in the first stages of its curriculum most candidates let most
//! pendulums fall, and those runs of the five that stay there save nothing, where the others save half of the steps.
//!
//! Another order of episodes would save more steps there, and no time. In whole trainings of `pendulum-positions.ron`, seeds 3001
//! to 3005, the fewest steps that make it certain that a candidate is no better, found with hindsight, are 1/1.55 to 1/2.0
//! of those that are taken with all episodes side by side. Groups of 8 run to their end one after the other, those
//! first that fall soonest without control, come to 1/1.22 to 1/1.45 (seeds 3001 to 3003; groups of 16: 1/1.18 to 1/1.36), and
//! cost that again: what a period costs beside its lanes is then paid for 8 of them and not for 50.
//!
//! Most plant steps of these trainings were no probes but confirmations, 4000 episodes of 1000 s each. Those that are certain to miss
//! the target, or to be no better than the incumbent, are dropped as probes are. On seeds 3001 to 3010 a whole training takes
//! 1/1.6 of the steps in the median, and 1/1.5 of the time of a thread; where the first confirmation succeeds it takes as many as before.
//!
//! The figures are counts, the same on every machine. `cargo bench -p bitloop-train --bench early_abort`.

#[path = "../tests/train/in_full.rs"]
mod in_full;
mod run;

use bitloop_blm::Sequential;
use bitloop_plant::Isa;
use bitloop_train::{Task as _, WorkCounter};

use in_full::InFull;
use run::Task;

/// Evaluations of a run: enough to get from falling at once to balancing.
const N_EVALUATIONS: u64 = 5000;

fn main() {
    for name in ["pendulum-full-16bit", "pendulum-full-2bit", "pendulum-positions"] {
        let task = Task::named(name);
        println!("{name}: plant steps of {N_EVALUATIONS} evaluations, all / needed");
        let mut ratios: Vec<f64> = (1..=5).map(|seed| ratio(&task, seed)).collect();
        ratios.sort_by(f64::total_cmp);
        println!("  median {:.2}", ratios[2]);
    }
}

/// Plant steps without early abort over those with it.
fn ratio(task: &Task, seed: u64) -> f64 {
    let (all, needed) = (WorkCounter::default(), WorkCounter::default());
    let objective =
        |work| task.training.task.objective(Isa::best(), work, &|| false).expect("it fits");
    let mut in_full = Sequential::new(InFull(objective(&all)));
    let reference = task.run(seed, N_EVALUATIONS, &mut in_full, |o| &mut o.0);
    let mut aborting = Sequential::new(objective(&needed));
    let run = task.run(seed, N_EVALUATIONS, &mut aborting, |o| o);
    let (all, needed) = (all.plant_steps(), needed.plant_steps());
    assert_eq!(run, reference, "early abort must not change a move");
    let ratio = all as f64 / needed as f64;
    println!(
        "  seed {seed}: {all:>11} / {needed:>10} = {ratio:.2}; {} moves to an error of {:.1e}",
        run.moves, run.error
    );
    ratio
}
