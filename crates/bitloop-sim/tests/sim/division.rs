//! A rollout whose episodes are divided among threads comes to the same bits, and to the same count of faults.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::thread;

use bitloop_blm::ProbeControl;
use bitloop_net::Feedback;
use bitloop_plant::{Integrator, Isa};
use bitloop_sim::{
    Aggregate, ClosedLoop, Controller, Distribution, EpisodeRanges, EpisodeSet, EpisodeTask,
    LinearFeedback, NetworkController, Noise, Rollout, Sensor, Uncertainty, WorkQueue, Workspace,
};

use crate::plants::{Ramp, Spoiled, mischief};
use crate::support::{WHOLE, draw, loop_around, pendulum, random_network, tilted, with_values};

/// Who takes the tasks that are offered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Taker {
    /// Another thread, at once.
    Thread,
    /// The thread of the rollout itself, in the middle of one, whenever it has looked at its control so often.
    Oneself(u64),
    /// No one, so that they are left to the rollout.
    Nobody,
    /// A thread that panics over it.
    Panicking,
}

const TAKERS: [Taker; 5] =
    [Taker::Thread, Taker::Oneself(1), Taker::Oneself(2), Taker::Oneself(7), Taker::Nobody];

/// The parts of a rollout.
#[derive(Clone, Copy)]
struct Task<'a> {
    closed_loop: &'a ClosedLoop,
    controller: &'a dyn Controller,
    set: &'a EpisodeSet,
}

/// The result of a divided rollout.
struct Divided {
    rollout: Rollout,
    /// Integration steps of all threads.
    steps: u64,
    n_tasks: u64,
}

impl Task<'_> {
    fn run(self, task: &EpisodeTask, n_lanes: usize) -> u64 {
        let Self { closed_loop, controller, set } = self;
        assert_eq!(task.controller_parameters(), controller.parameters());
        let mut work = Workspace::new(closed_loop, controller, n_lanes);
        closed_loop.run_task(Isa::best(), controller, set, &mut work, task);
        work.plant_steps
    }

    /// Divides a rollout as often as it can be, and calls it off at a look.
    fn probe(self, bound: f64, taker: Taker, called_off_at: u64) -> Divided {
        let Self { closed_loop, controller, set } = self;
        let n_episodes = set.n_episodes();
        let mut work = Workspace::new(closed_loop, controller, n_episodes);
        let queue = WorkQueue::default();
        let (n_looks, n_tasks, steps) = (AtomicU64::new(0), AtomicU64::new(0), AtomicU64::new(0));
        let take = |n_lanes| {
            if let Some(task) = queue.take() {
                n_tasks.fetch_add(1, Ordering::Relaxed);
                steps.fetch_add(self.run(&task, n_lanes), Ordering::Relaxed);
            }
        };
        let look = || {
            let n_looks = n_looks.fetch_add(1, Ordering::Relaxed) + 1;
            match taker {
                Taker::Oneself(every) if n_looks.is_multiple_of(every) => take(n_episodes),
                // A workspace without room for the episodes.
                Taker::Panicking => drop(catch_unwind(AssertUnwindSafe(|| take(1)))),
                _ => {}
            }
            n_looks >= called_off_at
        };
        let control = ProbeControl::alone(bound).helped().stopped_by(&look);
        let is_over = AtomicBool::new(false);
        let rollout = thread::scope(|scope| {
            if taker == Taker::Thread {
                scope.spawn(|| {
                    while !is_over.load(Ordering::Relaxed) {
                        take(n_episodes);
                        thread::yield_now();
                    }
                });
            }
            let isa = Isa::best();
            let rollout = closed_loop.probe(isa, controller, set, &mut work, control, Some(&queue));
            is_over.store(true, Ordering::Relaxed);
            rollout
        });
        let steps = work.plant_steps + steps.into_inner();
        Divided { rollout, steps, n_tasks: n_tasks.into_inner() }
    }

    /// The same on one thread.
    fn probe_undivided(self, bound: f64) -> Rollout {
        let Self { closed_loop, controller, set } = self;
        let mut work = Workspace::new(closed_loop, controller, set.n_episodes());
        let control = ProbeControl::alone(bound);
        closed_loop.probe(Isa::best(), controller, set, &mut work, control, None)
    }
}

#[test]
fn a_divided_rollout_is_below_exactly_where_the_undivided_is() {
    divided_is_below_where_undivided_is(&pendulum(), Aggregate::Mean);
}

#[test]
fn noise_goes_with_its_episodes() {
    let noisy = |observation| Sensor {
        noise: Noise::Normal(0.02),
        dropout: 0.1,
        ..Sensor::perfect(observation)
    };
    let sensors = (0..4).map(noisy).collect();
    let closed_loop =
        pendulum().with_uncertainty(Uncertainty { sensors, ..Uncertainty::default() }).unwrap();
    divided_is_below_where_undivided_is(&closed_loop, Aggregate::Mean);
}

