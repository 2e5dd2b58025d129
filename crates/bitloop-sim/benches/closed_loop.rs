//! Full evaluations of 50 episodes x 100 s of the inverted pendulum: Euler 0.01 s, a query each 0.1 s, one thread.
//!
//! Items are plant steps. No episode fails, and no bound cuts an evaluation short, so every step is a real one; each bench
//! checks that. `plain_f64` is the same loop in plain scalar Rust with the system's functions, for the ratio.
//!
//! What bounds `tanh_5` with AVX-512, in cycles a control period (500 plant steps) on a Xeon of family 6, model 207, at
//! 2.99 GHz beside other work; lowest times of short runs, and of runs with parts taken out. 400 M plant steps a second
//! would be 3740 cycles:
//!
//! | part | cycles | what bounds it |
//! |---|---|---|
//! | ten steps of the plant | 2640 | two ports for 512-bit arithmetic |
//! | entering and leaving `advance` | about 170 | loads and stores of 16 rows, checks of the call |
//! | `observe` | about 150 | loads and stores of 8 rows, checks of the call |
//! | the network | 830 | 33 divisions of 16 cycles in tanh, 520 cycles, and sums that do not all hide behind them |
//! | the rest | about 260 | the stages between, bookkeeping |
//! | all | 4050 | |
//!
//! A step of two vectors takes 80 cycles. 129 of its operations go through two ports, 65 cycles at least (`llvm-mca`, model
//! `sapphirerapids`, which expects 76). Counted in the code, 63 are sine and cosine, 26 the dynamics with their division,
//! 8 each Euler's sums and the stage cost, 11 the checks of failure. Fewer operations for the quadrant gained nothing that
//! could be measured. Of `linear`, 3190 cycles, the controller is about 100; of `recurrent_20`, 8260, it is about 4900: at
//! least 2080 of divisions, beside 3120 fused products on the same two ports, 1560. All of this was before networks went layer by
//! layer, which has not been measured there.
//!
//! With AVX2, on an EPYC at 3.15 GHz, a control period takes 4840 cycles (`linear` 3730, `recurrent_20` 11150); it took 5520
//! (4100, 11970). More than half of that came from the network, half of whose instructions found the rows of its layers anew in
//! each block, and the rest from the plant: three vectors side by side, and comparisons that are negated by the instruction that
//! compares. A step of two vectors had 154 instructions, 26 cycles at least, and 64 operations on two ports, 32; it took 50.

use bitloop_blm::ProbeControl;
use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::{Integrator, Isa};
use bitloop_sim::{
    Actuator, BehaviorRecorder, ClosedLoop, Controller, Distribution, EpisodeDigests,
    EpisodeRanges, EpisodeSet, Interface, LinearFeedback, NetworkController, Noise, Recorder,
    Recording, Rollout, Sensor, Timing, TrajectoryDigest, Uncertainty, Workspace,
};
use divan::Bencher;
use divan::counter::ItemsCount;

const N_EPISODES: usize = 50;
const N_STEPS: usize = 10_000;
const TRANSIENT: usize = 100;
/// Gains of u = -K y that keep every pendulum up.
const GAINS: [f64; 4] = [-1.0, 35.0, -2.5, 11.0];

fn main() {
    divan::main();
}

fn isas() -> Vec<&'static str> {
    Isa::available().map(Isa::name).collect()
}

fn initial_angle(episode: usize) -> f64 {
    (episode as f64 + 0.5) / N_EPISODES as f64 * 0.8 - 0.4
}

fn closed_loop() -> ClosedLoop {
    let plant = bitloop_inverted_pendulum::open(None).expect("a valid description");
    let interface = Interface::of(plant.description());
    let timing = Timing::new(0.01, 0.1).expect("a whole number of steps");
    ClosedLoop::new(plant, timing, Integrator::Euler, interface, None).expect("a valid loop")
}

