//! A rollout whose episodes are divided among threads comes to the same bits.

use std::cell::{Cell, RefCell};
use std::sync::Arc;
use std::thread::{Scope, ScopedJoinHandle};

use bitloop_net::Feedback;
use bitloop_plant::{Integrator, Isa};
use bitloop_sim::{
    ClosedLoop, Controller, Distribution, EpisodeRanges, EpisodeSet, Interest, LinearFeedback,
    NetworkController, Rollout, Share, Workspace,
};

use crate::plants::{Spoiled, mischief};
use crate::stand::{WHOLE, draw, loop_around, pendulum, random_network, tilted, with_values};

/// Who takes what is offered.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Taker {
    /// Another thread, at once.
    Thread,
    /// The same thread, before the rollout goes on.
    Oneself,
    /// Nobody, so that it falls back on the rollout.
    Nobody,
    /// A thread that lets go of it, as one does that panics.
    Deserter,
}

/// All that a rollout is made of.
#[derive(Clone, Copy)]
struct Task<'a> {
    closed_loop: &'a ClosedLoop,
    controller: &'a dyn Controller,
    set: &'a EpisodeSet,
    n_episodes: usize,
}

/// Offers at each look in `at`, and is canceled at one.
struct Divided<'s, 'e> {
    task: Task<'e>,
    scope: &'s Scope<'s, 'e>,
    taker: Taker,
    at: &'e [usize],
    canceled_at: usize,
    n_looks: Cell<usize>,
    n_offers: Cell<usize>,
    steps: RefCell<Vec<ScopedJoinHandle<'s, u64>>>,
    own_steps: Cell<u64>,
}

impl<'e> Task<'e> {
    fn assist(self, share: &Share) -> u64 {
        let Self { closed_loop, controller, set, n_episodes } = self;
        let mut work = Workspace::new(closed_loop, controller, n_episodes);
        closed_loop.assist(Isa::best(), controller, set, &mut work, share);
        assert_eq!(work.n_faults, 0, "faults belong to the rollout");
        work.plant_steps
    }

    /// What comes of it, divided at each look in `at`; the steps taken in all, whether it counts a fault, and the number of
    /// offers.
    fn probe(
        self,
        bound: f64,
        taker: Taker,
        at: &'e [usize],
        canceled_at: usize,
    ) -> (Rollout, u64, bool, usize) {
        let Self { closed_loop, controller, set, n_episodes } = self;
        let mut work = Workspace::new(closed_loop, controller, n_episodes);
        std::thread::scope(|scope| {
            let divided = Divided {
                task: self,
                scope,
                taker,
                at,
                canceled_at,
                n_looks: Cell::new(0),
                n_offers: Cell::new(0),
                steps: RefCell::default(),
                own_steps: Cell::new(0),
            };
            let rollout =
                closed_loop.probe(Isa::best(), controller, set, &mut work, bound, &divided);
            let others: u64 =
                divided.steps.take().into_iter().map(|thread| thread.join().unwrap()).sum();
            let steps = work.plant_steps + others + divided.own_steps.get();
            (rollout, steps, work.n_faults > 0, divided.n_offers.get())
        })
    }
}

impl Interest for Divided<'_, '_> {
    fn is_canceled(&self) -> bool {
        self.n_looks.set(self.n_looks.get() + 1);
        self.n_looks.get() >= self.canceled_at
    }

    fn wants_share(&self) -> bool {
        self.at.contains(&self.n_looks.get())
    }

    fn offer(&self, share: Arc<Share>) {
        self.n_offers.set(self.n_offers.get() + 1);
        let task = self.task;
        match self.taker {
            Taker::Thread => {
                let thread = self.scope.spawn(move || task.assist(&share));
                self.steps.borrow_mut().push(thread);
            }
            Taker::Oneself => self.own_steps.set(self.own_steps.get() + task.assist(&share)),
            Taker::Nobody => {}
            Taker::Deserter => {
                // A workspace without room for the episodes.
                let deserter = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
                    Task { n_episodes: 1, ..task }.assist(&share)
                }));
                assert!(deserter.is_err());
            }
        }
    }
}

