//! [`Turn`]: results of blocks that threads run at once are taken in order of the blocks.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

/// Which block is next, or that no more are wanted.
#[derive(Debug, Default)]
pub struct Turn {
    next: Mutex<usize>,
    changed: Condvar,
    is_stopped: AtomicBool,
}

impl Turn {
    /// Whether it is the turn of `block`, or was.
    pub fn has_come(&self, block: usize) -> bool {
        *self.next() >= block
    }

    /// Waits for the turn of `block`; false if no more blocks are wanted.
    pub fn wait_for(&self, block: usize) -> bool {
        let mut next = self.next();
        while *next < block && !self.is_stopped() {
            next = self.changed.wait(next).unwrap_or_else(PoisonError::into_inner);
        }
        !self.is_stopped()
    }

    /// It is the next block's turn.
    pub fn advance(&self) {
        *self.next() += 1;
        self.changed.notify_all();
    }

    /// No more blocks are wanted.
    pub fn stop(&self) {
        // Under the lock, so that no thread has just found that it may wait.
        let _next = self.next();
        self.is_stopped.store(true, Ordering::Relaxed);
        self.changed.notify_all();
    }

    /// Whether no more blocks are wanted.
    pub fn is_stopped(&self) -> bool {
        self.is_stopped.load(Ordering::Relaxed)
    }

    /// A panic while it was locked leaves it as it is: a change is a single assignment.
    fn next(&self) -> MutexGuard<'_, usize> {
        self.next.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Stops all when its thread panics, so that no other waits for a block that never comes.
#[derive(Debug)]
pub struct StopAtPanic<'a>(pub &'a Turn);

impl Drop for StopAtPanic<'_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.stop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_block_waits_for_those_before_it() {
        let turn = Turn::default();
        let order = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for block in [2, 0, 1] {
                let (turn, order) = (&turn, &order);
                scope.spawn(move || {
                    assert!(turn.wait_for(block));
                    order.lock().unwrap().push(block);
                    turn.advance();
                });
            }
        });
        assert_eq!(order.into_inner().unwrap(), [0, 1, 2]);
        assert!(turn.has_come(3) && !turn.has_come(4));
    }

    #[test]
    fn a_panic_ends_all_waiting() {
        let turn = Turn::default();
        std::thread::scope(|scope| {
            let waiting = scope.spawn(|| turn.wait_for(1));
            let panicking = scope.spawn(|| {
                let _stop = StopAtPanic(&turn);
                panic!("a plant broke in an unforeseen way");
            });
            assert!(panicking.join().is_err());
            assert!(!waiting.join().unwrap());
        });
    }
}
