//! [`Text`]: trajectories of a block that are not written yet.

use std::sync::mpsc::SyncSender;

use bitloop_sim::Query;

use crate::order::Turn;
use crate::pieces::{PIECE, Pool};
use crate::trajectory_file::TrajectoryFormat;

/// Bytes of trajectories that all blocks may hold that are under way or wait to be written: enough for long episodes to fill a
/// vector, since one alone runs at an eighth of the speed.
const ALL_TEXT: u64 = 512 << 20;

/// What a block may hold at least, however many threads there are: with more than 15, all together may hold more.
const LEAST_TEXT: u64 = 32 << 20;

/// How many blocks with trajectories each thread may run or have finished beyond the one whose turn it is.
pub const TEXT_BLOCKS_AHEAD: usize = 1;

/// Bytes of trajectories that a block may hold where so many threads run blocks.
pub fn most_text(n_threads: usize) -> u64 {
    let n_blocks = 1 + TEXT_BLOCKS_AHEAD * n_threads;
    LEAST_TEXT.max(ALL_TEXT / n_blocks as u64)
}

/// Trajectories that are not written yet.
pub struct Text<'a> {
    format: &'a dyn TrajectoryFormat,
    writer: SyncSender<Vec<u8>>,
    turn: &'a Turn,
    pool: &'a Pool,
    /// What a block may hold.
    most: u64,
    block: usize,
    /// The index of the first episode.
    first: usize,
    /// By position: the last piece, and those before it, which are full.
    texts: Vec<Vec<u8>>,
    full: Vec<Vec<Vec<u8>>>,
}

impl<'a> Text<'a> {
    /// Text of blocks that may hold `most` bytes.
    pub const fn new(
        format: &'a dyn TrajectoryFormat,
        writer: SyncSender<Vec<u8>>,
        turn: &'a Turn,
        pool: &'a Pool,
        most: u64,
    ) -> Self {
        Self {
            format,
            writer,
            turn,
            pool,
            most,
            block: 0,
            first: 0,
            texts: Vec::new(),
            full: Vec::new(),
        }
    }

    /// Begins with a block of so many episodes, which follow each other, and the index of the first.
    pub fn begin(&mut self, block: usize, first: usize, n_episodes: usize) {
        (self.block, self.first) = (block, first);
        self.texts.iter_mut().for_each(Vec::clear);
        self.texts.resize_with(n_episodes, Vec::new);
        self.full.iter_mut().for_each(Vec::clear);
        self.full.resize_with(n_episodes, Vec::new);
    }

    pub fn query(&mut self, query: &Query<'_>) {
        self.format.query(self.first, query, &mut self.texts);
        let mut has_more = false;
        for (text, full) in self.texts.iter_mut().zip(&mut self.full) {
            if text.len() >= PIECE {
                full.push(std::mem::replace(text, self.pool.take()));
                has_more = true;
            }
        }
        if has_more {
            self.hand_on();
        }
    }

    /// The episode at a position ends.
    pub fn end(&mut self, episode: usize, tick: u64, state: &[f64]) {
        self.format.end(self.first + episode, tick, state, &mut self.texts[episode]);
    }

    /// Hands on the full pieces of a single episode, if they are much or nothing before them is missing.
    fn hand_on(&mut self) {
        let [full] = &mut self.full[..] else { return };
        let is_much = (full.len() * PIECE) as u64 >= self.most;
        if is_much || self.turn.has_come(self.block) {
            // Where the replay has been stopped, nobody wants the text any more.
            let is_wanted = self.turn.wait_for(self.block);
            for piece in full.drain(..) {
                if is_wanted {
                    let _ = self.writer.send(self.format.pack(piece));
                }
            }
        }
    }

    /// All that is left, in order. Short texts are put together, and their room is used again by the next block.
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let mut piece = Vec::new();
        for (text, full) in self.texts.iter_mut().zip(&mut self.full) {
            if !full.is_empty() {
                if !piece.is_empty() {
                    all.push(self.format.pack(std::mem::take(&mut piece)));
                }
                all.extend(full.drain(..).map(|piece| self.format.pack(piece)));
            }
            if piece.capacity() == 0 && !text.is_empty() {
                // Pieces that are given back must be taken again, or there are more and more.
                piece = self.pool.take();
            }
            piece.extend_from_slice(text);
            text.clear();
            if piece.len() >= PIECE {
                all.push(self.format.pack(std::mem::take(&mut piece)));
            }
        }
        if !piece.is_empty() {
            all.push(self.format.pack(piece));
        }
        all
    }
}
