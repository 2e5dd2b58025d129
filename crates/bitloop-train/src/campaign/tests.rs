use std::fs;
use std::sync::atomic::AtomicUsize;

use bitloop_campaign::variants;
use bitloop_scenario::ScenarioFile;

use super::*;
use crate::closed_loop::ClosedLoopTask;
use crate::state::TrainingState;
use crate::training::{Outcome, Training};

type Change = fn(&mut CampaignOptions);

const TINY: &str = r#"Scenario(
    plant: "inverted-pendulum",
    observations: ["x", "theta", "x_dot", "theta_dot"],
    initial: {"theta": Uniform(-0.4, 0.4)},
    controller: FeedForward(hidden: [2]),
    episodes: (training: (count: 3, horizon_s: 4), test: (count: 3, horizon_s: 6)),
    training: TelescopicBlm(bits: 8, initialization: Bounded(1), validate_every: 5),
    stop: (target: 1e-9, evaluations: 300, seconds: 1000),
)"#;

fn campaign(folder: &Path, varied: &[&str], change: impl Fn(&mut CampaignOptions)) -> Campaign {
    let file = AnyScenario::parse(TINY, "tiny.ron").unwrap();
    let varied: Vec<_> = varied.iter().map(|text| text.parse().unwrap()).collect();
    let mut options = CampaignOptions {
        n_runs: 4,
        seed: 1,
        with_restarts: false,
        folder: folder.to_owned(),
        command: "bitloop campaign tiny.ron".to_owned(),
        scenario_name: "tiny.ron".to_owned(),
        bitloop_version: "0.1.0".to_owned(),
    };
    change(&mut options);
    Campaign::new(variants(&file, &varied).unwrap(), options, Registry::built_in()).unwrap()
}

fn threads(n: usize) -> NonZeroUsize {
    NonZeroUsize::new(n).unwrap()
}

fn run(campaign: &Campaign, n_threads: usize) -> Books {
    let mut books = campaign.finished().unwrap();
    let never = AtomicBool::new(false);
    let is_done =
        campaign.run(&mut books, Isa::best(), threads(n_threads), &never, &mut |_| {}).unwrap();
    assert!(is_done);
    books
}

/// The runs without the parts that may depend on threads and interruptions.
fn bits(books: &Books) -> Vec<RunRecord> {
    let runs = books.runs.iter().flatten().flatten().cloned();
    runs.map(|run| RunRecord { wall_s: 0.0, plant_steps: 0, threads: 0, ..run }).collect()
}

#[test]
fn runs_are_the_same_for_any_number_of_threads() {
    let all: Vec<_> = [1, 2, 3, 16]
        .into_iter()
        .map(|n_threads| {
            let folder = tempfile::tempdir().unwrap();
            let vary = ["controller.hidden=[1],[2]"];
            bits(&run(&campaign(folder.path(), &vary, |_| {}), n_threads))
        })
        .collect();
    assert_eq!(all[0].len(), 8);
    assert!(all.iter().all(|runs| *runs == all[0]));
    // Runs differ from each other, and so do variants; a run's seed is that of its number.
    for (i, run) in all[0].iter().enumerate() {
        assert!(all[0][..i].iter().all(|other| other.product_digest != run.product_digest));
        assert_eq!(run.seed, all[0][i % 4].seed);
        assert_eq!((run.descents, run.evaluations), (1, 300));
        assert_eq!(run.milestones.last().unwrap().test_error, run.test_error);
    }
}

#[test]
fn seeds_of_runs_stay() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &[], |_| {});
    let first = Stream::new(1, Purpose::CampaignRun, 0, 0).next_u64();
    assert_eq!(campaign.run_seed(0), first >> 11);
    let seeds: Vec<u64> = (0..100).map(|run| campaign.run_seed(run)).collect();
    for (i, seed) in seeds.iter().enumerate() {
        assert!(*seed < 1 << 53 && !seeds[..i].contains(seed));
    }
}

fn test_error(outcome: &Outcome) -> f64 {
    outcome.scores.test.as_ref().unwrap().error
}

