//! Several threads probe the next moves at once; the result is that of one thread.
//!
//! Owns threads and synchronization, and decides nothing. The workers live as long as the explorer. A
//! round is one plan: threads claim positions in exploration order from a shared counter, and the
//! first one that settles which move is taken calls off all behind it. Locks are taken once a round and
//! thread; between them a probe costs a handful of relaxed atomic operations more than a sequential
//! one. A thread for which no position is left does parts of the probes that still run, if the
//! objective can divide them ([`Objective::help`]).
//!
//! Why the finding does not depend on timing: positions are claimed in order, a thread stops only
//! at a position that is no longer needed, and what is needed only shrinks. So every position that
//! sequential probing looks at is claimed and probed to its end, and findings merge by position and
//! cost alone. What is probed beyond is thrown away and not counted. Threads also share
//! the costs they found, so that hopeless probes end as early as sequential ones; see
//! [`ProbeControl::bound`] for why that changes nothing either.
//!
//! Why a lock around the objective, which only one thread changes: it makes "commit when no probe
//! runs" hold in safe Rust, and a worker that wakes up late finds the round closed, so that no
//! other thread waits for it.

use crate::explorer::{Hand, Outcome, ProbeFn, scan};
use crate::round::Round;
use crate::waiting::Waiting;
use crate::{Change, Explored, Explorer, Finding, Objective, Plan, ProbeControl};
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockWriteGuard};
use std::thread::{self, Thread};
use std::time::Duration;

/// Runs `search` with an explorer of `n_threads` threads, the calling one included.
///
/// One thread takes the sequential path. If the system gives fewer threads than asked for, the
/// search continues with those, to the same result.
///
/// # Panics
/// If the objective panics on any thread, even in a probe that a single thread would not have
/// reached; the panic is passed on to the caller.
pub fn speculate<O: Objective, R>(
    objective: O,
    n_threads: NonZeroUsize,
    search: impl FnOnce(&mut Speculative<'_, O>) -> R,
) -> R {
    let hands: Vec<_> = (0..n_threads.get()).map(|_| (Hand::new(), objective.scratch())).collect();
    let shared = Shared::new(objective, hands.len());
    thread::scope(|scope| {
        let mut hands = hands.into_iter();
        let (hand, scratch) = hands.next().expect("at least one thread");
        let mut explorer = Speculative { shared: &shared, hand, scratch, workers: Vec::new() };
        for (slot, (hand, scratch)) in (1..).zip(hands) {
            let builder = thread::Builder::new().name(format!("bitloop-probe-{slot}"));
            let shared = &shared;
            if let Ok(worker) =
                builder.spawn_scoped(scope, move || shared.work(slot, hand, scratch))
            {
                explorer.workers.push(worker.thread().clone());
            }
        }
        search(&mut explorer)
        // Dropping the explorer, also by a panic, ends the workers before the scope waits for them.
    })
}

/// An explorer on several threads; see [`speculate`].
#[derive(Debug)]
pub struct Speculative<'a, O: Objective> {
    shared: &'a Shared<O>,
    hand: Hand,
    scratch: O::Scratch,
    workers: Vec<Thread>,
}

impl<O: Objective> Explorer for Speculative<'_, O> {
    type Objective = O;

    fn explore(&mut self, plan: &Plan, codes: &[i32]) -> Explored {
        let Self { shared, hand, scratch, workers } = self;
        // A single probe is not worth a round.
        if workers.is_empty() || plan.end - plan.start < 2 {
            let objective = &shared.board.read().expect(NOT_POISONED).objective;
            let mut probe = |changes: &[Change], control: ProbeControl<'_>| {
                objective.probe(scratch, changes, control)
            };
            return scan(hand, plan, codes, &mut probe);
        }
        shared.open_round(plan, codes);
        for worker in workers {
            worker.unpark();
        }
        {
            let board = shared.board.read().expect(NOT_POISONED);
            shared.take_part(0, hand, scratch, &board, plan);
        }
        shared.close_round(plan)
    }

    fn with_objective<R>(&mut self, action: impl FnOnce(&mut O) -> R) -> R {
        action(&mut self.shared.board.write().expect(NOT_POISONED).objective)
    }
}

impl<O: Objective> Drop for Speculative<'_, O> {
    fn drop(&mut self) {
        self.shared.round_number.store(NO_MORE_ROUNDS, Ordering::Release);
        for worker in &self.workers {
            worker.unpark();
        }
    }
}

const NO_MORE_ROUNDS: u64 = u64::MAX;
const NOT_POISONED: &str =
    "set or commit of the objective panicked earlier, and the search went on";

/// How long a thread that could help sleeps between two looks for work.
const NAP: Duration = Duration::from_micros(50);

/// What a thread found and the positions of its faulty probes, or the panic of its objective.
type Report = thread::Result<(Finding, Vec<usize>)>;

/// The state that all threads share.
#[derive(Debug)]
struct Shared<O> {
    /// Read by all threads that probe, written between rounds.
    board: RwLock<Board<O>>,
    /// The number of the latest round; what sleeping workers wait for.
    round_number: AtomicU64,
    /// Which positions are claimed, and what is known of the round so far.
    round: Round,
    /// One slot for each thread, written once a round.
    reports: Vec<Mutex<Option<Report>>>,
}

#[derive(Debug)]
struct Board<O> {
    objective: O,
    codes: Vec<i32>,
    round_number: u64,
    /// `None` when the round is closed.
    plan: Option<Plan>,
}

