//! `bitloop compare`: campaigns of several scenarios with the same variants, in one table.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

use bitloop_campaign::{ExpectedCost, Summary, geometric_mean};
use bitloop_scenario::{AnyScenario, ErrorMeaning};
use serde::Serialize;

use super::report::{FAILING, Report, error_or_failed, meaning_in_words, success_in_words};
use super::report_json::CampaignJson;
use super::{Trained, carry_out};
use crate::args::{CampaignArgs, CompareArgs, DataFiles};
use crate::environment::Interrupt;
use crate::failure::{Done, Failure};
use crate::output::number::{counted, span, with_prefix};
use crate::output::table::Table;
use crate::output::{json, print, print_note};

/// What is compared if nothing is asked for; the last is the reference.
const USUAL: &str = "training=TelescopicBlm(),CmaEs()";

/// The most characters of a variant's name in the table.
const MAX_NAME: usize = 28;

/// Of these, those that are kept of its beginning where it is longer.
const HEAD: usize = 10;

/// Trains what is missing of all campaigns, and prints how they compare.
pub fn compare(args: &CompareArgs) -> Result<Done, Failure> {
    let interrupt = Interrupt::listen();
    let files = args.scenarios.iter().map(AnyScenario::read).collect::<Result<Vec<_>, _>>()?;
    let names = names(&args.scenarios)?;
    let campaigns: Vec<CampaignArgs> = args
        .scenarios
        .iter()
        .zip(&names)
        .map(|(path, name)| campaign_args(args, path, name))
        .collect();
    // All of them before the first training: a mistake in the last is not found out after hours.
    let prepare = |(args, file)| super::prepare(args, scenario(args), file);
    let prepared = campaigns.iter().zip(&files).map(prepare).collect::<Result<Vec<_>, _>>()?;
    let mut trained: Vec<Trained> = Vec::new();
    for ((args, file), prepared) in campaigns.iter().zip(&files).zip(prepared) {
        let one = carry_out(args, scenario(args), file, prepared, &interrupt)?;
        let is_done = one.is_done;
        trained.push(one);
        if !is_done {
            break;
        }
    }
    let is_done = trained.len() == campaigns.len() && trained.iter().all(|one| one.is_done);
    let all = names.iter().zip(campaigns.iter().zip(&trained));
    let reports: Vec<(&String, Report<'_>)> =
        all.map(|(name, (campaign, trained))| (name, report(campaign, trained))).collect();
    for (name, report) in &reports {
        if let Some(failures) = report.failures() {
            print_note(&format!("note: {name}: {failures}"));
        }
    }
    let have_all_failed = reports.iter().all(|(_, report)| report.all_failed());
    let rows: Vec<Compared> =
        reports.iter().map(|(name, report)| Compared::of((*name).clone(), report)).collect();
    if args.json {
        for Compared { scenario, warning, .. } in &rows {
            if let Some(warning) = warning {
                print_note(&format!("warning: {scenario}: {warning}"));
            }
        }
        json::print_object(&CompareJson {
            complete: is_done,
            means: means(&rows),
            scenarios: rows,
        })?;
    } else {
        print(&text(args, &rows))?;
    }
    if is_done && have_all_failed {
        let message =
            "all trainings of all scenarios failed: they found nothing with a finite error";
        let hint = "`bitloop train` in one of them shows how it goes; `bitloop plant check` names faults of a plant";
        return Err(Failure::NothingFound { message: message.into(), hint: Some(hint.into()) });
    }
    if is_done {
        return Ok(Done::Fully);
    }
    print_note("interrupted: the same command does the rest");
    Ok(Done::Interrupted { signal: interrupt.signal() })
}

/// The result as `--json` prints it.
#[derive(Debug, Serialize)]
struct CompareJson {
    complete: bool,
    scenarios: Vec<Compared>,
    means: Vec<Mean>,
}

/// The campaign of a scenario.
#[derive(Debug, Serialize)]
struct Compared {
    scenario: String,
    /// Plant steps, or evaluations, to a success over those of the last variant, of each variant; null if either has none.
    ratios: Vec<Option<f64>>,
    campaign: CampaignJson,
    #[serde(skip)]
    variants: Vec<Row>,
    /// What the errors of all variants are, of examples.
    #[serde(skip)]
    meaning: Option<String>,
    /// That the errors of variants cannot be compared.
    #[serde(skip)]
    warning: Option<String>,
    /// See [`Report::failing_successes`].
    #[serde(skip)]
    failing: Vec<(String, usize, usize)>,
}

/// A variant in the table.
#[derive(Debug)]
struct Row {
    name: String,
    /// What its errors are.
    meaning: String,
    summary: Summary,
}

/// The geometric mean of the ratios of a variant over scenarios.
#[derive(Debug, Serialize)]
struct Mean {
    variant: String,
    /// Over the scenarios where both the variant and the reference have a success.
    ratio: Option<f64>,
    scenarios: usize,
    /// The other scenarios. The mean says nothing of them.
    left_out: Vec<String>,
}

/// The report of the campaign of a scenario.
fn report<'a>(args: &'a CampaignArgs, trained: &'a Trained) -> Report<'a> {
    Report {
        args,
        scenario: scenario(args),
        seed: trained.prepared.seed,
        campaign: &trained.prepared.campaign,
        finished: &trained.finished,
        n_cores: trained.n_cores,
    }
}

impl Compared {
    fn of(name: String, report: &Report<'_>) -> Self {
        let variants: Vec<Row> = report
            .variants()
            .into_iter()
            .map(|of| Row {
                name: of.name,
                meaning: meaning_in_words(of.variant),
                summary: of.summary,
            })
            .collect();
        let (meaning, warning) =
            (report.common_meaning().map(ErrorMeaning::in_words), report.warning());
        // A success is another thing for each then.
        let ratios = if warning.is_some() { vec![None; variants.len()] } else { ratios(&variants) };
        let (campaign, failing) = (report.json(), report.failing_successes());
        Self { scenario: name, ratios, campaign, variants, meaning, warning, failing }
    }
}

/// The costs of variants over that of the last one: plant steps or, where none is simulated, evaluations. None where one of the two
/// has no success, or its cost was lost.
fn ratios(variants: &[Row]) -> Vec<Option<f64>> {
    let has_plant = variants.iter().any(|row| row.summary.plant_steps.mean != 0.0);
    let cost = |row: &Row| {
        let Summary { plant_steps, evaluations, .. } = &row.summary;
        if has_plant { plant_steps.mean } else { evaluations.mean }
    };
    let reference = variants.last().map_or(f64::NAN, cost);
    let ratio = |row| Some(cost(row) / reference).filter(|ratio| ratio.is_finite() && *ratio > 0.0);
    variants.iter().map(ratio).collect()
}

/// The means of all variants but the reference.
fn means(rows: &[Compared]) -> Vec<Mean> {
    let Some(first) = rows.first() else { return Vec::new() };
    let n_compared = first.variants.len().saturating_sub(1);
    let mean = |(index, row): (usize, &Row)| {
        let ratios: Vec<f64> = rows.iter().filter_map(|of| of.ratios[index]).collect();
        let left_out = rows.iter().filter(|of| of.ratios[index].is_none());
        Mean {
            variant: row.name.clone(),
            ratio: geometric_mean(&ratios),
            scenarios: ratios.len(),
            left_out: left_out.map(|of| of.scenario.clone()).collect(),
        }
    };
    first.variants.iter().enumerate().take(n_compared).map(mean).collect()
}

/// The table, and the means.
fn text(args: &CompareArgs, rows: &[Compared]) -> String {
    let names = Names::of(rows);
    let mut table = Table::new(&["", "successes", "plant steps", "evaluations", "time", "ratio"]);
    for Compared { scenario, ratios, variants, .. } in rows {
        table.row(vec![scenario.clone()]);
        for (Row { name, summary, .. }, ratio) in variants.iter().zip(ratios) {
            table.row(vec![
                format!("  {}", names.shortened(name)),
                format!("{} of {}", summary.n_successes, summary.n_trainings),
                // "Almost" and "hopeless" look different.
                if summary.n_successes == 0 {
                    format!("error {}", error_or_failed(summary.quartile_errors[1]))
                } else {
                    with_interval(summary.plant_steps)
                },
                with_interval(summary.evaluations),
                shown(summary.time_s.mean, span),
                ratio.map_or("-".to_owned(), |ratio| format!("{ratio:.2}")),
            ]);
        }
    }
    let n_cores = rows.first().map_or(1, |row| row.campaign.n_cores());
    let mut text = format!(
        "\n{}\nA success is {}. Costs are those of a success, with 95 % intervals by bootstrap: all trainings\ntogether over \
         successes; time on {}.\n",
        table.text(),
        success_in_words(args.success),
        counted(n_cores as u64, "core"),
    );
    if rows.iter().flat_map(|of| &of.variants).any(|row| row.summary.n_successes == 0) {
        text.push_str(
            "Where a variant has no success, its error is the median of its trainings, on the test set or else the one that\n\
             selects.\n",
        );
    }
    for Compared { scenario, variants, meaning, warning, .. } in rows {
        if let Some(meaning) = meaning {
            let _ = writeln!(text, "Errors of {scenario} are {meaning}.");
        }
        if let Some(warning) = warning {
            for Row { name, meaning, .. } in variants {
                let _ =
                    writeln!(text, "Errors of {scenario}, {}: {meaning}.", names.shortened(name));
            }
            let _ = writeln!(text, "WARNING: {scenario}: {warning}");
        }
    }
    for Compared { scenario, failing, .. } in rows {
        for (name, n_failing, n_successes) in failing {
            let name = names.shortened(name);
            let _ = writeln!(text, "{FAILING}, {scenario}: {name} {n_failing} of {n_successes}");
        }
    }
    let reference = rows.first().and_then(|row| row.variants.last());
    for Mean { variant, ratio, scenarios, left_out } in means(rows) {
        if let (Some(ratio), Some(reference)) = (ratio, reference) {
            let of_all = match left_out.len() {
                0 => String::new(),
                _ => format!("{scenarios} of "),
            };
            let _ = writeln!(
                text,
                "{} over {}: {ratio:.2}, the geometric mean of {of_all}{}",
                names.shortened(&variant),
                names.shortened(&reference.name),
                counted(rows.len() as u64, "scenario"),
            );
            if !left_out.is_empty() {
                let names = left_out.join(", ");
                let is_other = rows.iter().any(|of| of.warning.is_some());
                let or_other = if is_other { ", or another kind of error" } else { "" };
                let _ = writeln!(
                    text,
                    "  without those where one of the two has no success{or_other}: {names}"
                );
            }
        }
    }
    text
}

/// A cost and its interval in few characters: `3.4M (2.1M-4.5M)`.
fn with_interval(cost: ExpectedCost) -> String {
    if cost.mean == 0.0 {
        return "-".to_owned();
    }
    let [low, high] = cost.interval.map(|value| shown(value, compact));
    if cost.mean.is_finite() {
        format!("{} ({low}-{high})", compact(cost.mean))
    } else {
        "-".to_owned()
    }
}

/// Two digits and a prefix; three from a hundred on.
fn compact(value: f64) -> String {
    let text = with_prefix(value);
    let Some((digits, prefix)) = text.split_once(' ') else { return text };
    match digits.parse::<f64>() {
        Ok(number) if number < 9.95 => format!("{number:.1}{prefix}"),
        Ok(number) => format!("{number:.0}{prefix}"),
        Err(_) => text,
    }
}

fn shown(value: f64, show: impl Fn(f64) -> String) -> String {
    if value.is_finite() { show(value) } else { "?".to_owned() }
}

/// The names of variants in the table.
struct Names<'a> {
    all: Vec<&'a str>,
}