#[test]
fn a_run_is_repeated_by_a_training_with_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &[], |_| {});
    let books = run(&campaign, 2);
    let record = books.runs[0][3].as_ref().unwrap();
    let mut file = ScenarioFile::parse(TINY, "tiny.ron").unwrap();
    file.value.seed = record.seed;
    file.value.stop = one_run(&file.value.stop);
    assert_eq!(file.value.stop.seconds, None, "evaluations are budget enough");
    let training = ClosedLoopTask::prepare(&file, &Registry::built_in()).unwrap();
    let never = AtomicBool::new(false);
    let execution = Execution { isa: Isa::best(), n_threads: threads(1), interrupt: &never };
    let outcome = training.train(TrainingState::new(), execution, &mut |_| {}).unwrap().unwrap();
    assert_eq!(test_error(&outcome).to_bits(), record.test_error.to_bits());
    assert_eq!(outcome.n_evaluations, record.evaluations);
    let path = campaign.variants()[0].product_path(3);
    let saved = bitloop_scenario::ControllerFile::read(path).unwrap().value;
    assert_eq!(saved.digest, record.product_digest);
    assert_eq!(saved.made_by.scenario_digest, record.scenario_digest);
}

#[test]
fn milestones_are_what_the_run_would_have_ended_with() {
    let folder = tempfile::tempdir().unwrap();
    let records = bits(&run(&campaign(folder.path(), &[], |_| {}), 2));
    for record in &records {
        let milestones = &record.milestones;
        assert!(milestones.is_sorted_by(|a, b| {
            a.evaluations < b.evaluations && a.validation_error > b.validation_error
        }));
        assert!(milestones.iter().all(|m| m.evaluations <= record.evaluations));
        // A run that is cut off at a milestone ends with it. The cut moves no probe before it.
        for milestone in milestones {
            let mut file = ScenarioFile::parse(TINY, "tiny.ron").unwrap();
            file.value.seed = record.seed;
            file.value.stop = one_run(&file.value.stop);
            file.value.stop.evaluations = Some(milestone.evaluations);
            let training = ClosedLoopTask::prepare(&file, &Registry::built_in()).unwrap();
            let never = AtomicBool::new(false);
            let execution =
                Execution { isa: Isa::best(), n_threads: threads(1), interrupt: &never };
            let outcome =
                training.train(TrainingState::new(), execution, &mut |_| {}).unwrap().unwrap();
            assert_eq!(outcome.best.validation_error, milestone.validation_error);
            assert_eq!(test_error(&outcome), milestone.test_error);
        }
    }
}

#[test]
fn a_resumed_campaign_equals_an_uninterrupted_one() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &["training.bits=8,10"], |_| {});
    let whole = run(&campaign, 2);
    let folders: Vec<&Path> = campaign.variants().iter().map(|v| v.folder.as_path()).collect();
    assert_eq!(
        folders,
        [folder.path().join("training.bits=8"), folder.path().join("training.bits=10")]
    );
    fs::remove_file(record_path(folders[0], 2)).unwrap();
    fs::remove_file(record_path(folders[1], 0)).unwrap();
    let cut = record_path(folders[1], 3);
    let text = fs::read_to_string(&cut).unwrap();
    fs::write(&cut, &text[..text.len() / 2]).unwrap();
    fs::write(record_path(folders[0], 1), "").unwrap();

    let found = campaign.finished().unwrap();
    assert_eq!(found.n_finished(), 4);
    assert_eq!(found.damaged, [record_path(folders[0], 1), cut]);
    let resumed = run(&campaign, 1);
    assert_eq!(bits(&resumed), bits(&whole));
    // Finished runs were not repeated: their times are the same.
    assert_eq!(resumed.runs[0][0], whole.runs[0][0]);
    assert_eq!(campaign.finished().unwrap().runs, resumed.runs);
}

#[test]
fn a_longer_campaign_goes_on_from_a_shorter_one() {
    let folder = tempfile::tempdir().unwrap();
    let short = run(&campaign(folder.path(), &[], |options| options.n_runs = 2), 2);
    let long = campaign(folder.path(), &[], |_| {});
    assert_eq!(long.finished().unwrap().runs[0][..2], short.runs[0]);
    assert_eq!(run(&long, 2).runs[0].len(), 4);
}

