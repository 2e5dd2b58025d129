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
