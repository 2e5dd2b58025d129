//! The rules of a scenario that can be checked without its plant.
//!
//! Owns ranges and contradictions between fields; those of the controller and of the search have
//! modules of their own, and what all of them need stands below. Each rule names the field it is about; the first
//! one broken, in the order of the file format, is reported. That numbers are finite is checked again
//! here, although the reader refuses other ones, since a scenario can also be built in code.

use std::path::Path;

use bitloop_sim::{Aggregate, Distribution, DistributionError};
use bitloop_text::{Checked, Problem, number};

use crate::{
    curriculum::Curriculum,
    episodes::EpisodeSet,
    hard_episode,
    plant_choice::PlantChoice,
    scenario::Scenario,
    simulation::whole_ratio,
    stop::{Patience, Stop},
    training::Training,
};

/// Longest name of a plant, parameter, state or signal, in bytes.
const LONGEST_NAME: usize = 128;
/// Longest path of a plant's library, in bytes.
const LONGEST_PATH: usize = 4096;
/// Most names in one list or map.
const MOST_NAMES: usize = 10_000;
/// Most episodes in a set.
const MOST_EPISODES: u32 = 1_000_000;
/// Most integration steps in an episode.
pub const MOST_STEPS: u64 = 1_000_000_000;

impl Scenario {
    /// Checks all rules that need no plant. What is read from a file is checked already.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Checked {
        match &self.plant {
            PlantChoice::Named(name) => {
                check_name("plant", name)?;
                check_is_no_path(name)?;
            }
            PlantChoice::Library(path) => {
                check_path("library", "Library(\"./plant.so\")", path)?;
            }
            PlantChoice::Fmu(path) => {
                check_path("FMU", "Fmu(path: \"./plant.fmu\")", path)?;
            }
        }
        check_distributions("parameters", &self.parameters)?;
        self.start.check(true)?;
        self.check_observations()?;
        self.check_simulation()?;
        check_distributions("initial", &self.initial)?;
        if let Some(cost) = self.failure_cost {
            check_at_least_zero("failure_cost", cost, "a failure cost")?;
        }
        for (name, penalty) in self.penalties.named() {
            check_at_least_zero(&format!("penalties.{name}"), penalty, "a penalty")?;
        }
        check_count("scaling", self.scaling.len())?;
        for (name, scaling) in &self.scaling {
            check_map_name("scaling", name)?;
            let sound = scaling.scale > 0.0 && scaling.scale.is_finite();
            if !sound || !scaling.center.is_finite() {
                let message = format!("the scale of `{name}` must be above 0, and finite");
                let hint = "for instance (center: 0.0, scale: 1.0), which changes nothing";
                return Err(Problem::in_map("scaling", name, message, hint));
            }
        }
        self.uncertainty.check(self.episodes.longest_s())?;
        if let Some(controller) = &self.controller {
            controller.check()?;
        }
        self.check_episodes()?;
        check_aggregate(self.aggregate)?;
        hard_episode::check(&self.against, self.episodes.longest_s())?;
        self.check_curriculum()?;
        self.check_fresh()?;
        if let Some(training) = &self.training {
            training.check()?;
        }
        check_stop(&self.stop)
    }

    fn check_observations(&self) -> Checked {
        let Some(observations) = &self.observations else { return Ok(()) };
        check_count("observations", observations.len())?;
        if observations.is_empty() {
            let hint = "name at least one, or leave the field out for all of the plant's";
            return Err(Problem::new("observations", "the controller sees nothing", hint));
        }
        let mut seen = std::collections::HashSet::new();
        for (index, name) in observations.iter().enumerate() {
            let path = format!("observations.{index}");
            check_name(&path, name)?;
            if !seen.insert(name) {
                let message = format!("the observation `{name}` is listed twice");
                return Err(Problem::new(&path, message, "list each observation once"));
            }
        }
        Ok(())
    }

    fn check_simulation(&self) -> Checked {
        let step_s = self.simulation.step_s;
        let sample_time_s = self.simulation.sample_time_s;
        if let Some(step_s) = step_s {
            check_above_zero("simulation.step_s", step_s, "the integration step", "s")?;
        }
        if let Some(sample_time_s) = sample_time_s {
            check_above_zero("simulation.sample_time_s", sample_time_s, "the sample time", "s")?;
        }
        if let (Some(step_s), Some(sample_time_s)) = (step_s, sample_time_s)
            && whole_ratio(sample_time_s, step_s).is_none()
        {
            let times = (sample_time_s / step_s).round().clamp(1.0, 1e9);
            return Err(Problem::new(
                "simulation.sample_time_s",
                format!(
                    "the sample time {} s is no multiple of the step {} s",
                    number(sample_time_s),
                    number(step_s)
                ),
                format!("for instance sample_time_s: {}", decimal(times * step_s)),
            ));
        }
        Ok(())
    }

    fn check_episodes(&self) -> Checked {
        let sets = [
            ("training", self.episodes.training),
            ("validation", self.episodes.validation),
            // The confirmation takes its defaults from the test, whose mistakes are reported first.
            ("test", self.episodes.test),
            ("confirmation", self.episodes.confirmation),
        ];
        for (name, set) in sets {
            if let Some(set) = set {
                self.check_set(&format!("episodes.{name}"), &set)?;
            }
        }
        Ok(())
    }

    fn check_set(&self, path: &str, set: &EpisodeSet) -> Checked {
        if !(1..=MOST_EPISODES).contains(&set.count) {
            let message = format!("count must be from 1 to {MOST_EPISODES}, found {}", set.count);
            return Err(Problem::new(&format!("{path}.count"), message, "50 is usual"));
        }
        let horizon = format!("{path}.horizon_s");
        check_above_zero(&horizon, set.horizon_s, "the horizon", "s")?;
        // Without a step in the file, the plant's is not known here; 1 ns bounds the damage.
        let step_s = self.simulation.step_s.unwrap_or(1e-9 * set.horizon_s);
        if set.horizon_s / step_s > MOST_STEPS as f64 * (1.0 + 1e-9) {
            let message = format!("an episode has more than {MOST_STEPS:e} integration steps");
            return Err(Problem::new(&horizon, message, "shorten the horizon, or widen the step"));
        }
        if let Some(step_s) = self.simulation.step_s.filter(|step_s| *step_s > set.horizon_s) {
            let (horizon_s, step_s) = (number(set.horizon_s), number(step_s));
            let message =
                format!("the horizon of {horizon_s} s is shorter than the step of {step_s} s");
            return Err(Problem::new(&horizon, message, "lengthen the horizon"));
        }
        let transient = format!("{path}.transient_s");
        check_at_least_zero(&transient, set.transient_s, "the transient")?;
        if set.transient_s >= set.horizon_s {
            let (transient_s, horizon_s) = (number(set.transient_s), number(set.horizon_s));
            return Err(Problem::new(
                &transient,
                format!("the transient of {transient_s} s leaves nothing of {horizon_s} s"),
                "make it shorter than the horizon",
            ));
        }
        Ok(())
    }

    fn check_curriculum(&self) -> Checked {
        let Some(curriculum) = self.curriculum else { return Ok(()) };
        let Curriculum { horizon_s, initial_scale, uncertainty_scale, advance_below } = curriculum;
        if let Some(horizon_s) = horizon_s {
            self.check_first_horizon(horizon_s)?;
        }
        if !(initial_scale > 0.0 && initial_scale <= 1.0) {
            let message = format!(
                "initial_scale must be above 0 and at most 1, found {}",
                number(initial_scale)
            );
            let hint = "0.25 starts at a quarter of each deviation; 1 changes nothing";
            return Err(Problem::new("curriculum.initial_scale", message, hint));
        }
        if !(0.0..=1.0).contains(&uncertainty_scale) {
            let message = format!(
                "uncertainty_scale must be from 0 to 1, found {}",
                number(uncertainty_scale)
            );
            let hint = "0 starts without uncertainty; 1 changes nothing";
            return Err(Problem::new("curriculum.uncertainty_scale", message, hint));
        }
        check_above_zero("curriculum.advance_below", advance_below, "the error to advance at", "")?;
        if horizon_s.is_none() && initial_scale == 1.0 && uncertainty_scale == 1.0 {
            let message = "this curriculum changes nothing";
            let hint = "add a horizon_s, or an initial_scale or uncertainty_scale below 1, or leave the curriculum out";
            return Err(Problem::new("curriculum", message, hint));
        }
        Ok(())
    }

    fn check_fresh(&self) -> Checked {
        match (self.fresh_every, &self.training) {
            (Some(every @ 0..=1), _) => {
                let message = format!(
                    "must be at least 2, found {every}: the current weights are evaluated on each draw, which counts as one"
                );
                let hint = "leave it out for the same episodes all along";
                Err(Problem::new("fresh_every", message, hint))
            }
            (Some(_), Some(Training::CmaEs(_) | Training::RandomSearch(_))) => {
                let message = "only TelescopicBlm draws episodes anew after so many evaluations: the others compare each candidate with the best of all";
                Err(Problem::new("fresh_every", message, "leave it out, or use TelescopicBlm"))
            }
            (None, Some(Training::RandomSearch(_))) if self.fresh_after_miss => {
                let message = "RandomSearch compares each candidate with the best of all, on the same episodes";
                let hint = "leave it out, or use TelescopicBlm or CmaEs";
                Err(Problem::new("fresh_after_miss", message, hint))
            }
            _ => Ok(()),
        }
    }

    fn check_first_horizon(&self, horizon_s: f64) -> Checked {
        let path = "curriculum.horizon_s";
        check_above_zero(path, horizon_s, "the first horizon", "s")?;
        // A scenario without training episodes has nothing to compare with, and cannot be trained.
        let Some(full) = self.episodes.training else { return Ok(()) };
        if horizon_s > full.horizon_s {
            let message = format!(
                "the first horizon of {} s exceeds that of the training episodes, {} s",
                number(horizon_s),
                number(full.horizon_s)
            );
            return Err(Problem::new(path, message, "a curriculum begins with shorter episodes"));
        }
        if horizon_s <= full.transient_s {
            let message = format!(
                "the transient of the training episodes, {} s, leaves nothing of {} s",
                number(full.transient_s),
                number(horizon_s)
            );
            let hint = "make the first horizon longer than the transient";
            return Err(Problem::new(path, message, hint));
        }
        Ok(())
    }
}

