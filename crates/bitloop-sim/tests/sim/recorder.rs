//! What a recorder is shown, and in which order.

use bitloop_net::Feedback;
use bitloop_plant::Isa;
use bitloop_sim::{
    EpisodeEnd, EpisodeResult, NetworkController, Recorder, Sample, TrajectoryDigest,
};

use crate::stand::{draw, linear, pendulum, pick, random_network, tilted};

/// A sample, kept.
struct Shown {
    episode: usize,
    tick: u64,
    state: Vec<f64>,
    observation: Vec<f64>,
    control: Vec<f64>,
}

#[derive(Default)]
struct Log {
    samples: Vec<Shown>,
    ends: Vec<(usize, u64, Vec<f64>, EpisodeResult)>,
}

impl Recorder for Log {
    fn sample(&mut self, sample: &Sample<'_>) {
        let Sample { episode, tick, state, observation, control } = *sample;
        assert!(self.ends.iter().all(|end| end.0 != episode), "a sample after the end");
        let [state, observation, control] = [state, observation, control].map(<[f64]>::to_vec);
        self.samples.push(Shown { episode, tick, state, observation, control });
    }
    fn end(&mut self, episode: usize, tick: u64, state: &[f64], result: &EpisodeResult) {
        self.ends.push((episode, tick, state.to_vec(), *result));
    }
}

#[test]
fn samples_come_in_order_of_time_and_each_episode_ends_once() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(4.05, 0.9), 3);
    let mut log = Log::default();
    let evaluation = closed_loop.record(Isa::best(), &linear(), &set, &mut log).unwrap();
    assert!((1..20).contains(&evaluation.n_failed()));
    assert!(log.samples.is_sorted_by_key(|sample| sample.tick));
    let mut ended: Vec<usize> = log.ends.iter().map(|end| end.0).collect();
    ended.sort_unstable();
    assert_eq!(ended, (0..20).collect::<Vec<_>>());
    assert!(log.ends.is_sorted_by_key(|end| end.1.div_ceil(10)));

    for (episode, tick, state, result) in &log.ends {
        assert_eq!(*result, evaluation.episodes[*episode]);
        match result.end {
            EpisodeEnd::Horizon => assert_eq!(*tick, 405),
            EpisodeEnd::Failed { tick: failed } => {
                assert_eq!(*tick, failed);
                // The state of the moment of failure, not one after it.
                assert!(state[1].abs() > 1.1 && state[1].abs() < 1.2, "{state:?}");
            }
            EpisodeEnd::Fault { .. } => panic!("{result:?}"),
        }
        // A query each 10 ticks, up to the end.
        let of_episode = log.samples.iter().filter(|sample| sample.episode == *episode);
        let ticks: Vec<u64> = of_episode.map(|sample| sample.tick).collect();
        assert_eq!(ticks, (0..tick.div_ceil(10)).map(|i| 10 * i).collect::<Vec<_>>());
    }
    for Shown { state, observation, control, .. } in &log.samples {
        assert_eq!(state, observation);
        let u = crate::stand::GAINS.iter().zip(state).fold(0.0, |u, (k, y)| y.mul_add(-k, u));
        assert_eq!(control, &[u]);
    }
}

#[test]
fn recording_moves_no_bit() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(4.0, 0.9), 3);
    let (network, weights) = random_network(4, 7, Feedback::Full);
    let controller = NetworkController { network: &network, weights: &weights };
    let recorded = closed_loop.record(Isa::best(), &controller, &set, &mut Log::default()).unwrap();
    assert_eq!(closed_loop.evaluate(Isa::best(), &controller, &set, 1).unwrap(), recorded);
}

#[test]
fn many_episodes_are_recorded_block_by_block() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 300, &tilted(2.0, 0.9), 3);
    let mut log = Log::default();
    let recorded = closed_loop.record(Isa::best(), &linear(), &set, &mut log).unwrap();
    assert_eq!(closed_loop.evaluate(Isa::best(), &linear(), &set, 1).unwrap(), recorded);
    let block = |episode: usize| episode / 64;
    assert!(log.samples.is_sorted_by_key(|sample| (block(sample.episode), sample.tick)));
    // The digest of the digests of episodes, as if each were recorded by itself.
    let mut all = blake3::Hasher::new();
    for episode in 0..300 {
        let mut own = blake3::Hasher::new();
        for sample in log.samples.iter().filter(|sample| sample.episode == episode) {
            for value in sample.state.iter().chain(&sample.control) {
                own.update(&value.to_bits().to_le_bytes());
            }
        }
        let (_, tick, state, result) = log.ends.iter().find(|end| end.0 == episode).unwrap();
        own.update(&tick.to_le_bytes());
        for value in state.iter().chain([&result.error]) {
            own.update(&value.to_bits().to_le_bytes());
        }
        all.update(own.finalize().as_bytes());
    }
    let mut digest = TrajectoryDigest::new(300);
    closed_loop.record(Isa::best(), &linear(), &set, &mut digest).unwrap();
    assert_eq!(digest.finish(), all.finalize().to_hex().to_string());
}

#[test]
fn a_digest_does_not_depend_on_the_order_of_episodes() {
    let samples = |digest: &mut TrajectoryDigest, episode: usize, ticks: std::ops::Range<u64>| {
        for tick in ticks {
            let state = [tick as f64, episode as f64];
            digest.sample(&Sample {
                episode,
                tick,
                state: &state,
                observation: &[],
                control: &[0.5],
            });
        }
    };
    let end = |digest: &mut TrajectoryDigest, episode| {
        let result = EpisodeResult { error: 1.0, end: EpisodeEnd::Horizon };
        digest.end(episode, 9, &[0.0, 0.0], &result);
    };
    let mut one_by_one = TrajectoryDigest::new(4);
    for episode in 0..3 {
        samples(&mut one_by_one, episode, 0..1000);
        end(&mut one_by_one, episode);
    }
    let mut mixed = TrajectoryDigest::new(4);
    for ticks in [0..10, 10..500, 500..1000] {
        for episode in [2, 0, 1] {
            samples(&mut mixed, episode, ticks.clone());
        }
    }
    for episode in [2, 0, 1] {
        end(&mut mixed, episode);
    }
    // The last episode was never recorded, and counts as an empty one.
    let mut shorter = TrajectoryDigest::new(3);
    samples(&mut shorter, 0, 0..1000);
    let digests = [one_by_one, mixed, shorter].map(TrajectoryDigest::finish);
    assert_eq!(digests[0], digests[1]);
    assert_ne!(digests[0], digests[2]);
}

#[test]
fn digests_tell_trajectories_apart_and_not_their_lanes() {
    let closed_loop = pendulum();
    let digest = |indices: &[u64], horizon_s, gain| {
        let set = pick(&closed_loop, indices, &tilted(horizon_s, 0.9), 3);
        let mut digest = TrajectoryDigest::new(indices.len());
        let controller = bitloop_sim::LinearFeedback::new(4, vec![-1.0, gain, -2.5, 11.0]);
        closed_loop.record(Isa::best(), &controller, &set, &mut digest).unwrap();
        digest.finish()
    };
    let base = digest(&[0, 1, 2], 2.0, 35.0);
    assert_eq!(digest(&[0, 1, 2], 2.0, 35.0), base);
    assert_ne!(digest(&[1, 0, 2], 2.0, 35.0), base);
    assert_ne!(digest(&[0, 1, 3], 2.0, 35.0), base);
    assert_ne!(digest(&[0, 1, 2], 2.01, 35.0), base);
    assert_ne!(digest(&[0, 1, 2], 2.0, 35.0_f64.next_up()), base);
}
