//! What a recorder is shown, and in which order.

use std::sync::atomic::{AtomicUsize, Ordering};

use bitloop_blm::ProbeControl;
use bitloop_net::Feedback;
use bitloop_plant::{Isa, LaneMatrix};
use bitloop_sim::{
    End, EpisodeDigests, EpisodeEnd, EpisodeResult, NetworkController, Query, Recorder, Recording,
    Workspace,
};

use crate::support::{
    column, digest, draw, linear, pendulum, pick, random_network, record, tilted,
};

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
    fn query(&mut self, query: &Query<'_>) {
        let Query { tick, episodes, state, observation, control, .. } = *query;
        for (lane, &episode) in episodes.iter().enumerate() {
            assert!(self.ends.iter().all(|end| end.0 != episode), "a query after the end");
            let [state, observation, control] =
                [state, observation, control].map(|matrix| column(matrix, lane));
            self.samples.push(Shown { episode, tick, state, observation, control });
        }
    }
    fn end(&mut self, episode: usize, end: &End<'_>) {
        self.ends.push((episode, end.tick, end.state.to_vec(), end.result));
    }
}

#[test]
fn samples_come_in_order_of_time_and_each_episode_ends_once() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(4.05, 0.9), 3);
    let mut log = Log::default();
    let evaluation = record(&closed_loop, Isa::best(), &linear(), &set, &mut log);
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
        let u = crate::support::GAINS.iter().zip(state).fold(0.0, |u, (k, y)| y.mul_add(-k, u));
        assert_eq!(control, &[u]);
    }
}

#[test]
fn a_recording_that_is_called_off_keeps_what_it_has() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(100.0, 0.9), 3);
    let whole = record(&closed_loop, Isa::best(), &linear(), &set, &mut Log::default());
    let mut log = Log::default();
    let mut work = Workspace::new(&closed_loop, &linear(), 20);
    let n_asked = AtomicUsize::new(0);
    let stop = || n_asked.fetch_add(1, Ordering::Relaxed) >= 10;
    let control = ProbeControl::alone(f64::INFINITY).stopped_by(&stop);
    let recorded =
        closed_loop.record(Isa::best(), &linear(), &set, &mut work, control, &mut log).unwrap();
    let Recording::CalledOff { ended, unfinished, plant_steps, .. } = recorded else { panic!() };
    assert_eq!(ended.len() + unfinished.len(), 20);
    assert!((1..20).contains(&ended.len()), "{}", ended.len());
    assert!(ended.iter().all(|(position, result)| *result == whole.episodes[*position]));
    let tick = unfinished[0].tick;
    assert_eq!(tick, 400);
    assert!(plant_steps >= tick * unfinished.len() as u64 && plant_steps < whole.plant_steps);
    // The error so far is that of a shorter episode.
    let shorter = draw(&closed_loop, 20, &tilted(4.0, 0.9), 3);
    let shorter = closed_loop.evaluate(Isa::best(), &linear(), &shorter, 1).unwrap();
    for episode in &unfinished {
        assert_eq!(episode.error, Some(shorter.episodes[episode.position].error));
    }
}

#[test]
fn recording_moves_no_bit() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(4.0, 0.9), 3);
    let (network, weights) = random_network(4, 7, Feedback::Full);
    let controller = NetworkController { network: &network, weights: &weights };
    let recorded = record(&closed_loop, Isa::best(), &controller, &set, &mut Log::default());
    assert_eq!(closed_loop.evaluate(Isa::best(), &controller, &set, 1).unwrap(), recorded);
}

#[test]
fn a_digest_is_that_of_the_digests_of_episodes_each_by_itself() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 30, &tilted(40.0, 0.9), 3);
    let mut log = Log::default();
    let recorded = record(&closed_loop, Isa::best(), &linear(), &set, &mut log);
    assert!((1..30).contains(&recorded.n_failed()));
    let mut all = blake3::Hasher::new();
    for episode in 0..30 {
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
    let (found, _) = digest(&closed_loop, Isa::best(), &linear(), &set);
    assert_eq!(found, all.finalize().to_hex().to_string());
}

