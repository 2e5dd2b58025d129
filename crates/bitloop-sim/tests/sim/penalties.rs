//! Penalties on controls: what they charge, and that they change nothing else.

use bitloop_blm::ProbeControl;
use bitloop_inverted_pendulum::InvertedPendulum;
use bitloop_net::Feedback;
use bitloop_plant::{Integrator, Isa, PlantHandle};
use bitloop_sim::{
    ClosedLoop, End, EpisodeEnd, EpisodeResult, Interface, NetworkController, Penalties, Query,
    Recorder, Rollout, Timing, Workspace,
};

use crate::support::{draw, random_network, record, tilted};

const BOUND: f64 = 12.0;
const SCALE: f64 = 8.0;
const ALL: Penalties = Penalties { effort: 0.01, rate: 0.3, saturation: 0.002 };

fn pendulum(penalties: Penalties) -> ClosedLoop {
    let plant = PlantHandle::linked::<InvertedPendulum>(None).unwrap();
    let mut interface = Interface::of(plant.description());
    interface.outputs[0].bounds = (-BOUND, BOUND);
    interface.outputs[0].scale = SCALE;
    let timing = Timing::new(0.01, 0.1).unwrap();
    let closed_loop = ClosedLoop::new(plant, timing, Integrator::Euler, interface, None).unwrap();
    closed_loop.with_penalties(penalties)
}

/// Episode by episode.
struct Log(Vec<Controls>);

/// The controls of an episode, its plant's own error, and its result.
#[derive(Clone, Default)]
struct Controls {
    u: Vec<f64>,
    end: Option<(f64, EpisodeResult)>,
}

impl Recorder for Log {
    fn query(&mut self, query: &Query<'_>) {
        for (lane, &episode) in query.episodes.iter().enumerate() {
            self.0[episode].u.push(query.control.row(0)[lane]);
        }
    }
    fn end(&mut self, episode: usize, end: &End<'_>) {
        self.0[episode].end = Some((end.own_error, end.result));
    }
}

/// The mean penalty of an episode by its definition: queries each 10 steps, of which 105 to 405 count.
fn by_definition(controls: &[f64]) -> f64 {
    let mut before = controls[0] / SCALE;
    let mut sum = 0.0;
    for (query, u) in controls.iter().enumerate() {
        let v = u / SCALE;
        let change = v - before;
        let at_limit = u.abs() >= BOUND - 2e-3 * BOUND;
        let saturation = if at_limit { ALL.saturation } else { 0.0 };
        let penalty = v * v * ALL.effort + change * change * ALL.rate + saturation;
        let start = 10 * query;
        // After a failure, the last one up to the horizon.
        let end = if query + 1 == controls.len() { 405 } else { start + 10 };
        sum += penalty * (end.max(105) - start.max(105)) as f64;
        before = v;
    }
    sum / 300.0
}

#[test]
fn penalties_are_those_of_their_definition_and_the_plants_own_error_stays() {
    let mut ranges = tilted(4.05, 0.7);
    ranges.transient_s = 1.05;
    let (with, without) = (pendulum(ALL), pendulum(Penalties::default()));
    let set = draw(&with, 27, &ranges, 3);
    let mut n_failed = 0;
    for seed in 0..4 {
        let (network, weights) = random_network(seed, 5, Feedback::None);
        let controller = NetworkController { network: &network, weights: &weights };
        let own = without.evaluate(Isa::best(), &controller, &set, 1).unwrap();
        let mut log = Log(vec![Controls::default(); 27]);
        let all = record(&with, Isa::best(), &controller, &set, &mut log);
        for isa in Isa::available() {
            assert_eq!(with.evaluate(isa, &controller, &set, 3).unwrap(), all);
        }
        for (at, Controls { u, end }) in log.0.iter().enumerate() {
            let (own_error, result) = end.unwrap();
            assert_eq!(own_error.to_bits(), own.episodes[at].error.to_bits());
            assert_eq!(result.end, own.episodes[at].end);
            n_failed += usize::from(result.end != EpisodeEnd::Horizon);
            let expected = own_error + by_definition(u);
            // The same sums in another order of few roundings.
            let error = result.error;
            assert!((error - expected).abs() <= 1e-12 * expected, "{at}: {error}, {expected}");
            assert!(error > own_error);
        }
    }
    assert!((10..100).contains(&n_failed), "{n_failed}");
}

#[test]
fn early_abort_stays_exact_with_penalties() {
    let closed_loop = pendulum(ALL);
    let set = draw(&closed_loop, 23, &tilted(4.05, 0.5), 5);
    for seed in 0..20 {
        let (network, weights) = random_network(seed, 4, Feedback::Full);
        let controller = NetworkController { network: &network, weights: &weights };
        let error = closed_loop.evaluate(Isa::best(), &controller, &set, 1).unwrap().error;
        let mut work = Workspace::new(&closed_loop, &controller, 23);
        let mut probe = |bound| {
            let control = ProbeControl::alone(bound);
            closed_loop.probe(Isa::best(), &controller, &set, &mut work, control, None)
        };
        assert_eq!(probe(f64::INFINITY), Rollout::Below(error));
        assert_eq!(probe(error.next_up()), Rollout::Below(error));
        for bound in [error, 0.5 * error, 0.01 * error] {
            assert_eq!(probe(bound), Rollout::NotBelow);
        }
    }
}

#[test]
fn a_penalty_that_is_no_number_makes_the_error_infinite() {
    let closed_loop = pendulum(Penalties { effort: 1.0, ..Penalties::default() });
    let mut ranges = tilted(0.01, 0.1);
    ranges.transient_s = 0.0;
    let set = draw(&closed_loop, 8, &ranges, 1);
    let broken = bitloop_sim::LinearFeedback::new(4, vec![f64::NAN; 4]);
    let evaluation = closed_loop.evaluate(Isa::best(), &broken, &set, 1).unwrap();
    assert_eq!(evaluation.error, f64::INFINITY);
    let mut work = Workspace::new(&closed_loop, &broken, 8);
    let control = ProbeControl::alone(1.0);
    let probe = closed_loop.probe(Isa::best(), &broken, &set, &mut work, control, None);
    assert!(matches!(probe, Rollout::Faulty | Rollout::NotBelow), "{probe:?}");
}
