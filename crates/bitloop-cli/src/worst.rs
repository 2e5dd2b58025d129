//! `bitloop worst`.

use std::io::Write as _;
use std::sync::Mutex;

use bitloop_replay::ReplayProgress;
use bitloop_robust::{Running, Tested, Worst, WorstOptions, worst as search};
use bitloop_scenario::ScenarioKind as _;
use bitloop_sim::EpisodeEnd;
use serde::Serialize;

use crate::args::WorstArgs;
use crate::environment::{self, Interrupt};
use crate::failure::{Done, Failure};
use crate::output::number::{counted, error, plain};
use crate::output::progress::Display;
use crate::output::{json, print, print_note, shell};
use crate::test_inputs::TestInputs;

/// Searches for the worst episode of a test, and writes its scenario.
pub fn worst(args: &WorstArgs) -> Result<Done, Failure> {
    let inputs = TestInputs::read(&args.controller, &args.test, "worst")?;
    // Before the work, so that a place that cannot be written costs no time.
    let mut file = inputs.begin(&args.out)?;
    let failed = |error| Failure::of_robust(&args.controller, error);
    let tested = Tested::of(inputs.replay(inputs.with_training_horizon(None))?);
    let interrupt = Interrupt::listen();
    let stop = || interrupt.came();
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let options = WorstOptions {
        n_random: args.random as usize,
        n_starts: args.starts as usize,
        n_generations: args.generations as usize,
        seed: tested.replay().seed(),
    };
    let running = Running { isa: inputs.isa, n_threads, stop: &stop };
    let n = options.n_starts * options.n_generations;
    let display = Mutex::new(Display::of(n, "generation"));
    let progress = |n_finished: usize| {
        if let Ok(mut display) = display.lock() {
            display.show(ReplayProgress { n_finished, part: n_finished as f64 / n as f64 });
        }
    };
    let found = search(&tested, options, running, &progress).map_err(failed);
    if let Ok(display) = display.into_inner() {
        display.finish();
    }
    environment::restore_process();
    let found = found?;
    let Some(found) = found else {
        print_note("interrupted; no scenario was written");
        return Ok(Done::Interrupted { signal: interrupt.signal() });
    };
    let text = found.scenario.value.to_text();
    file.write_all(text.as_bytes()).map_err(|error| Failure::output(&args.out, &error))?;
    file.finish()?;
    report(args, &tested, &found)?;
    Ok(if is_within(args, &found) == Some(false) { Done::Missed } else { Done::Fully })
}

/// Whether no episode was found that fails or costs more than the limit, if there is one.
fn is_within(args: &WorstArgs, found: &Worst) -> Option<bool> {
    let limit = args.limit?;
    Some(found.result.end == EpisodeEnd::Horizon && found.result.error <= limit)
}

fn report(args: &WorstArgs, tested: &Tested, found: &Worst) -> Result<(), Failure> {
    let failed_s = match found.result.end {
        EpisodeEnd::Horizon => None,
        EpisodeEnd::Failed { tick } | EpisodeEnd::Fault { tick } => {
            Some(tested.closed_loop().timing().decimal_seconds(tick))
        }
    };
    if args.json {
        return json::print_object(&WorstJson {
            error: found.result.error,
            failed_s,
            random_error: found.random_error,
            random_failed: found.n_random_failed,
            random_episodes: args.random,
            episodes: found.n_episodes,
            dimensions: found.n_dimensions,
            limit: args.limit,
            within_limit: is_within(args, found),
        });
    }
    let end =
        failed_s.map_or(String::new(), |failed_s| format!(", which fails after {failed_s:.3} s"));
    let limit = args.limit.map(plain);
    let limit = match (is_within(args, found), limit) {
        (Some(true), Some(limit)) => format!("no episode above {limit}, and none that fails\n"),
        (Some(false), Some(limit)) => format!("MISSED: it fails, or costs more than {limit}\n"),
        _ => String::new(),
    };
    let all = counted(found.n_episodes as u64, "episode");
    print(&format!(
        "worst of {all} of {} s over {}: error {}{end}\n{} random ones: worst error {}, {} failed\n{limit}\nSee it:\n  {} replay {} --scenario {}\n",
        tested.replay().horizon_s(),
        counted(found.n_dimensions as u64, "number"),
        error(found.result.error),
        args.random,
        error(found.random_error),
        found.n_random_failed,
        environment::program(),
        shell::quoted(&args.controller),
        shell::quoted(&args.out),
    ))
}

#[derive(Serialize)]
struct WorstJson {
    error: f64,
    failed_s: Option<f64>,
    random_error: f64,
    random_failed: usize,
    random_episodes: u32,
    episodes: usize,
    dimensions: usize,
    limit: Option<f64>,
    within_limit: Option<bool>,
}
