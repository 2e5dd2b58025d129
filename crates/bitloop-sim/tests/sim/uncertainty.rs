//! Sensors and actuators that are not perfect: what they do, in the same bits by any way of running them.

use std::f64::consts::TAU;

use bitloop_blm::ProbeControl;
use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::{Isa, Real};
use bitloop_random::threefry;
use bitloop_sim::{
    Actuator, ClosedLoop, Distribution, End, EpisodeRanges, EpisodeSet, Evaluation, Noise, Query,
    Recorder, Sensor, SimError, Uncertainty, Workspace,
};

use crate::reference::{Span, Start, assert_same_bits, episode_with, mean};
use crate::statistics::{distance, normal_share_below};
use crate::support::{
    GAINS, assert_same_bits_in_any_way, draw, linear, pendulum, pendulum_ranges, words,
};

const SEED: u64 = 11;
const N: usize = 21;

/// Some of everything.
fn much() -> Uncertainty {
    let sensor = |observation| Sensor::perfect(observation);
    let noise = Noise::Normal;
    Uncertainty {
        sensors: vec![
            Sensor { noise: noise(0.002), delay: 1, ..sensor(1) },
            Sensor {
                bias: Distribution::Uniform { low: -0.02, high: 0.02 },
                quantum: Distribution::Fixed(0.001),
                dropout: 0.3,
                ..sensor(0)
            },
            Sensor { noise: noise(0.01), ..sensor(2) },
            Sensor { noise: Noise::Uniform(0.05), delay: 3, dropout: 0.1, ..sensor(3) },
        ],
        actuators: vec![Actuator {
            gain: Distribution::Normal { mean: 1.0, standard_deviation: 0.1 },
            dead_band: Distribution::Uniform { low: 0.0, high: 0.05 },
            rate: 60.0,
            quantum: Distribution::Fixed(0.01),
            delay: 13,
            rest: 0.25,
            bounds: (-3.0, 2.0),
            ..Actuator::perfect(0)
        }],
        disturbances: Vec::new(),
    }
}

/// All that `much` has not.
fn more() -> Uncertainty {
    let sensor = |observation| Sensor::perfect(observation);
    let uniform = |low, high| Distribution::Uniform { low, high };
    Uncertainty {
        sensors: vec![
            Sensor { jitter: 0.6, lag: uniform(0.0, 3.0), dropout: 0.2, ..sensor(1) },
            Sensor {
                noise: Noise::Normal(0.01),
                noise_kept: 0.8,
                quantum: uniform(0.0, 0.02),
                delay: 1,
                ..sensor(0)
            },
            Sensor {
                jitter: 1.0,
                noise: Noise::Normal(0.02),
                delay: 2,
                lag: uniform(0.6, 1.4),
                ..sensor(3)
            },
        ],
        actuators: vec![Actuator {
            backlash: uniform(0.0, 0.4),
            quantum: uniform(0.0, 0.1),
            stuck_at_s: uniform(1.0, 8.0),
            delay: 2,
            lag: uniform(0.0, 25.0),
            rate: 80.0,
            rest: 0.25,
            bounds: (-4.0, 4.0),
            ..Actuator::perfect(0)
        }],
        disturbances: Vec::new(),
    }
}

/// Little enough for some of the pendulums to stay up.
fn little() -> Uncertainty {
    let mut little = much();
    little.sensors[0].delay = 0;
    little.sensors[3] = Sensor { delay: 1, dropout: 0.05, ..little.sensors[3] };
    little.actuators[0].delay = 3;
    little
}

fn with(uncertainty: Uncertainty) -> ClosedLoop {
    pendulum().with_uncertainty(uncertainty).unwrap()
}

fn ranges() -> EpisodeRanges {
    EpisodeRanges { transient_s: 0.5, ..pendulum_ranges(4.0) }
}

/// A sensor or an actuator in plain words: what it has seen, and how it answers.
struct Plain {
    uncertainty: Uncertainty,
    drawn: Vec<f64>,
    key: [u64; 2],
    truths: Vec<Vec<f64>>,
    filtered: Vec<f64>,
    readings: Vec<Vec<f64>>,
    delayed: Vec<Vec<f64>>,
    delivered: Vec<Vec<f64>>,
    driven: Vec<f64>,
    behind: f64,
    positions: Vec<f64>,
}

