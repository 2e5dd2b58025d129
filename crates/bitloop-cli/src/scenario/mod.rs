//! `bitloop scenario check`.

mod closed_loop;
mod supervised;
mod uncertainty;

use std::fmt::Write as _;
use std::path::Path;

use bitloop_plant::Description;
use bitloop_random::Purpose;
use bitloop_scenario as file;
use bitloop_scenario::{AnyScenario, EpisodeSet, ScenarioFile, ScenarioKind as _, Stop};
use bitloop_train::{ClosedLoopSetup, ClosedLoopTask, ClosedLoopTraining, Training, warnings};
use serde::Serialize;

use crate::failure::Failure;
use crate::network_text::{grid_in_words, network_in_short};
use crate::output::number::{counted, plain};
use crate::output::table::Facts;
use crate::output::{json, print};
use crate::registry;

/// Says that a scenario is fine, and what it amounts to.
pub fn check(path: &Path, as_json: bool) -> Result<(), Failure> {
    let scenario = match AnyScenario::read(path)? {
        AnyScenario::ClosedLoop(scenario) => scenario,
        AnyScenario::Supervised(file) => return supervised::check(path, &file, as_json),
    };
    let checked = Checked::new(path, &scenario)?;
    if as_json { json::print_object(&checked.json()) } else { print(&checked.text()) }
}

/// Explains the fields at a path and below it.
pub fn fields(path: &str) -> Result<(), Failure> {
    match file::fields(path) {
        Ok(text) => print(&text),
        Err(unknown) => {
            let message = unknown.to_string();
            Err(Failure::Usage { message, hint: Some(unknown.hint) })
        }
    }
}

/// A scenario that can be run.
struct Checked<'a> {
    path: &'a Path,
    file: &'a ScenarioFile,
    setup: ClosedLoopSetup,
    training: Option<ClosedLoopTraining>,
    warnings: Vec<String>,
}

/// The result as `--json` prints it.
#[derive(Serialize)]
struct CheckJson {
    scenario: String,
    plant: String,
    plant_version: String,
    can_train: bool,
    n_weights: Option<usize>,
    epsilon: Option<f64>,
    seed: u64,
    scenario_digest: String,
    warnings: Vec<String>,
}

impl<'a> Checked<'a> {
    /// Does all that a training or a test would do before its first step.
    fn new(path: &'a Path, file: &'a ScenarioFile) -> Result<Self, Failure> {
        let registry = registry::registry();
        let of_training = |error| Failure::of_training(path, error);
        let scenario = &file.value;
        let wants_training = scenario.controller.is_some()
            || scenario.training.is_some()
            || scenario.episodes.training.is_some();
        let setup = ClosedLoopSetup::new(file, &registry).map_err(of_training)?;
        let training = if wants_training {
            Some(ClosedLoopTask::prepare(file, &registry).map_err(of_training)?)
        } else {
            let test = file.require_test()?;
            setup.episodes(file, "test", test, Purpose::TestEpisodes).map_err(of_training)?;
            None
        };
        let warnings = warnings(file, &setup, training.as_ref()).map_err(of_training)?;
        Ok(Self { path, file, setup, training, warnings })
    }

    fn plant(&self) -> &Description {
        self.setup.closed_loop.plant().description()
    }

    /// Step between two weights, where the search has one.
    fn epsilon(&self) -> Option<f64> {
        match &self.file.value.training {
            Some(file::Training::TelescopicBlm(blm)) => blm.grid().ok().map(|grid| grid.epsilon()),
            _ => None,
        }
    }

    fn json(&self) -> CheckJson {
        let plant = self.plant();
        let training = self.training.as_ref();
        CheckJson {
            scenario: self.path.display().to_string(),
            plant: plant.name.clone(),
            plant_version: plant.version.clone(),
            can_train: training.is_some(),
            n_weights: training.map(|training| training.network().n_weights()),
            epsilon: self.epsilon(),
            seed: self.file.value.seed,
            scenario_digest: self.file.value.digest(),
            warnings: self.warnings.clone(),
        }
    }

    fn text(&self) -> String {
        let scenario = &self.file.value;
        let plant = self.plant();
        let mut facts = Facts::default();
        facts.add("plant", format!("{}, version {}", plant.name, plant.version));
        let interface = self.setup.closed_loop.interface();
        if self.training.is_some() || scenario.observations.is_some() {
            let inputs = interface.inputs.iter();
            let seen =
                inputs.map(|input| closed_loop::seen(&plant.observations[input.index].name, input));
            facts.add("observations", join(seen));
            if self.training.is_some() {
                closed_loop::add_constant(&mut facts, &self.setup, &scenario.uncertainty);
            }
        } else {
            facts.add("observations", "those of the controller that is replayed");
        }
        let outputs = interface.outputs.iter();
        let commanded = outputs
            .map(|output| closed_loop::commanded(&plant.controls[output.index].name, output));
        facts.add("controls", join(commanded));
        closed_loop::add_drawn(&mut facts, &self.setup);
        let timing = self.setup.closed_loop.timing();
        facts.add(
            "simulation",
            format!(
                "{}, step {} s, sample time {} s",
                self.setup.closed_loop.integrator().name(),
                plain(timing.step_s()),
                plain(timing.sample_time_s()),
            ),
        );
        uncertainty::add(&mut facts, &scenario.uncertainty);
        closed_loop::add_penalties(&mut facts, &scenario.penalties);
        if let Some(training) = &self.training {
            add_training(&mut facts, training, scenario);
        }
        let episodes = &scenario.episodes;
        let sets = [
            ("training set", episodes.training),
            ("validation set", episodes.validation),
            ("confirmation set", episodes.confirmation),
            ("test set", episodes.test),
        ];
        if self.training.is_some() && !scenario.aggregate.is_mean() {
            facts.add("minimized", scenario.aggregate.to_string());
        }
        // Of a test alone, the other sets follow from defaults and are never run.
        let n_unused = if self.training.is_some() { 0 } else { 3 };
        for (name, set) in &sets[n_unused..] {
            if let Some(set) = set {
                facts.add(name, set_in_words(*set));
            }
            if *name == "training set" && !scenario.against.is_empty() {
                let n_hard = counted(scenario.against.len() as u64, "hard episode");
                facts.add("against", format!("{n_hard}, added to the training set"));
            }
        }
        if self.training.is_some() {
            facts.add("stops", stop_in_words(&scenario.stop));
        }
        facts.add("seed", scenario.seed.to_string());
        facts.add("digest", scenario.digest());
        let use_it =
            if self.training.is_some() { "trains a controller" } else { "is a test alone" };
        let state = if self.warnings.is_empty() { "is fine" } else { "can be run, with doubts" };
        let mut text = format!("{} {state}, and {use_it}\n{}", self.path.display(), facts.text());
        for warning in &self.warnings {
            let _ = writeln!(text, "warning: {warning}");
        }
        text
    }
}