#[test]
fn files_of_another_campaign_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    run(&campaign(folder.path(), &[], |options| options.n_runs = 2), 2);
    let changes: [(Change, &str); 3] = [
        (|options| options.seed = 2, "another scenario, seed or kind of campaign"),
        (|options| options.with_restarts = true, "another scenario, seed or kind of campaign"),
        (|options| options.bitloop_version = "0.2.0".to_owned(), "made by bitloop 0.1.0"),
    ];
    for (change, fragment) in changes {
        let error = campaign(folder.path(), &[], change).finished().unwrap_err().to_string();
        assert!(error.contains("run-0000.ron") && error.contains(fragment), "{error}");
    }
    let ours = campaign(folder.path(), &[], |_| {});
    fs::rename(record_path(folder.path(), 0), record_path(folder.path(), 2)).unwrap();
    assert!(ours.finished().unwrap_err().to_string().contains("run-0002.ron"));
    fs::write(record_path(folder.path(), 0), "Scenario()").unwrap();
    let error = ours.finished().unwrap_err();
    assert!(error.to_string().contains("no run of a campaign"), "{error}");
}

#[test]
fn an_interrupt_keeps_what_is_finished() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &[], |options| options.n_runs = 12);
    let interrupt = AtomicBool::new(false);
    let n_seen = AtomicUsize::new(0);
    let mut books = campaign.finished().unwrap();
    let is_done = campaign
        .run(&mut books, Isa::best(), threads(1), &interrupt, &mut |news| {
            assert_eq!(news.n_finished, n_seen.fetch_add(1, Ordering::Relaxed) + 1);
            interrupt.store(true, Ordering::Relaxed);
        })
        .unwrap();
    let n_finished = books.n_finished();
    assert!(n_finished >= 1 && (n_finished < 12) != is_done);
    assert_eq!(campaign.finished().unwrap(), books);
    let other = tempfile::tempdir().unwrap();
    let whole = run(&self::campaign(other.path(), &[], |options| options.n_runs = 12), 2);
    assert_eq!(bits(&run(&campaign, 2)), bits(&whole));
}

#[test]
fn a_folder_that_cannot_be_written_to_ends_the_campaign() {
    let folder = tempfile::tempdir().unwrap();
    let blocked = folder.path().join("file");
    fs::write(&blocked, "x").unwrap();
    let campaign = campaign(&blocked.join("inside"), &[], |_| {});
    let never = AtomicBool::new(false);
    let mut books = Books { runs: vec![vec![None; 4]], damaged: Vec::new() };
    let result = campaign.run(&mut books, Isa::best(), threads(2), &never, &mut |_| {});
    assert!(matches!(result, Err(CampaignError::Folder(_))), "{result:?}");
    assert_eq!(books.n_finished(), 0);
}

#[test]
fn the_last_runs_share_spare_threads() {
    let shares = |n_runs: usize, n_threads: usize| {
        let queue = Queue::new((0..n_runs).map(|run| (0, run)).collect(), threads(n_threads));
        std::iter::from_fn(|| queue.take()).map(|(_, share)| share.get()).collect::<Vec<_>>()
    };
    assert_eq!(shares(1, 4), [4]);
    assert_eq!(shares(2, 4), [2, 2]);
    assert_eq!(shares(3, 4), [1, 1, 2]);
    assert_eq!(shares(4, 4), [1, 1, 1, 1]);
    assert_eq!(shares(3, 2), [1, 1, 1]);
    let queue = Queue::new(vec![(0, 0), (0, 1), (0, 2)], threads(2));
    let (_, first) = queue.take().unwrap();
    queue.take().unwrap();
    queue.give_back(first);
    assert_eq!(queue.take().unwrap().1, threads(1));
}

#[test]
fn runs_with_restarts_follow_the_scenario_and_variants_must_differ() {
    let folder = tempfile::tempdir().unwrap();
    let with_restarts = campaign(folder.path(), &[], |options| {
        options.with_restarts = true;
        options.n_runs = 1;
    });
    let stop = with_restarts.variants()[0].scenario.stop();
    assert_eq!((stop.target, stop.seconds, stop.descents), (Some(1e-9), Some(1000.0), None));

    let file = AnyScenario::parse(TINY, "tiny.ron").unwrap();
    let same = variants(&file, &["stop.target=0.1,0.2".parse().unwrap()]).unwrap();
    let options = with_restarts.options.clone();
    let options = CampaignOptions { with_restarts: false, ..options };
    let error = Campaign::new(same, options, Registry::built_in()).unwrap_err();
    assert_eq!(error.to_string(), "the runs of `stop.target=0.2` are those of `stop.target=0.1`");
}
