//! [`Split`]: which rows are for training, which for validation, which for the test.

use bitloop_random::{Purpose, Stream};

use crate::error::{DataError, DataErrorKind};

/// A split by counts: the first rows of an order are for training, the next ones for validation, those after them for the
/// test; what is left is not used.
///
/// Selection on validation rows and a test on others are so had from the same held-out rows: of 100 rows, 70 and 30
/// (training, validation) and 60, 10 and 30 (with a test) hold out the same 30.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Split {
    /// The order of the rows before they are counted off.
    pub order: RowOrder,
    /// How many rows are for training, at least one.
    pub n_training: usize,
    /// How many rows are for validation.
    pub n_validation: usize,
    /// How many rows are for the test.
    pub n_test: usize,
}

/// The order of rows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RowOrder {
    /// That of the file.
    File,
    /// A uniform permutation, from stream (`seed`, [`Purpose::DataSplit`], `split_index`, 0).
    Random {
        /// The root seed.
        seed: u64,
        /// Which of the splits of this seed.
        split_index: u64,
    },
}

/// Rows by their use.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SplitRows {
    /// Rows for training.
    pub training: Vec<usize>,
    /// Rows for validation.
    pub validation: Vec<usize>,
    /// Rows for the test.
    pub test: Vec<usize>,
}

impl Split {
    /// Every row for training, in the file's order.
    #[must_use]
    pub const fn all(n_rows: usize) -> Self {
        Self { order: RowOrder::File, n_training: n_rows, n_validation: 0, n_test: 0 }
    }

    /// The rows of each part, of `n_rows` rows of the data that messages call `file`.
    ///
    /// # Errors
    /// [`DataError`] where there are fewer rows than the parts want, or none is for training.
    pub fn rows(&self, n_rows: usize, file: &str) -> Result<SplitRows, DataError> {
        let fail =
            |message, hint| Err(DataError::new(DataErrorKind::Split, file, message).hint(hint));
        let Self { order, n_training, n_validation, n_test } = *self;
        if n_training == 0 {
            return fail("no row is for training".to_owned(), "a split needs training rows");
        }
        let wanted = n_training.checked_add(n_validation).and_then(|n| n.checked_add(n_test));
        if wanted.is_none_or(|wanted| wanted > n_rows) {
            let message = format!(
                "expected {n_training} + {n_validation} + {n_test} rows for training, validation and test, found {n_rows}"
            );
            return fail(message, "choose smaller parts; is it the whole file?");
        }
        let mut rows: Vec<usize> = (0..n_rows).collect();
        if let RowOrder::Random { seed, split_index } = order {
            let mut stream = Stream::new(seed, Purpose::DataSplit, split_index, 0);
            for n_left in (2..=n_rows).rev() {
                rows.swap(n_left - 1, stream.index_below(n_left));
            }
        }
        let (training, held_out) = rows.split_at(n_training);
        let (validation, rest) = held_out.split_at(n_validation);
        Ok(SplitRows {
            training: training.to_vec(),
            validation: validation.to_vec(),
            test: rest[..n_test].to_vec(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(order: RowOrder, [n_training, n_validation, n_test]: [usize; 3]) -> Split {
        Split { order, n_training, n_validation, n_test }
    }

    #[test]
    fn file_order_counts_off() {
        let rows = split(RowOrder::File, [3, 2, 1]).rows(7, "f").unwrap();
        let expected = SplitRows { training: vec![0, 1, 2], validation: vec![3, 4], test: vec![5] };
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_seed_gives_a_partition_that_another_index_does_not_repeat() {
        let of = |split_index| {
            let order = RowOrder::Random { seed: 4, split_index };
            split(order, [70, 20, 10]).rows(100, "f").unwrap()
        };
        let rows = of(0);
        let mut all = [rows.training.clone(), rows.validation.clone(), rows.test.clone()].concat();
        all.sort_unstable();
        assert_eq!(all, (0..100).collect::<Vec<_>>());
        assert_eq!(rows, of(0));
        assert_ne!(rows, of(1));
    }

    #[test]
    fn a_test_part_is_taken_from_the_same_held_out_rows() {
        let order = RowOrder::Random { seed: 4, split_index: 0 };
        let paper = split(order, [70, 30, 0]).rows(100, "f").unwrap();
        let honest = split(order, [60, 10, 30]).rows(100, "f").unwrap();
        assert_eq!(paper.validation, honest.test);
    }

    #[test]
    fn every_row_is_drawn_evenly() {
        // Row 0 of 10 in the first place: a tenth of 10000 splits; standard deviation 30, five of them.
        let n_first = (0..10_000)
            .filter(|&split_index| {
                let order = RowOrder::Random { seed: 9, split_index };
                split(order, [1, 0, 0]).rows(10, "f").unwrap().training == [0]
            })
            .count();
        assert!(n_first.abs_diff(1000) < 150, "{n_first}");
    }

    #[test]
    fn counts_beyond_the_rows_and_none_for_training_are_refused() {
        let error = split(RowOrder::File, [5, 3, 0]).rows(7, "f").unwrap_err();
        assert!(error.message.contains("5 + 3 + 0") && error.message.contains("found 7"));
        let error = split(RowOrder::File, [usize::MAX, 1, 0]).rows(7, "f").unwrap_err();
        assert_eq!(error.kind, DataErrorKind::Split);
        assert!(split(RowOrder::File, [0, 3, 0]).rows(7, "f").is_err());
    }
}