impl<O: Objective> Shared<O> {
    fn new(objective: O, n_threads: usize) -> Self {
        Self {
            board: RwLock::new(Board { objective, codes: Vec::new(), round_number: 0, plan: None }),
            round_number: AtomicU64::new(0),
            round: Round::new(n_threads),
            reports: (0..n_threads).map(|_| Mutex::new(None)).collect(),
        }
    }

    /// Publishes a plan.
    fn open_round(&self, plan: &Plan, codes: &[i32]) {
        let mut board = self.lock_when_quiet();
        board.codes.clear();
        board.codes.extend_from_slice(codes);
        board.round_number += 1;
        board.plan = Some(*plan);
        self.round.open(plan);
        self.round_number.store(board.round_number, Ordering::Release);
    }

    /// Waits until no probe runs, and gathers what was found.
    fn close_round(&self, plan: &Plan) -> Explored {
        self.lock_when_quiet().plan = None;
        let (mut finding, mut faulty) = (plan.so_far, Vec::new());
        let mut panicked = None;
        for slot in &self.reports {
            match slot.lock().unwrap_or_else(PoisonError::into_inner).take() {
                Some(Ok((found, of_thread))) => {
                    finding.merge(&found, plan.min_probes);
                    faulty.extend(of_thread);
                }
                Some(Err(panic)) => panicked = Some(panic),
                None => {}
            }
        }
        if let Some(panic) = panicked {
            resume_unwind(panic);
        }
        Explored::new(plan, finding, faulty.into_iter(), self.round.first_called_off())
    }

    /// Runs a worker thread until there are no more rounds.
    fn work(&self, slot: usize, mut hand: Hand, mut scratch: O::Scratch) {
        let mut seen = 0;
        while self.wait_for_round_after(seen) {
            // Poisoned: the calling thread panics, and is about to end the rounds.
            let Ok(board) = self.board.read() else { return };
            seen = board.round_number;
            if let Some(plan) = board.plan {
                self.take_part(slot, &mut hand, &mut scratch, &board, &plan);
            }
        }
    }

    /// Claims and probes positions until none is needed, helps with the others, and reports; a panic ends the round.
    fn take_part(
        &self,
        slot: usize,
        hand: &mut Hand,
        scratch: &mut O::Scratch,
        board: &Board<O>,
        plan: &Plan,
    ) {
        let Board { objective, codes, .. } = board;
        let report = catch_unwind(AssertUnwindSafe(|| {
            let mut probe = |changes: &[Change], control: ProbeControl<'_>| {
                objective.probe(scratch, changes, control)
            };
            let finding = probe_claimed(&self.round, slot, hand, plan, codes, &mut probe);
            self.round.leave(slot);
            if objective.divides_probes() {
                help(&self.round, &mut || objective.help(scratch));
            }
            (finding, std::mem::take(&mut hand.faulty))
        }));
        if report.is_err() {
            self.round.leave(slot);
            self.round.abandon(plan);
        }
        *self.reports[slot].lock().unwrap_or_else(PoisonError::into_inner) = Some(report);
    }

    /// Waits for another round than the one seen last; false when there will be none.
    fn wait_for_round_after(&self, seen: u64) -> bool {
        let mut waiting = Waiting::default();
        loop {
            match self.round_number.load(Ordering::Acquire) {
                NO_MORE_ROUNDS => return false,
                round_number if round_number != seen => return true,
                _ if waiting.snooze() => {}
                _ => thread::park(),
            }
        }
    }

    fn lock_when_quiet(&self) -> RwLockWriteGuard<'_, Board<O>> {
        // Blocking puts the thread to sleep, which takes longer than most probes have left.
        let mut waiting = Waiting::default();
        loop {
            if let Ok(board) = self.board.try_write() {
                return board;
            }
            if !waiting.snooze() {
                return self.board.write().expect(NOT_POISONED);
            }
        }
    }
}

/// Claims and probes positions until none is needed. What calls the objective is an argument, so that the loop is compiled
/// once, in this crate.
fn probe_claimed(
    round: &Round,
    slot: usize,
    hand: &mut Hand,
    plan: &Plan,
    codes: &[i32],
    probe: &mut ProbeFn<'_>,
) -> Finding {
    hand.turn_to(plan, codes);
    let mut finding = plan.so_far;
    loop {
        let position = round.claim();
        if position >= plan.end || !round.needs(position) {
            return finding;
        }
        if round.first_called_off().is_some() {
            round.call_off(position);
            return finding;
        }
        round.enter(slot, position);
        let control = ProbeControl::of_round(position, finding.bound(plan.current_cost), round);
        match hand.probe(plan, codes, position, control, probe) {
            Outcome::Improves(candidate) => {
                finding.record(candidate, plan.min_probes);
                round.narrow(&finding, plan.min_probes);
            }
            Outcome::Fails => {}
            // Not needed any more, or stopped from outside.
            Outcome::CalledOff => {
                if control.is_needed() {
                    round.call_off(position);
                }
                return finding;
            }
        }
    }
}

/// Does parts of the probes that still run, until none is needed any more; see [`Objective::help`].
fn help(round: &Round, help_once: &mut dyn FnMut() -> bool) {
    round.begin_idling();
    let mut waiting = Waiting::default();
    while !round.is_over() {
        if help_once() {
            waiting.reset();
        } else if !waiting.snooze() {
            thread::sleep(NAP);
        }
    }
    round.end_idling();
}
