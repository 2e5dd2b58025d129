//! Runs of a training that are done apart, and interrupted.

use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use bitloop_campaign::{CHECKPOINT_PERIOD, FinishedRuns, RestartWork, Restarts, Shard};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_scenario::AnyScenario;
use bitloop_train::Execution;

use crate::support::{LONGER, add_time, interrupt_at_checkpoint, threads};

fn restarts() -> Restarts {
    let stop = "stop: (runs: 2, run_evaluations: 9000)";
    let (before, _) = LONGER.split_once("stop:").unwrap();
    let scenario = AnyScenario::parse(&format!("{before}{stop})"), "s.ron").unwrap();
    Restarts::new(scenario, "0.1.0".to_owned(), Registry::built_in()).unwrap()
}

fn work<'a>(restarts: &'a Restarts, folder: &Path, earlier: &[PathBuf]) -> RestartWork<'a> {
    RestartWork {
        restarts,
        shard: Shard::new(0, 1).unwrap(),
        folder: folder.to_owned(),
        earlier: earlier.to_vec(),
        checkpoint_period: CHECKPOINT_PERIOD,
        stop_file: None,
    }
}

/// Runs until all are finished, or until they are interrupted.
fn run(work: &RestartWork<'_>, interrupt: &AtomicBool) -> FinishedRuns {
    let mut finished = FinishedRuns::new();
    let execution = Execution::new(Isa::best(), threads(1), interrupt);
    let is_done = work.run(&mut finished, execution, &mut |_| {}).unwrap();
    assert_eq!(is_done, finished.len() == 2);
    finished
}

#[test]
fn a_run_with_checkpoint_goes_on_in_the_next_attempt() {
    let restarts = restarts();
    let (first, second) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let never = AtomicBool::new(false);
    let other = tempfile::tempdir().unwrap();
    let whole = run(&work(&restarts, other.path(), &[]), &never);

    let state = first.path().join("run-0000.checkpoint");
    let interrupted =
        RestartWork { checkpoint_period: Duration::ZERO, ..work(&restarts, first.path(), &[]) };
    let is_there = || state.exists();
    interrupt_at_checkpoint(&state, is_there, |interrupt| run(&interrupted, interrupt).len());
    add_time(&state);

    let resumed = run(&work(&restarts, second.path(), &[first.path().to_owned()]), &never);
    assert!(resumed[&0].cost.unwrap().wall_s >= 1000.0);
    let bits = |runs: &FinishedRuns| -> Vec<_> {
        runs.values().map(|run| (run.candidate.clone(), run.evaluations, run.moves)).collect()
    };
    assert_eq!(bits(&resumed), bits(&whole));
}
