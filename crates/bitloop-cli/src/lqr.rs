//! `bitloop lqr`.

use bitloop_scenario::ScenarioFile;
use bitloop_train::{LqrBaseline, LqrTrial, RefusedWeights};
use serde::Serialize;

use crate::args::LqrArgs;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::linked;
use crate::output::number::{counted, error, plain};
use crate::output::table::{Facts, Table};
use crate::output::{json, print};

/// Prints the gains and the test error of linear-quadratic control in a scenario.
pub fn lqr(args: &LqrArgs) -> Result<(), Failure> {
    let isa = environment::isa()?;
    let mut scenario = kind::plant_scenario(&args.scenario, "lqr")?;
    if let Some(seed) = args.seed {
        scenario.value.seed = seed;
    }
    let registry = linked::plants();
    let n_threads = environment::n_cores();
    let baseline = LqrBaseline::new(&scenario, &registry, args.control_weight, isa, n_threads)
        .map_err(|error| Failure::of_training(&args.scenario, error))?;
    let refused = baseline.refused.as_ref();
    if args.json {
        json::print_object(&LqrJson {
            test_error: baseline.test.error,
            test_failed_episodes: baseline.test.n_failed(),
            control_weight: baseline.control_weight,
            trials: baseline.trials.iter().map(TrialJson::of).collect(),
            refused_control_weights: refused.map_or(&[], |refused| &refused.weights),
            spectral_radius: baseline.lqr.spectral_radius,
            feeds_back_states: baseline.interface.is_none(),
            states: &baseline.states,
            controls: &baseline.controls,
            gains: rows(&baseline).collect(),
            seed: scenario.value.seed,
        })
    } else {
        print(&text(&scenario, &baseline))
    }
}

/// The gains of each control.
fn rows(baseline: &LqrBaseline) -> impl Iterator<Item = &[f64]> {
    baseline.lqr.gains.chunks(baseline.states.len())
}

fn text(scenario: &ScenarioFile, baseline: &LqrBaseline) -> String {
    let LqrBaseline {
        lqr,
        control_weight,
        trials,
        refused,
        states,
        controls,
        test,
        horizon_s,
        interface,
    } = baseline;
    let headings: Vec<&str> =
        ["control = - sum of"].into_iter().chain(states.iter().map(String::as_str)).collect();
    let mut gains = Table::new(&headings);
    for (control, row) in controls.iter().zip(rows(baseline)) {
        let numbers = row.iter().map(|gain| error(*gain));
        gains.row([control.clone()].into_iter().chain(numbers).collect());
    }
    let mut facts = Facts::default();
    let n_episodes = test.episodes.len();
    facts.add(
        "test error",
        format!(
            "{}  ({} of {} s, {} failed)",
            error(test.error),
            counted(n_episodes as u64, "episode"),
            plain(*horizon_s),
            test.n_failed()
        ),
    );
    facts.add("max error", error(test.max_error()));
    let chosen = match trials.len() {
        0 => String::new(),
        n => format!(
            "  (of {n} tried on the training episodes, the largest within 1 % of the lowest error)"
        ),
    };
    facts.add("control weight", format!("{}{chosen}", plain(*control_weight)));
    if let Some(RefusedWeights { weights, reason }) = refused {
        let (least, most) = (weights.first(), weights.last());
        let range = least.zip(most).filter(|(least, most)| least < most).map_or_else(
            || weights.iter().map(|weight| plain(*weight)).collect(),
            |(least, most)| format!("{} to {}", plain(*least), plain(*most)),
        );
        let n = counted(weights.len() as u64, "weight");
        facts.add("refused", format!("{n}, {range}: {}", reason.in_short()));
    }
    facts.add("spectral radius", format!("{:.4}", lqr.spectral_radius));
    let feedback = if interface.is_some() {
        "full feedback"
    } else {
        "all states fed back, which the observations do not determine"
    };
    let mut text = format!(
        "linear-quadratic control of {} with {feedback}, seed {}\n{}\n{}",
        scenario.value.plant,
        scenario.value.seed,
        gains.text(),
        facts.text()
    );
    if !trials.is_empty() {
        let mut table = Table::new(&["control weight", "training error", "failed"]);
        for trial in trials {
            let weight = plain(trial.control_weight);
            table.row(vec![weight, error(trial.error), trial.n_failed.to_string()]);
        }
        text.push('\n');
        text.push_str(&table.text());
    }
    text
}

#[derive(Serialize)]
struct LqrJson<'a> {
    test_error: f64,
    test_failed_episodes: usize,
    control_weight: f64,
    trials: Vec<TrialJson>,
    refused_control_weights: &'a [f64],
    spectral_radius: f64,
    /// Whether it sees the states themselves, which the observations do not determine.
    feeds_back_states: bool,
    states: &'a [String],
    controls: &'a [String],
    gains: Vec<&'a [f64]>,
    seed: u64,
}

/// A control weight that was tried on the training episodes.
#[derive(Serialize)]
struct TrialJson {
    control_weight: f64,
    training_error: f64,
    training_failed_episodes: usize,
}

impl TrialJson {
    fn of(trial: &LqrTrial) -> Self {
        let LqrTrial { control_weight, error, n_failed } = *trial;
        Self { control_weight, training_error: error, training_failed_episodes: n_failed }
    }
}
