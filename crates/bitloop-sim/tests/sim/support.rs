//! Loops around the pendulum, episodes, and random controllers.

use bitloop_blm::ProbeControl;
use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_net::{Activation, Feedback, Layer, Network};
use bitloop_plant::{Description, Integrator, Isa, LaneMatrix, Plant, PlantHandle};
use bitloop_sim::{
    ClosedLoop, Controller, Distribution, EpisodeDigests, EpisodeRanges, EpisodeSet, Evaluation,
    Interface, LinearFeedback, Recorder, Recording, Rollout, Timing, TrajectoryDigest, Workspace,
};
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

use crate::reference::assert_same_bits;

/// Gains of u = -K y that keep the pendulum up from anywhere in [-0.4, 0.4] rad.
pub const GAINS: [f64; 4] = [-1.0, 35.0, -2.5, 11.0];

pub fn linear() -> LinearFeedback {
    LinearFeedback::new(4, GAINS.to_vec())
}

/// Random words: stream `index` of `seed`.
pub fn words(seed: u64, index: u64) -> impl FnMut() -> u64 {
    let mut generator = ChaCha8Rng::seed_from_u64(seed);
    generator.set_stream(index);
    move || generator.next_u64()
}

/// A loop around a plant with its own interface, Euler steps of 0.01 s, and a query each 0.1 s.
pub fn loop_around<P: Plant>(integrator: Integrator) -> ClosedLoop {
    let plant = PlantHandle::linked::<P>(None).unwrap();
    let interface = Interface::of(plant.description());
    let timing = Timing::new(0.01, 0.1).unwrap();
    ClosedLoop::new(plant, timing, integrator, interface, None).unwrap()
}

pub fn pendulum() -> ClosedLoop {
    loop_around::<InvertedPendulum>(Integrator::Euler)
}

/// The default parameters of a plant, fixed.
pub fn default_parameters(description: &Description) -> Vec<Distribution> {
    description.parameters.iter().map(|p| Distribution::Fixed(p.default)).collect()
}

/// The paper's episodes: the angle uniform in [-0.4, 0.4], everything else 0.
pub fn pendulum_ranges(horizon_s: f64) -> EpisodeRanges {
    tilted(horizon_s, 0.4)
}

/// Episodes that start anywhere in [-`angle`, `angle`].
pub fn tilted(horizon_s: f64, angle: f64) -> EpisodeRanges {
    let fixed = Distribution::Fixed(0.0);
    EpisodeRanges {
        initial: vec![fixed, Distribution::Uniform { low: -angle, high: angle }, fixed, fixed],
        parameters: default_parameters(pendulum().plant().description()),
        horizon_s,
        transient_s: 1.0,
    }
}

pub fn draw(closed_loop: &ClosedLoop, n: usize, ranges: &EpisodeRanges, seed: u64) -> EpisodeSet {
    EpisodeSet::draw(closed_loop, n, ranges, |episode| words(seed, episode)).unwrap()
}

/// The episodes of stream `seed` with these indices, in this order.
pub fn pick(
    closed_loop: &ClosedLoop,
    indices: &[u64],
    ranges: &EpisodeRanges,
    seed: u64,
) -> EpisodeSet {
    EpisodeSet::draw(closed_loop, indices.len(), ranges, |episode| {
        words(seed, indices[usize::try_from(episode).unwrap()])
    })
    .unwrap()
}

/// Episodes whose one varying state or parameter is `Uniform { low: 0.0, high: 64.0 }`, and takes exactly these whole
/// numbers.
pub fn with_values(closed_loop: &ClosedLoop, ranges: &EpisodeRanges, values: &[u64]) -> EpisodeSet {
    EpisodeSet::draw(closed_loop, values.len(), ranges, |episode| {
        let value = values[usize::try_from(episode).unwrap()];
        move || value << 58
    })
    .unwrap()
}

/// What [`with_values`] needs.
pub const WHOLE: Distribution = Distribution::Uniform { low: 0.0, high: 64.0 };

/// A random controller for the pendulum near the linear one: some of its episodes fail, some do not.
pub fn random_network(seed: u64, n_hidden: usize, feedback: Feedback) -> (Network, Vec<f64>) {
    let mut words = words(seed, 1 << 32);
    let mut uniform = |low: f64, high: f64| Distribution::Uniform { low, high }.draw(&mut words);
    let hidden = Layer { n_neurons: n_hidden, activation: Activation::Tanh, feedback };
    let output = Layer::new(1, Activation::Linear);
    let network = Network::new(4, 1, vec![hidden, output]).unwrap();
    let n_feedback = match feedback {
        Feedback::None => 0,
        Feedback::SelfOnly => 1,
        Feedback::Full => n_hidden,
    };
    let quality = uniform(0.3, 1.2);
    let mut weights = Vec::new();
    for _ in 0..n_hidden {
        weights.push(uniform(-0.02, 0.02));
        weights.extend(GAINS.map(|gain| -0.03 * gain * (quality + uniform(-0.4, 0.4))));
        weights.extend((0..n_feedback).map(|_| uniform(-0.1, 0.1)));
    }
    weights.push(uniform(-1.0, 1.0));
    weights.extend((0..n_hidden).map(|_| 33.0 / n_hidden as f64));
    (network, weights)
}

/// Records all episodes of a set.
pub fn record(
    closed_loop: &ClosedLoop,
    isa: Isa,
    controller: &impl Controller,
    set: &EpisodeSet,
    recorder: &mut dyn Recorder,
) -> Evaluation {
    let mut work = Workspace::new(closed_loop, controller, set.n_episodes());
    let control = ProbeControl::alone(f64::INFINITY);
    let recorded = closed_loop.record(isa, controller, set, &mut work, control, recorder);
    match recorded.unwrap() {
        Recording::Finished(evaluation) => evaluation,
        called_off @ Recording::CalledOff { .. } => panic!("nothing calls it off: {called_off:?}"),
    }
}

/// The digest of the trajectories of all episodes of a set, and their results.
pub fn digest(
    closed_loop: &ClosedLoop,
    isa: Isa,
    controller: &impl Controller,
    set: &EpisodeSet,
) -> (String, Evaluation) {
    let mut digests = EpisodeDigests::default();
    digests.begin(set.n_episodes());
    let evaluation = record(closed_loop, isa, controller, set, &mut digests);
    let mut all = TrajectoryDigest::default();
    all.extend(digests.digests());
    (all.finish(), evaluation)
}

/// One lane of every row.
pub fn column(matrix: &LaneMatrix, lane: usize) -> Vec<f64> {
    (0..matrix.n_rows()).map(|row| matrix.row(row)[lane]).collect()
}

/// Threads, lanes and bounds of early abort change no bit of `whole`, which is the evaluation of linear feedback on a set.
pub fn assert_same_bits_in_any_way(closed_loop: &ClosedLoop, set: &EpisodeSet, whole: &Evaluation) {
    for n_threads in [1, 2, 5] {
        let again = closed_loop.evaluate(Isa::best(), &linear(), set, n_threads).unwrap();
        assert_same_bits(&again.episodes, &whole.episodes);
    }
    let mut work = Workspace::new(closed_loop, &linear(), whole.episodes.len());
    for bound in [f64::INFINITY, whole.error * 1.001, whole.error] {
        let control = ProbeControl::alone(bound);
        let probed = closed_loop.probe(Isa::best(), &linear(), set, &mut work, control, None);
        let expected =
            if whole.error < bound { Rollout::Below(whole.error) } else { Rollout::NotBelow };
        assert_eq!(probed, expected);
    }
}
