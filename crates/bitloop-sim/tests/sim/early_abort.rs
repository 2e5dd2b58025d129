//! Early abort is lossless: a probe answers "below" exactly where the full error is below the bound, with its bits.

use std::sync::atomic::{AtomicU64, Ordering};

use bitloop_blm::ProbeControl;
use bitloop_net::Feedback;
use bitloop_plant::Isa;
use bitloop_sim::{Aggregate, NetworkController, Rollout, Workspace};

use crate::support::{draw, pendulum, random_network, tilted};

#[test]
fn a_probe_is_below_exactly_where_the_full_error_is() {
    below_exactly_where_the_full_error_is(Aggregate::Mean);
}

#[test]
fn the_same_of_the_worst_episode_and_of_a_share_of_the_worst() {
    for aggregate in [Aggregate::Worst, Aggregate::CVaR(0.25), Aggregate::CVaR(1.0)] {
        below_exactly_where_the_full_error_is(aggregate);
    }
}

fn below_exactly_where_the_full_error_is(aggregate: Aggregate) {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 21, &tilted(6.0, 0.7), 11).with_aggregate(aggregate);
    let isa = Isa::best();
    let (mut n_mixed, mut full_steps, mut steps_at_half) = (0, 0, 0);
    for seed in 0..60 {
        let (n_hidden, feedback) =
            if seed % 2 == 0 { (5, Feedback::None) } else { (6, Feedback::Full) };
        let (network, weights) = random_network(seed, n_hidden, feedback);
        let controller = NetworkController { network: &network, weights: &weights };
        let full = closed_loop.evaluate(isa, &controller, &set, 2).unwrap();
        let e = full.error;
        assert_eq!(e, full.aggregate(aggregate));
        assert!(e.is_finite() && e > 0.0);
        n_mixed += u32::from((1..21).contains(&full.n_failed()));

        let mut work = Workspace::new(&closed_loop, &controller, 21);
        for bound in [
            0.0,
            e * 1e-3,
            e * 0.5,
            e * 0.99,
            e.next_down(),
            e,
            e.next_up(),
            e * 1.01,
            e * 100.0,
            f64::INFINITY,
            f64::NAN,
        ] {
            let before = work.plant_steps;
            let rollout = closed_loop.probe(
                isa,
                &controller,
                &set,
                &mut work,
                ProbeControl::alone(bound),
                None,
            );
            let steps = work.plant_steps - before;
            let expected = if e < bound { Rollout::Below(e) } else { Rollout::NotBelow };
            assert_eq!(rollout, expected, "seed {seed}, bound {bound}, error {e}");
            if e < bound {
                assert_eq!(steps, full.plant_steps);
            } else {
                assert!(steps <= full.plant_steps);
            }
            if bound == e * 0.5 {
                full_steps += full.plant_steps;
                steps_at_half += steps;
            }
        }
    }
    assert!(n_mixed > 20, "{n_mixed} sets with both kinds of episodes: too few to prove much");
    assert!(2 * steps_at_half < full_steps, "{steps_at_half} of {full_steps} steps");
}

#[test]
fn a_probe_that_is_called_off_stops_soon() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 8, &tilted(1000.0, 0.1), 11);
    let controller = crate::support::linear();
    let mut work = Workspace::new(&closed_loop, &controller, 8);
    let bound = f64::INFINITY;
    let control = ProbeControl::alone(bound).stopped_by(&|| true);
    let rollout = closed_loop.probe(Isa::best(), &controller, &set, &mut work, control, None);
    assert_eq!(rollout, Rollout::CalledOff);
    assert!(work.plant_steps < 8 * 200, "{}", work.plant_steps);
}

#[test]
fn an_evaluation_in_full_can_be_called_off() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 20, &tilted(1000.0, 0.1), 11);
    let controller = crate::support::linear();
    let n_looks = AtomicU64::new(0);
    let isa = Isa::best();
    for n_threads in [1, 3] {
        n_looks.store(0, Ordering::Relaxed);
        let stop = || n_looks.fetch_add(1, Ordering::Relaxed) >= 20;
        let control = ProbeControl::alone(f64::INFINITY).stopped_by(&stop);
        let evaluation = closed_loop.evaluate_until(isa, &controller, &set, n_threads, control);
        assert_eq!(evaluation, Ok(None));
        // Of the 2500 slices of each thread's 1000 s.
        assert!(n_looks.load(Ordering::Relaxed) < 20 + 4);
        let control = ProbeControl::alone(0.0).stopped_by(&|| false);
        let short = draw(&closed_loop, 20, &tilted(6.0, 0.1), 11);
        let evaluation = closed_loop.evaluate_until(isa, &controller, &short, n_threads, control);
        assert_eq!(evaluation, closed_loop.evaluate(isa, &controller, &short, 1).map(Some));
    }
}

#[test]
#[should_panic(expected = "a workspace of 8 lanes for 9 episodes")]
fn a_workspace_for_fewer_episodes_panics() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 9, &tilted(6.0, 0.1), 11);
    let controller = crate::support::linear();
    let mut work = Workspace::new(&closed_loop, &controller, 8);
    let _ = closed_loop.probe(
        Isa::best(),
        &controller,
        &set,
        &mut work,
        ProbeControl::alone(1.0),
        None,
    );
}
