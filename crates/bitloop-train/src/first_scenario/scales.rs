//! Center and scale of signals that the plant says nothing about.
//!
//! Controls have those of their bounds, so that an output of 1 commands the most that there is. Observations have those of
//! their motion under linear feedback, where there is any, also in place of the plant's own. Elsewhere they have those of their
//! bounds or else of what short rollouts show, but only where they are far from 1: these are rough.

use bitloop_blm::ProbeControl;
use bitloop_lqr::{Rest, short_number};
use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::{Description, Isa, LaneMatrix, Variable};
use bitloop_random::{Purpose, Stream};
use bitloop_sim::{
    Channel, Controller as _, End, EpisodeSet, NetworkController, Query, Recorder, Workspace,
    quantile, sorted,
};

use crate::closed_loop::ClosedLoopSetup;
use crate::error::TrainError;
use crate::lqr_sweep::LqrSweep;

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
/// Values at rest that are left at a center of 0.
const AT_ZERO: f64 = 1e-9;
/// What a center may be off, in scales: a tenth of what an equilibrium may.
const ROUNDING: f64 = 1e-7;
/// Of the sizes that an observation has in episodes under LQR, the quantile that its scale is made of.
const MOST_EPISODES: f64 = 0.75;
/// The largest gain of LQR on scaled signals: weights are at most 10, and begin near 0. With 1 the search took three to eight
/// times as long on four plants of four and more states, and with scales of the motion alone twice as long on the mean.
const LARGEST_GAIN: f64 = 6.0;
/// Scales that are left at 1.
const NEAR_ONE: std::ops::RangeInclusive<f64> = 0.1..=10.0;

/// Center and scale of a signal.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Affine {
    pub signal: String,
    pub unit: String,
    pub center: f64,
    pub scale: f64,
    /// Why the center is not the plant's own, where that is for the default state.
    pub center_is: Option<&'static str>,
    /// Where the scale comes from, and else the center; empty where it is none.
    pub source: &'static str,
}

/// Those of controls. Where the plant is to rest, the center is what holds it there, and else the middle of the bounds. Scales
/// that the plant has itself stay.
pub(super) fn of_controls(description: &Description, rest: Option<&Rest>) -> Vec<Affine> {
    let scale = |(index, control): (usize, &Variable)| {
        let held = rest.map_or(control.center, |rest| rest.controls[index]);
        let center_is = (held != control.center).then_some("holds the default state");
        let affine = |center, scale, source| Affine {
            signal: control.name.clone(),
            unit: control.unit.clone(),
            center,
            scale,
            center_is,
            source,
        };
        match middle_of(control).filter(|_| is_unscaled(control)) {
            Some((middle, half)) if rest.is_none() => {
                ((middle, half) != (0.0, 1.0)).then(|| affine(middle, half, "its bounds"))
            }
            Some((middle, half)) => {
                // An output of 1 or -1 commands the bound that is farther away.
                let scale = format!("{:.2e}", half + (middle - held).abs());
                let scale = scale.parse().unwrap_or(half);
                ((held, scale) != (0.0, 1.0)).then(|| affine(held, scale, "its bounds"))
            }
            None if center_is.is_none() => None,
            None if control.scale == 1.0 => Some(affine(held, 1.0, "")),
            None => Some(affine(held, control.scale, "the plant")),
        }
    };
    description.controls.iter().enumerate().filter_map(scale).collect()
}

/// Puts the plant's own center in place of what holds it, for controls whose bounds are as far from it on both sides.
pub(super) fn keep_even(description: &Description, held: &mut [f64]) {
    for (control, held) in description.controls.iter().zip(held) {
        if middle_of(control).is_some_and(|(middle, _)| middle == control.center) {
            *held = control.center;
        }
    }
}