fn in_steps_of(quantum: f64, value: f64) -> f64 {
    if quantum > 0.0 { (value / quantum).round_ties_even() * quantum } else { value }
}

/// The value of so many queries ago, or the first.
fn aged(values: &[f64], age: f64) -> f64 {
    let age = (0..values.len()).filter(|&age_below| (age_below as f64) < age).count();
    values[values.len() - 1 - age.min(values.len() - 1)]
}

impl Plain {
    fn new(uncertainty: &Uncertainty, drawn: Vec<f64>, key: [u64; 2]) -> Self {
        let none = vec![Vec::new(); uncertainty.sensors.len()];
        Self {
            uncertainty: uncertainty.clone(),
            drawn,
            key,
            truths: Vec::new(),
            filtered: vec![0.0; none.len()],
            readings: none.clone(),
            delayed: none.clone(),
            delivered: none,
            driven: Vec::new(),
            behind: 0.0,
            positions: Vec::new(),
        }
    }

    fn uniform(&self, query: u64, channel: usize, purpose: u64) -> [f64; 2] {
        threefry(self.key, [query, (purpose << 32) | channel as u64])
            .map(|word| 1.0 - (word >> 12) as f64 / (1_u64 << 52) as f64)
    }

    /// Four standard normal numbers, the last first.
    fn normals(&self, query: u64, channel: usize) -> Vec<f64> {
        let words = threefry(self.key, [query, channel as u64]);
        let of_halves = |halves: [u64; 2]| {
            let [a, b] = halves.map(|half| 1.0 - half as f64 / (1_u64 << 32) as f64);
            let radius = (Real::ln(a) * -2.0).sqrt();
            [radius * Real::sin(b * TAU), radius * Real::cos(b * TAU)]
        };
        let [lower, upper] = [words.map(|it| it & 0xffff_ffff), words.map(|it| it >> 32)];
        [of_halves(lower), of_halves(upper)].concat()
    }

    fn read(&mut self, query: u64, truth: &[f64]) -> Vec<f64> {
        let mut read = truth.to_vec();
        let mut spares = Vec::new();
        for (i, sensor) in self.uncertainty.sensors.clone().into_iter().enumerate() {
            let channel = sensor.observation;
            let [bias, quantum, lag] = self.drawn[3 * i..][..3] else { panic!() };
            let mut reading = truth[channel];
            if let (true, Some(before)) = (sensor.jitter > 0.0, self.truths.last()) {
                let share = self.uniform(query, channel, 3)[0] * sensor.jitter;
                reading += (before[channel] - truth[channel]) * share;
            }
            reading += bias;
            let [a, _] = self.uniform(query, channel, 0);
            reading += match sensor.noise {
                Noise::None => 0.0,
                Noise::Normal(deviation) => {
                    if spares.is_empty() {
                        spares = self.normals(query, channel);
                    }
                    let normal = spares.pop().unwrap();
                    let (mut noise, kept) = (normal * deviation, sensor.noise_kept);
                    if kept > 0.0 && query > 0 {
                        noise = self.filtered[i] * kept + noise * (1.0 - kept * kept).sqrt();
                    }
                    self.filtered[i] = noise;
                    noise
                }
                Noise::Uniform(most) => (a * 2.0 - 1.0) * most,
            };
            self.readings[i].push(in_steps_of(quantum, reading));
            self.delayed[i].push(aged(&self.readings[i], f64::from(sensor.delay)));
            let mut delivered = aged(&self.delayed[i], lag.round_ties_even());
            if query > 0 && self.uniform(query, channel, 1)[0] <= sensor.dropout {
                delivered = *self.delivered[i].last().unwrap();
            }
            self.delivered[i].push(delivered);
            read[channel] = delivered;
        }
        self.truths.push(truth.to_vec());
        read
    }

    fn of_actuator(&self) -> [f64; 6] {
        self.drawn[3 * self.uncertainty.sensors.len()..].try_into().unwrap()
    }

