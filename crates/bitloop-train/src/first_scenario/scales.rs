//! Center and scale of signals that the plant says nothing about.
//!
//! Controls have those of their bounds, so that an output of 1 commands the most that there is. Observations have those of
//! their bounds or else of what short rollouts show, but only where they are far from 1: weights reach over orders of
//! magnitude, and a network learns no sooner from an angle of 1 than from one of 0.3.

use bitloop_blm::ProbeControl;
use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::{Description, Isa, Variable};
use bitloop_random::{Purpose, Stream};
use bitloop_sim::{
    End, EpisodeSet, NetworkController, Query, Recorder, Workspace, quantile, sorted,
};

use crate::closed_loop::ClosedLoopSetup;
use crate::error::TrainError;

/// Root of the streams that the rollouts draw from.
const SEED: u64 = 1;
/// Rollouts of all episodes: the first without control, the others with one that is drawn and held.
const N_ROLLOUTS: u64 = 8;
/// Share of the range of a control that is drawn from, around an output of 0.
const SHARE: f64 = 0.2;
/// Control periods of a rollout: long enough to see rates, and short enough that nothing has run away.
const N_PERIODS: u64 = 20;
/// The quantiles that an observation is taken to lie between.
const QUANTILES: [f64; 2] = [0.05, 0.95];
/// Half ranges from 0 to the middle of a range beyond which it is the center.
const FAR_CENTER: f64 = 10.0;
/// Scales that are left at 1.
const NEAR_ONE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// Center and scale of a signal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Affine {
    pub signal: String,
    pub unit: String,
    pub center: f64,
    pub scale: f64,
    /// Where they come from.
    pub source: &'static str,
}

/// Those of controls with bounds, where the plant has none of its own. The center is the middle, unless the plant
/// `rests_at_zero`: a controller need not find a constant then.
pub(super) fn of_controls(description: &Description, rests_at_zero: bool) -> Vec<Affine> {
    let scale = |control: &Variable| {
        let (center, scale) = middle_of(control)?;
        let (center, scale) =
            if rests_at_zero { (0.0, scale + center.abs()) } else { (center, scale) };
        (is_unscaled(control) && (center, scale) != (0.0, 1.0)).then(|| Affine {
            signal: control.name.clone(),
            unit: control.unit.clone(),
            center,
            scale,
            source: "its bounds",
        })
    };
    description.controls.iter().filter_map(scale).collect()
}

/// Those of observations, where the plant has none of its own and values are far from 1.
pub(super) fn of_observations(
    setup: &ClosedLoopSetup,
    training: &EpisodeSet,
    isa: Isa,
) -> Result<Vec<Affine>, TrainError> {
    let observations = &setup.closed_loop.plant().description().observations;
    let measured = measured(setup, training, isa)?;
    let scales =
        observations.iter().zip(measured).filter(|(observation, _)| is_unscaled(observation));
    let scales = scales.filter_map(|(observation, values)| {
        let (center, size, source) = if let Some((center, half)) = middle_of(observation) {
            (center, half, "its bounds")
        } else {
            let [low, high] = QUANTILES.map(|p| quantile(&values, p));
            (low + 0.5 * (high - low), 0.5 * (high - low), "short rollouts")
        };
        // What does not move has no size: a set point, or one that differs by rounding alone.
        let is_usable = size > 1e-6 * center.abs() && size.is_finite() && center.is_finite();
        // Zero is a better center than one nearby: signals rest there, or come there later.
        let is_near_zero = center.abs() <= FAR_CENTER * size;
        let largest = size + center.abs();
        // A cosine near -1 in all of the rollouts is no number to magnify: it will be anywhere in an episode.
        if !is_usable || NEAR_ONE.contains(&largest) {
            return None;
        }
        let (center, size) = if is_near_zero { (0.0, largest) } else { (center, size) };
        let scale = rounded(size);
        let center = format!("{center:.2e}").parse().unwrap_or(center);
        let (signal, unit) = (observation.name.clone(), observation.unit.clone());
        Some(Affine { signal, unit, center, scale, source })
    });
    Ok(scales.collect())
}

/// The nearest of 1, 2 and 5 times a power of ten, for a number above 0.
pub(super) fn rounded(value: f64) -> f64 {
    let text = format!("{value:e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digit = match digits.parse::<f64>() {
        Ok(digits) if digits < 1.5 => "1",
        Ok(digits) if digits < 3.5 => "2",
        Ok(digits) if digits < 7.5 => "5",
        _ => "10",
    };
    format!("{digit}e{exponent}").parse().unwrap_or(value)
}

/// The next of 1, 2 and 5 times a power of ten that is not below a number above 0.
pub(super) fn rounded_up(value: f64) -> f64 {
    let near = rounded(value);
    // One step up from below is less than a factor of 2.5, and lands on the next.
    if near >= value { near } else { rounded(2.2 * near) }
}