impl<'a> Names<'a> {
    fn of(rows: &'a [Compared]) -> Self {
        let variants = rows.first().map_or(&[][..], |row| &row.variants);
        Self { all: variants.iter().map(|row| unprefixed(&row.name)).collect() }
    }

    /// A name without what all of them have in common, cut where it is long: to its beginning, and what it has from shortly
    /// before the place where the next one that is alike differs from it.
    fn shortened(&self, name: &str) -> String {
        let text: Vec<char> = unprefixed(name).chars().collect();
        if text.len() <= MAX_NAME {
            return text.into_iter().collect();
        }
        let others = self.all.iter().map(|other| {
            let alike = other.chars().zip(&text).take_while(|(a, b)| a == *b);
            alike.count()
        });
        let n_alike = others.filter(|&n| n < text.len()).max().unwrap_or(text.len());
        let room = MAX_NAME - HEAD - 3;
        let end = text.len() - room;
        // What differs at the beginning from all others is mostly varied at the end.
        let start =
            if n_alike < HEAD { end } else { n_alike.saturating_sub(room / 2).clamp(HEAD, end) };
        let part = |from: usize, n: usize| text[from..].iter().take(n).collect::<String>();
        format!("{}...{}", part(0, HEAD), part(start, room))
    }
}

/// A name without its first key, where the value says itself what it is: `Linear` instead of `controller=Linear`.
fn unprefixed(name: &str) -> &str {
    let keys = ["training=", "controller="];
    keys.iter().find_map(|key| name.strip_prefix(key)).unwrap_or(name)
}