    fn command(&mut self, query: u64, command: f64) {
        let actuator = self.uncertainty.actuators[0];
        let (low, high) = actuator.bounds;
        let [gain, dead_band, backlash, quantum, stuck_at_s, _] = self.of_actuator();
        let mut offset = (command - actuator.rest) * gain;
        if offset.abs() < dead_band {
            offset = 0.0;
        }
        if let Some(last) = self.driven.last() {
            offset = offset.clamp(last - actuator.rate * 0.1, last + actuator.rate * 0.1);
        }
        self.driven.push(offset);
        let play = backlash * 0.5;
        self.behind = self.behind.clamp(offset - play, offset + play);
        let offset = in_steps_of(quantum, self.behind);
        let position = (offset + actuator.rest).clamp(low, high);
        let is_stuck = query as f64 >= (stuck_at_s / 0.1).round_ties_even();
        let before = *self.positions.last().unwrap_or(&actuator.rest);
        self.positions.push(if is_stuck { before } else { position });
    }

    /// The newest position that has arrived at a tick.
    fn control(&self, tick: u64) -> f64 {
        let actuator = self.uncertainty.actuators[0];
        let delay = actuator.delay as f64 + self.of_actuator()[5].round_ties_even();
        let has_come = |&(query, _): &(usize, &f64)| query as f64 * 10.0 + delay <= tick as f64;
        let arrived = self.positions.iter().enumerate().take_while(has_come);
        arrived.last().map_or(actuator.rest, |(_, position)| *position)
    }
}

#[test]
fn it_is_what_the_equations_say() {
    what_the_equations_say(&much());
}

#[test]
fn jitter_filters_play_failures_and_drawn_delays_are_what_their_equations_say() {
    what_the_equations_say(&more());
}

fn what_the_equations_say(uncertainty: &Uncertainty) {
    let closed_loop = with(uncertainty.clone());
    let set = draw(&closed_loop, N, &ranges(), SEED);
    let found = closed_loop.evaluate(Isa::best(), &linear(), &set, 2).unwrap();
    let expected: Vec<_> = (0..N as u64)
        .map(|index| {
            let start = Start::draw(&closed_loop, &ranges(), SEED, index);
            // Drawn after the angle, which takes one word.
            let mut words = words(SEED, index);
            words();
            let drawn = uncertainty.distributions().map(|d| d.draw(&mut words)).collect();
            let mut plain = Plain::new(uncertainty, drawn, [words(), words()]);
            let span = Span { horizon: 400, transient: 50, failure_cost: None };
            episode_with(&closed_loop, &InvertedPendulum, &start, span, |truth, tick| {
                if let Some(truth) = truth {
                    let read = plain.read(tick / 10, truth);
                    let products = read.iter().zip(GAINS);
                    let sum = products.fold(0.0, |sum, (y, gain)| f64::mul_add(*y, -gain, sum));
                    plain.command(tick / 10, sum);
                }
                vec![plain.control(tick)]
            })
        })
        .collect();
    assert!(expected.iter().any(|result| result.error > 0.0));
    assert_same_bits(&found.episodes, &expected);
    assert_eq!(found.error.to_bits(), mean(&expected).to_bits());
}

#[test]
fn the_bits_depend_on_nothing_but_the_episode() {
    bits_depend_on_nothing_else(little());
    let uniform = |low, high| Distribution::Uniform { low, high };
    let mut some = more();
    some.sensors[0] =
        Sensor { jitter: 0.3, lag: uniform(0.0, 0.6), dropout: 0.05, ..some.sensors[0] };
    some.sensors[2] = Sensor { delay: 0, lag: uniform(0.0, 1.0), ..some.sensors[2] };
    some.actuators[0] = Actuator {
        backlash: uniform(0.0, 0.05),
        stuck_at_s: uniform(3.0, 8.0),
        delay: 0,
        lag: uniform(0.0, 4.0),
        ..some.actuators[0]
    };
    bits_depend_on_nothing_else(some);
}

