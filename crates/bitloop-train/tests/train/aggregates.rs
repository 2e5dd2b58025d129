//! What a training minimizes and selects by is the aggregate that its scenario names; the test keeps its mean.

use bitloop_plant::Isa;
use bitloop_scenario::{Aggregate, ScenarioFile};
use bitloop_train::{Score, SetName, Task, WorkCounter};

use crate::small_trainings::{run, scenario, test_score, training};
use crate::support::scoring;

/// A training by another trainer than telescopic BLM.
fn by(trainer: &str, aggregate: &str) -> ScenarioFile {
    let given = scenario("FeedForward(hidden: [2])", "", "evaluations: 200", "");
    let text = given.source.text();
    let text = text.replace("TelescopicBlm()", trainer);
    let text = text.replace("stop:", &format!("aggregate: {aggregate}, stop:"));
    ScenarioFile::parse(&text, "small.ron").unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn each_trainer_minimizes_and_selects_by_the_aggregate() {
    for trainer in ["TelescopicBlm()", "CmaEs()", "RandomSearch()"] {
        for aggregate in [Aggregate::Worst, Aggregate::CVaR(0.3)] {
            let training = training(&by(trainer, &format!("{aggregate:?}")));
            let outcome = run(&training, Isa::best(), 2);
            let work = WorkCounter::default();
            let score = |set| -> Score {
                let weights = outcome.weights.values();
                training
                    .task
                    .score(&weights, set, scoring(&work))
                    .expect("sound")
                    .expect("not called off")
            };
            for (set, error) in [
                (SetName::Training, outcome.best.training_error),
                (SetName::Validation, Some(outcome.best.validation_error)),
                (SetName::Confirmation, outcome.best.confirmation_error),
            ] {
                let found = score(set);
                assert_eq!(Some(found.error), error, "{trainer}, {aggregate:?}, {set:?}");
                let mut errors: Vec<f64> = found.episodes.iter().map(|one| one.error).collect();
                errors.sort_by(|a, b| b.total_cmp(a));
                let n_worst = match aggregate {
                    Aggregate::CVaR(share) => (share * errors.len() as f64).ceil(),
                    _ => 1.0,
                };
                let sum: f64 = errors
                    .iter()
                    .zip(0..)
                    .filter(|(_, at)| f64::from(*at) < n_worst)
                    .map(|(e, _)| e)
                    .sum();
                assert!(
                    (found.error - sum / n_worst).abs() <= 1e-12 * sum,
                    "{trainer}, {aggregate:?}"
                );
            }
            let test = test_score(&outcome);
            let mean =
                test.episodes.iter().map(|one| one.error).sum::<f64>() / test.n_samples as f64;
            assert!((test.error - mean).abs() <= 1e-12 * mean);
            assert!(test.target_error() > test.error);
            assert_eq!(test.aggregate_error.map(|(of, _)| of), Some(aggregate));
        }
    }
}