const TAKERS: [Taker; 3] = [Taker::Thread, Taker::Oneself, Taker::Nobody];

#[test]
fn a_divided_rollout_is_below_exactly_where_the_undivided_is() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 52, &tilted(8.0, 0.7), 11);
    let (mut n_mixed, mut n_divided) = (0, 0);
    for seed in 0..12 {
        let (n_hidden, feedback) =
            if seed % 2 == 0 { (5, Feedback::None) } else { (6, Feedback::Full) };
        let (network, weights) = random_network(seed, n_hidden, feedback);
        let controller = &NetworkController { network: &network, weights: &weights };
        let full = closed_loop.evaluate(Isa::best(), controller, &set, 1).unwrap();
        n_mixed += u32::from((1..52).contains(&full.n_failed()));
        let e = full.error;
        let task = Task { closed_loop: &closed_loop, controller, set: &set, n_episodes: 52 };
        for taker in TAKERS {
            for at in [&[1][..], &[2, 3], &[1, 5, 6, 9], &[11]] {
                for bound in [e * 0.5, e, e.next_up(), f64::INFINITY, f64::NAN] {
                    let (rollout, steps, is_faulty, n_offers) =
                        task.probe(bound, taker, at, usize::MAX);
                    let expected = if e < bound { Rollout::Below(e) } else { Rollout::NotBelow };
                    assert_eq!(
                        rollout, expected,
                        "seed {seed}, {taker:?} at {at:?}, bound {bound}"
                    );
                    assert!(
                        !is_faulty && (e >= bound || steps == full.plant_steps || bound.is_nan())
                    );
                    n_divided += n_offers;
                }
            }
        }
    }
    assert!(n_mixed > 3 && n_divided > 500, "{n_mixed} mixed, {n_divided} offers");
}

#[test]
fn faults_count_the_same_on_either_side() {
    let closed_loop = loop_around::<Spoiled>(Integrator::PlantStep);
    let ranges = EpisodeRanges {
        initial: vec![Distribution::Fixed(0.0)],
        parameters: vec![WHOLE],
        horizon_s: 10.0,
        transient_s: 2.0,
    };
    let controller = &LinearFeedback::new(1, vec![1.0]);
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
            let task = Task { closed_loop: &closed_loop, controller, set: &set, n_episodes: 33 };
            let (undivided, _, is_faulty, _) =
                task.probe(f64::INFINITY, Taker::Nobody, &[], usize::MAX);
            assert_eq!(is_faulty, is_fault);
            for taker in TAKERS {
                let (rollout, _, is_faulty, n_offers) =
                    task.probe(f64::INFINITY, taker, &[2, 4], usize::MAX);
                assert_eq!((rollout, is_faulty), (undivided, is_fault), "{what}, {taker:?}");
                assert!(n_offers > 0);
            }
        }
    }
}

#[test]
fn nobody_waits_for_a_deserter_nor_works_for_a_canceled_rollout() {
    let closed_loop = pendulum();
    let set = draw(&closed_loop, 40, &tilted(1000.0, 0.1), 11);
    let controller = &crate::stand::linear();
    let task = Task { closed_loop: &closed_loop, controller, set: &set, n_episodes: 40 };
    let (rollout, ..) = task.probe(f64::INFINITY, Taker::Deserter, &[1], usize::MAX);
    assert_eq!(rollout, Rollout::NotBelow);
    // The thread that took a share ends too, or the scope would not.
    for taker in [Taker::Thread, Taker::Nobody] {
        let (rollout, steps, _, n_offers) = task.probe(f64::INFINITY, taker, &[1, 2], 5);
        assert_eq!((rollout, n_offers), (Rollout::NotBelow, 2));
        assert!(steps < 40 * 100_000, "{steps}");
    }
}
