//! Several threads probe the next moves at once; the result is that of one thread.
//!
//! Owns threads and synchronization, decides nothing. The workers live as long as the explorer. A
//! round is one plan: threads claim positions in exploration order from a shared counter, and the
//! first one that settles the matter cancels all behind it. Locks are taken once a round and
//! thread; between them a probe costs a handful of relaxed atomic operations more than a sequential
//! one. A thread for which no position is left lends itself to the probes that still run, if the
//! objective can divide them ([`Objective::help`]).
//!
//! Why the finding does not depend on timing: positions are claimed in order, a thread stops only
//! at a position that is no longer needed, and what is needed only shrinks. So every position that
//! sequential probing looks at is claimed and probed to its end, and findings merge by position and
//! cost alone. What is probed beyond is thrown away and not counted. Threads also tell each other
//! the costs they found, so that hopeless probes end as early as sequential ones; see
//! [`Cancel::bound`] for why that changes nothing either.
//!
//! Why a lock around the objective, which only one thread changes: it makes "commit when no probe
//! runs" hold in safe Rust, and a worker that wakes up late finds the round closed, so that nobody
//! waits for it.

use crate::cancel::Round;
use crate::explorer::{Hand, scan};
use crate::{Cancel, Explorer, Finding, Idle, Objective, Plan};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::thread::{self, Thread};

/// Runs `search` with an explorer of `n_threads` threads, the calling one included.
///
/// One thread takes the sequential path. If the system gives fewer threads than asked for, the
/// search goes on with those, to the same result.
///
/// # Panics
/// If the objective panics on any thread, even in a probe that a single thread would not have
/// reached; the panic is passed on to the caller.
pub fn speculate<O: Objective, R>(
    objective: O,
    n_threads: NonZeroUsize,
    search: impl FnOnce(&mut Speculative<'_, O>) -> R,
) -> R {
    let hands: Vec<_> = (0..n_threads.get()).map(|_| Hand::new(objective.scratch())).collect();
    let shared = Shared::new(objective, hands.len());
    thread::scope(|scope| {
        let mut hands = hands.into_iter();
        let own_hand = hands.next().expect("at least one thread");
        let mut explorer = Speculative { shared: &shared, hand: own_hand, workers: Vec::new() };
        for (slot, hand) in (1..).zip(hands) {
            let builder = thread::Builder::new().name(format!("bitloop-probe-{slot}"));
            let shared = &shared;
            if let Ok(worker) = builder.spawn_scoped(scope, move || shared.work(slot, hand)) {
                explorer.workers.push(worker.thread().clone());
            }
        }
        search(&mut explorer)
        // Dropping the explorer, also by a panic, sends the workers home before the scope waits.
    })
}

/// An explorer on several threads; see [`speculate`].
#[derive(Debug)]
pub struct Speculative<'a, O: Objective> {
    shared: &'a Shared<O>,
    hand: Hand<O::Scratch>,
    workers: Vec<Thread>,
}

impl<O: Objective> Explorer for Speculative<'_, O> {
    type Objective = O;

    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Finding {
        // A single probe is not worth a round.
        if self.workers.is_empty() || plan.end - plan.start < 2 {
            let board = self.shared.board.read().expect(NOT_POISONED);
            return scan(&mut self.hand, &board.objective, plan, codes);
        }
        self.shared.open_round(plan, codes);
        for worker in &self.workers {
            worker.unpark();
        }
        {
            let board = self.shared.board.read().expect(NOT_POISONED);
            self.shared.take_part(0, &mut self.hand, &board, plan);
        }
        self.shared.close_round(plan)
    }

    fn with_objective<R>(&mut self, action: impl FnOnce(&mut O) -> R) -> R {
        action(&mut self.shared.board.write().expect(NOT_POISONED).objective)
    }
}

impl<O: Objective> Drop for Speculative<'_, O> {
    fn drop(&mut self) {
        self.shared.round.store(NO_MORE_ROUNDS, Ordering::Release);
        for worker in &self.workers {
            worker.unpark();
        }
    }
}

const NO_MORE_ROUNDS: u64 = u64::MAX;
const NOT_POISONED: &str =
    "set or commit of the objective panicked earlier, and the search went on";

/// How often a waiting thread looks again before it gives its turn to others, and before it sleeps.
/// Rounds follow each other within microseconds when probes are short, and waking up takes longer.
const N_SPINS: u32 = 2_000;
const N_YIELDS: u32 = 100;

/// What a thread found, or the panic of its objective.
type Report = thread::Result<Finding>;

/// What all threads see.
#[derive(Debug)]
struct Shared<O> {
    /// Read by all who probe, written between rounds.
    board: RwLock<Board<O>>,
    /// The number of the latest round; what sleeping workers wait for.
    round: AtomicU64,
    /// The next position to claim.
    next_position: AtomicUsize,
    /// What is known of the round so far.
    standing: Round,
    /// One slot for each thread, written once a round.
    reports: Vec<Mutex<Option<Report>>>,
}

