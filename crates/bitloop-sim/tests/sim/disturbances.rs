//! Disturbances: what they do, in the same bits by any way of running them.

use std::cell::Cell;
use std::f64::consts::TAU;

use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::{Isa, Real};
use bitloop_random::threefry;
use bitloop_sim::{
    Actuator, ClosedLoop, Course, Distribution, Disturbance, End, EpisodeRanges, EpisodeSet,
    FixedEpisode, LinearFeedback, Noise, Profile, Query, Recorder, Sensor, Target, Uncertainty,
};

use crate::reference::{Span, Start, assert_same_bits, plant_episode};
use crate::statistics::{distance, normal_share_below};
use crate::support::{
    GAINS, assert_same_bits_in_any_way, draw, linear, pendulum, pendulum_ranges, record, words,
};

const SEED: u64 = 23;
const N: usize = 37;

fn uniform(low: f64, high: f64) -> Distribution {
    Distribution::Uniform { low, high }
}

/// One of each, on signals of each kind.
fn all() -> Vec<Disturbance> {
    let fixed = Distribution::Fixed;
    let on = |name, courses| Disturbance {
        target: Target::of_name(pendulum().plant().description(), name).unwrap(),
        courses,
    };
    vec![
        on(
            "force",
            vec![
                Course::Profile {
                    values: Profile::new(vec![(0.95, 0.4), (1.25, -0.2), (2.0, 0.0)]).unwrap(),
                    gain: uniform(0.5, 1.5),
                },
                Course::Impulse {
                    at_s: uniform(0.5, 3.0),
                    area: uniform(-15.0, 15.0),
                    n_periods: 2,
                },
                Course::Sine {
                    amplitude: uniform(0.0, 0.5),
                    period_s: fixed(0.7),
                    phase: fixed(0.4),
                },
            ],
        ),
        on(
            "length",
            vec![
                Course::Step { at_s: fixed(1.0), to: uniform(0.8, 1.2) },
                Course::Ramp { at_s: fixed(1.55), to: fixed(1.0), over_s: 0.75 },
                Course::Noise { deviation: 0.01, kept: 0.0 },
            ],
        ),
        on("theta_dot", vec![Course::Noise { deviation: 0.4, kept: Real::exp(-0.25) }]),
    ]
}

fn loop_with(disturbances: Vec<Disturbance>) -> ClosedLoop {
    let sensors = vec![Sensor { noise: Noise::Normal(0.002), ..Sensor::perfect(2) }];
    // Commands arrive within a control period.
    let actuators = vec![Actuator { delay: 3, ..Actuator::perfect(0) }];
    pendulum().with_uncertainty(Uncertainty { sensors, actuators, disturbances }).unwrap()
}

fn ranges() -> EpisodeRanges {
    EpisodeRanges { transient_s: 0.5, ..pendulum_ranges(4.0) }
}

/// A standard normal number of a channel, from words of 52 bits.
fn normal(key: [u64; 2], query: u64, channel: u64, purpose: u64) -> f64 {
    let words = threefry(key, [query, (purpose << 32) | channel]);
    of_uniform(words.map(|word| 1.0 - (word >> 12) as f64 / (1_u64 << 52) as f64))
}

/// That of the noise of a single sensor, from the upper halves of words.
fn noise(key: [u64; 2], query: u64, channel: u64) -> f64 {
    let words = threefry(key, [query, channel]);
    of_uniform(words.map(|word| 1.0 - (word >> 32) as f64 / (1_u64 << 32) as f64))
}

fn of_uniform([a, b]: [f64; 2]) -> f64 {
    (Real::ln(a) * -2.0).sqrt() * Real::cos(b * TAU)
}

