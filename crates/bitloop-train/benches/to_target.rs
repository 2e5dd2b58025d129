//! Whole trainings with each search, to the target of a scenario that ships: both cores, seeds 1 to 5, medians.
//!
//! Telescopic BLM is the scenario's own; CMA-ES and random search have its bits, range, episodes and target, and the
//! budget of evaluations below. `cargo bench -p bitloop-train --bench to_target`.

use std::num::NonZeroUsize;
use std::sync::atomic::AtomicBool;
use std::thread::available_parallelism;

use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::AnyScenario;
use bitloop_train::{Execution, PlantAccess, StopReason, TrainingState, open_training};

const N_EVALUATIONS: &str = "100000";

fn main() {
    for (scenario, bits) in [("pendulum-full-16bit", 16), ("pendulum-full-2bit", 2)] {
        let path = format!("{}/../../scenarios/{scenario}.ron", env!("CARGO_MANIFEST_DIR"));
        let file = AnyScenario::read(&path).expect("a scenario that ships");
        let others = ["CmaEs", "RandomSearch"]
            .map(|search| (search, Some(format!("{search}(bits: {bits}, max_weight: 10)"))));
        println!("{scenario}: runs that met the target; medians of all five");
        for (name, training) in [("TelescopicBlm", None)].into_iter().chain(others) {
            let runs: Vec<Run> =
                (1..=5).map(|seed| run(&file, training.as_deref(), seed)).collect();
            let n_met = runs.iter().filter(|run| run.met).count();
            println!(
                "  {name:14} {n_met} of 5, {:>7} evaluations, {:>7.1} M plant steps, {:>6.2} s",
                median(&runs, |run| run.evaluations),
                median(&runs, |run| run.plant_steps) * 1e-6,
                median(&runs, |run| run.seconds),
            );
        }
    }
}

struct Run {
    met: bool,
    evaluations: f64,
    plant_steps: f64,
    seconds: f64,
}

fn run(file: &AnyScenario, training: Option<&str>, seed: u64) -> Run {
    let seed = seed.to_string();
    let mut values = vec![("seed", seed.as_str()), ("stop.evaluations", N_EVALUATIONS)];
    values.extend(training.map(|training| ("training", training)));
    let file = file.with_values(&values).unwrap_or_else(|error| panic!("{error}"));
    let registry = Registry::built_in();
    let training = open_training(&file, &PlantAccess::Here(&registry)).expect("it trains");
    let interrupt = AtomicBool::new(false);
    let n_threads = available_parallelism().unwrap_or(NonZeroUsize::MIN);
    let execution = Execution::new(Isa::best(), n_threads, &interrupt);
    let outcome = training.train(TrainingState::new(), execution, &mut |_| {}).expect("it runs");
    let outcome = outcome.expect("weights are found");
    Run {
        met: outcome.stop_reason == StopReason::Target,
        evaluations: outcome.n_evaluations as f64,
        plant_steps: outcome.plant_steps as f64,
        seconds: outcome.wall_s,
    }
}

fn median(runs: &[Run], figure: impl Fn(&Run) -> f64) -> f64 {
    let mut values: Vec<f64> = runs.iter().map(figure).collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