#[test]
fn a_divided_rollout_whose_error_is_no_sum_is_below_exactly_where_the_undivided_is() {
    divided_is_below_where_undivided_is(&pendulum(), Aggregate::Worst);
    divided_is_below_where_undivided_is(&pendulum(), Aggregate::CVaR(0.2));
}

#[test]
fn a_rollout_on_threads_is_below_exactly_where_the_whole_is_and_stops_where_it_is_not() {
    let closed_loop = &pendulum();
    let set = draw(closed_loop, 52, &tilted(8.0, 0.7), 11);
    let (mut n_fewer, mut n_seen_to_fail) = (0, 0);
    for seed in 0..6 {
        let (network, weights) = random_network(seed, 5, Feedback::None);
        let controller = &NetworkController { network: &network, weights: &weights };
        let whole = closed_loop.evaluate(Isa::best(), controller, &set, 1).unwrap();
        let e = whole.error;
        for n_threads in [1, 2, 5] {
            for bound in [e * 0.5, e.next_down(), e, e.next_up(), f64::INFINITY] {
                let control = ProbeControl::alone(bound);
                let probed =
                    closed_loop.probe_on_threads(Isa::best(), controller, &set, n_threads, control);
                let probed = probed.unwrap();
                let (expected, n_failed) = if e < bound {
                    (Rollout::Below(e), Some(whole.n_failed()))
                } else {
                    (Rollout::NotBelow, None)
                };
                let case = format!("seed {seed}, {n_threads} threads, bound {bound}");
                assert_eq!((probed.rollout, probed.n_failed), (expected, n_failed), "{case}");
                n_seen_to_fail += probed.n_failed.unwrap_or(0);
                let steps = probed.plant_steps;
                assert!(e >= bound || steps == whole.plant_steps, "{steps}");
                n_fewer += u32::from(steps < whole.plant_steps);
            }
        }
    }
    assert!(n_fewer > 15, "{n_fewer} of 90 were dropped early");
    assert!(n_seen_to_fail > 0, "no episode failed");
}

#[test]
fn a_rollout_on_threads_is_called_off_and_refuses_another_controller() {
    let closed_loop = &pendulum();
    let set = draw(closed_loop, 52, &tilted(8.0, 0.7), 11);
    let (network, weights) = random_network(1, 5, Feedback::None);
    let controller = &NetworkController { network: &network, weights: &weights };
    let control = ProbeControl::alone(f64::INFINITY).stopped_by(&|| true);
    let called_off = closed_loop.probe_on_threads(Isa::best(), controller, &set, 2, control);
    assert_eq!(called_off.unwrap().rollout, Rollout::CalledOff);
    let other = &LinearFeedback::new(1, vec![1.0]);
    let control = ProbeControl::alone(1.0);
    assert!(closed_loop.probe_on_threads(Isa::best(), other, &set, 2, control).is_err());
}

fn divided_is_below_where_undivided_is(closed_loop: &ClosedLoop, aggregate: Aggregate) {
    let set = draw(closed_loop, 52, &tilted(8.0, 0.7), 11).with_aggregate(aggregate);
    let (mut n_mixed, mut n_tasks) = (0, 0);
    for seed in 0..12 {
        let (n_hidden, feedback) =
            if seed % 2 == 0 { (5, Feedback::None) } else { (6, Feedback::Full) };
        let (network, weights) = random_network(seed, n_hidden, feedback);
        let controller = &NetworkController { network: &network, weights: &weights };
        let full = closed_loop.evaluate(Isa::best(), controller, &set, 1).unwrap();
        n_mixed += u32::from((1..52).contains(&full.n_failed()));
        let e = full.error;
        let task = Task { closed_loop, controller, set: &set };
        for taker in TAKERS {
            for bound in
                [e * 0.3, e * 0.5, e * 0.9, e.next_down(), e, e.next_up(), f64::INFINITY, f64::NAN]
            {
                let divided = task.probe(bound, taker, u64::MAX);
                let expected = if e < bound { Rollout::Below(e) } else { Rollout::NotBelow };
                assert_eq!(divided.rollout, expected, "seed {seed}, {taker:?}, bound {bound}");
                assert!(e >= bound || divided.steps == full.plant_steps || bound.is_nan());
                n_tasks += divided.n_tasks;
            }
        }
    }
    assert!(n_mixed > 3 && n_tasks > 300, "{n_mixed} mixed, {n_tasks} tasks");
}

