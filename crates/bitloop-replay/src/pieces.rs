//! Pieces of a file of trajectories: their memory, and the thread that writes them.

use std::io::{self, Write};
use std::sync::mpsc::Receiver;
use std::sync::{Mutex, PoisonError};

use crate::order::Turn;

/// Bytes of trajectories that are handed to the writer at once.
pub const PIECE: usize = 1 << 20;

/// Room in a piece for the row that completes it.
const LAST_ROW: usize = 1 << 16;

/// Pieces that were written, whose memory is used again: to get it from the system anew would take a quarter of the time.
#[derive(Debug, Default)]
pub struct Pool {
    empty: Mutex<Vec<Vec<u8>>>,
}

impl Pool {
    /// A piece without bytes.
    pub fn take(&self) -> Vec<u8> {
        let piece = self.empty.lock().unwrap_or_else(PoisonError::into_inner).pop();
        piece.unwrap_or_else(|| Vec::with_capacity(PIECE + LAST_ROW))
    }

    /// Takes a piece back.
    pub fn give_back(&self, mut piece: Vec<u8>) {
        if piece.capacity() >= PIECE {
            piece.clear();
            self.empty.lock().unwrap_or_else(PoisonError::into_inner).push(piece);
        }
    }
}

/// Writes pieces as they come, and gives their memory back, up to the first error, which stops the replay.
pub fn write_all(
    out: &mut (dyn Write + Send),
    pieces: &Receiver<Vec<u8>>,
    turn: &Turn,
    pool: &Pool,
) -> io::Result<()> {
    let written = pieces.iter().try_for_each(|piece| {
        out.write_all(&piece)?;
        pool.give_back(piece);
        Ok(())
    });
    let written = written.and_then(|()| out.flush());
    if written.is_err() {
        turn.stop();
    }
    written
}
