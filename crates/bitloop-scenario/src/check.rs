//! The rules of a scenario that can be checked without its plant.
//!
//! Owns ranges and contradictions between fields. Each rule names the field it is about; the first
//! one broken, in the order of the file format, is told. That numbers are finite is checked again
//! here, although the reader refuses other ones, since a scenario can also be built in code.

use crate::{
    controller::{ControllerSpec, LayerActivations},
    distribution::Distribution,
    episodes::EpisodeSet,
    problem::Problem,
    scenario::Scenario,
    simulation::whole_ratio,
    training::{Growth, Initialization, TelescopicBlm, Training},
};

/// Longest name of a plant, parameter, state or signal, in bytes.
const LONGEST_NAME: usize = 128;
/// Most names in one list or map.
const MOST_NAMES: usize = 10_000;
/// Most hidden layers.
const MOST_LAYERS: usize = 64;
/// Most units in a layer.
const MOST_UNITS: u32 = 65_536;
/// Most weights between hidden layers.
const MOST_WEIGHTS: u64 = 1 << 24;
/// Most episodes in a set.
const MOST_EPISODES: u32 = 1_000_000;
/// Most integration steps in an episode.
const MOST_STEPS: f64 = 1e9;

type Checked = Result<(), Problem>;

impl Scenario {
    /// Checks all rules that need no plant. What is read from a file is checked already.
    ///
    /// # Errors
    /// The first rule that is broken.
    pub fn check(&self) -> Checked {
        check_name("plant", &self.plant)?;
        check_distributions("parameters", &self.parameters)?;
        self.check_observations()?;
        self.check_simulation()?;
        check_distributions("initial", &self.initial)?;
        if let Some(cost) = self.failure_cost {
            check_at_least_zero("failure_cost", cost, "a failure cost")?;
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
        if let Some(ControllerSpec::FeedForward(network)) = &self.controller {
            check_hidden(&network.hidden, &network.hidden_activation)?;
        }
        self.check_episodes()?;
        if let Some(Training::TelescopicBlm(blm)) = &self.training {
            check_telescopic(blm)?;
        }
        self.check_stop()
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
                format!("the sample time {sample_time_s} s is no multiple of the step {step_s} s"),
                format!("for instance sample_time_s: {}", decimal(times * step_s)),
            ));
        }
        Ok(())
    }

    fn check_episodes(&self) -> Checked {
        let sets = [
            ("training", self.episodes.training),
            ("validation", self.episodes.validation),
            ("confirmation", self.episodes.confirmation),
            ("test", self.episodes.test),
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
        if set.horizon_s / step_s > MOST_STEPS * (1.0 + 1e-9) {
            let message = format!("an episode has more than {MOST_STEPS:e} integration steps");
            return Err(Problem::new(&horizon, message, "shorten the horizon, or widen the step"));
        }
        let transient = format!("{path}.transient_s");
        check_at_least_zero(&transient, set.transient_s, "the transient")?;
        if set.transient_s >= set.horizon_s {
            let (transient_s, horizon_s) = (set.transient_s, set.horizon_s);
            return Err(Problem::new(
                &transient,
                format!("the transient of {transient_s} s leaves nothing of {horizon_s} s"),
                "make it shorter than the horizon",
            ));
        }
        Ok(())
    }

    fn check_stop(&self) -> Checked {
        let stop = &self.stop;
        if let Some(target) = stop.target {
            check_at_least_zero("stop.target", target, "a target error")?;
        }
        if let Some(seconds) = stop.seconds {
            check_above_zero("stop.seconds", seconds, "a budget", "s")?;
        }
        let counts = [
            ("stop.descents", stop.descents.map(u64::from)),
            ("stop.evaluations", stop.evaluations),
            ("stop.descent_evaluations", stop.descent_evaluations),
        ];
        for (path, count) in counts {
            if count == Some(0) {
                let hint = "leave it out for no limit";
                return Err(Problem::new(path, "a budget must be at least 1, found 0", hint));
            }
        }
        if stop.descents.is_none() && stop.evaluations.is_none() && stop.seconds.is_none() {
            let message = "a target alone may never be met, and the training never end";
            let hint = "add a budget beside it, for instance seconds: 60";
            return Err(Problem::new("stop", message, hint));
        }
        Ok(())
    }
}

fn check_hidden(hidden: &[u32], activation: &LayerActivations) -> Checked {
    if hidden.len() > MOST_LAYERS {
        let message = format!("more than {MOST_LAYERS} hidden layers");
        return Err(Problem::new("controller.hidden", message, "use fewer layers"));
    }
    for (index, &units) in hidden.iter().enumerate() {
        if !(1..=MOST_UNITS).contains(&units) {
            let message = format!("a layer has from 1 to {MOST_UNITS} units, found {units}");
            let hint = "five are enough for a pendulum; leave the layer out for none";
            return Err(Problem::new(&format!("controller.hidden.{index}"), message, hint));
        }
    }
    let pairs = hidden.iter().zip(hidden.iter().skip(1));
    let n_weights: u64 = pairs.map(|(&a, &b)| (u64::from(a) + 1) * u64::from(b)).sum();
    if n_weights > MOST_WEIGHTS {
        let message =
            format!("the hidden layers have {n_weights} weights, more than {MOST_WEIGHTS}");
        return Err(Problem::new("controller.hidden", message, "use smaller layers"));
    }
    match activation {
        LayerActivations::PerLayer(list) if list.len() != hidden.len() => Err(Problem::new(
            "controller.hidden_activation",
            format!("number of activations {}, of hidden layers {}", list.len(), hidden.len()),
            "list one for each hidden layer, or write a single one for all",
        )),
        _ => Ok(()),
    }
}

