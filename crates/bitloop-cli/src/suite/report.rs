//! The report of a suite: a table with a row for each test, and JSON.

use std::fmt::Write as _;

use bitloop_scenario::{Pass, SuiteFile};
use serde::Serialize;

use super::{End, Run, Tested};
use crate::args::TestArgs;
use crate::output::number::{counted, error};
use crate::output::table::Table;
use crate::replay::report::{MissJson, QuantilesJson, misses_in_words};

/// What the results amount to.
#[derive(Clone, Copy, Debug, Default, Serialize)]
struct Counts {
    passed: usize,
    missed: usize,
    without_criteria: usize,
    failed: usize,
    interrupted: usize,
}

impl Counts {
    fn of(all: &[Tested<'_>]) -> Self {
        let mut counts = Self::default();
        for tested in all {
            let count = match tested.verdict() {
                Verdict::Passed => &mut counts.passed,
                Verdict::Missed => &mut counts.missed,
                Verdict::WithoutCriteria => &mut counts.without_criteria,
                Verdict::Failed => &mut counts.failed,
                Verdict::Interrupted => &mut counts.interrupted,
            };
            *count += 1;
        }
        counts
    }
}

/// The verdict on a controller in a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    Passed,
    Missed,
    WithoutCriteria,
    /// It could not be run.
    Failed,
    Interrupted,
}

impl Tested<'_> {
    /// The verdict.
    pub fn verdict(&self) -> Verdict {
        match &self.end {
            End::Run(run) if !run.misses.is_empty() => Verdict::Missed,
            End::Run(_) if self.test.pass == Pass::default() => Verdict::WithoutCriteria,
            End::Run(_) => Verdict::Passed,
            End::Failed { .. } => Verdict::Failed,
            End::Interrupted => Verdict::Interrupted,
        }
    }

    /// Why it has not passed, in words; nothing if it has.
    pub fn reason(&self) -> Option<String> {
        match &self.end {
            End::Run(run) => (!run.misses.is_empty()).then(|| misses_in_words(&run.misses)),
            End::Failed { message, .. } => Some(message.clone()),
            End::Interrupted => Some("interrupted before its end".to_owned()),
        }
    }

    fn cell(&self) -> String {
        let verdict = match self.verdict() {
            Verdict::Passed => "  pass",
            Verdict::Missed => "  MISSED",
            Verdict::WithoutCriteria => "",
            Verdict::Failed => return "could not be run".to_owned(),
            Verdict::Interrupted => return "not run".to_owned(),
        };
        let End::Run(run) = &self.end else { return String::new() };
        let evaluation = &run.outcome.evaluation;
        let n_failed = evaluation.n_failed();
        let failed = if n_failed > 0 { format!(" ({n_failed} failed)") } else { String::new() };
        let difference = run.difference.map_or(String::new(), |(mean, half_width)| {
            let sign = if mean < 0.0 { "" } else { "+" };
            format!("  {sign}{} \u{b1} {}", error(mean), error(half_width))
        });
        format!("{}{failed}{difference}{verdict}", error(evaluation.error))
    }
}

/// For people.
pub fn text(args: &TestArgs, suite: &SuiteFile, all: &[Tested<'_>]) -> String {
    let names: Vec<String> =
        args.controllers.iter().map(|path| path.display().to_string()).collect();
    let headings: Vec<&str> =
        ["test"].into_iter().chain(names.iter().map(String::as_str)).collect();
    let mut table = Table::new(&headings);
    for row in all.chunks(names.len()) {
        let name = row.first().map_or(String::new(), |tested| tested.test.name.clone());
        table.row([name].into_iter().chain(row.iter().map(Tested::cell)).collect());
    }
    let counts = Counts::of(all);
    let mut text = format!(
        "{} of {}, {}: {} passed, {} missed, {} without criteria, {} could not be run\n{}",
        counted(suite.value.0.len() as u64, "test"),
        args.suite.display(),
        counted(names.len() as u64, "controller"),
        counts.passed,
        counts.missed,
        counts.without_criteria,
        counts.failed,
        table.text(),
    );
    if all.iter().any(|tested| matches!(&tested.end, End::Run(run) if run.difference.is_some())) {
        text.push_str("  After the mean error: its difference from the first controller's on the same episodes, \u{b1} 95 %.\n");
    }
    for tested in all {
        let word = match tested.verdict() {
            Verdict::Missed => "MISSED",
            Verdict::Failed => "could not be run",
            Verdict::Passed | Verdict::WithoutCriteria | Verdict::Interrupted => continue,
        };
        let reason = tested.reason().unwrap_or_default();
        let (name, controller) = (&tested.test.name, tested.controller.display());
        // Writing to a string cannot fail.
        let _ = writeln!(text, "  {word}: {name}, {controller}: {reason}");
    }
    text
}

/// The result as `--json` prints it.
#[derive(Debug, Serialize)]
pub struct SuiteJson {
    #[serde(flatten)]
    counts: Counts,
    results: Vec<TestedJson>,
}

#[derive(Debug, Serialize)]
struct TestedJson {
    test: String,
    controller: String,
    verdict: Verdict,
    /// Why it has not passed.
    reason: Option<String>,
    missed: Vec<MissJson>,
    #[serde(flatten)]
    figures: Option<FiguresJson>,
}

#[derive(Debug, Serialize)]
struct FiguresJson {
    mean_error: f64,
    max_error: f64,
    worst_episode: Option<usize>,
    error_quantiles: QuantilesJson,
    failed_episodes: usize,
    episodes: usize,
    horizon_s: f64,
    seed: u64,
    trajectory_digest: Option<String>,
    /// From the first controller, on the same episodes.
    mean_difference: Option<f64>,
    mean_difference_half_width: Option<f64>,
    wall_s: f64,
}

impl From<&Run> for FiguresJson {
    fn from(run: &Run) -> Self {
        let Run { outcome, difference, .. } = run;
        let evaluation = &outcome.evaluation;
        Self {
            mean_error: evaluation.error,
            max_error: evaluation.max_error(),
            worst_episode: evaluation.worst().map(|position| outcome.indices[position]),
            error_quantiles: QuantilesJson::of(evaluation),
            failed_episodes: evaluation.n_failed(),
            episodes: evaluation.episodes.len(),
            horizon_s: outcome.horizon_s,
            seed: outcome.seed,
            trajectory_digest: outcome.trajectory_digest.clone(),
            mean_difference: difference.map(|(mean, _)| mean),
            mean_difference_half_width: difference.map(|(_, half_width)| half_width),
            wall_s: outcome.wall_s,
        }
    }
}

/// For programs.
pub fn json(all: &[Tested<'_>]) -> SuiteJson {
    let results = all.iter().map(|tested| {
        let run = match &tested.end {
            End::Run(run) => Some(&**run),
            End::Failed { .. } | End::Interrupted => None,
        };
        TestedJson {
            test: tested.test.name.clone(),
            controller: tested.controller.to_string_lossy().into_owned(),
            verdict: tested.verdict(),
            reason: tested.reason(),
            missed: run.map_or(Vec::new(), |run| run.misses.iter().map(Into::into).collect()),
            figures: run.map(Into::into),
        }
    });
    SuiteJson { counts: Counts::of(all), results: results.collect() }
}