fn bits_depend_on_nothing_else(uncertainty: Uncertainty) {
    let closed_loop = with(uncertainty);
    let set = draw(&closed_loop, 75, &ranges(), SEED);
    let whole = closed_loop.evaluate(Isa::PORTABLE, &linear(), &set, 1).unwrap();
    assert!(whole.n_failed() > 0 && whole.n_failed() < 75, "{}", whole.n_failed());
    assert_same_bits_in_any_way(&closed_loop, &set, &whole);
    let part = EpisodeSet::draw_part(&closed_loop, &[40, 41, 42], &ranges(), |e| words(SEED, e));
    let part = closed_loop.evaluate(Isa::best(), &linear(), &part.unwrap(), 1).unwrap();
    assert_same_bits(&part.episodes, &whole.episodes[40..43]);
}

#[test]
fn perfect_sensors_and_actuators_change_nothing() {
    let perfect = Uncertainty {
        sensors: (0..4).map(Sensor::perfect).collect(),
        actuators: vec![Actuator::perfect(0)],
        ..Uncertainty::default()
    };
    let evaluate = |closed_loop: &ClosedLoop| -> Evaluation {
        let set = draw(closed_loop, N, &ranges(), SEED);
        closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap()
    };
    assert_same_bits(&evaluate(&with(perfect)).episodes, &evaluate(&pendulum()).episodes);
}

/// Collects the readings of an observation whose true value stays 0.
struct Readings(Vec<f64>);

impl Recorder for Readings {
    fn query(&mut self, query: &Query<'_>) {
        self.0.extend_from_slice(&query.observation.row(0)[..query.episodes.len()]);
    }

