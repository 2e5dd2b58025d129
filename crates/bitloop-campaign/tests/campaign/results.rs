//! Results: the same however a campaign is carried out, and those of the trainings that it consists of.

use std::sync::atomic::AtomicBool;

use bitloop_campaign::{Campaign, CampaignOptions, TrainingRecord, variants};
use bitloop_host::Registry;
use bitloop_plant::Isa;
use bitloop_random::{Purpose, Stream};
use bitloop_scenario::{AnyScenario, ControllerFile};
use bitloop_train::{
    Execution, Outcome, PlantAccess, SetName, StopReason, TrainingState, open_training,
};

use crate::support::{TINY, TINY_FIT, bits, campaign, campaign_of, options, threads, train};

/// The training of a record by itself, after so many evaluations at most.
fn repeated(text: &str, record: &TrainingRecord, n_evaluations: u64) -> Outcome {
    let mut scenario = AnyScenario::parse(text, "tiny.ron").unwrap();
    scenario.set_seed(record.seed);
    let stop = scenario.stop_mut();
    (stop.target, stop.seconds, stop.runs) = (None, None, Some(1));
    stop.evaluations = Some(n_evaluations);
    let training = open_training(&scenario, &PlantAccess::Here(&Registry::built_in())).unwrap();
    let never = AtomicBool::new(false);
    let execution = Execution::new(Isa::best(), threads(1), &never);
    training.train(TrainingState::new(), execution, &mut |_| {}).unwrap().unwrap()
}

#[test]
fn records_are_the_same_for_any_number_of_threads() {
    let all: Vec<_> = [1, 2, 3, 16]
        .into_iter()
        .map(|n_threads| {
            let folder = tempfile::tempdir().unwrap();
            let vary = ["controller.hidden=[1],[2]"];
            bits(&train(&campaign(folder.path(), &vary, |_| {}), n_threads))
        })
        .collect();
    assert_eq!(all[0].len(), 8);
    assert!(all.iter().all(|records| *records == all[0]));
    // Trainings differ from each other, and so do variants; a training's seed is that of its number.
    for (i, record) in all[0].iter().enumerate() {
        assert!(all[0][..i].iter().all(|other| other.product_digest != record.product_digest));
        assert_eq!(record.seed, all[0][i % 4].seed);
        assert_eq!((record.runs, record.evaluations), (1, 300));
        assert_eq!(record.milestones.last().unwrap().error, record.error);
    }
}

#[test]
fn seeds_of_trainings_stay() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &[], |_| {});
    let first = Stream::new(1, Purpose::CampaignRun, 0, 0).next_u64();
    assert_eq!(campaign.seed_of(0), first >> 11);
    let seeds: Vec<u64> = (0..100).map(|number| campaign.seed_of(number)).collect();
    for (i, seed) in seeds.iter().enumerate() {
        assert!(*seed < 1 << 53 && !seeds[..i].contains(seed));
    }
}

#[test]
fn a_record_is_repeated_by_a_training_with_its_seed() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &[], |_| {});
    let variant = &campaign.variants()[0];
    assert_eq!(variant.scenario.stop().seconds, None, "evaluations are budget enough");
    let finished = train(&campaign, 2);
    let record = finished.get(0, 3).unwrap();
    let outcome = repeated(TINY, record, 300);
    let error = outcome.scores.test.unwrap().error;
    assert_eq!(error.to_bits(), record.error.to_bits());
    assert_eq!(record.reported_set, SetName::Test);
    assert_eq!(outcome.n_evaluations, record.evaluations);
    let saved = ControllerFile::read(variant.product_path(3)).unwrap().value;
    assert_eq!(saved.digest, record.product_digest);
    assert_eq!(saved.made_by.scenario_digest, record.scenario_digest);
}

#[test]
fn milestones_are_what_the_training_would_have_ended_with() {
    for (text, set) in [(TINY, SetName::Test), (TINY_FIT, SetName::Validation)] {
        let folder = tempfile::tempdir().unwrap();
        let records = bits(&train(&campaign_of(text, &[], options(folder.path())), 2));
        for record in &records {
            assert_eq!(record.reported_set, set);
            let milestones = &record.milestones;
            assert!(milestones.is_sorted_by(|a, b| {
                a.evaluations < b.evaluations && a.validation_error > b.validation_error
            }));
            assert!(milestones.iter().all(|m| m.evaluations <= record.evaluations));
            // A training that is cut off at a milestone ends with it. The cut moves no probe before it.
            for milestone in milestones {
                let outcome = repeated(text, record, milestone.evaluations);
                assert_eq!(outcome.best.validation_error, milestone.validation_error);
                let error = outcome.scores.least_selected().unwrap().error;
                assert_eq!(error, milestone.error);
            }
        }
    }
}

#[test]
fn milestones_of_several_runs_are_the_best_of_the_training_so_far() {
    let text = TINY.replace("evaluations: 300,", "run_evaluations: 60, evaluations: 300,");
    let folder = tempfile::tempdir().unwrap();
    let options = CampaignOptions { with_restarts: true, ..options(folder.path()) };
    let records = bits(&train(&campaign_of(&text, &[], options), 2));
    let mut n_of_later_runs = 0;
    for record in &records {
        assert_eq!(record.runs, 5);
        let milestones = &record.milestones;
        assert!(milestones.is_sorted_by(|a, b| a.evaluations < b.evaluations));
        // The first run has a best too, whichever wins.
        assert!(milestones[0].evaluations <= 60, "{milestones:?}");
        let last = milestones.last().unwrap();
        assert_eq!(
            (last.error, Some(last.validation_error)),
            (record.error, record.validation_error)
        );
        n_of_later_runs += usize::from(last.evaluations > 60);
    }
    assert!(n_of_later_runs > 0);
}

#[test]
fn with_restarts_a_training_follows_the_scenario() {
    let folder = tempfile::tempdir().unwrap();
    let campaign = campaign(folder.path(), &[], |options| {
        options.with_restarts = true;
        options.n_trainings = 1;
    });
    let stop = campaign.variants()[0].scenario.stop();
    assert_eq!((stop.target, stop.seconds, stop.runs), (Some(1e-9), Some(1000.0), None));
    let record = train(&campaign, 2).get(0, 0).unwrap().clone();
    assert_eq!(record.stop_reason, StopReason::Evaluations);
}

#[test]
fn variants_must_differ() {
    let folder = tempfile::tempdir().unwrap();
    let file = AnyScenario::parse(TINY, "tiny.ron").unwrap();
    let same = variants(&file, &["stop.target=0.1,0.2".parse().unwrap()]).unwrap();
    let error = Campaign::new(same, options(folder.path()), Registry::built_in()).unwrap_err();
    let message = "the trainings of `stop.target=0.2` are those of `stop.target=0.1`";
    assert_eq!(error.to_string(), message);
}
