//! The figures of behavior against the same figures from recorded samples, one episode after another.

use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_plant::{Integrator, Isa, PlantHandle};
use bitloop_sim::{
    BehaviorRecorder, BehaviorWarning, Behaviors, ClosedLoop, Controller, End, EpisodeEnd,
    EpisodeResult, EpisodeSet, Figure, Interface, LinearFeedback, Query, Recorder, Timing,
};

use crate::support::{GAINS, column, draw, linear, pendulum, pick, record, tilted};

/// A query of an episode.
struct Sample {
    tick: u64,
    state: Vec<f64>,
    control: f64,
    cost: f64,
}

/// All samples of each episode, the end last, with a control that does not count.
struct Samples(Vec<(Vec<Sample>, Option<EpisodeResult>)>);

impl Recorder for Samples {
    fn query(&mut self, query: &Query<'_>) {
        for (lane, &episode) in query.episodes.iter().enumerate() {
            let (state, control) = (column(query.state, lane), query.control.row(0)[lane]);
            let cost = query.cost.row(0)[lane];
            self.0[episode].0.push(Sample { tick: query.tick, state, control, cost });
        }
    }
    fn end(&mut self, episode: usize, end: &End<'_>) {
        let (state, control) = (end.state.to_vec(), f64::NAN);
        self.0[episode].0.push(Sample { tick: end.tick, state, control, cost: end.cost });
        self.0[episode].1 = Some(end.result);
    }
}

const HORIZON: u64 = 405;
const TRANSIENT: u64 = 100;
const BOUND: f64 = 12.0;

/// The pendulum under a force within bounds.
fn bounded() -> ClosedLoop {
    let plant = PlantHandle::linked::<InvertedPendulum>(None).unwrap();
    let mut interface = Interface::of(plant.description());
    interface.outputs[0].bounds = (-BOUND, BOUND);
    interface.outputs[0].scale = 4.0;
    let timing = Timing::new(0.01, 0.1).unwrap();
    ClosedLoop::new(plant, timing, Integrator::Euler, interface, None).unwrap()
}

/// The figures of one episode by their definitions, in the order of [`Figure::ALL`].
fn by_definition(samples: &[Sample], result: EpisodeResult) -> Vec<f64> {
    let (last, queries) = samples.split_last().unwrap();
    let u: Vec<f64> = queries.iter().map(|sample| sample.control).collect();
    let n = u.len() as f64;
    let changes: Vec<f64> = u.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let turns = |from: usize| {
        let mut before = 0.0;
        let mut turns = 0.0;
        for (at, &change) in changes.iter().enumerate() {
            turns += f64::from(at >= from && change * before < 0.0);
            before = if change == 0.0 { before } else { change };
        }
        turns
    };
    let variation = |changes: &[f64]| changes.iter().map(|change| change.abs()).sum::<f64>();
    let near_bound = u.iter().filter(|u| u.abs() >= BOUND - 2e-3 * BOUND).count();
    // Queries at 0, 10, ..., 400: the steady part begins with the one at 370, as 36.5 periods are the first nine tenths.
    let steady: Vec<usize> =
        (0..queries.len()).filter(|&at| queries[at].tick >= HORIZON - HORIZON / 10).collect();
    let has_settled = result.end == EpisodeEnd::Horizon;
    let means: Vec<(u64, f64)> = samples
        .windows(2)
        .filter(|pair| pair[1].tick > TRANSIENT)
        .map(|pair| {
            let n_counted = pair[1].tick - pair[0].tick.max(TRANSIENT);
            (pair[1].tick, (pair[1].cost - pair[0].cost) / n_counted as f64)
        })
        .collect();
    let largest = means.iter().map(|mean| mean.1).fold(0.0, f64::max);
    let outside =
        means.iter().filter(|mean| mean.1 > 0.01 * largest).map(|mean| mean.0).next_back();
    let mut figures = vec![
        near_bound as f64 / n,
        variation(&changes) / (n - 1.0) / (2.0 * BOUND),
        turns(0) / n,
        u.iter().fold(0.0, |sum, u| sum + (u / 4.0) * (u / 4.0)) / n,
    ];
    if has_settled {
        let first = steady[0];
        let n_steady = (queries.len() - first - 1) as f64;
        figures
            .push((variation(&changes) - variation(&changes[..first])) / n_steady / (2.0 * BOUND));
        figures.push(turns(first) / n_steady);
        figures.push(result.error);
        let since = &queries[first];
        figures.push((last.cost - since.cost) / (HORIZON - since.tick) as f64);
        let outside = outside.unwrap_or(0);
        figures.push(if outside <= since.tick { outside as f64 * 0.01 } else { f64::INFINITY });
    } else {
        figures.extend([f64::NAN, f64::NAN, result.error, f64::INFINITY, f64::INFINITY]);
    }
    let states = 0..last.state.len();
    let of = |state: usize| samples.iter().map(move |sample| sample.state[state]);
    figures.extend(states.clone().map(|state| of(state).map(f64::abs).fold(0.0, f64::max)));
    figures.extend(states.map(|state| {
        let start = samples[0].state[state];
        let passed = of(state).map(|x| -x * start.signum()).fold(0.0, f64::max);
        if start == 0.0 { f64::NAN } else { passed }
    }));
    figures
}