/// Those of observations, where the plant has none of its own, and values are far from 1 or, where it is to rest, not 0 then; also
/// where the plant's own center is not the value at rest.
pub(super) fn of_observations(
    setup: &ClosedLoopSetup,
    training: &EpisodeSet,
    rest: Option<&Rest>,
    isa: Isa,
) -> Result<Vec<Affine>, TrainError> {
    let observations = &setup.closed_loop.plant().description().observations;
    let measured = measured(setup, training, isa)?;
    let inputs = setup.closed_loop.interface().inputs.iter();
    let scales = inputs.map(|input| (input.index, &observations[input.index]));
    let scales = scales.filter_map(|(index, observation)| {
        let values = &measured[index];
        let at_rest = rest.map(|rest| rest.observations[index]);
        if !is_unscaled(observation) {
            return at_rest.and_then(|at_rest| recentered(observation, at_rest));
        }
        if let Some(at_rest) = at_rest.filter(|value| value.abs() > AT_ZERO) {
            return around(observation, at_rest, values);
        }
        let (center, size, source) = if let Some((center, half)) = middle_of(observation) {
            (center, half, "its bounds")
        } else {
            let [low, high] = QUANTILES.map(|p| quantile(values, p));
            (low + 0.5 * (high - low), 0.5 * (high - low), "short rollouts")
        };
        // What does not move has no size: a set point, or one that differs by rounding alone.
        let is_usable = size > 1e-6 * center.abs() && size.is_finite() && center.is_finite();
        // Zero is a better center than one nearby: signals rest there, or come there later.
        let is_near_zero = at_rest.is_some() || center.abs() <= FAR_CENTER * size;
        let largest = size + center.abs();
        // A cosine near -1 in all of the rollouts is no number to magnify: it will be anywhere in an episode.
        if !is_usable || NEAR_ONE.contains(&largest) {
            return None;
        }
        let (center, size) = if is_near_zero { (0.0, largest) } else { (center, size) };
        let scale = rounded(size);
        let center = format!("{center:.2e}").parse().unwrap_or(center);
        let (signal, unit) = (observation.name.clone(), observation.unit.clone());
        Some(Affine { signal, unit, center, scale, center_is: None, source })
    });
    Ok(scales.collect())
}

/// Those of what is fed back, by how far a regulator lets it move in the training episodes: with its gains, nothing that is scaled
/// moves a control by much more than another, and the largest gain is [`LARGEST_GAIN`]. So linear feedback is in reach of a search
/// that changes all weights alike. Where the regulator sees states that are not observed, the gains are of those. `scaling` is
/// what the draft has, whose centers stay.
pub(super) fn of_motion(
    setup: &ClosedLoopSetup,
    training: &EpisodeSet,
    sweep: &LqrSweep,
    scaling: &[Affine],
    isa: Isa,
) -> Result<Vec<Affine>, TrainError> {
    let LqrSweep { closed_loop, lqr, .. } = sweep;
    let inputs = &setup.closed_loop.interface().inputs;
    let seen = &closed_loop.interface().inputs;
    let n_episodes = training.n_episodes();
    let mut motion = Motion {
        observed: Moved::new(inputs, n_episodes),
        states: Moved::new(if closed_loop.feeds_back_states() { seen } else { &[] }, n_episodes),
    };
    let mut work = Workspace::new(closed_loop, &lqr.controller, n_episodes);
    let control = ProbeControl::alone(f64::INFINITY);
    closed_loop.record(isa, &lqr.controller, training, &mut work, control, &mut motion)?;
    let sizes = motion.observed.sizes();
    let sizes_of_seen =
        if closed_loop.feeds_back_states() { motion.states.sizes() } else { sizes.clone() };
    let gains = lqr.controller.parameters().chunks(seen.len());
    let largest_gain = gains
        .flat_map(|gains| gains.iter().zip(seen).zip(&sizes_of_seen))
        .map(|((gain, input), size)| (gain * size / input.scale).abs())
        .fold(0.0, f64::max);
    let observations = &closed_loop.plant().description().observations;
    let scales = inputs.iter().zip(sizes).filter_map(|(input, size)| {
        let observation = &observations[input.index];
        // A set point does not move under a regulator: its scale is that of its values.
        let is_parameter = setup.shown_parameter(&observation.name).is_some();
        let factor = if is_parameter { 1.0 } else { LARGEST_GAIN / largest_gain };
        let scale = size * factor;
        let before = scaling.iter().find(|affine| affine.signal == observation.name);
        if !scale.is_normal() {
            return before.cloned();
        }
        let scale = rounded(scale);
        let is_own = (input.center, scale) == (observation.center, observation.scale);
        (!is_own).then(|| Affine {
            signal: observation.name.clone(),
            unit: observation.unit.clone(),
            center: input.center,
            scale,
            center_is: before.and_then(|affine| affine.center_is),
            source: if is_parameter { "its values" } else { "its motion under LQR" },
        })
    });
    Ok(scales.collect())
}

/// How far some signals move from their centers, by episode.
struct Moved {
    /// Row and center of each.
    signals: Vec<(usize, f64)>,
    /// `[n_signals][n_episodes]`
    largest: Vec<Vec<f64>>,
}

impl Moved {
    fn new(channels: &[Channel], n_episodes: usize) -> Self {
        Self {
            signals: channels.iter().map(|channel| (channel.index, channel.center)).collect(),
            largest: vec![vec![0.0; n_episodes]; channels.len()],
        }
    }