#[test]
fn it_is_what_the_equations_say() {
    let closed_loop = loop_with(all());
    let set = draw(&closed_loop, N, &ranges(), SEED);
    let found = closed_loop.evaluate(Isa::best(), &linear(), &set, 2).unwrap();
    let plant = closed_loop.plant().description();
    let length = plant.parameters.iter().position(|p| p.name == "length").unwrap();
    let theta_dot = plant.states.iter().position(|s| s.name == "theta_dot").unwrap();
    let expected: Vec<_> = (0..N as u64)
        .map(|index| {
            let start = Start::draw(&closed_loop, &ranges(), SEED, index);
            // Drawn after the angle, which takes one word; the disturbances after the key.
            let mut words = words(SEED, index);
            words();
            let key = [words(), words()];
            let [gain, at_s, area, amplitude, to] =
                [(0.5, 1.5), (0.5, 3.0), (-15.0, 15.0), (0.0, 0.5), (0.8, 1.2)]
                    .map(|(low, high)| uniform(low, high).draw(&mut words));
            let base = start.parameters[length];
            let kept = Real::exp(-0.1 / 0.4);
            let (mut filtered, push) = (0.0, Cell::new(0.0));
            let (mut last, mut command) = (0.0, 0.0);
            let span = Span { horizon: 400, transient: 50, failure_cost: None };
            plant_episode(
                &closed_loop,
                &InvertedPendulum,
                &start,
                span,
                |tick, x, p| {
                    let query = tick / 10;
                    let t = tick as f64 * 0.01;
                    let since = query as f64 - (at_s / 0.1).round_ties_even();
                    let pulse = if (0.0..2.0).contains(&since) { area / 0.2 } else { 0.0 };
                    let turns = t / 0.7;
                    let turns = turns - f64::round_ties_even(turns);
                    let given = match t {
                        t if t < 0.95 => 0.0,
                        t if t < 1.25 => {
                            let share = (t - 0.95) / (1.25 - 0.95);
                            gain * (0.4 * (1.0 - share) + -0.2 * share)
                        }
                        t if t < 2.0 => {
                            let share = (t - 1.25) / (2.0 - 1.25);
                            gain * (-0.2 * (1.0 - share) + 0.0 * share)
                        }
                        _ => 0.0,
                    };
                    push.set(given + pulse + amplitude * Real::sin(turns * TAU + 0.4));
                    let mut value = if query >= 10 { to } else { base };
                    let passed = t - 1.55;
                    if passed >= 0.75 {
                        value = 1.0;
                    } else if passed >= 0.0 {
                        value += (1.0 - value) * (passed / 0.75);
                    }
                    value += normal(key, query, 5, 2) * 0.01;
                    let bounds = &plant.parameters[length];
                    p[length] = value.max(bounds.min).min(bounds.max);
                    let white = normal(key, query, 6, 2) * 0.4;
                    filtered = if query == 0 {
                        white
                    } else {
                        filtered * kept + white * (1.0 - kept * kept).sqrt()
                    };
                    x[theta_dot] += filtered * 0.1;
                },
                |truth, tick| {
                    if let Some(truth) = truth {
                        let mut read = truth.to_vec();
                        read[2] += noise(key, tick / 10, 2) * 0.002;
                        let products = read.iter().zip(GAINS);
                        last = command;
                        command = products.fold(0.0, |sum, (y, gain)| f64::mul_add(*y, -gain, sum));
                    }
                    vec![if tick % 10 < 3 { last } else { command } + push.get()]
                },
            )
        })
        .collect();
    let n_failed = found.n_failed();
    assert!(n_failed > 0 && n_failed < N, "{n_failed}");
    assert_same_bits(&found.episodes, &expected);
}

#[test]
fn the_bits_depend_on_nothing_but_the_episode() {
    let closed_loop = loop_with(all());
    let set = draw(&closed_loop, 75, &ranges(), SEED);
    let whole = closed_loop.evaluate(Isa::PORTABLE, &linear(), &set, 1).unwrap();
    assert_same_bits_in_any_way(&closed_loop, &set, &whole);
}

#[test]
fn episodes_can_be_given_by_their_numbers() {
    let closed_loop = loop_with(all());
    let set = draw(&closed_loop, N, &ranges(), SEED);
    let picked: Vec<_> = [30, 2, 11].map(|position| set.fixed(position)).into();
    let given = EpisodeSet::of(&closed_loop, &picked, 4.0, 0.5).unwrap();
    let whole = closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap().episodes;
    let found = closed_loop.evaluate(Isa::best(), &linear(), &given, 1).unwrap().episodes;
    assert_same_bits(&found, &[whole[30], whole[2], whole[11]]);
    assert_eq!(given.fixed(1), picked[1]);
    let broken = FixedEpisode { initial: vec![f64::NAN; 4], ..picked[0].clone() };
    assert!(EpisodeSet::of(&closed_loop, &[broken], 4.0, 0.5).is_err());
}

/// How a cart that nothing moves but a disturbance of its position jumps from query to query, in units of the noise; by time,
/// 40 episodes side by side.
fn jumps(kept: f64) -> Vec<f64> {
    let target = Target::of_name(pendulum().plant().description(), "x").unwrap();
    let courses = vec![Course::Noise { deviation: 0.5, kept }];
    let disturbances = vec![Disturbance { target, courses }];
    let uncertainty = Uncertainty { disturbances, ..Uncertainty::default() };
    let closed_loop = pendulum().with_uncertainty(uncertainty).unwrap();
    let still = LinearFeedback::new(4, vec![0.0; 4]);
    let upright =
        EpisodeRanges { initial: vec![Distribution::Fixed(0.0); 4], ..pendulum_ranges(50.0) };
    let set = draw(&closed_loop, 40, &upright, SEED);
    let mut places = Places(vec![vec![0.0; 40]]);
    record(&closed_loop, Isa::best(), &still, &set, &mut places);
    assert_eq!(places.0.len(), 501);
    let steps = places.0.windows(2).flat_map(|pair| pair[1].iter().zip(&pair[0]));
    steps.map(|(after, before)| (after - before) / (0.5 * 0.1)).collect()
}

/// The positions of the cart at each query.
struct Places(Vec<Vec<f64>>);

impl Recorder for Places {
    fn query(&mut self, query: &Query<'_>) {
        self.0.push(query.state.row(0)[..query.episodes.len()].to_vec());
    }

