//! The rules of a suite that need neither controller nor plant.

use std::collections::{BTreeMap, HashSet};

use bitloop_sim::{Aggregate, FailureCharge, Penalties};
use bitloop_text::{Checked, Problem};

use super::{Pass, Test};
use crate::{
    episodes::{EpisodeSet, Episodes},
    plant_choice::PlantChoice,
    scenario::Scenario,
    start::Start,
    stop::Stop,
};

/// Most tests of a suite.
const MOST_TESTS: usize = 1000;

/// Longest name of a test, in bytes.
const LONGEST_NAME: usize = 128;

/// The first rule that is broken, in the order of the file.
pub(super) fn check(tests: &[Test]) -> Checked {
    if tests.is_empty() {
        let hint = "for instance Tests([(name: \"as trained\", pass: (failed: 0))])";
        return Err(Problem::new("0", "this suite has no tests", hint));
    }
    if tests.len() > MOST_TESTS {
        let message = format!("a suite has at most {MOST_TESTS} tests, found {}", tests.len());
        return Err(Problem::new(&format!("0.{MOST_TESTS}"), message, "divide it into several"));
    }
    let mut seen = HashSet::new();
    for (index, test) in tests.iter().enumerate() {
        let at_test = |problem: Problem| problem.inside(&index.to_string()).inside("0");
        check_name(&test.name).map_err(at_test)?;
        if !seen.insert(test.name.as_str()) {
            let message = format!("two tests have the name `{}`", test.name);
            return Err(at_test(Problem::new("name", message, "give each a name of its own")));
        }
        check_values(test).map_err(at_test)?;
        check_pass(&test.pass).map_err(|problem| at_test(problem.inside("pass")))?;
    }
    Ok(())
}

fn check_name(name: &str) -> Checked {
    let is_sound =
        !name.trim().is_empty() && name.len() <= LONGEST_NAME && !name.contains(char::is_control);
    if is_sound {
        return Ok(());
    }
    let message = format!("a test's name has 1 to {LONGEST_NAME} bytes, and no control characters");
    Err(Problem::new("name", message, "for instance \"heavy cart\""))
}

/// The rules of a scenario, for the values that a test has of one.
fn check_values(test: &Test) -> Checked {
    let set = EpisodeSet {
        count: test.episodes.unwrap_or(EpisodeSet::DEFAULT_COUNT),
        // What is left out may be anything, and is seen with the controller.
        horizon_s: test.horizon_s.unwrap_or(f64::MAX),
        transient_s: test.transient_s.unwrap_or(0.0),
    };
    let is_known = test.horizon_s.is_some();
    let episodes = Episodes { test: is_known.then_some(set), ..Episodes::default() };
    let scenario = Scenario {
        parameters: test.parameters.clone(),
        initial: test.initial.clone(),
        simulation: test.simulation.clone(),
        failure_cost: test.failure_cost,
        failure_charge: FailureCharge::default(),
        penalties: Penalties::default(),
        aggregate: Aggregate::default(),
        against: Vec::new(),
        fresh_every: None,
        fresh_after_miss: false,
        episodes,
        plant: PlantChoice::Named("plant".to_owned()),
        observations: None,
        scaling: BTreeMap::new(),
        uncertainty: test.uncertainty.clone().unwrap_or_default(),
        controller: None,
        curriculum: None,
        training: None,
        start: Start::default(),
        stop: Stop::default(),
        seed: test.seed.unwrap_or_default(),
    };
    scenario.check().map_err(of_test)?;
    let is_count_sound = (1..=1_000_000).contains(&set.count);
    let is_transient_sound = set.transient_s >= 0.0 && set.transient_s.is_finite();
    if !is_count_sound {
        let message = format!("episodes must be from 1 to 1000000, found {}", set.count);
        return Err(Problem::new("episodes", message, "50 is usual"));
    }
    if !is_transient_sound {
        return Err(Problem::new("transient_s", "the transient is below 0", "0 counts all"));
    }
    Ok(())
}

/// A problem of a scenario, at the field of a test.
fn of_test(mut problem: Problem) -> Problem {
    if problem.path.first().is_some_and(|name| name == "episodes") {
        problem.path = match problem.path.last().map(String::as_str) {
            Some("count") | None => vec!["episodes".to_owned()],
            Some(field) => vec![field.to_owned()],
        };
    }
    problem
}

fn check_pass(pass: &Pass) -> Checked {
    let Pass { mean_error, median, p90, p99, worst, failed: _, settling_s, steady_error } = *pass;
    let limits = [
        ("mean_error", mean_error),
        ("median", median),
        ("p90", p90),
        ("p99", p99),
        ("worst", worst),
        ("settling_s", settling_s),
        ("steady_error", steady_error),
    ];
    for (name, limit) in limits {
        if limit.is_some_and(|limit| !(limit >= 0.0 && limit.is_finite())) {
            let message = format!("the largest {name} that passes must be 0 or more, and finite");
            return Err(Problem::new(name, message, "leave out what may have any value"));
        }
    }
    Ok(())
}