/// Samples of one lane each, in a set of three episodes; a sample is wider than what is digested at once.
#[test]
fn digests_of_episodes_depend_neither_on_their_order_nor_on_each_other() {
    let samples = |digests: &mut EpisodeDigests, episode: usize, ticks: std::ops::Range<u64>| {
        for tick in ticks {
            let mut state = LaneMatrix::zeros(1500, 8);
            state.row_mut(1)[0] = tick as f64;
            state.row_mut(1499)[0] = episode as f64;
            let control = LaneMatrix::zeros(1, 8);
            digests.query(&Query {
                tick,
                episodes: &[episode],
                state: &state,
                observation: &control,
                control: &control,
                cost: &control,
            });
        }
    };
    let end = |digests: &mut EpisodeDigests, episode| {
        let result = EpisodeResult { error: 1.0, end: EpisodeEnd::Horizon };
        digests
            .end(episode, &End { tick: 9, state: &[0.0, 0.0], cost: 0.0, own_error: 1.0, result });
    };
    let mut digests = EpisodeDigests::default();
    let mut found = Vec::new();
    for order in [[0, 1, 2], [2, 0, 1]] {
        digests.begin(3);
        for ticks in [0..1, 1..4, 4..11] {
            for episode in order {
                samples(&mut digests, episode, ticks.clone());
            }
        }
        for episode in order {
            end(&mut digests, episode);
        }
        found.push(digests.digests().to_vec());
    }
    digests.begin(1);
    samples(&mut digests, 0, 0..11);
    end(&mut digests, 0);
    assert_eq!(found[0], found[1]);
    assert_eq!(digests.digests(), &found[0][..1]);
    assert_ne!(found[0][0], found[0][1]);
}

#[test]
fn parts_of_a_set_are_those_of_the_whole() {
    let closed_loop = pendulum();
    let ranges = tilted(2.0, 0.9);
    let whole = draw(&closed_loop, 20, &ranges, 3);
    let draw_words = |episode| crate::support::words(3, episode);
    for part in [0..20, 3..4, 7..20] {
        let indices: Vec<usize> = part.clone().collect();
        let drawn = bitloop_sim::EpisodeSet::draw_part(&closed_loop, &indices, &ranges, draw_words)
            .unwrap();
        for (position, index) in part.clone().enumerate() {
            assert_eq!(drawn.start(position), whole.start(index));
            assert_eq!(drawn.parameters(position), whole.parameters(index));
        }
        let alone = closed_loop.evaluate(Isa::best(), &linear(), &drawn, 1).unwrap();
        let all = closed_loop.evaluate(Isa::best(), &linear(), &whole, 1).unwrap();
        assert_eq!(alone.episodes, all.episodes[part]);
    }
}

#[test]
fn digests_tell_trajectories_apart_and_not_their_lanes() {
    let closed_loop = pendulum();
    let digest = |indices: &[u64], horizon_s, gain| {
        let set = pick(&closed_loop, indices, &tilted(horizon_s, 0.9), 3);
        let controller = bitloop_sim::LinearFeedback::new(4, vec![-1.0, gain, -2.5, 11.0]);
        digest(&closed_loop, Isa::best(), &controller, &set).0
    };
    let base = digest(&[0, 1, 2], 2.0, 35.0);
    assert_eq!(digest(&[0, 1, 2], 2.0, 35.0), base);
    assert_ne!(digest(&[1, 0, 2], 2.0, 35.0), base);
    assert_ne!(digest(&[0, 1, 3], 2.0, 35.0), base);
    assert_ne!(digest(&[0, 1, 2], 2.01, 35.0), base);
    assert_ne!(digest(&[0, 1, 2], 2.0, 35.0_f64.next_up()), base);
}
