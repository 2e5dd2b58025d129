//! Recordings that are paused, and resumed in other buffers.

use std::sync::atomic::{AtomicUsize, Ordering};

use bitloop_blm::ProbeControl;
use bitloop_net::Feedback;
use bitloop_plant::Isa;
use bitloop_sim::{
    Actuator, BehaviorRecorder, Behaviors, ClosedLoop, Controller, Distribution, End,
    EpisodeDigest, EpisodeDigests, EpisodeSet, Evaluation, NetworkController, Noise, Paused,
    PausedBehavior, PausedDigests, Penalties, Query, Recorder, Recording, Sensor, SimError,
    Uncertainty, Workspace,
};

use crate::support::{draw, linear, pendulum, random_network, tilted};

/// Numbers of a sample of the pendulum.
const N_WORDS: usize = 5;

/// Digests and behavior.
struct Both(EpisodeDigests, BehaviorRecorder);

impl Both {
    fn begin(closed_loop: &ClosedLoop, set: &EpisodeSet) -> Self {
        let mut digests = EpisodeDigests::default();
        digests.begin(set.n_episodes());
        let mut behavior = BehaviorRecorder::new(closed_loop, Isa::best());
        behavior.begin(set, set.n_episodes());
        Self(digests, behavior)
    }

    fn resume(&mut self, set: &EpisodeSet, at: &State) -> bool {
        self.0.resume(&at.1, N_WORDS) && self.1.resume(&at.2, (set, set.n_episodes()), at.0.tick())
    }
}

impl Recorder for Both {
    fn query(&mut self, query: &Query<'_>) {
        self.0.query(query);
        self.1.query(query);
    }
    fn end(&mut self, episode: usize, end: &End<'_>) {
        self.0.end(episode, end);
        self.1.end(episode, end);
    }
}

type State = (Paused, PausedDigests, PausedBehavior);
type Found = (Evaluation, Vec<EpisodeDigest>, Behaviors);

/// All episodes, paused after every `n_looks` looks at whether they are called off; and how often.
fn in_pieces(
    closed_loop: &ClosedLoop,
    controller: &impl Controller,
    set: &EpisodeSet,
    n_looks: usize,
) -> (Found, usize) {
    let (mut state, mut n_pauses): (Option<State>, usize) = (None, 0);
    loop {
        let mut both = Both::begin(closed_loop, set);
        if let Some(state) = &state {
            assert!(both.resume(set, state));
        }
        let mut work = Workspace::new(closed_loop, controller, set.n_episodes());
        let n_asked = AtomicUsize::new(0);
        let stop = || n_asked.fetch_add(1, Ordering::Relaxed) >= n_looks;
        let control = ProbeControl::alone(f64::INFINITY).stopped_by(&stop);
        let at = state.as_ref().map(|state| &state.0);
        let control = (control, &mut both as &mut dyn Recorder);
        let recorded =
            closed_loop.record_from(Isa::best(), controller, set, &mut work, at, control).unwrap();
        match recorded {
            Recording::Finished(evaluation) => {
                let found = (evaluation, both.0.digests().to_vec(), both.1.behaviors());
                return (found, n_pauses);
            }
            Recording::CalledOff { paused, .. } => {
                state = Some((*paused.unwrap(), both.0.pause(), both.1.pause()));
                n_pauses += 1;
            }
        }
    }
}

#[test]
fn a_pause_moves_no_bit() {
    let sensor = |observation| Sensor::perfect(observation);
    let uncertainty = Uncertainty {
        sensors: vec![
            Sensor { noise: Noise::Normal(0.002), ..sensor(1) },
            Sensor { delay: 2, ..sensor(2) },
            Sensor { bias: Distribution::Uniform { low: -0.02, high: 0.02 }, ..sensor(0) },
        ],
        actuators: vec![Actuator { delay: 3, rate: 60.0, ..Actuator::perfect(0) }],
        disturbances: Vec::new(),
    };
    let uncertain = pendulum().with_uncertainty(uncertainty).unwrap();
    let penalized =
        uncertain.clone().with_penalties(Penalties { effort: 1e-3, rate: 1e-2, saturation: 0.1 });
    let (network, weights) = random_network(4, 7, Feedback::Full);
    let recurrent = NetworkController { network: &network, weights: &weights };
    for closed_loop in [pendulum(), uncertain, penalized] {
        // Some fail early; digests of the others go over several pieces.
        let set = draw(&closed_loop, 22, &tilted(60.0, 0.9), 3);
        let (whole, n_pauses) = in_pieces(&closed_loop, &linear(), &set, usize::MAX);
        assert_eq!(n_pauses, 0);
        assert!((1..22).contains(&whole.0.n_failed()), "{}", whole.0.n_failed());
        for n_looks in [1, 7, 40] {
            let (found, n_pauses) = in_pieces(&closed_loop, &linear(), &set, n_looks);
            assert!(n_pauses > 2, "{n_looks}");
            assert!(found == whole, "paused after {n_looks} looks");
        }
        let (whole, _) = in_pieces(&closed_loop, &recurrent, &set, usize::MAX);
        let (found, n_pauses) = in_pieces(&closed_loop, &recurrent, &set, 1);
        assert!(found == whole && n_pauses > 0, "{n_pauses}");
    }
}

#[test]
fn other_episodes_are_not_resumed() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 6, &tilted(60.0, 0.1), 3);
    let mut both = Both::begin(&closed_loop, &set);
    let mut work = Workspace::new(&closed_loop, &linear(), 6);
    let n_asked = AtomicUsize::new(0);
    let stop = || n_asked.fetch_add(1, Ordering::Relaxed) >= 20;
    let control = ProbeControl::alone(f64::INFINITY).stopped_by(&stop);
    let recorded =
        closed_loop.record(Isa::best(), &linear(), &set, &mut work, control, &mut both).unwrap();
    let Recording::CalledOff { paused: Some(paused), .. } = recorded else { panic!() };
    let state = (*paused, both.0.pause(), both.1.pause());
    let (network, weights) = random_network(4, 7, Feedback::Full);
    let recurrent = NetworkController { network: &network, weights: &weights };
    let resume = |set: &EpisodeSet, controller: &dyn Controller| {
        let mut both = Both::begin(&closed_loop, set);
        // What does not fit is refused by the loop, too.
        let _ = both.resume(set, &state);
        let mut work = Workspace::new(&closed_loop, controller, set.n_episodes());
        let control = (ProbeControl::alone(f64::INFINITY), &mut both as &mut dyn Recorder);
        closed_loop.record_from(Isa::best(), controller, set, &mut work, Some(&state.0), control)
    };
    let short = draw(&closed_loop, 6, &tilted(5.0, 0.1), 3);
    let few = draw(&closed_loop, 5, &tilted(60.0, 0.1), 3);
    for refused in [resume(&short, &linear()), resume(&few, &linear()), resume(&set, &recurrent)] {
        assert!(matches!(refused, Err(SimError::OtherEpisodes)), "{refused:?}");
    }
    for other in [&short, &few] {
        assert!(!Both::begin(&closed_loop, other).resume(other, &state));
    }
    assert!(Both::begin(&closed_loop, &set).resume(&set, &state));
    assert!(matches!(resume(&set, &linear()), Ok(Recording::Finished(_))));
}