    fn see(&mut self, episodes: &[usize], values: &LaneMatrix) {
        for (&(index, center), largest) in self.signals.iter().zip(&mut self.largest) {
            for (&episode, &value) in episodes.iter().zip(values.row(index)) {
                largest[episode] = f64::max(largest[episode], (value - center).abs());
            }
        }
    }

    /// The size of each, of which a quarter of the episodes has more.
    fn sizes(self) -> Vec<f64> {
        let size = |largest: Vec<f64>| quantile(&sorted(largest.into_iter()), MOST_EPISODES);
        self.largest.into_iter().map(size).collect()
    }
}

/// How far what is observed moves, and the states where a regulator sees those.
struct Motion {
    observed: Moved,
    states: Moved,
}

impl Recorder for Motion {
    fn query(&mut self, query: &Query<'_>) {
        self.observed.see(query.episodes, query.observation);
        self.states.see(query.episodes, query.state);
    }

    fn end(&mut self, _episode: usize, _end: &End<'_>) {}
}

/// The scale of the plant around the value of an observation at rest, where the plant's center is another: a rounded one, mostly.
fn recentered(observation: &Variable, at_rest: f64) -> Option<Affine> {
    let is_off = (at_rest - observation.center).abs() > ROUNDING * observation.scale;
    is_off.then(|| Affine {
        signal: observation.name.clone(),
        unit: observation.unit.clone(),
        center: short_number(at_rest, ROUNDING * observation.scale),
        scale: observation.scale,
        center_is: Some("is that of the default state"),
        source: "the plant",
    })
}

/// Center and scale of an observation around its value at rest. Legal values reach far beyond where a plant that is held works,
/// so the scale is by rollouts alone.
fn around(observation: &Variable, at_rest: f64, values: &[f64]) -> Option<Affine> {
    let ends = QUANTILES.map(|p| (quantile(values, p) - at_rest).abs());
    let size = ends[0].max(ends[1]);
    // What does not move has no size.
    if !(size > 1e-6 * at_rest.abs() && size.is_finite()) {
        return None;
    }
    let scale = if NEAR_ONE.contains(&size) { 1.0 } else { rounded(size) };
    Some(Affine {
        signal: observation.name.clone(),
        unit: observation.unit.clone(),
        center: short_number(at_rest, ROUNDING * scale),
        scale,
        center_is: Some("is that of the default state"),
        source: if scale == 1.0 { "" } else { "short rollouts" },
    })
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
    fn a_center_that_is_rounded_is_put_right() {
        let current = Variable::new("current", "A").scaled(2.0, 4.0);
        let right = recentered(&current, 2.017).expect("another center");
        assert_eq!((right.center, right.scale), (2.017, 4.0));
        assert_eq!(recentered(&current, 2.0), None);
    }

    #[test]
    fn controls_have_the_scale_of_their_bounds_unless_the_plant_has_one() {
        let control = |variable: Variable, held: Option<f64>| {
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
            let rest = held.map(|held| Rest { controls: vec![held], observations: vec![] });
            of_controls(&description, rest.as_ref())
                .first()
                .map(|scale| (scale.center, scale.scale, scale.center_is.is_some()))
        };
        let force = || Variable::new("force", "N");
        let infinity = f64::INFINITY;
        for held in [None, Some(0.0)] {
            let control = |variable| control(variable, held);
            assert_eq!(control(force().bounded(-40.0, 40.0)), Some((0.0, 40.0, false)));
            assert_eq!(control(force()), None);
            assert_eq!(control(force().bounded(0.0, infinity)), None);
            assert_eq!(control(force().bounded(-1.0, 1.0)), None);
            assert_eq!(control(force().bounded(-2.0, 2.0).scaled(0.0, 2.0)), None);
        }
        assert_eq!(control(force().bounded(0.0, 20.0), None), Some((10.0, 10.0, false)));
        assert_eq!(control(force().bounded(-2.0, 6.0), Some(0.0)), Some((0.0, 6.0, false)));
        // What holds the default state is the center, and an output of 1 the farther bound.
        assert_eq!(control(force().bounded(0.0, 3.0), Some(1.1)), Some((1.1, 1.9, true)));
        assert_eq!(control(force(), Some(1.1)), Some((1.1, 1.0, true)));
        let scaled = force().bounded(0.0, 3.0).scaled(1.0, 0.5);
        assert_eq!(control(scaled.clone(), Some(1.1)), Some((1.1, 0.5, true)));
        assert_eq!(control(scaled, Some(1.0)), None);
    }
}