fn episodes(closed_loop: &ClosedLoop, n_episodes: usize, horizon_s: f64) -> EpisodeSet {
    let parameters = closed_loop.plant().description().parameters.iter();
    let ranges = EpisodeRanges {
        initial: vec![
            Distribution::Fixed(0.0),
            Distribution::Uniform { low: -0.4, high: 0.4 },
            Distribution::Fixed(0.0),
            Distribution::Fixed(0.0),
        ],
        parameters: parameters.map(|p| Distribution::Fixed(p.default)).collect(),
        horizon_s,
        transient_s: 1.0,
    };
    // A word in the middle of the episode's share of [0, 2^64): the angles of `initial_angle`, where there are as many.
    let words = |episode: u64| {
        let share = u64::MAX / N_EPISODES.max(n_episodes) as u64;
        move || share * episode + share / 2
    };
    EpisodeSet::draw(closed_loop, n_episodes, &ranges, words).expect("valid ranges")
}

fn evaluate<C: Controller>(bencher: Bencher<'_, '_>, isa: &str, controller: &C) {
    evaluate_in(bencher, isa, controller, &closed_loop(), N_EPISODES);
}

fn evaluate_in<C: Controller>(
    bencher: Bencher<'_, '_>,
    isa: &str,
    controller: &C,
    closed_loop: &ClosedLoop,
    n_episodes: usize,
) {
    let isa = Isa::named(isa).expect("an available instruction set");
    let set = episodes(closed_loop, n_episodes, 100.0);
    let evaluation = closed_loop.evaluate(isa, controller, &set, 1).expect("a sound plant");
    let n_steps = n_episodes * N_STEPS;
    assert_eq!((evaluation.n_failed(), evaluation.plant_steps), (0, n_steps as u64));
    let mut work = Workspace::new(closed_loop, controller, n_episodes);
    bencher.counter(ItemsCount::new(n_steps)).bench_local(|| {
        let control = ProbeControl::alone(f64::INFINITY);
        let rollout = closed_loop.probe(isa, controller, &set, &mut work, control, None);
        assert_eq!(rollout, Rollout::Below(evaluation.error));
    });
}

/// A network of `n_hidden` tanh units that all do nearly what the linear controller does.
fn network(n_hidden: usize, feedback: Feedback) -> (Network, Vec<f64>) {
    let hidden = Layer { n_neurons: n_hidden, activation: Activation::Tanh, feedback };
    let shape =
        Network::new(4, 1, vec![hidden, Layer::new(1, Activation::Linear)]).expect("a valid shape");
    let n_feedback = if feedback == Feedback::Full { n_hidden } else { 0 };
    let mut weights = Vec::new();
    for unit in 0..n_hidden {
        weights.push(0.0);
        weights.extend(GAINS.map(|gain| -0.01 * gain));
        weights.extend(
            (0..n_feedback).map(|other| if (unit + other) % 2 == 0 { 1e-3 } else { -1e-3 }),
        );
    }
    weights.push(0.0);
    weights.extend(std::iter::repeat_n(100.0 / n_hidden as f64, n_hidden));
    (shape, weights)
}

#[divan::bench(args = isas())]
fn linear(bencher: Bencher<'_, '_>, isa: &str) {
    evaluate(bencher, isa, &LinearFeedback::new(4, GAINS.to_vec()));
}

#[divan::bench(args = isas())]
fn tanh_5(bencher: Bencher<'_, '_>, isa: &str) {
    let (network, weights) = network(5, Feedback::None);
    evaluate(bencher, isa, &NetworkController { network: &network, weights: &weights });
}

/// More episodes than stay in the nearest caches; `peers.py` compares both with other tools.
#[divan::bench(args = isas())]
fn tanh_5_of_2048(bencher: Bencher<'_, '_>, isa: &str) {
    let (network, weights) = network(5, Feedback::None);
    let controller = NetworkController { network: &network, weights: &weights };
    evaluate_in(bencher, isa, &controller, &closed_loop(), 2048);
}