fn check_aggregate(aggregate: Aggregate) -> Checked {
    match aggregate {
        Aggregate::CVaR(share) if !(share > 0.0 && share <= 1.0) => {
            let message = format!(
                "CVaR is the mean of a share of the episodes, above 0 and at most 1, found {}",
                number(share)
            );
            Err(Problem::new("aggregate", message, "CVaR(0.1) is the mean of the worst tenth"))
        }
        Aggregate::Mean | Aggregate::Worst | Aggregate::CVaR(_) => Ok(()),
    }
}

pub(crate) fn check_stop(stop: &Stop) -> Checked {
    if let Some(target) = stop.target {
        check_at_least_zero("stop.target", target, "a target error")?;
    }
    if let Some(seconds) = stop.seconds {
        check_above_zero("stop.seconds", seconds, "a budget", "s")?;
    }
    if stop.refine.is_some() && stop.target.is_none() {
        let message = "`refine` says how long the training goes on once the target is reached, and there is none";
        return Err(Problem::new(
            "stop.refine",
            message,
            "add target: ERROR, or leave `refine` out",
        ));
    }
    if stop.refine == Some(0) {
        let hint = "leave it out: the target then ends the training";
        return Err(Problem::new("stop.refine", "`refine` must be at least 1, found 0", hint));
    }
    let counts = [
        ("stop.runs", stop.runs.map(u64::from)),
        ("stop.evaluations", stop.evaluations),
        ("stop.run_evaluations", stop.run_evaluations),
    ];
    for (path, count) in counts {
        if count == Some(0) {
            let hint = "leave it out for no limit";
            return Err(Problem::new(path, "a budget must be at least 1, found 0", hint));
        }
    }
    if let Some(patience) = stop.patience {
        check_patience(patience)?;
    }
    if stop.runs.is_none() && stop.evaluations.is_none() && stop.seconds.is_none() {
        let message = "a target alone may never be met, and the training never end";
        let hint = "add a budget beside it, for instance seconds: 60";
        return Err(Problem::new("stop", message, hint));
    }
    Ok(())
}