fn bits(values: &[f64]) -> Vec<u64> {
    values.iter().map(|value| if value.is_nan() { f64::NAN } else { *value }.to_bits()).collect()
}

#[test]
fn figures_are_those_of_their_definitions() {
    let closed_loop = bounded();
    let set = draw(&closed_loop, 27, &tilted(4.05, 0.7), 3);
    let mut samples = Samples((0..27).map(|_| (Vec::new(), None)).collect());
    let evaluation = record(&closed_loop, Isa::best(), &linear(), &set, &mut samples);
    assert!((1..20).contains(&evaluation.n_failed()), "{}", evaluation.n_failed());
    for isa in Isa::available() {
        for n_threads in [1, 3] {
            let mut observed = closed_loop.observe(isa, &linear(), &set, n_threads).unwrap();
            let behaviors = observed.behaviors.take().unwrap();
            assert_eq!(observed, evaluation);
            for (at, (samples, result)) in samples.0.iter().enumerate() {
                let expected = by_definition(samples, result.unwrap());
                assert_eq!(bits(behaviors.episode(at)), bits(&expected), "episode {at}");
            }
            let settled = behaviors.summary(Figure::SettlingTime, 0).unwrap();
            assert!(settled.n_infinite >= evaluation.n_failed() && settled.median > 0.0);
        }
    }
}

fn observed(closed_loop: &ClosedLoop, controller: &impl Controller, set: &EpisodeSet) -> Behaviors {
    closed_loop.observe(Isa::best(), controller, set, 1).unwrap().behaviors.unwrap()
}

#[test]
fn an_episode_behaves_the_same_alone_and_a_recorder_can_be_used_again() {
    let closed_loop = bounded();
    let ranges = tilted(4.05, 0.7);
    let all = observed(&closed_loop, &linear(), &draw(&closed_loop, 27, &ranges, 3));
    let mut recorder = BehaviorRecorder::new(&closed_loop, Isa::best());
    for index in [3, 26, 0] {
        let alone = pick(&closed_loop, &[index], &ranges, 3);
        recorder.begin(&alone, 1);
        record(&closed_loop, Isa::best(), &linear(), &alone, &mut recorder);
        let at = usize::try_from(index).unwrap();
        assert_eq!(bits(recorder.behaviors().episode(0)), bits(all.episode(at)));
    }
}

#[test]
fn a_control_that_switches_for_ever_chatters_and_one_that_comes_to_rest_does_not() {
    let closed_loop = bounded();
    let set = draw(&closed_loop, 16, &tilted(20.0, 0.2), 3);
    // The interface multiplies it by its scale again.
    let gentle = LinearFeedback::new(4, GAINS.map(|gain| 0.25 * gain).to_vec());
    assert_eq!(observed(&closed_loop, &gentle, &set).warnings(), []);
    // So steep that it is at one bound or the other.
    let steep = LinearFeedback::new(4, GAINS.map(|gain| 1000.0 * gain).to_vec());
    let warnings = observed(&closed_loop, &steep, &set).warnings();
    let [
        BehaviorWarning::Chatter { n_episodes: 16, n_of: 16, variation, reversals, .. },
        BehaviorWarning::Saturation { share, .. },
    ] = warnings[..]
    else {
        panic!("{warnings:?}")
    };
    assert!(variation > 0.1 && reversals > 0.1 && share > 0.9, "{warnings:?}");
    // Without bounds, changes are compared with what the control spans.
    let free = pendulum();
    let set = draw(&free, 16, &tilted(20.0, 0.2), 3);
    assert_eq!(observed(&free, &linear(), &set).warnings(), []);
}
