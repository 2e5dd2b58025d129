//! `bitloop bench`.

use std::path::Path;

use bitloop_scenario::ScenarioFile;
use bitloop_train::{ClosedLoopTask, Throughput};
use serde::Serialize;

use crate::args::BenchArgs;
use crate::environment;
use crate::failure::Failure;
use crate::kind;
use crate::linked;
use crate::network_text::network_in_short;
use crate::output::number::{span, with_prefix};
use crate::output::table::Facts;
use crate::output::{json, print, print_note};

/// What is measured where no scenario is named: one that ships.
const DEFAULT_SCENARIO: (&str, &str) =
    ("pendulum-full-16bit.ron", include_str!("../../../scenarios/pendulum-full-16bit.ron"));

/// Measures how fast this machine trains in a scenario.
pub fn bench(args: &BenchArgs) -> Result<(), Failure> {
    let isa = environment::isa()?;
    let n_threads = args.threads.unwrap_or_else(environment::n_cores);
    let (name, text) = DEFAULT_SCENARIO;
    let scenario = match &args.scenario {
        Some(path) => kind::plant_scenario(path, "bench")?,
        None => ScenarioFile::parse(text, name)?,
    };
    let path = args.scenario.as_deref().unwrap_or(Path::new(name));
    let training = ClosedLoopTask::prepare(&scenario, &linked::plants())
        .map_err(|error| Failure::of_training(path, error))?;
    let network = network_in_short(&training);
    print_note(&format!("measuring {} for about {}", path.display(), span(args.seconds)));
    let throughput = Throughput::measure(training, isa, n_threads, args.seconds)
        .map_err(|error| Failure::of_training(path, error))?;
    if args.json {
        return json::print_object(&BenchJson {
            scenario: path.to_string_lossy().into_owned(),
            isa: isa.name(),
            threads: n_threads.get(),
            plant_steps_per_s_one_core: throughput.plant_steps_per_s_one_core,
            plant_steps_per_s_all_cores: throughput.plant_steps_per_s_all_cores,
            evaluations_per_s: throughput.evaluations_per_s,
            failed_episodes: throughput.n_failed,
            episodes: throughput.n_episodes,
        });
    }
    let mut facts = Facts::default();
    facts.add("instruction set", isa.name());
    let rate = |steps: f64| format!("{} plant steps/s", with_prefix(steps));
    facts.add("one core", rate(throughput.plant_steps_per_s_one_core));
    let all = rate(throughput.plant_steps_per_s_all_cores);
    facts.add("all cores", format!("{all}  ({n_threads} threads)"));
    let search = with_prefix(throughput.evaluations_per_s);
    facts.add("search", format!("{search} evaluations/s, cut short as soon as they are lost"));
    let Throughput { n_failed, n_episodes, .. } = throughput;
    if n_failed > 0 {
        facts.add(
            "note",
            format!(
                "{n_failed} of {n_episodes} episodes failed: the rates are those of the others"
            ),
        );
    }
    print(&format!("{network} for {}\n{}", scenario.value.plant, facts.text()))
}

#[derive(Serialize)]
struct BenchJson {
    scenario: String,
    isa: &'static str,
    threads: usize,
    plant_steps_per_s_one_core: f64,
    plant_steps_per_s_all_cores: f64,
    evaluations_per_s: f64,
    failed_episodes: usize,
    episodes: usize,
}
