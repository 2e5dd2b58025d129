//! Trainings in folders, without the command line.

use std::fs;
use std::num::NonZeroUsize;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use bitloop_host::Registry;
use bitloop_run::{
    Begin, Budgets, Resumed, RunEnd, RunError, RunEvent, RunOptions, Trained, begin, resume,
};
use bitloop_train::{Event, Execution, PlantAccess, StopReason};

#[allow(dead_code, reason = "its `main` is for the command line")]
#[path = "../examples/train_and_replay.rs"]
mod example;

/// A training of some hundred evaluations.
const SCENARIO: &str = r#"Scenario(
    plant: "inverted-pendulum",
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [3]),
    episodes: (
        training: (count: 11, horizon_s: 5, transient_s: 1),
        test: (count: 9, horizon_s: 20),
    ),
    training: SEARCH,
    stop: (evaluations: 600, run_evaluations: 250),
    seed: 1,
)
"#;

const SEARCHES: [&str; 3] = [
    "TelescopicBlm(bits: 12, initialization: Bounded(0.1), validate_every: 10)",
    "RandomSearch()",
    "CmaEs(validate_every: 2)",
];

fn options() -> RunOptions<'static> {
    RunOptions::on(NonZeroUsize::MIN)
}

/// Writes a scenario into a folder, and returns its path.
fn scenario(folder: &Path, search: &str, evaluations: u64) -> String {
    let path = folder.join(format!("s{evaluations}.ron"));
    let text = SCENARIO.replace("SEARCH", search);
    fs::write(&path, text.replace("600", &evaluations.to_string())).unwrap();
    path.to_str().unwrap().to_owned()
}

fn train(scenario: &str, folder: &Path) -> Trained {
    let plants = Registry::built_in();
    let run = begin(Begin::read(scenario, PlantAccess::Here(&plants)).unwrap(), folder).unwrap();
    trained(run.run(options(), &mut |_| {}).unwrap())
}

fn trained(end: RunEnd) -> Trained {
    let RunEnd::Trained(trained) = end else { panic!("{end:?}") };
    *trained
}

/// Resumes, with more if it is given, to the end.
fn resume_to_the_end(folder: &Path, budgets: Budgets) -> Trained {
    let Resumed::Unfinished(saved) = resume(folder, budgets).unwrap() else {
        panic!("it is finished")
    };
    let run = saved.open(&PlantAccess::Here(&Registry::built_in())).unwrap();
    trained(run.run(options(), &mut |_| {}).unwrap())
}

/// What must be the same of two trainings.
fn assert_same(a: &Trained, b: &Trained) {
    assert_eq!(a.product.digest, b.product.digest);
    assert_eq!(a.outcome.n_evaluations, b.outcome.n_evaluations);
    assert_eq!(a.outcome.n_moves, b.outcome.n_moves);
    assert_eq!(a.outcome.n_runs, b.outcome.n_runs);
    assert_eq!(a.result.test_error, b.result.test_error);
}

#[test]
fn a_finished_training_that_is_given_more_evaluations_ends_as_if_it_had_had_them_from_the_start() {
    for search in SEARCHES {
        let place = tempfile::tempdir().unwrap();
        let whole = train(&scenario(place.path(), search, 900), &place.path().join("whole"));
        let folder = place.path().join("run");
        let first = train(&scenario(place.path(), search, 600), &folder);
        assert_eq!(first.outcome.stop_reason, StopReason::Evaluations, "{search}");
        let more = |evaluations| Budgets { evaluations, ..Budgets::default() };
        // No more, or less than it has used: it is finished.
        for evaluations in [None, Some(10), Some(first.outcome.n_evaluations)] {
            let found = resume(&folder, more(evaluations)).unwrap();
            let Resumed::Finished(finished) = found else { panic!("{search}: {evaluations:?}") };
            assert_eq!(finished.result["controller_digest"], first.product.digest);
        }
        let second = resume_to_the_end(&folder, more(Some(900)));
        assert_same(&second, &whole);
        let resolved = fs::read_to_string(folder.join("resolved.ron")).unwrap();
        assert!(resolved.contains("900"), "{resolved}");
    }
}

#[test]
fn an_interrupted_training_is_resumed_to_the_same_end() {
    for search in SEARCHES {
        let place = tempfile::tempdir().unwrap();
        let scenario = scenario(place.path(), search, 600);
        let whole = train(&scenario, &place.path().join("whole"));
        let folder = place.path().join("run");
        let plants = Registry::built_in();
        let run =
            begin(Begin::read(&scenario, PlantAccess::Here(&plants)).unwrap(), &folder).unwrap();
        // Interrupted in the second run, so that something was found.
        let interrupt = AtomicBool::new(false);
        let execution = Execution { interrupt: &interrupt, ..options().execution };
        let mut was_pausing = false;
        let end = run.run(RunOptions { execution, ..options() }, &mut |event| match event {
            RunEvent::Progress(progress) if progress.event == Event::RunStarted => {
                interrupt.store(progress.state.run == 1, Ordering::Relaxed);
            }
            RunEvent::Pausing(reason, saved) => {
                assert_eq!(*reason, StopReason::Interrupted);
                assert!(saved.is_ok());
                was_pausing = true;
            }
            _ => {}
        });
        let interrupted = trained(end.unwrap());
        assert!(was_pausing && !folder.join("result.json").exists(), "{search}");
        assert!(interrupted.path.exists());
        assert_same(&resume_to_the_end(&folder, Budgets::default()), &whole);
        assert!(folder.join("result.json").exists());
    }
}

#[test]
fn what_is_in_the_way_is_refused_and_stays() {
    let place = tempfile::tempdir().unwrap();
    let scenario = scenario(place.path(), SEARCHES[0], 600);
    let plants = Registry::built_in();
    let begin =
        |folder: &Path| begin(Begin::read(&scenario, PlantAccess::Here(&plants)).unwrap(), folder);
    for (name, message) in [
        ("campaign.json", "it holds a campaign"),
        ("controller.ron", "is no sound controller"),
        ("checkpoint", "is not finished"),
    ] {
        let folder = place.path().join(name);
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join(name), "mine").unwrap();
        let error = begin(&folder).unwrap_err();
        assert!(matches!(error, RunError::InTheWay { .. }), "{error}");
        assert!(error.to_string().contains(message) && error.hint().is_some(), "{error}");
        assert_eq!(fs::read_to_string(folder.join(name)).unwrap(), "mine");
    }
    let file = place.path().join("file");
    fs::write(&file, "mine").unwrap();
    assert!(begin(&file).unwrap_err().to_string().contains("this is a file, not a folder"));
}

#[test]
fn the_example_trains_and_replays_to_the_same_error() {
    let place = tempfile::tempdir().unwrap();
    let scenario = scenario(place.path(), SEARCHES[0], 600);
    let folder = place.path().join("run");
    let [trained, replayed] = example::train_and_replay(Path::new(&scenario), &folder).unwrap();
    assert_eq!(trained.to_bits(), replayed.to_bits());
    assert!(trained.is_finite() && folder.join("result.json").exists());
}