/// Normal noise on all sensors.
#[divan::bench(args = isas())]
fn tanh_5_noisy(bencher: Bencher<'_, '_>, isa: &str) {
    uncertain(bencher, isa, (1e-3, 0, 0));
}

/// Normal noise on all sensors, whose values are one query late.
#[divan::bench(args = isas())]
fn tanh_5_noisy_and_delayed(bencher: Bencher<'_, '_>, isa: &str) {
    uncertain(bencher, isa, (1e-3, 1, 0));
}

/// Commands that are one integration step late, and so arrive within a control period.
#[divan::bench(args = isas())]
fn tanh_5_late(bencher: Bencher<'_, '_>, isa: &str) {
    uncertain(bencher, isa, (0.0, 0, 1));
}

/// Both of them.
#[divan::bench(args = isas())]
fn tanh_5_noisy_and_late(bencher: Bencher<'_, '_>, isa: &str) {
    uncertain(bencher, isa, (1e-3, 0, 1));
}

/// Noise, queries that sensors are late, and integration steps that commands are.
fn uncertain(bencher: Bencher<'_, '_>, isa: &str, (deviation, queries, delay): (f64, u32, u64)) {
    let (network, weights) = network(5, Feedback::None);
    let noise = Noise::Normal(deviation);
    let noisy = |observation| Sensor { noise, delay: queries, ..Sensor::perfect(observation) };
    let late = Actuator { delay, ..Actuator::perfect(0) };
    let uncertainty = Uncertainty {
        sensors: (0..4).filter(|_| deviation > 0.0).map(noisy).collect(),
        actuators: [late].into_iter().filter(|_| delay > 0).collect(),
        ..Uncertainty::default()
    };
    let closed_loop = closed_loop().with_uncertainty(uncertainty).expect("it fits");
    let controller = NetworkController { network: &network, weights: &weights };
    evaluate_in(bencher, isa, &controller, &closed_loop, N_EPISODES);
}

#[divan::bench(args = isas())]
fn recurrent_20(bencher: Bencher<'_, '_>, isa: &str) {
    let (network, weights) = network(20, Feedback::Full);
    evaluate(bencher, isa, &NetworkController { network: &network, weights: &weights });
}

/// `tanh_5`, recorded.
fn record<R: Recorder>(
    bencher: Bencher<'_, '_>,
    isa: Isa,
    mut recorder: R,
    begin: impl Fn(&mut R, &EpisodeSet),
    end: impl Fn(&R),
) {
    let (network, weights) = network(5, Feedback::None);
    let controller = NetworkController { network: &network, weights: &weights };
    let closed_loop = closed_loop();
    let set = episodes(&closed_loop, N_EPISODES, 100.0);
    let mut work = Workspace::new(&closed_loop, &controller, N_EPISODES);
    bencher.counter(ItemsCount::new(N_EPISODES * N_STEPS)).bench_local(|| {
        begin(&mut recorder, &set);
        let control = ProbeControl::alone(f64::INFINITY);
        let recorded =
            closed_loop.record(isa, &controller, &set, &mut work, control, &mut recorder);
        assert!(matches!(recorded.expect("a sound plant"), Recording::Finished(_)));
        end(&recorder);
    });
}

/// `tanh_5` with the behavior of its episodes, as in a replay.
#[divan::bench(args = isas())]
fn tanh_5_behavior(bencher: Bencher<'_, '_>, isa: &str) {
    let isa = Isa::named(isa).expect("an available instruction set");
    let recorder = BehaviorRecorder::new(&closed_loop(), isa);
    let begin = |recorder: &mut BehaviorRecorder, set: &EpisodeSet| recorder.begin(set, N_EPISODES);
    record(bencher, isa, recorder, begin, |recorder| {
        divan::black_box(recorder.behaviors());
    });
}

