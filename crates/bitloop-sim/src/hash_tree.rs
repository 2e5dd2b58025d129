//! [`HashTree`]: a BLAKE3 digest under way that can be saved.
//!
//! BLAKE3 is a binary tree over pieces of its input. What is kept between two pieces are the values of the complete subtrees so
//! far, at most one of each size, so that a digest takes little memory, and can be resumed in another process.

use blake3::hazmat::{HasherExt, Mode, merge_subtrees_non_root, merge_subtrees_root};
use serde::{Deserialize, Serialize};

/// Bytes that are digested at once, a power of two of the 1024 that BLAKE3 divides its input by. It takes them several times
/// as fast as single numbers.
pub const PIECE: usize = 8192;

/// The value of a subtree.
type Subtree = [u8; 32];

/// The pieces digested so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct HashTree {
    n_pieces: u64,
    /// Complete subtrees, of which each is smaller than the one before it.
    subtrees: Vec<Subtree>,
}

impl HashTree {
    /// Begins again.
    pub fn clear(&mut self) {
        self.n_pieces = 0;
        self.subtrees.clear();
    }

    /// Whether it is one that pieces can be added to.
    pub fn is_sound(&self) -> bool {
        self.subtrees.len() == self.n_pieces.count_ones() as usize && self.n_pieces < 1 << 40
    }

    /// Digests the next piece, which must not be the end of the input.
    ///
    /// # Panics
    /// If it has another size than [`PIECE`].
    pub fn add(&mut self, piece: &[u8]) {
        assert_eq!(piece.len(), PIECE, "a whole piece");
        let mut value = self.value_of(piece);
        self.n_pieces += 1;
        // Two subtrees of a size are one of twice the size.
        for _ in 0..self.n_pieces.trailing_zeros() {
            let left = self.subtrees.pop().expect("a subtree for each bit of the number before");
            value = merge_subtrees_non_root(&left, &value, Mode::Hash);
        }
        self.subtrees.push(value);
    }

    /// The digest of all pieces and `rest`, of 1 to [`PIECE`] bytes, which is the end of the input.
    pub fn finish(&self, rest: &[u8]) -> Subtree {
        let Some((first, others)) = self.subtrees.split_first() else {
            return blake3::hash(rest).into();
        };
        let mut value = self.value_of(rest);
        for left in others.iter().rev() {
            value = merge_subtrees_non_root(left, &value, Mode::Hash);
        }
        merge_subtrees_root(first, &value, Mode::Hash).into()
    }

    fn value_of(&self, bytes: &[u8]) -> Subtree {
        let mut hasher = blake3::Hasher::new();
        hasher.set_input_offset(self.n_pieces * PIECE as u64);
        hasher.update(bytes);
        hasher.finalize_non_root()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_digest_is_that_of_all_bytes_at_once() {
        let bytes: Vec<u8> = (0..=250).cycle().take(40 * PIECE).collect();
        for n_pieces in 0..20 {
            for n_rest in [1, 8, 1023, 1024, 1025, PIECE - 1, PIECE] {
                let mut tree = HashTree::default();
                bytes[..n_pieces * PIECE].chunks(PIECE).for_each(|piece| tree.add(piece));
                assert!(tree.is_sound());
                let end = n_pieces * PIECE + n_rest;
                let digest = tree.finish(&bytes[n_pieces * PIECE..end]);
                assert_eq!(digest, *blake3::hash(&bytes[..end]).as_bytes(), "{n_pieces} {n_rest}");
            }
        }
    }
}
