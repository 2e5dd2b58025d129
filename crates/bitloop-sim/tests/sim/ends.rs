//! How episodes end and what they are charged, and that no episode sees the others.

use bitloop_net::Feedback;
use bitloop_plant::{Integrator, Isa, PlantHandle};
use bitloop_sim::{
    ClosedLoop, Distribution, EpisodeEnd, EpisodeRanges, Evaluation, FailureCharge, Interface,
    LinearFeedback, NetworkController, Timing,
};

use crate::plants::Ramp;
use crate::support::{WHOLE, draw, pendulum, pick, random_network, tilted, with_values};

/// Ramps of 12 s with a transient of 3 s, queried each 4 s, that fail above each of `limits`.
fn ramps(limits: &[u64], failure: f64, terminal: f64, overriding: Option<f64>) -> Evaluation {
    ramps_charged(FailureCharge::AtLeast, limits, (failure, terminal), overriding)
}

fn ramps_charged(
    charge: FailureCharge,
    limits: &[u64],
    (failure, terminal): (f64, f64),
    overriding: Option<f64>,
) -> Evaluation {
    let plant = PlantHandle::linked::<Ramp>(None).unwrap();
    let interface = Interface::of(plant.description());
    let timing = Timing::new(1.0, 4.0).unwrap();
    let closed_loop =
        ClosedLoop::new(plant, timing, Integrator::Euler, interface, overriding).unwrap();
    let closed_loop = closed_loop.with_failure_charge(charge);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![WHOLE, Distribution::Fixed(failure), Distribution::Fixed(terminal)],
        horizon_s: 12.0,
        transient_s: 3.0,
    };
    let set = with_values(&closed_loop, &ranges, limits);
    let idle = LinearFeedback::new(1, vec![0.0]);
    let evaluation = closed_loop.evaluate(Isa::best(), &idle, &set, 1).unwrap();
    for isa in Isa::available() {
        assert_eq!(closed_loop.evaluate(isa, &idle, &set, 2).unwrap(), evaluation);
    }
    evaluation
}

#[test]
fn a_failed_episode_is_charged_the_whole_rest() {
    // After step k the state, and so the stage cost, is k; steps 4 to 12 count, 9 of them; failure costs 7 a step.
    for (limit, tick, sum) in [
        // In the transient: all 9 are charged at 7.
        (0, 1, 63.0),
        (1, 2, 63.0),
        // At its last step: likewise. Then at the first that counts, which is charged itself.
        (2, 3, 63.0),
        (3, 4, 63.0),
        // Inside a period: 4, then 8 times 7.
        (4, 5, 4.0 + 8.0 * 7.0),
        // At the end of a period, where the cost at the failure exceeds 7.
        (7, 8, 4.0 + 5.0 + 6.0 + 7.0 + 5.0 * 8.0),
        // At the first step of a period.
        (8, 9, 4.0 + 5.0 + 6.0 + 7.0 + 8.0 + 4.0 * 9.0),
        // At the very last step.
        (11, 12, 60.0 + 12.0),
    ] {
        let evaluation = ramps(&[limit], 7.0, 0.0, None);
        let end = EpisodeEnd::Failed { tick };
        assert_eq!((evaluation.error, evaluation.episodes[0].end), (sum / 9.0, end), "{limit}");
        assert_eq!((evaluation.plant_steps, evaluation.n_failed()), (tick, 1));
    }
    let evaluation = ramps(&[12], 7.0, 0.0, None);
    assert_eq!((evaluation.error, evaluation.episodes[0].end), (72.0 / 9.0, EpisodeEnd::Horizon));
    assert_eq!((evaluation.plant_steps, evaluation.n_failed()), (12, 0));
}

#[test]
fn failing_is_never_cheaper_than_the_state_that_failed() {
    let evaluation = ramps(&[4], 0.0, 0.0, None);
    assert_eq!(evaluation.error, (4.0 + 8.0 * 5.0) / 9.0);
}

#[test]
fn a_flat_charge_is_the_failure_cost_alone() {
    for (failure, limit, sum) in
        [(7.0, 4, 4.0 + 8.0 * 7.0), (0.5, 4, 4.0 + 8.0 * 0.5), (0.0, 1, 0.0)]
    {
        let evaluation = ramps_charged(FailureCharge::Flat, &[limit], (failure, 0.0), None);
        assert_eq!(evaluation.error, sum / 9.0, "{failure}, {limit}");
    }
}