#[derive(Debug)]
struct Board<O> {
    objective: O,
    codes: Vec<i32>,
    round: u64,
    /// `None` when the round is closed.
    plan: Option<Plan>,
}

impl<O: Objective> Shared<O> {
    fn new(objective: O, n_threads: usize) -> Self {
        Self {
            board: RwLock::new(Board { objective, codes: Vec::new(), round: 0, plan: None }),
            round: AtomicU64::new(0),
            next_position: AtomicUsize::new(0),
            standing: Round::new(n_threads),
            reports: (0..n_threads).map(|_| Mutex::new(None)).collect(),
        }
    }

    /// Publishes a plan.
    fn open_round(&self, plan: &Plan, codes: &[i32]) {
        let mut board = self.lock_when_quiet();
        board.codes.clear();
        board.codes.extend_from_slice(codes);
        board.round += 1;
        board.plan = Some(*plan);
        self.next_position.store(plan.start, Ordering::Relaxed);
        self.standing.open(plan);
        self.round.store(board.round, Ordering::Release);
    }

    /// Waits until no probe runs, and gathers what was found.
    fn close_round(&self, plan: &Plan) -> Finding {
        self.lock_when_quiet().plan = None;
        let mut finding = plan.so_far;
        let mut panicked = None;
        for slot in &self.reports {
            match slot.lock().unwrap_or_else(PoisonError::into_inner).take() {
                Some(Ok(found)) => finding.merge(&found, plan.min_probes),
                Some(Err(panic)) => panicked = Some(panic),
                None => {}
            }
        }
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
        finding
    }

    /// The life of a worker.
    fn work(&self, slot: usize, mut hand: Hand<O::Scratch>) {
        let mut seen = 0;
        while self.wait_for_round_after(seen) {
            // Poisoned: the calling thread panics, and is about to end the rounds.
            let Ok(board) = self.board.read() else { return };
            seen = board.round;
            if let Some(plan) = board.plan {
                self.take_part(slot, &mut hand, &board, &plan);
            }
        }
    }

    /// Claims and probes positions until none is needed, helps with the others, and reports; a panic ends the round.
    fn take_part(&self, slot: usize, hand: &mut Hand<O::Scratch>, board: &Board<O>, plan: &Plan) {
        let report = catch_unwind(AssertUnwindSafe(|| {
            let finding = self.probe_claimed(slot, hand, board, plan);
            self.standing.leave(slot);
            hand.help(&board.objective, Idle::new(&self.standing));
            finding
        }));
        if report.is_err() {
            self.standing.leave(slot);
            self.standing.call_off();
            self.next_position.store(plan.end, Ordering::Relaxed);
        }
        *self.reports[slot].lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    fn probe_claimed(
        &self,
        slot: usize,
        hand: &mut Hand<O::Scratch>,
        board: &Board<O>,
        plan: &Plan,
    ) -> Finding {
        hand.turn_to(plan, &board.codes);
        let mut finding = plan.so_far;
        loop {
            let position = self.next_position.fetch_add(1, Ordering::Relaxed);
            let cancel = Cancel::new(position, &self.standing);
            if position >= plan.end || cancel.is_canceled() {
                return finding;
            }
            self.standing.enter(slot, position);
            let improving = hand.probe(&board.objective, plan, &board.codes, &finding, cancel);
            if let Some(improving) = improving {
                finding.record(improving, plan.min_probes);
                self.standing.narrow(&finding, plan.min_probes);
            }
        }
    }

    /// Waits for another round than the one seen last; false when there will be none.
    fn wait_for_round_after(&self, seen: u64) -> bool {
        let mut n_looks = 0;
        loop {
            match self.round.load(Ordering::Acquire) {
                NO_MORE_ROUNDS => return false,
                round if round != seen => return true,
                _ => wait(n_looks),
            }
            n_looks = n_looks.saturating_add(1);
        }
    }

    fn lock_when_quiet(&self) -> RwLockWriteGuard<'_, Board<O>> {
        // Blocking puts the thread to sleep, which takes longer than most probes have left.
        for _ in 0..N_SPINS {
            if let Ok(board) = self.board.try_write() {
                return board;
            }
            std::hint::spin_loop();
        }
        self.board.write().expect(NOT_POISONED)
    }
}

/// Spins, then yields, then sleeps until someone calls.
fn wait(n_looks: u32) {
    if n_looks < N_SPINS {
        std::hint::spin_loop();
    } else if n_looks < N_SPINS + N_YIELDS {
        thread::yield_now();
    } else {
        thread::park();
    }
}
