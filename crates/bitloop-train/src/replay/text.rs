//! [`Text`]: trajectories of a block that are not written yet.

use std::sync::mpsc::SyncSender;

use bitloop_sim::Query;

use super::order::Turn;
use super::trajectory_file::TrajectoryFormat;

/// Bytes of trajectories that a block may hold. More would fill the lanes of long episodes better, which cost a third of the
/// time where only two fit.
pub const MOST_TEXT: u64 = 32 << 20;

/// Bytes of trajectories that are handed to the writer at once.
const PIECE: usize = 1 << 20;

/// Trajectories that are not written yet.
pub struct Text<'a> {
    format: &'a dyn TrajectoryFormat,
    writer: SyncSender<Vec<u8>>,
    turn: &'a Turn,
    block: usize,
    /// The index of the first episode.
    first: usize,
    /// By position.
    texts: Vec<Vec<u8>>,
}

impl<'a> Text<'a> {
    pub const fn new(
        format: &'a dyn TrajectoryFormat,
        writer: SyncSender<Vec<u8>>,
        turn: &'a Turn,
    ) -> Self {
        Self { format, writer, turn, block: 0, first: 0, texts: Vec::new() }
    }

    /// Begins with a block of so many episodes, which follow each other, and the index of the first.
    pub fn begin(&mut self, block: usize, first: usize, n_episodes: usize) {
        (self.block, self.first) = (block, first);
        self.texts.iter_mut().for_each(Vec::clear);
        self.texts.resize_with(n_episodes, Vec::new);
    }

    pub fn query(&mut self, query: &Query<'_>) {
        self.format.query(self.first, query, &mut self.texts);
        self.hand_on();
    }

    /// The episode at a position ends.
    pub fn end(&mut self, episode: usize, tick: u64, state: &[f64]) {
        self.format.end(self.first + episode, tick, state, &mut self.texts[episode]);
    }

    /// Hands on what a single episode has so far, if it is much and nothing before it is missing.
    fn hand_on(&mut self) {
        let [text] = &mut self.texts[..] else { return };
        let is_much = text.len() as u64 >= MOST_TEXT;
        if text.len() >= PIECE && (is_much || self.turn.has_come(self.block)) {
            // Where the replay has been stopped, nobody wants the text any more.
            if self.turn.wait_for(self.block) {
                let piece = self.format.pack(text.clone());
                let _ = self.writer.send(piece);
            }
            text.clear();
        }
    }

    /// All that is left, in order. The room of the texts is used again by the next block: to get it from the system anew
    /// took a quarter of the time.
    pub fn take(&mut self) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        let mut piece = Vec::new();
        for text in &mut self.texts {
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