    fn end(&mut self, _episode: usize, _end: &End<'_>) {}
}

#[test]
fn noise_has_the_distribution_that_it_says() {
    let white = jumps(0.0);
    assert!(distance(white.clone(), normal_share_below) < 1.95);
    // Four standard deviations of a correlation of as many pairs.
    let pairs = white.iter().zip(&white[40..]).map(|(a, b)| a * b);
    let correlation = pairs.sum::<f64>() / white.len() as f64;
    assert!(correlation.abs() < 4.0 / (white.len() as f64).sqrt(), "{correlation}");
    // Of filtered noise, queries 44 apart share 1 %.
    let filtered = jumps(0.9);
    let apart: Vec<f64> = filtered.chunks(40).step_by(44).flatten().copied().collect();
    assert!(distance(apart, normal_share_below) < 1.95);
    let pairs = filtered.iter().zip(&filtered[40..]).map(|(a, b)| a * b);
    let correlation = pairs.sum::<f64>() / filtered.len() as f64;
    // Some 1000 independent pairs.
    assert!((correlation - 0.9).abs() < 4.0 * 0.045, "{correlation}");
}

/// At scale 1 the loop has all of its uncertainty, at scale 0 none of it.
#[test]
fn milder_episodes_have_a_share_of_all_that_is_uncertain() {
    let full = loop_with(all());
    let set = draw(&full, N, &ranges(), SEED);
    let centers = full.plant().description().parameters.iter().map(|it| it.default);
    let centers: Vec<f64> = centers.collect();
    let run = |scale: f64| {
        let milder = set.milder(&full, scale, &centers).unwrap();
        full.milder(scale).evaluate(Isa::best(), &linear(), &milder, 1).unwrap()
    };
    assert_same_bits(
        &run(1.0).episodes,
        &full.evaluate(Isa::best(), &linear(), &set, 1).unwrap().episodes,
    );
    // Profiles and delays stay; without the profile, no uncertainty is left at 0.
    let mut without_profile = all();
    without_profile[0].courses.remove(0);
    let full = loop_with(without_profile);
    let set = draw(&full, N, &ranges(), SEED);
    let none = set.milder(&full, 0.0, &centers).unwrap();
    let found = full.milder(0.0).evaluate(Isa::best(), &linear(), &none, 1).unwrap();
    let actuators = vec![Actuator { delay: 3, ..Actuator::perfect(0) }];
    let calm = Uncertainty { actuators, ..Uncertainty::default() };
    let calm = pendulum().with_uncertainty(calm).unwrap();
    let plain = draw(&calm, N, &ranges(), SEED);
    let expected = calm.evaluate(Isa::best(), &linear(), &plain, 1).unwrap();
    assert_eq!(found.n_failed(), 0);
    for (found, expected) in found.episodes.iter().zip(&expected.episodes) {
        assert!((found.error - expected.error).abs() < 1e-12, "{found:?} {expected:?}");
    }
}

#[test]
fn a_disturbance_of_nothing_changes_nothing_not_even_the_noise() {
    let mut nothing = all();
    for disturbance in &mut nothing {
        disturbance.courses.clear();
    }
    let evaluate = |closed_loop: &ClosedLoop| {
        let set = draw(closed_loop, N, &ranges(), SEED);
        closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap().episodes
    };
    assert_same_bits(&evaluate(&loop_with(nothing)), &evaluate(&loop_with(Vec::new())));
}

#[test]
fn what_no_disturbance_can_be_is_refused() {
    let fixed = Distribution::Fixed;
    let step = || Course::Step { at_s: fixed(1.0), to: fixed(0.0) };
    let on = |target, course| vec![Disturbance { target, courses: vec![course] }];
    let force = Target::Control(0);
    for (disturbances, fragment) in [
        (on(Target::Control(1), step()), "no such target"),
        (on(Target::Parameter(99), step()), "no such target"),
        ([on(force, step()), on(force, step())].concat(), "given twice"),
        (
            on(force, Course::Impulse { at_s: fixed(1.0), area: fixed(1.0), n_periods: 0 }),
            "`force`: its duration is 0",
        ),
        (
            on(force, Course::Ramp { at_s: fixed(1.0), to: fixed(1.0), over_s: -1.0 }),
            "its duration is -1.0",
        ),
        (on(force, Course::Noise { deviation: 1.0, kept: f64::NAN }), "its filter keeps NaN"),
        (
            on(
                force,
                Course::Sine {
                    amplitude: fixed(1.0),
                    period_s: uniform(0.0, 1.0),
                    phase: fixed(0.0),
                },
            ),
            "its period is Uniform(0.0, 1.0), which must be positive",
        ),
        (on(force, Course::Step { at_s: uniform(1.0, 0.0), to: fixed(1.0) }), "its time: "),
    ] {
        let uncertainty = Uncertainty { disturbances, ..Uncertainty::default() };
        let error = pendulum().with_uncertainty(uncertainty).unwrap_err();
        assert!(error.to_string().contains(fragment), "{error}");
    }
}