fn add_training(facts: &mut Facts, training: &dyn Training, scenario: &file::Scenario) {
    facts.add("controller", network_in_short(training));
    match &scenario.training {
        Some(file::Training::TelescopicBlm(blm)) => add_telescopic_blm(facts, blm),
        Some(file::Training::CmaEs(_)) => facts.add("search", "CmaEs, over real weights"),
        Some(file::Training::RandomSearch(_)) => facts.add("search", "RandomSearch"),
        None => {}
    }
    let every = scenario.fresh_every.map(|every| {
        let every = counted(every, "evaluation");
        format!("after every {every} of a run")
    });
    let miss = scenario
        .fresh_after_miss
        .then(|| "after the target is met on them and missed on others".to_owned());
    let drawn: Vec<String> = every.into_iter().chain(miss).collect();
    if !drawn.is_empty() {
        facts.add("episodes", format!("drawn anew {}", drawn.join(", and ")));
    }
    if let Some(file::Curriculum { horizon_s, initial_scale, uncertainty_scale, advance_below }) =
        scenario.curriculum
    {
        let horizon = horizon_s.map_or("their horizon".to_owned(), |s| format!("{} s", plain(s)));
        let (scale, error) = (plain(initial_scale), plain(advance_below));
        let uncertain = match uncertainty_scale {
            1.0 => String::new(),
            scale => format!(" and {} of the uncertainty", plain(scale)),
        };
        facts.add(
            "curriculum",
            format!(
                "from {horizon} and {scale} of the initial states{uncertain} on, doubled below {error}"
            ),
        );
    }
}

/// The settings of telescopic BLM.
pub fn add_telescopic_blm(facts: &mut Facts, blm: &file::TelescopicBlm) {
    facts.add("search", "TelescopicBlm");
    facts.add("weights", grid_in_words(blm.bits, blm.max_weight));
    facts.add("start", format!("{:?}, {} bits free", blm.initialization, blm.start_bits));
    facts.add("growth", growth_in_words(&blm.growth));
    facts.add(
        "moves",
        format!(
            "{:?} of {}, coding {:?}, freezing {:?}",
            blm.moves,
            candidates_in_words(blm.candidates),
            blm.coding,
            blm.freezing
        ),
    );
    let at_target = if blm.validate_at_target { ", and at the target" } else { "" };
    let period = counted(u64::from(blm.validate_every), "move");
    facts.add("validation", format!("every {period}{at_target}"));
}

/// As the file has them.
fn candidates_in_words(candidates: file::Candidates) -> String {
    match candidates {
        file::Candidates::SingleFlips => "SingleFlips".to_owned(),
        file::Candidates::SeveralFlips { extra } => {
            format!("SeveralFlips(extra: {})", plain(extra))
        }
    }
}

/// As the file has it.
fn growth_in_words(growth: &file::Growth) -> String {
    match growth {
        file::Growth::Threshold { phi, eta } => {
            format!("Threshold(phi: {}, eta: {})", plain(*phi), plain(*eta))
        }
        other => format!("{other:?}"),
    }
}

fn set_in_words(set: EpisodeSet) -> String {
    let transient = match set.transient_s {
        0.0 => String::new(),
        seconds => format!(", the first {} s not counted", plain(seconds)),
    };
    format!("{} of {} s{transient}", counted(u64::from(set.count), "episode"), plain(set.horizon_s))
}

/// When a training ends.
pub fn stop_in_words(stop: &Stop) -> String {
    let conditions = [
        stop.target.map(|target| {
            let refined = stop.refine.map_or_else(String::new, |n| {
                format!(" and up to {} more, which lower it", counted(n, "evaluation"))
            });
            format!("at an error of {}{refined}", plain(target))
        }),
        stop.runs.map(|n| format!("after {}", counted(u64::from(n), "run"))),
        stop.evaluations.map(|n| format!("after {}", counted(n, "evaluation"))),
        stop.seconds.map(|seconds| format!("after {} s", plain(seconds))),
    ];
    let mut text = conditions.into_iter().flatten().collect::<Vec<_>>().join(", or ");
    if let Some(file::Patience { evaluations, improvement }) = stop.patience {
        let evaluations = counted(evaluations, "evaluation");
        let share = plain(improvement);
        let _ = write!(text, "; a run gives way that gains no {share} in {evaluations}");
    }
    if let Some(n) = stop.run_evaluations {
        let _ = write!(text, "; a run gives way after {}", counted(n, "evaluation"));
    }
    text
}

fn join(names: impl Iterator<Item = String>) -> String {
    names.collect::<Vec<_>>().join(", ")
}