fn is_unscaled(variable: &Variable) -> bool {
    variable.center == 0.0 && variable.scale == 1.0
}

/// Middle and half width of the bounds, if there are two.
fn middle_of(variable: &Variable) -> Option<(f64, f64)> {
    let (min, max) = (variable.min, variable.max);
    let half = max / 2.0 - min / 2.0;
    (half > 0.0 && half.is_finite()).then_some((max / 2.0 + min / 2.0, half))
}

/// What each observation comes to in short rollouts, in ascending order.
fn measured(
    setup: &ClosedLoopSetup,
    training: &EpisodeSet,
    isa: Isa,
) -> Result<Vec<Vec<f64>>, TrainError> {
    let closed_loop = &setup.closed_loop;
    let description = closed_loop.plant().description();
    let (n_inputs, n_outputs) =
        (closed_loop.interface().inputs.len(), closed_loop.interface().outputs.len());
    let linear =
        Layer { n_neurons: n_outputs, activation: Activation::Linear, feedback: Feedback::None };
    let network = Network::new(n_inputs, 1, vec![linear])?;
    let starts: Vec<f64> = description.states.iter().map(|state| state.default).collect();
    let n_steps = N_PERIODS * u64::from(closed_loop.timing().steps_per_period());
    let set = training.eased(n_steps.min(training.horizon()), 1.0, &starts);
    let mut values = Values(vec![Vec::new(); description.observations.len()]);
    for index in 0..N_ROLLOUTS {
        let mut weights = vec![0.0; network.n_weights()];
        if index > 0 {
            let mut stream = Stream::new(SEED, Purpose::SignalRanges, index, 0);
            for (neuron, channel) in
                weights.chunks_exact_mut(n_inputs + 1).zip(&closed_loop.interface().outputs)
            {
                let (low, high) = channel.bounds;
                let share = stream.uniform_f64();
                // The bias comes first.
                let half = if low.is_finite() && high.is_finite() {
                    0.5 * (high - low) / channel.scale
                } else {
                    1.0
                };
                neuron[0] = SHARE * half * (2.0 * share - 1.0);
            }
        }
        let controller = NetworkController { network: &network, weights: &weights };
        let mut work = Workspace::new(closed_loop, &controller, set.n_episodes());
        let control = ProbeControl::alone(f64::INFINITY);
        closed_loop.record(isa, &controller, &set, &mut work, control, &mut values)?;
    }
    Ok(values.0.into_iter().map(|values| sorted(values.into_iter())).collect())
}

/// All values of each observation.
struct Values(Vec<Vec<f64>>);

impl Recorder for Values {
    fn query(&mut self, query: &Query<'_>) {
        for (index, values) in self.0.iter_mut().enumerate() {
            values.extend_from_slice(&query.observation.row(index)[..query.episodes.len()]);
        }
    }

    fn end(&mut self, _episode: usize, _end: &End<'_>) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn round_numbers_are_1_2_and_5_times_powers_of_ten() {
        for (value, near, above) in [
            (1.0, 1.0, 1.0),
            (1.4, 1.0, 2.0),
            (2.0, 2.0, 2.0),
            (2.1, 2.0, 5.0),
            (3.6, 5.0, 5.0),
            (7.0, 5.0, 10.0),
            (8.0, 10.0, 10.0),
            (0.013, 0.01, 0.02),
            (42e6, 5e7, 5e7),
            (1e-300, 1e-300, 1e-300),
        ] {
            assert_eq!((rounded(value), rounded_up(value)), (near, above), "{value}");
        }
    }

    #[test]
    fn controls_have_the_scale_of_their_bounds_unless_the_plant_has_one() {
        let control = |variable: Variable, rests_at_zero| {
            let description = Description {
                name: "p".into(),
                version: "1".into(),
                summary: String::new(),
                states: vec![],
                controls: vec![variable],
                observations: vec![],
                parameters: vec![],
                structure: vec![],
                integrators: vec![],
                step_s: 0.1,
                sample_time_s: 0.1,
            };
            of_controls(&description, rests_at_zero)
                .first()
                .map(|scale| (scale.center, scale.scale))
        };
        let force = || Variable::new("force", "N");
        for rests_at_zero in [false, true] {
            let control = |variable| control(variable, rests_at_zero);
            assert_eq!(control(force().bounded(-40.0, 40.0)), Some((0.0, 40.0)));
            assert_eq!(control(force()), None);
            assert_eq!(control(force().bounded(0.0, f64::INFINITY)), None);
            assert_eq!(control(force().bounded(-1.0, 1.0)), None);
            assert_eq!(control(force().bounded(-2.0, 2.0).scaled(0.0, 2.0)), None);
        }
        assert_eq!(control(force().bounded(0.0, 20.0), false), Some((10.0, 10.0)));
        assert_eq!(control(force().bounded(-2.0, 6.0), true), Some((0.0, 6.0)));
    }
}