fn check_telescopic(blm: &TelescopicBlm) -> Checked {
    if !(2..=24).contains(&blm.bits) {
        let message = format!("bits must be from 2 to 24, found {}", blm.bits);
        let hint = "16 is usual; with 2 a weight has four values";
        return Err(Problem::new("training.bits", message, hint));
    }
    if !(2..=blm.bits).contains(&blm.start_bits) {
        let message =
            format!("start_bits must be from 2 to bits = {}, found {}", blm.bits, blm.start_bits);
        return Err(Problem::new("training.start_bits", message, "2 is usual"));
    }
    check_above_zero("training.max_weight", blm.max_weight, "the largest weight", "")?;
    if blm.epsilon() < f64::MIN_POSITIVE {
        let message = "the largest weight is too small to be divided into steps";
        return Err(Problem::new("training.max_weight", message, "10 is usual"));
    }
    check_initialization(blm)?;
    if let Growth::Threshold { phi, eta } = blm.growth {
        if !(phi > 0.0 && phi <= 1.0) {
            let message = format!("phi must be above 0 and at most 1, found {phi}");
            let hint =
                "it is the share of improving moves below which a bit is added; 0.1 is usual";
            return Err(Problem::new("training.growth.phi", message, hint));
        }
        if !(0.0..=1.0).contains(&eta) {
            let message = format!("eta must be from 0 to 1, found {eta}");
            let hint = "it is the decay of a moving average; 0.95 is usual";
            return Err(Problem::new("training.growth.eta", message, hint));
        }
    }
    if blm.validate_every == 0 {
        let hint = "100 accepted moves are usual";
        return Err(Problem::new("training.validate_every", "must be at least 1, found 0", hint));
    }
    Ok(())
}

fn check_initialization(blm: &TelescopicBlm) -> Checked {
    let path = "training.initialization";
    let (bound, smallest, name, more) = match blm.initialization {
        Initialization::Full => return Ok(()),
        Initialization::Bounded(bound) => (bound, blm.epsilon(), "step epsilon", "more bits"),
        Initialization::BoundedOnCoarseGrid(bound) => {
            (bound, blm.coarse_step(), "coarse step", "more start_bits")
        }
    };
    if bound >= smallest && bound <= blm.max_weight {
        return Ok(());
    }
    if bound > blm.max_weight || !bound.is_finite() {
        let message =
            format!("initial weights up to {bound} exceed max_weight = {}", blm.max_weight);
        return Err(Problem::new(path, message, "write `initialization: Full` to use all of it"));
    }
    let (bits, start_bits) = (blm.bits, blm.start_bits);
    let grid = match blm.initialization {
        Initialization::BoundedOnCoarseGrid(_) => format!("{start_bits} of {bits} bits"),
        _ => format!("{bits} bits"),
    };
    // Rounded up, so that the hint itself is accepted.
    let enough = decimal(smallest * 1.001);
    Err(Problem::new(
        path,
        format!(
            "initial weights within {bound} are below the {name} of the weights, {} ({grid} up to {}): \
             all would start at 0",
            decimal(smallest),
            blm.max_weight
        ),
        format!("write `initialization: Full`, a bound of {enough} or more, or use {more}"),
    ))
}

fn check_distributions(
    path: &str,
    distributions: &std::collections::BTreeMap<String, Distribution>,
) -> Checked {
    check_count(path, distributions.len())?;
    for (name, distribution) in distributions {
        check_map_name(path, name)?;
        let problem = match *distribution {
            Distribution::Fixed(value) if !value.is_finite() => {
                Some((format!("`{name}` is not finite"), "write an ordinary number"))
            }
            Distribution::Uniform { low, high } if !(low <= high && (high - low).is_finite()) => {
                let message = format!("`{name}` is uniform from {low} to {high}");
                Some((message, "put the smaller number first; both must be ordinary numbers"))
            }
            Distribution::Normal { mean, sd } if !(sd >= 0.0 && (mean + sd).is_finite()) => {
                let message = format!("`{name}` has the standard deviation {sd}");
                Some((message, "it must be 0 or more"))
            }
            _ => None,
        };
        if let Some((message, hint)) = problem {
            return Err(Problem::in_map(path, name, message, hint));
        }
    }
    Ok(())
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

fn check_map_name(path: &str, name: &str) -> Checked {
    match name_fault(name) {
        Some(message) => {
            let hint = "see `bitloop plant info` for the names";
            Err(Problem::in_map(path, name, message, hint))
        }
        None => Ok(()),
    }
}

fn check_count(path: &str, count: usize) -> Checked {
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
    let message = format!("{what} must be above 0, found {value}{unit}");
    Err(Problem::new(path, message, "write a number above 0"))
}

fn check_at_least_zero(path: &str, value: f64, what: &str) -> Checked {
    if value >= 0.0 && value.is_finite() {
        return Ok(());
    }
    let message = format!("{what} must be 0 or more, found {value}");
    Err(Problem::new(path, message, "write 0 or a number above it"))
}

/// At most four digits after the first, so that 0.30000000000000004 reads 0.3.
fn decimal(value: f64) -> String {
    let short: f64 = format!("{value:.4e}").parse().unwrap_or(value);
    if (1e-4..1e6).contains(&short) { short.to_string() } else { format!("{short:e}") }
}
