//! Sensors and actuators that are not perfect: what they do, in the same bits by any way of running them.

use std::collections::VecDeque;
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
                quantum: 0.001,
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
            quantum: 0.01,
            delay: 13,
            rest: 0.25,
            bounds: (-3.0, 2.0),
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
    readings: Vec<Vec<f64>>,
    delivered: Vec<Vec<f64>>,
    positions: Vec<f64>,
    commands: VecDeque<f64>,
}

impl Plain {
    fn uniform(&self, query: u64, channel: usize, purpose: u64) -> [f64; 2] {
        threefry(self.key, [query, (purpose << 32) | channel as u64])
            .map(|word| 1.0 - (word >> 12) as f64 / (1_u64 << 52) as f64)
    }

    fn read(&mut self, query: u64, truth: &[f64]) -> Vec<f64> {
        let mut read = truth.to_vec();
        let mut spare = None;
        for (i, sensor) in self.uncertainty.sensors.clone().into_iter().enumerate() {
            let channel = sensor.observation;
            let mut reading = truth[channel] + self.drawn[i];
            let [a, b] = self.uniform(query, channel, 0);
            reading += match sensor.noise {
                Noise::None => 0.0,
                Noise::Normal(deviation) => {
                    let normal = spare.take().unwrap_or_else(|| {
                        let radius = (Real::ln(a) * -2.0).sqrt();
                        spare = Some(radius * Real::sin(b * TAU));
                        radius * Real::cos(b * TAU)
                    });
                    normal * deviation
                }
                Noise::Uniform(most) => (a * 2.0 - 1.0) * most,
            };
            if sensor.quantum > 0.0 {
                reading = (reading / sensor.quantum).round_ties_even() * sensor.quantum;
            }
            self.readings[i].push(reading);
            let now = self.readings[i].len() - 1;
            let age = (sensor.delay as usize).min(now);
            let mut delivered = self.readings[i][now - age];
            if query > 0 && self.uniform(query, channel, 1)[0] <= sensor.dropout {
                delivered = *self.delivered[i].last().unwrap();
            }
            self.delivered[i].push(delivered);
            read[channel] = delivered;
        }
        read
    }

    fn command(&mut self, command: f64) {
        let actuator = self.uncertainty.actuators[0];
        let (low, high) = actuator.bounds;
        let [gain, dead_band] = self.drawn[self.uncertainty.sensors.len()..] else { panic!() };
        let mut offset = (command - actuator.rest) * gain;
        if offset.abs() < dead_band {
            offset = 0.0;
        }
        if let Some(last) = self.positions.last() {
            offset = offset.clamp(last - actuator.rate * 0.1, last + actuator.rate * 0.1);
        }
        self.positions.push(offset);
        offset = (offset / actuator.quantum).round_ties_even() * actuator.quantum;
        // As many ticks as a period has.
        self.commands.extend([(offset + actuator.rest).clamp(low, high); 10]);
    }
}

#[test]
fn it_is_what_the_equations_say() {
    let (closed_loop, uncertainty) = (with(much()), much());
    let set = draw(&closed_loop, N, &ranges(), SEED);
    let found = closed_loop.evaluate(Isa::best(), &linear(), &set, 2).unwrap();
    let expected: Vec<_> = (0..N as u64)
        .map(|index| {
            let start = Start::draw(&closed_loop, &ranges(), SEED, index);
            // Drawn after the angle, which takes one word.
            let mut words = words(SEED, index);
            words();
            let Uncertainty { sensors, actuators, .. } = &uncertainty;
            let biases = sensors.iter().map(|sensor| sensor.bias);
            let others = [actuators[0].gain, actuators[0].dead_band];
            let drawn = biases.chain(others).map(|d| d.draw(&mut words)).collect();
            let mut plain = Plain {
                uncertainty: uncertainty.clone(),
                drawn,
                key: [words(), words()],
                readings: vec![Vec::new(); sensors.len()],
                delivered: vec![Vec::new(); sensors.len()],
                positions: Vec::new(),
                commands: VecDeque::from(vec![0.25; 13]),
            };
            let span = Span { horizon: 400, transient: 50, failure_cost: None };
            episode_with(&closed_loop, &InvertedPendulum, &start, span, |truth, tick| {
                if let Some(truth) = truth {
                    let read = plain.read(tick / 10, truth);
                    let products = read.iter().zip(GAINS);
                    let sum = products.fold(0.0, |sum, (y, gain)| f64::mul_add(*y, -gain, sum));
                    plain.command(sum);
                }
                vec![plain.commands.pop_front().unwrap()]
            })
        })
        .collect();
    assert!(expected.iter().any(|result| result.error > 0.0));
    assert_same_bits(&found.episodes, &expected);
    assert_eq!(found.error.to_bits(), mean(&expected).to_bits());
}

#[test]
fn the_bits_depend_on_nothing_but_the_episode() {
    let closed_loop = with(little());
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
    let closed_loop = with(Uncertainty {
        sensors: vec![Sensor { noise, ..Sensor::perfect(0) }],
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

/// The largest distance between the share of values below each value and `share_below` (Kolmogorov and Smirnov), times the
/// square root of their number: above 1.95 in one of a thousand samples.
fn distance(mut values: Vec<f64>, share_below: impl Fn(f64) -> f64) -> f64 {
    values.sort_by(f64::total_cmp);
    let n = values.len() as f64;
    let gaps = values.iter().enumerate().map(|(rank, &value)| {
        let share = share_below(value);
        (share - rank as f64 / n).abs().max((share - (rank + 1) as f64 / n).abs())
    });
    gaps.fold(0.0, f64::max) * n.sqrt()
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
    let share_below = |value: f64| 0.5 * libm::erfc(-value / std::f64::consts::SQRT_2);
    assert!(distance(scaled.clone(), share_below) < 1.95);
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
        (of_sensors(vec![Sensor { quantum: f64::NAN, ..sensor }]), "its quantum is NaN"),
        (
            of_sensors(vec![Sensor { noise: Noise::Normal(-1.0), ..sensor }]),
            "its standard deviation is -1.0",
        ),
        (of_sensors(vec![Sensor { delay: 1 << 20, ..sensor }]), "at most 4096"),
        (of_actuator(Actuator { rest: 9.0, bounds: (0.0, 8.0), ..actuator }), "it rests at 9.0"),
        (of_actuator(Actuator { rate: 0.0, ..actuator }), "`force`: its rate is 0.0"),
        (of_actuator(Actuator { delay: u64::MAX, ..actuator }), "at most 4096"),
        (of_actuator(Actuator::perfect(1)), "no such control"),
    ] {
        let error: SimError = pendulum().with_uncertainty(uncertainty).unwrap_err();
        assert!(error.to_string().contains(fragment), "{error}");
    }
}