#[test]
fn faults_count_the_same_wherever_they_happen() {
    let closed_loop = loop_around::<Spoiled>(Integrator::PlantStep);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![WHOLE],
        horizon_s: 10.0,
        transient_s: 2.0,
    };
    let controller = &LinearFeedback::new(1, vec![1.0]);
    let mut n_tasks = 0;
    for (what, is_fault) in [
        (mischief::NONE, false),
        (mischief::FAILS, false),
        (mischief::NEGATIVE_COST, true),
        (mischief::NAN_TERMINAL_COST, true),
        (mischief::INFINITE_COST, true),
        (mischief::PANIC, true),
    ] {
        for position in [0, 30] {
            let mut all = vec![0; 33];
            all[position] = what;
            let set = with_values(&closed_loop, &ranges, &all);
            let task = Task { closed_loop: &closed_loop, controller, set: &set };
            let undivided = task.probe_undivided(f64::INFINITY);
            assert_eq!(undivided == Rollout::Faulty, is_fault);
            for taker in TAKERS {
                let divided = task.probe(f64::INFINITY, taker, u64::MAX);
                assert_eq!(divided.rollout, undivided, "{what}, {taker:?}");
                n_tasks += divided.n_tasks;
            }
        }
    }
    assert!(n_tasks > 30, "{n_tasks} tasks");
}

/// Costs add up to 1 for each second and episode after the transient, and at second 6 there is a fault: bounds below 0.5 are
/// reached before it, those above only after it, however far one part is ahead of another.
#[test]
fn a_fault_counts_only_if_the_bound_is_not_reached_before_it() {
    let aggregates = [Aggregate::Mean, Aggregate::Worst, Aggregate::CVaR(0.3)];
    aggregates.into_iter().for_each(faults_after_a_bound);
}

fn faults_after_a_bound(aggregate: Aggregate) {
    let closed_loop = loop_around::<Spoiled>(Integrator::PlantStep);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![WHOLE],
        horizon_s: 10.0,
        transient_s: 2.0,
    };
    let controller = &LinearFeedback::new(1, vec![1.0]);
    let (mut n_tasks, mut n_faulty) = (0, 0);
    for position in [0, 20, 32] {
        let mut all = vec![0; 33];
        all[position] = mischief::NEGATIVE_COST;
        let set = with_values(&closed_loop, &ranges, &all).with_aggregate(aggregate);
        let task = Task { closed_loop: &closed_loop, controller, set: &set };
        for bound in [0.01, 0.3, 0.46, 0.48, 0.49, 0.5, 0.51, 0.6, 0.9] {
            let undivided = task.probe_undivided(bound);
            n_faulty += u32::from(undivided == Rollout::Faulty);
            for taker in TAKERS {
                let divided = task.probe(bound, taker, u64::MAX);
                assert_eq!(divided.rollout, undivided, "bound {bound}, {taker:?} at {position}");
                n_tasks += divided.n_tasks;
            }
        }
    }
    assert!((6..24).contains(&n_faulty), "{n_faulty} of 27 faulty");
    assert!(n_tasks > 100, "{n_tasks} tasks");
}

#[test]
fn an_error_that_becomes_infinite_is_a_fault_on_either_side() {
    let closed_loop = loop_around::<Ramp>(Integrator::Euler);
    let fixed = Distribution::Fixed;
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Uniform { low: 1e306, high: 1e307 }],
        parameters: vec![fixed(f64::MAX), fixed(0.0), fixed(0.0)],
        horizon_s: 40.0,
        transient_s: 1.0,
    };
    let set = draw(&closed_loop, 32, &ranges, 5);
    let controller = &LinearFeedback::new(1, vec![1.0]);
    let task = Task { closed_loop: &closed_loop, controller, set: &set };
    assert_eq!(task.probe_undivided(f64::INFINITY), Rollout::Faulty);
    for taker in TAKERS {
        assert_eq!(
            task.probe(f64::INFINITY, taker, u64::MAX).rollout,
            Rollout::Faulty,
            "{taker:?}"
        );
    }
}

#[test]
fn no_thread_waits_for_one_that_panicked_nor_works_for_a_rollout_that_is_called_off() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 40, &tilted(1000.0, 0.1), 11);
    let controller = &crate::support::linear();
    let task = Task { closed_loop: &closed_loop, controller, set: &set };
    let panicked = task.probe(f64::INFINITY, Taker::Panicking, u64::MAX);
    assert_eq!(panicked.rollout, Rollout::CalledOff);
    // The thread that took a task ends too, or the scope would not.
    for taker in [Taker::Thread, Taker::Nobody] {
        let divided = task.probe(f64::INFINITY, taker, 50);
        assert_eq!(divided.rollout, Rollout::CalledOff);
        assert!(divided.steps < 40 * 100_000, "{}", divided.steps);
    }
}