#[test]
fn the_terminal_cost_is_that_of_the_last_state() {
    // At the horizon the state is 12, at the failure 5.
    let evaluation = ramps(&[12, 4], 7.0, 0.5, None);
    let [survivor, failed] = &evaluation.episodes[..] else { panic!() };
    assert_eq!((survivor.error, failed.error), (72.0 / 9.0 + 6.0, 60.0 / 9.0 + 2.5));
    assert_eq!(evaluation.error, f64::midpoint(survivor.error, failed.error));
    assert_eq!(evaluation.max_error(), survivor.error);
}

#[test]
fn a_failure_cost_of_the_loop_replaces_the_plants() {
    assert_eq!(ramps(&[4], 7.0, 0.0, Some(100.0)).error, (4.0 + 8.0 * 100.0) / 9.0);
    assert_eq!(ramps(&[4], 7.0, 0.0, Some(0.0)).error, (4.0 + 8.0 * 5.0) / 9.0);
}

#[test]
fn failures_of_all_and_in_any_order_are_told_apart() {
    // 23 lanes that end at all sorts of steps, several in the same one, the first and the last lane among them.
    let limits: Vec<u64> = (0..23).map(|i| [5, 1, 11, 12, 5, 0, 40][i % 7]).collect();
    let evaluation = ramps(&limits, 7.0, 0.5, None);
    for (limit, episode) in limits.iter().zip(&evaluation.episodes) {
        assert_eq!(*episode, ramps(&[*limit], 7.0, 0.5, None).episodes[0]);
    }
    assert_eq!(ramps(&[0; 16], 7.0, 0.0, None).plant_steps, 16);
}

#[test]
fn an_episode_does_not_see_the_others() {
    let closed_loop = pendulum();
    let ranges = tilted(8.0, 0.7);
    let mut n_mixed = 0;
    for (seed, feedback) in [(1, Feedback::None), (2, Feedback::Full), (9, Feedback::Full)] {
        let (network, weights) = random_network(seed, 6, feedback);
        let controller = NetworkController { network: &network, weights: &weights };
        for isa in Isa::available() {
            let run = |indices: &[u64], n_threads| {
                let set = pick(&closed_loop, indices, &ranges, 5);
                closed_loop.evaluate(isa, &controller, &set, n_threads).unwrap()
            };
            let all: Vec<u64> = (0..37).collect();
            let together = run(&all, 1);
            n_mixed += u32::from((1..37).contains(&together.n_failed()));
            for index in 0..37 {
                let alone = run(&[index], 1);
                assert_eq!(alone.episodes[0], together.episodes[usize::try_from(index).unwrap()]);
            }
            // 10 generates the numbers modulo 37 less 0 in a jumble; then reversed, every third, and some twice.
            let jumble: Vec<u64> = (0..37).map(|i| (i * 10 + 3) % 37).collect();
            let reversed: Vec<u64> = (0..37).rev().collect();
            let thirds: Vec<u64> = (0..37).step_by(3).collect();
            for indices in [jumble, reversed, thirds, vec![4, 4, 30, 4]] {
                let evaluation = run(&indices, 2);
                for (index, episode) in indices.iter().zip(&evaluation.episodes) {
                    let expected = together.episodes[usize::try_from(*index).unwrap()];
                    assert_eq!(*episode, expected, "episode {index} on {}", isa.name());
                }
            }
        }
    }
    assert!(n_mixed > 0, "no set had both kinds of episodes");
}

#[test]
fn starts_in_the_failure_set_are_found() {
    let closed_loop = pendulum();
    let isa = Isa::best();
    let upright = draw(&closed_loop, 9, &tilted(100.0, 0.4), 1);
    assert!(!closed_loop.fails_at_once(isa, &upright).unwrap());
    let mut degrees = tilted(100.0, 0.4);
    degrees.initial[1] = Distribution::Uniform { low: 3.0, high: 3.1 };
    let fallen = draw(&closed_loop, 9, &degrees, 1);
    assert!(closed_loop.fails_at_once(isa, &fallen).unwrap());
}