fn check_patience(patience: Patience) -> Checked {
    let Patience { evaluations, improvement } = patience;
    if evaluations == 0 {
        let hint = "leave `patience` out to give no run up";
        let message = "must be at least 1, found 0";
        return Err(Problem::new("stop.patience.evaluations", message, hint));
    }
    if !(0.0..1.0).contains(&improvement) {
        let message =
            format!("improvement must be from 0 to below 1, found {}", number(improvement));
        let hint = "it is a share of the error: 0.1 asks for a tenth less";
        return Err(Problem::new("stop.patience.improvement", message, hint));
    }
    Ok(())
}

pub(crate) fn check_distributions(
    path: &str,
    distributions: &std::collections::BTreeMap<String, Distribution>,
) -> Checked {
    check_count(path, distributions.len())?;
    for (name, distribution) in distributions {
        check_map_name(path, name)?;
        if let Err(error) = distribution.check() {
            return Err(Problem::in_map(path, name, format!("`{name}`: {error}"), hint(error)));
        }
    }
    Ok(())
}

pub(crate) fn check_distribution(path: &str, distribution: &Distribution) -> Checked {
    distribution.check().map_err(|error| Problem::new(path, error.to_string(), hint(error)))
}

const fn hint(error: DistributionError) -> &'static str {
    match error {
        DistributionError::Reversed { .. } => "put the smaller number first",
        DistributionError::Deviation(_) => "write 0 or a number above it",
        DistributionError::NotFinite(_)
        | DistributionError::TooWide { .. }
        | DistributionError::TooFar { .. } => "write numbers that are closer to 0",
    }
}