/// Names for the folders of the scenarios: those of their files.
fn names(scenarios: &[PathBuf]) -> Result<Vec<String>, Failure> {
    let names: Vec<String> = scenarios
        .iter()
        .map(|path| {
            path.file_stem().unwrap_or(OsStr::new("scenario")).to_string_lossy().into_owned()
        })
        .collect();
    let twice = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name));
    match twice {
        Some((_, name)) => Err(Failure::Usage {
            message: format!("two scenarios have the name `{name}`"),
            hint: Some("the folders of their campaigns have these names: rename one".to_owned()),
        }),
        None => Ok(names),
    }
}

/// The campaign of one of the scenarios.
fn campaign_args(args: &CompareArgs, scenario: &Path, name: &str) -> CampaignArgs {
    let vary =
        if args.vary.is_empty() { USUAL.parse().into_iter().collect() } else { args.vary.clone() };
    CampaignArgs {
        scenario: Some(scenario.to_owned()),
        resume: None,
        runs: Some(args.runs),
        folds: None,
        vary,
        success: args.success,
        search: true,
        seed: args.seed,
        threads: args.threads,
        shard: None,
        out: Some(args.out.join(name)),
        plant: None,
        files: DataFiles::default(),
        json: args.json,
    }
}

fn scenario(args: &CampaignArgs) -> &Path {
    args.scenario.as_deref().unwrap_or(Path::new(""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_names_keep_their_beginning_and_their_end() {
        let of = |all: &[&'static str], name| Names { all: all.to_vec() }.shortened(name);
        assert_eq!(of(&["CmaEs()"], "training=CmaEs()"), "CmaEs()");
        assert_eq!(of(&["stop.runs=3"], "stop.runs=3"), "stop.runs=3");
        let name = "controller=FeedForward(hidden: [5])";
        assert_eq!(of(&[name], name), "FeedForward(hidden: [5])");
        let name = "TelescopicBlm(initialization: Bounded(2))";
        assert_eq!(of(&[name, "CmaEs()"], name), "Telescopic...on: Bounded(2))");
        assert_eq!(of(&[name], name), "Telescopic...on: Bounded(2))");
    }

    #[test]
    fn long_names_show_where_they_differ() {
        let all = [
            "TelescopicBlm(moves: BestOf(40), initialization: Bounded(0.5), candidates: SingleFlips)",
            "TelescopicBlm(moves: BestOf(20), initialization: Bounded(0.5), candidates: SingleFlips)",
            "CmaEs()",
        ];
        let shown = all.map(|name| Names { all: all.to_vec() }.shortened(name));
        assert!(shown.iter().all(|name| name.chars().count() <= MAX_NAME), "{shown:?}");
        assert!(shown[0].contains("(40)") && shown[1].contains("(20)"), "{shown:?}");
    }

    #[test]
    fn costs_are_rounded_and_have_a_prefix() {
        for (value, text) in
            [(950.0, "950"), (1290.0, "1.3k"), (45.6e6, "46M"), (9.97e3, "10k"), (7.8e8, "780M")]
        {
            assert_eq!(compact(value), text);
        }
    }
}
