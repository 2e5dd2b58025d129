//! [`Space`]: all that a test draws, as numbers from 0 to 1, and the scenario of one of its points.

use bitloop_scenario::{
    Disturbance, EpisodeSet, Impulse, Profile, Ramp, Scenario, Sine, Start, Step, Uncertainty,
};
use bitloop_sim::{Aggregate, Distribution, FixedEpisode, Timing};

use bitloop_train::only_noise_key;

use crate::tested::Tested;

/// All that a test draws, its noise aside.
#[derive(Debug)]
pub struct Space {
    initial: Vec<Distribution>,
    parameters: Vec<Distribution>,
    uncertain: Vec<Distribution>,
    /// The largest value of each of these: a disturbance begins within the episode, since no scenario may say otherwise.
    largest: Vec<f64>,
}

impl Space {
    /// That of a test.
    pub fn new(tested: &Tested) -> Self {
        let uncertainty = tested.closed_loop().uncertainty();
        let end_s = tested.replay().horizon_s().next_down();
        Self {
            largest: uncertainty.times().map(|is| if is { end_s } else { f64::INFINITY }).collect(),
            initial: tested.replay().initial().to_vec(),
            parameters: tested.replay().parameters().to_vec(),
            uncertain: uncertainty.distributions().copied().collect(),
        }
    }

    fn all(&self) -> impl Iterator<Item = &Distribution> {
        self.initial.iter().chain(&self.parameters).chain(&self.uncertain)
    }

    /// How many numbers a point is.
    pub fn n_dimensions(&self) -> usize {
        self.all().filter(|distribution| !matches!(distribution, Distribution::Fixed(_))).count()
    }

    /// The episode at a point: `[n_dimensions]`, each from the least to the largest value that is to be expected.
    pub fn episode(&self, point: &[f64], seed: u64) -> FixedEpisode {
        let mut places = point.iter().copied();
        let mut at = |distributions: &[Distribution]| -> Vec<f64> {
            let of = |distribution: &Distribution| match distribution {
                Distribution::Fixed(value) => *value,
                other => {
                    let place = places.next().unwrap_or(0.5);
                    other.least() * (1.0 - place) + other.largest() * place
                }
            };
            distributions.iter().map(of).collect()
        };
        let (initial, parameters) = (at(&self.initial), at(&self.parameters));
        let uncertain = at(&self.uncertain).into_iter().zip(&self.largest);
        FixedEpisode {
            initial,
            parameters,
            uncertain: uncertain.map(|(value, largest)| value.min(*largest)).collect(),
            noise_key: only_noise_key(seed),
        }
    }
}

/// The scenario whose test is this one episode. A replay of it has the same bits.
pub fn scenario(tested: &Tested, episode: &FixedEpisode, seed: u64) -> Scenario {
    let plant = tested.plant();
    let test = tested.replay().test();
    let before = &tested.replay().scenario().value;
    let mut after = before.clone();
    for (state, &value) in plant.states.iter().zip(&episode.initial) {
        // Held to the bounds, as the episode is.
        let value = value.clamp(state.min, state.max);
        after.initial.insert(state.name.clone(), Distribution::Fixed(value));
    }
    for (parameter, &value) in plant.parameters.iter().zip(&episode.parameters) {
        let value = value.clamp(parameter.min, parameter.max);
        if before.parameters.contains_key(&parameter.name) {
            after.parameters.insert(parameter.name.clone(), Distribution::Fixed(value));
        }
    }
    let mut values = episode.uncertain.iter().copied();
    let observations = plant.observations.iter().map(|known| known.name.as_str());
    let controls = plant.controls.iter().map(|known| known.name.as_str());
    let timing = tested.closed_loop().timing();
    let names = (observations, controls);
    fix(&mut after.uncertainty, names, timing, || values.next().unwrap_or(0.0));
    after.episodes.test = Some(EpisodeSet { count: 1, ..test });
    (after.controller, after.training, after.curriculum) = (None, None, None);
    (after.start, after.aggregate) = (Start::default(), Aggregate::default());
    (after.against, after.fresh_every, after.fresh_after_miss) = (Vec::new(), None, false);
    after.seed = seed;
    after
}

/// Replaces each distribution by the next value, in the order in which the loop draws them.
fn fix<'a>(
    uncertainty: &mut Uncertainty,
    (observations, controls): (impl Iterator<Item = &'a str>, impl Iterator<Item = &'a str>),
    timing: Timing,
    mut next: impl FnMut() -> f64,
) {
    let fixed = Distribution::Fixed;
    // A delay that is drawn is in whole units; one that is fixed is no number of the space.
    let delay = |delay: &mut Distribution, units: f64, unit_s: f64| {
        if !matches!(delay, Distribution::Fixed(_)) {
            *delay = fixed(units.round_ties_even() * unit_s);
        }
    };
    for name in observations {
        if let Some(sensor) = uncertainty.sensors.get_mut(name) {
            sensor.bias = fixed(next());
            sensor.quantum = fixed(next());
            delay(&mut sensor.delay_s, next(), timing.sample_time_s());
        }
    }
    for name in controls {
        if let Some(actuator) = uncertainty.actuators.get_mut(name) {
            actuator.gain = fixed(next());
            actuator.dead_band = fixed(next());
            actuator.backlash = fixed(next());
            actuator.quantum = fixed(next());
            let at_s = fixed(next());
            actuator.stuck_at_s = actuator.stuck_at_s.map(|_| at_s);
            delay(&mut actuator.delay_s, next(), timing.step_s());
        }
    }
    for disturbance in uncertainty.courses_mut() {
        match disturbance {
            Disturbance::Impulse(Impulse { at_s, area, .. }) => {
                *at_s = fixed(next());
                *area = fixed(next());
            }
            Disturbance::Step(Step { at_s, to }) | Disturbance::Ramp(Ramp { at_s, to, .. }) => {
                *at_s = fixed(next());
                *to = fixed(next());
            }
            Disturbance::Sine(Sine { amplitude, period_s, phase }) => {
                *amplitude = fixed(next());
                *period_s = fixed(next());
                *phase = fixed(next());
            }
            Disturbance::Profile(Profile { gain, .. }) => *gain = fixed(next()),
            Disturbance::Noise(_) => {}
        }
    }
}