/// `tanh_5` with the digest of its trajectories, as in a replay.
#[divan::bench(args = isas())]
fn tanh_5_digested(bencher: Bencher<'_, '_>, isa: &str) {
    let isa = Isa::named(isa).expect("an available instruction set");
    let begin = |digests: &mut EpisodeDigests, _: &EpisodeSet| digests.begin(N_EPISODES);
    record(bencher, isa, EpisodeDigests::default(), begin, |digests| {
        let mut digest = TrajectoryDigest::default();
        digest.extend(digests.digests());
        divan::black_box(digest.finish());
    });
}

/// One episode alone. It is no longer than the others: after some 350 s the squares of its angle are too small for normal
/// numbers, which take longer, here as elsewhere.
#[divan::bench(args = isas())]
fn tanh_5_alone(bencher: Bencher<'_, '_>, isa: &str) {
    let (network, weights) = network(5, Feedback::None);
    let controller = NetworkController { network: &network, weights: &weights };
    let isa = Isa::named(isa).expect("an available instruction set");
    let closed_loop = closed_loop();
    let set = episodes(&closed_loop, 1, 100.0);
    let mut work = Workspace::new(&closed_loop, &controller, 1);
    bencher.counter(ItemsCount::new(N_STEPS)).bench_local(|| {
        let control = ProbeControl::alone(f64::INFINITY);
        closed_loop.probe(isa, &controller, &set, &mut work, control, None)
    });
}

/// The linear controller's loop as one would write it without bitloop.
#[divan::bench]
fn linear_plain_f64(bencher: Bencher<'_, '_>) {
    plain_f64(bencher, |y| -y.iter().zip(GAINS).map(|(y, gain)| y * gain).sum::<f64>());
}

/// The same with 5 tanh units.
#[divan::bench]
fn tanh_5_plain_f64(bencher: Bencher<'_, '_>) {
    let (_, weights) = network(5, Feedback::None);
    let (hidden, output) = weights.split_at(25);
    plain_f64(bencher, |y| {
        let mut force = output[0];
        for (unit, weight) in hidden.chunks_exact(5).zip(&output[1..]) {
            let sum: f64 = unit[0] + unit[1..].iter().zip(y).map(|(w, y)| w * y).sum::<f64>();
            #[expect(clippy::disallowed_methods, reason = "what bitloop is compared with")]
            let answer = sum.tanh();
            force += weight * answer;
        }
        force
    });
}

fn plain_f64(bencher: Bencher<'_, '_>, controller: impl Fn([f64; 4]) -> f64) {
    bencher.counter(ItemsCount::new(N_EPISODES * N_STEPS)).bench_local(|| {
        let error: f64 = (0..N_EPISODES).map(|e| plain_episode(e, &controller)).sum();
        assert!(error < 0.1, "{error}");
        error
    });
}

fn plain_episode(episode: usize, controller: impl Fn([f64; 4]) -> f64) -> f64 {
    let (cart_mass, pendulum_mass, length, gravity, lambda) = (1.0, 1.0, 1.0, 9.81, 0.01);
    let [mut x, mut theta, mut x_dot, mut theta_dot] = [0.0, initial_angle(episode), 0.0, 0.0];
    let (mut force, mut sum) = (0.0, 0.0);
    for step in 0..N_STEPS {
        if step % 10 == 0 {
            force = controller([x, theta, x_dot, theta_dot]);
        }
        #[expect(clippy::disallowed_methods, reason = "what bitloop is compared with")]
        let (sin, cos) = theta.sin_cos();
        let x_ddot = (force
            - pendulum_mass * sin * (length * theta_dot * theta_dot - gravity * cos))
            / (cart_mass + pendulum_mass * sin * sin);
        let theta_ddot = (x_ddot * cos + gravity * sin) / length;
        x += 0.01 * x_dot;
        theta += 0.01 * theta_dot;
        x_dot += 0.01 * x_ddot;
        theta_dot += 0.01 * theta_ddot;
        if step >= TRANSIENT {
            sum += theta * theta + lambda * x * x;
        }
        if theta.abs() > 1.1 {
            return f64::INFINITY;
        }
    }
    sum / (N_STEPS - TRANSIENT) as f64
}