fn name_fault(name: &str) -> Option<String> {
    if name.is_empty() {
        Some("a name is empty".into())
    } else if name.len() > LONGEST_NAME {
        Some(format!("a name is longer than {LONGEST_NAME} bytes"))
    } else if name.chars().any(char::is_control) {
        Some("a name holds control characters".into())
    } else {
        None
    }
}

pub(crate) fn check_name(path: &str, name: &str) -> Checked {
    match name_fault(name) {
        Some(message) => Err(Problem::new(path, message, "see `bitloop plant info` for the names")),
        None => Ok(()),
    }
}

/// The path of a library or FMU has a form of its own.
fn check_is_no_path(name: &str) -> Checked {
    let ends_in = |end: &str| Path::new(name).extension().is_some_and(|found| found == end);
    let (what, choice) = if ends_in("fmu") {
        ("FMU", PlantChoice::Fmu(name.to_owned()))
    } else if name.contains('/') || ends_in("so") {
        ("library", PlantChoice::Library(name.to_owned()))
    } else {
        return Ok(());
    };
    let message = format!("`{name}` is a path, and no name of a plant");
    let hint = format!("write plant: {} for the plant in that {what}", choice.written());
    Err(Problem::new("plant", message, hint))
}

fn check_path(what: &str, example: &str, path: &str) -> Checked {
    let message = match path {
        "" => format!("the path of the plant's {what} is empty"),
        _ if path.len() > LONGEST_PATH => {
            format!("the path of the plant's {what} is longer than {LONGEST_PATH} bytes")
        }
        _ if path.chars().any(char::is_control) => {
            format!("the path of the plant's {what} holds control characters")
        }
        _ => return Ok(()),
    };
    Err(Problem::new("plant", message, format!("for instance {example}, beside this file")))
}

pub(crate) fn check_map_name(path: &str, name: &str) -> Checked {
    match name_fault(name) {
        Some(message) => {
            let hint = "see `bitloop plant info` for the names";
            Err(Problem::in_map(path, name, message, hint))
        }
        None => Ok(()),
    }
}

pub(crate) fn check_count(path: &str, count: usize) -> Checked {
    if count > MOST_NAMES {
        let message = format!("{count} names, more than {MOST_NAMES}");
        return Err(Problem::new(path, message, "no plant has that many"));
    }
    Ok(())
}

pub(crate) fn check_above_zero(path: &str, value: f64, what: &str, unit: &str) -> Checked {
    if value > 0.0 && value.is_finite() {
        return Ok(());
    }
    let unit = if unit.is_empty() { String::new() } else { format!(" {unit}") };
    let message = format!("{what} must be above 0, found {}{unit}", number(value));
    Err(Problem::new(path, message, "write a number above 0"))
}

pub(crate) fn check_at_least_zero(path: &str, value: f64, what: &str) -> Checked {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    let message = format!("{what} must be 0 or more, found {}", number(value));
    Err(Problem::new(path, message, "write 0 or a number above it"))
}

/// At most four digits after the first, so that 0.30000000000000004 reads 0.3.
pub(crate) fn decimal(value: f64) -> String {
    let short: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    if (1e-4..1e6).contains(&short) { short.to_string() } else { format!("{short:e}") }
}
