//! The random order in which a neighborhood is explored.
//!
//! "Random order" in the paper (TBLM, Sec. III-C) is read as a fresh uniform permutation for each
//! neighborhood, without replacement within it. Since a first improving move mostly turns up early,
//! the permutation is drawn only as far as it is looked at, and starting the next one undoes what
//! was drawn: no work of the order of N for each accepted move.

use bitloop_random::{Purpose, Stream};

/// Which permutation: that of the neighborhood with this index, counted from the start of the run.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PermutationKey {
    /// The root seed.
    pub seed: u64,
    /// The run.
    pub run: u64,
    /// The neighborhood, counted over accepted moves and unlocked bits.
    pub neighborhood_index: u64,
    /// N, the number of moves.
    pub n_moves: usize,
}

/// A uniform permutation of 0..N, drawn lazily from stream (seed, Permutation, run, neighborhood).
///
/// Fisher-Yates from the front: position i takes the element of a uniform position in i..N. One
/// draw a position, so the element at a position does not depend on how far one looks. Where
/// some elements come before all others, it is two permutations, one after the other.
#[derive(Debug, Clone)]
pub struct Permutation {
    key: PermutationKey,
    /// The drawn front, then what is left; the identity where nothing was drawn.
    order: Vec<u32>,
    n_drawn: usize,
    /// Elements below this one come before all others.
    n_first: usize,
    /// Made at the first draw: a key schedule for each neighborhood is not free.
    stream: Option<Stream>,
}

impl Permutation {
    /// The permutation of a key.
    ///
    /// # Panics
    /// If there are more than `u32::MAX` moves.
    pub fn new(key: PermutationKey) -> Self {
        let order = identity(key.n_moves);
        Self { key, order, n_drawn: 0, n_first: key.n_moves, stream: None }
    }

    /// Becomes the permutation of another key, in which the elements below `n_first` come before the others; with all
    /// of them first, or none, it is that of [`Permutation::new`]. Keeps what is drawn if both are the same.
    #[inline]
    pub fn restart(&mut self, key: PermutationKey, n_first: usize) {
        if self.key == key && self.n_first == n_first {
            return;
        }
        if self.key.n_moves == key.n_moves {
            self.undo();
        } else {
            self.order = identity(key.n_moves);
        }
        self.key = key;
        self.n_first = n_first;
        self.n_drawn = 0;
        self.stream = None;
    }

    /// The move at a position, in any order of positions.
    ///
    /// # Panics
    /// If the position is not below the number of moves.
    #[inline]
    pub fn get(&mut self, position: usize) -> usize {
        while self.n_drawn <= position {
            self.draw();
        }
        self.order[position] as usize
    }

    fn draw(&mut self) {
        let PermutationKey { seed, run, neighborhood_index, .. } = self.key;
        let stream = self.stream.get_or_insert_with(|| {
            Stream::new(seed, Purpose::Permutation, run, neighborhood_index)
        });
        let end = if self.n_drawn < self.n_first { self.n_first } else { self.order.len() };
        let n_left = end - self.n_drawn;
        self.order.swap(self.n_drawn, self.n_drawn + stream.index_below(n_left));
        self.n_drawn += 1;
    }

    /// Makes the order the identity again, in time of the order of what was drawn.
    ///
    /// A position behind the drawn front lost its own element only by that element being drawn, so
    /// the drawn elements name all positions that were touched.
    fn undo(&mut self) {
        for drawn in 0..self.n_drawn {
            let element = self.order[drawn];
            if element as usize >= self.n_drawn {
                self.order[element as usize] = element;
            }
        }
        for (element, entry) in (0..).zip(&mut self.order[..self.n_drawn]) {
            *entry = element;
        }
    }
}

fn identity(n_moves: usize) -> Vec<u32> {
    let n_moves = u32::try_from(n_moves).expect("the options limit moves to u32::MAX");
    (0..n_moves).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(neighborhood_index: u64, n_moves: usize) -> PermutationKey {
        PermutationKey { seed: 5, run: 1, neighborhood_index, n_moves }
    }

    fn front(permutation: &mut Permutation, n: usize) -> Vec<usize> {
        (0..n).map(|position| permutation.get(position)).collect()
    }

    #[test]
    fn every_move_comes_once() {
        for n_moves in [1, 2, 17, 1000] {
            let mut moves = front(&mut Permutation::new(key(0, n_moves)), n_moves);
            moves.sort_unstable();
            assert!(moves.into_iter().eq(0..n_moves));
        }
    }

    #[test]
    fn golden_order_stays() {
        assert_eq!(front(&mut Permutation::new(key(0, 10)), 10), [8, 7, 0, 6, 5, 3, 9, 4, 2, 1]);
    }

    #[test]
    fn a_restarted_permutation_equals_a_new_one_whatever_was_drawn_before() {
        let mut reused = Permutation::new(key(0, 40));
        for neighborhood_index in 1..200 {
            let n_drawn = usize::try_from(neighborhood_index * 7 % 41).expect("small");
            front(&mut reused, n_drawn);
            let n_moves = if neighborhood_index % 50 == 0 { 60 } else { 40 };
            reused.restart(key(neighborhood_index, n_moves), n_moves);
            assert!(reused.order.iter().enumerate().all(|(i, &e)| i == e as usize));
            let fresh = &mut Permutation::new(key(neighborhood_index, n_moves));
            assert_eq!(front(&mut reused, n_drawn), front(fresh, n_drawn));
            reused.restart(key(neighborhood_index, 40), 40);
        }
    }

    #[test]
    fn elements_that_come_first_do_and_both_parts_are_shuffled() {
        let mut permutation = Permutation::new(key(0, 20));
        let mut counts = [0_u32; 20];
        for neighborhood_index in 0..4000 {
            permutation.restart(key(neighborhood_index, 20), 12);
            let moves = front(&mut permutation, 20);
            assert!(moves[..12].iter().all(|&element| element < 12));
            let sorted = moves.iter().copied().collect::<std::collections::BTreeSet<_>>();
            assert_eq!(sorted.len(), 20);
            (counts[moves[0]], counts[moves[12]]) = (counts[moves[0]] + 1, counts[moves[12]] + 1);
        }
        // 4000 / 12 and 4000 / 8; five standard deviations of 17 and 21.
        assert!(counts[..12].iter().all(|count| count.abs_diff(333) < 87), "{counts:?}");
        assert!(counts[12..].iter().all(|count| count.abs_diff(500) < 105), "{counts:?}");
        // All first, and none first, are the plain order.
        let plain = front(&mut Permutation::new(key(7, 20)), 20);
        for n_first in [0, 20] {
            permutation.restart(key(7, 20), n_first);
            assert_eq!(front(&mut permutation, 20), plain);
        }
    }

    #[test]
    fn looking_back_and_ahead_gives_the_same_order() {
        let mut ahead = Permutation::new(key(3, 30));
        let last = ahead.get(29);
        let all = front(&mut ahead, 30);
        assert_eq!(all, front(&mut Permutation::new(key(3, 30)), 30));
        assert_eq!(all[29], last);
    }

    #[test]
    fn first_elements_are_uniform() {
        let mut counts = [[0_u32; 5]; 2];
        let mut permutation = Permutation::new(key(0, 5));
        for neighborhood_index in 0..20_000 {
            permutation.restart(key(neighborhood_index, 5), 5);
            counts[0][permutation.get(0)] += 1;
            counts[1][permutation.get(1)] += 1;
        }
        // Standard deviation 57; five of them.
        assert!(counts.as_flattened().iter().all(|c| c.abs_diff(4000) < 283), "{counts:?}");
    }
}