    fn end(&mut self, _episode: usize, _end: &End<'_>) {}
}

/// Readings of the position of a cart that stands still, which are noise alone.
fn readings(noise: Noise) -> Vec<f64> {
    filtered_readings(noise, 0.0)
}

fn filtered_readings(noise: Noise, noise_kept: f64) -> Vec<f64> {
    let closed_loop = with(Uncertainty {
        sensors: vec![Sensor { noise, noise_kept, ..Sensor::perfect(0) }],
        ..Uncertainty::default()
    });
    let still = bitloop_sim::LinearFeedback::new(4, vec![0.0; 4]);
    let upright =
        EpisodeRanges { initial: vec![Distribution::Fixed(0.0); 4], ..pendulum_ranges(50.0) };
    let set = draw(&closed_loop, 40, &upright, SEED);
    let mut work = Workspace::new(&closed_loop, &still, 40);
    let mut readings = Readings(Vec::new());
    let control = ProbeControl::alone(f64::INFINITY);
    closed_loop.record(Isa::best(), &still, &set, &mut work, control, &mut readings).unwrap();
    readings.0
}

fn moment(values: &[f64], power: usize) -> f64 {
    let powers = values.iter().map(|&value| std::iter::repeat_n(value, power).product::<f64>());
    powers.sum::<f64>() / values.len() as f64
}

#[test]
fn noise_has_the_distribution_that_it_says() {
    let normal = readings(Noise::Normal(0.5));
    assert_eq!(normal.len(), 20_000);
    let scaled: Vec<f64> = normal.iter().map(|value| value / 0.5).collect();
    // Four standard deviations of each sample moment.
    let root = (scaled.len() as f64).sqrt();
    for (power, expected, deviation) in
        [(1, 0.0, 1.0), (2, 1.0, 1.42), (3, 0.0, 3.88), (4, 3.0, 9.8)]
    {
        let found = moment(&scaled, power);
        assert!((found - expected).abs() < 4.0 * deviation / root, "moment {power}: {found}");
    }
    assert!(distance(scaled.clone(), normal_share_below) < 1.95);
    // Neighbors in time, and side by side, are independent.
    for lag in [1, 40] {
        let pairs = scaled.iter().zip(&scaled[lag..]).map(|(a, b)| a * b);
        let correlation = pairs.sum::<f64>() / (scaled.len() - lag) as f64;
        assert!(correlation.abs() < 4.0 / root, "lag {lag}: {correlation}");
    }
    let uniform = readings(Noise::Uniform(0.25));
    assert!(uniform.iter().all(|value| value.abs() <= 0.25));
    assert!(distance(uniform, |value| (value + 0.25) / 0.5) < 1.95);
}

#[test]
fn filtered_noise_of_a_sensor_has_the_distribution_that_it_says_and_fades_from_its_own_past() {
    let kept = 0.9;
    let noise = filtered_readings(Noise::Normal(0.5), kept);
    let scaled: Vec<f64> = noise.iter().map(|value| value / 0.5).collect();
    // By time, 40 episodes side by side. Of 500 queries, those 44 apart share 1 % of their noise.
    let apart: Vec<f64> = scaled.chunks(40).step_by(44).flatten().copied().collect();
    assert!(distance(apart, normal_share_below) < 1.95);
    for lag in [1, 5] {
        let later = &scaled[40 * lag..];
        let expected: f64 = std::iter::repeat_n(kept, lag).product();
        let pairs = scaled.iter().zip(later).map(|(a, b)| a * b);
        let correlation = pairs.sum::<f64>() / later.len() as f64;
        // Some 1000 independent pairs.
        assert!((correlation - expected).abs() < 4.0 * 0.045, "lag {lag}: {correlation}");
    }
}

#[test]
fn delays_of_more_episodes_than_memory_holds_are_refused_before_any_is_run() {
    let closed_loop = with(Uncertainty {
        sensors: vec![Sensor { delay: 4000, ..Sensor::perfect(0) }],
        ..Uncertainty::default()
    });
    let draw = |n| EpisodeSet::draw(&closed_loop, n, &ranges(), |e| words(SEED, e));
    assert!(draw(1000).is_ok());
    let error = draw(100_000).unwrap_err();
    assert!(error.to_string().contains("delayed signals of all episodes"), "{error}");
}

#[test]
fn what_no_sensor_or_actuator_can_be_is_refused() {
    let sensor = Sensor::perfect(0);
    let actuator = Actuator::perfect(0);
    let of_sensors = |sensors| Uncertainty { sensors, ..Uncertainty::default() };
    let of_actuator =
        |actuator| Uncertainty { actuators: vec![actuator], ..Uncertainty::default() };
    for (uncertainty, fragment) in [
        (of_sensors(vec![Sensor::perfect(4)]), "no such observation"),
        (of_sensors(vec![sensor, sensor]), "given twice"),
        (of_sensors(vec![Sensor { dropout: 1.1, ..sensor }]), "`x`: its dropout is 1.1"),
        (
            of_sensors(vec![Sensor { quantum: Distribution::Fixed(f64::NAN), ..sensor }]),
            "its quantum is NaN",
        ),
        (
            of_sensors(vec![Sensor { noise: Noise::Normal(-1.0), ..sensor }]),
            "its standard deviation is -1.0",
        ),
        (of_sensors(vec![Sensor { delay: 1 << 20, ..sensor }]), "at most 4096"),
        (of_actuator(Actuator { rest: 9.0, bounds: (0.0, 8.0), ..actuator }), "it rests at 9.0"),
        (of_actuator(Actuator { rate: 0.0, ..actuator }), "`force`: its rate is 0.0"),
        (of_actuator(Actuator { delay: u64::MAX, ..actuator }), "at most 4096"),
        (of_actuator(Actuator::perfect(1)), "no such control"),
        (of_sensors(vec![Sensor { jitter: 1.5, ..sensor }]), "its jitter is 1.5"),
        (of_sensors(vec![Sensor { noise_kept: 0.5, ..sensor }]), "it has none"),
        (of_sensors(vec![Sensor { lag: Distribution::Fixed(-1.0), ..sensor }]), "at least 0"),
        (
            of_sensors(vec![Sensor {
                lag: Distribution::Uniform { low: 0.0, high: 1e12 },
                ..sensor
            }]),
            "at most 4096",
        ),
        (
            of_actuator(Actuator {
                lag: Distribution::Normal { mean: 5.0, standard_deviation: 1.0 },
                ..actuator
            }),
            "fixed or uniform",
        ),
        (
            of_actuator(Actuator { backlash: Distribution::Fixed(-0.1), ..actuator }),
            "its backlash is -0.1",
        ),
    ] {
        let error: SimError = pendulum().with_uncertainty(uncertainty).unwrap_err();
        assert!(error.to_string().contains(fragment), "{error}");
    }
}
