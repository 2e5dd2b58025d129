//! [`Split`]: which rows are for training, which for validation, which for the test.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use bitloop_random::{Purpose, Stream};
use serde::{Deserialize, Serialize};

use crate::column_choice::ColumnChoice;
use crate::error::{DataError, DataErrorKind};
use crate::part_size::PartSize;
use crate::row_labels::RowLabels;

/// A split by sizes: the first rows of an order are for training, the next ones for validation, those after them for the
/// test; what is left is not used.
///
/// Selection on validation rows and a test on others are so had from the same held-out rows: of 100 rows, 70 and 30
/// (training, validation) and 60, 10 and 30 (with a test) hold out the same 30.
#[derive(Clone, Debug, PartialEq)]
pub struct Split {
    /// The order of the rows before they are counted off.
    pub order: RowOrder,
    /// How many rows are for training, at least one.
    pub training: PartSize,
    /// How many rows are for validation.
    pub validation: PartSize,
    /// How many rows are for the test.
    pub test: PartSize,
    /// Whether each class has the same share in each part, to within two rows.
    pub is_stratified: bool,
    /// The column whose values keep rows together: rows with the same one are in the same part.
    pub grouped_by: Option<ColumnChoice>,
    /// The fold that is the test part, instead of `test` rows; the others are shared out in the proportion of training and validation.
    pub fold: Option<Fold>,
}

/// One of several parts of equal size, each of which is the test part once.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fold {
    /// Which one, from 0.
    pub index: u32,
    /// Of how many.
    pub of: u32,
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

/// Rows in order, and where each unit ends: rows that stay together.
struct Units {
    rows: Vec<usize>,
    ends: Vec<usize>,
}

impl Split {
    /// The first rows of an order, so many for training, validation and the test.
    #[must_use]
    pub const fn of_rows(order: RowOrder, [training, validation, test]: [usize; 3]) -> Self {
        Self {
            order,
            training: PartSize::Rows(training),
            validation: PartSize::Rows(validation),
            test: PartSize::Rows(test),
            is_stratified: false,
            grouped_by: None,
            fold: None,
        }
    }

    /// Every row for training, in the file's order.
    #[must_use]
    pub const fn all(n_rows: usize) -> Self {
        Self::of_rows(RowOrder::File, [n_rows, 0, 0])
    }

    /// The rows of each part, of rows of the data that messages call `file`.
    ///
    /// # Errors
    /// [`DataError`] where there are fewer rows than the parts want, or a part that is asked for gets none.
    pub(crate) fn rows(&self, labels: &RowLabels, file: &str) -> Result<SplitRows, DataError> {
        let fail =
            |message, hint| Err(DataError::new(DataErrorKind::Split, file, message).hint(hint));
        if self.training.is_zero() {
            return fail("no row is for training".to_owned(), "a split needs training rows");
        }
        let n_rows = labels.n_rows;
        let Some(ends) = self.ends(n_rows) else {
            let Self { training, validation, test, .. } = self;
            let message = format!(
                "expected {training} + {validation} + {test} rows for training, validation and test, found {n_rows}"
            );
            return fail(message, "choose smaller parts; is it the whole file?");
        };
        let units = self.units(labels);
        let rows = match self.fold {
            None => units.counted_off(ends),
            Some(fold) => units.with_fold(fold, ends),
        };
        let parts = [
            ("training", self.training, &rows.training),
            ("validation", self.validation, &rows.validation),
            (
                "test",
                if self.fold.is_some() { PartSize::Share(1.0) } else { self.test },
                &rows.test,
            ),
        ];
        for (name, size, rows) in parts {
            if rows.is_empty() && !size.is_zero() {
                let message =
                    format!("no row is for {name}: of {n_rows} rows, none falls into that part");
                let hint = if self.grouped_by.is_some() {
                    "rows that are kept together are too many at once: choose other sizes, or another column"
                } else {
                    "choose larger parts; is it the whole file?"
                };
                return fail(message, hint);
            }
        }
        Ok(rows)
    }

    /// Where the parts end, if there are enough rows.
    fn ends(&self, n_rows: usize) -> Option<[usize; 3]> {
        let (mut n_counted, mut share) = (0_usize, 0.0);
        let test = if self.fold.is_some() { PartSize::default() } else { self.test };
        let mut ends = [0; 3];
        for (end, size) in ends.iter_mut().zip([self.training, self.validation, test]) {
            match size {
                PartSize::Rows(n) => n_counted = n_counted.checked_add(n)?,
                PartSize::Share(part) => share += part,
            }
            *end = n_counted.checked_add(PartSize::rounded(share, n_rows))?;
        }
        (ends[2] <= n_rows).then_some(ends)
    }

    /// The rows in the order in which they are counted off, in units that stay together.
    fn units(&self, labels: &RowLabels) -> Units {
        let mut rows: Vec<usize> = (0..labels.n_rows).collect();
        if let RowOrder::Random { seed, split_index } = self.order {
            let mut stream = Stream::new(seed, Purpose::DataSplit, split_index, 0);
            for n_left in (2..=labels.n_rows).rev() {
                rows.swap(n_left - 1, stream.index_below(n_left));
            }
        }
        let units = match &labels.groups {
            None => Units { ends: (1..=rows.len()).collect(), rows },
            Some(groups) => Units::grouped(&rows, groups),
        };
        match &labels.classes {
            Some(classes) if self.is_stratified => units.stratified(classes),
            _ => units,
        }
    }
}

impl Units {
    /// The rows of each group together, groups in the order of their first row.
    fn grouped(rows: &[usize], groups: &[usize]) -> Self {
        let n_groups = groups.iter().max().map_or(0, |most| most + 1);
        let (mut place, mut n_places) = (vec![None; n_groups], 0);
        let mut places = Vec::with_capacity(rows.len());
        for &row in rows {
            let own = *place[groups[row]].get_or_insert_with(|| {
                n_places += 1;
                n_places - 1
            });
            places.push((own, row));
        }
        places.sort_by_key(|(place, _)| *place);
        let ends = (1..=places.len())
            .filter(|&end| places.get(end).is_none_or(|next| next.0 != places[end - 1].0));
        Self { ends: ends.collect(), rows: places.iter().map(|(_, row)| *row).collect() }
    }

    /// The units in an order whose beginnings have the classes in their proportion, to within a row. Row j of the n of a class
    /// may come once a share of j / n of all rows has passed, and has to before (j + 1) / n has; of those that may come, the one
    /// that has to first is next. (Earliest deadline first, which meets all deadlines where units are rows.) A unit
    /// of several rows has the class that is the most frequent in it.
    fn stratified(self, classes: &[usize]) -> Self {
        let n_classes = classes.iter().max().map_or(0, |most| most + 1);
        let of_unit = |unit: &[usize]| {
            let mut counts = vec![0_usize; n_classes];
            for &row in unit {
                counts[classes[row]] += 1;
            }
            (0..n_classes).rev().max_by_key(|&class| counts[class]).unwrap_or(0)
        };
        let units: Vec<(usize, &[usize])> = self
            .iter()
            .map(|unit| (if let [row] = unit { classes[*row] } else { of_unit(unit) }, unit))
            .collect();
        let mut totals = vec![0_usize; n_classes];
        for (class, unit) in &units {
            totals[*class] += unit.len();
        }
        let n_rows = self.rows.len() as u128;
        let mut passed = vec![0_usize; n_classes];
        let mut waiting: Vec<(usize, u128, usize, &[usize])> = Vec::with_capacity(units.len());
        for (class, unit) in units {
            let of_all = |n: usize| n as u128 * n_rows;
            let total = totals[class] as u128;
            let from = usize::try_from(of_all(passed[class]) / total).unwrap_or(usize::MAX);
            passed[class] += unit.len();
            waiting.push((from, of_all(passed[class]).div_ceil(total), class, unit));
        }
        waiting.sort_by_key(|(from, deadline, class, _)| (*from, *deadline, *class));
        let mut stratified = Self { rows: Vec::with_capacity(self.rows.len()), ends: Vec::new() };
        let (mut open, mut n_opened) = (BinaryHeap::new(), 0);
        while stratified.rows.len() < self.rows.len() {
            // Where long units leave a gap, the next one comes early.
            while let Some((from, deadline, class, _)) = waiting.get(n_opened)
                && (*from <= stratified.rows.len() || open.is_empty())
            {
                open.push(Reverse((*deadline, *class, n_opened)));
                n_opened += 1;
            }
            let Some(Reverse((_, _, next))) = open.pop() else { break };
            stratified.push(waiting[next].3);
        }
        stratified
    }

    fn iter(&self) -> impl Iterator<Item = &[usize]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.rows[start..end])
    }

    fn push(&mut self, unit: &[usize]) {
        self.rows.extend_from_slice(unit);
        self.ends.push(self.rows.len());
    }

    /// Each unit is in the part that its middle lies in.
    fn counted_off(&self, ends: [usize; 3]) -> SplitRows {
        let mut parts = [Vec::new(), Vec::new(), Vec::new()];
        let mut start = 0;
        for unit in self.iter() {
            let is_before = |end: &usize| 2 * start + unit.len() < 2 * end;
            if let Some(part) = ends.iter().position(is_before) {
                parts[part].extend_from_slice(unit);
            }
            start += unit.len();
        }
        let [training, validation, test] = parts;
        SplitRows { training, validation, test }
    }

    /// The fold is the test part; what is left is counted off in the proportion of training and validation.
    fn with_fold(&self, fold: Fold, [training, held_out, _]: [usize; 3]) -> SplitRows {
        let n_rows = self.rows.len();
        let mut rest = Self { rows: Vec::new(), ends: Vec::new() };
        let mut test = Vec::new();
        let mut start = 0;
        for unit in self.iter() {
            let middle = (2 * start + unit.len()) as u128;
            let own = middle * u128::from(fold.of) / (2 * n_rows) as u128;
            if own == u128::from(fold.index) {
                test.extend_from_slice(unit);
            } else {
                rest.push(unit);
            }
            start += unit.len();
        }
        let n_rest = rest.rows.len();
        let share = training as f64 / held_out.max(1) as f64;
        let n_training = PartSize::rounded(share, n_rest);
        SplitRows { test, ..rest.counted_off([n_training, n_rest, n_rest]) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(order: RowOrder, parts: [usize; 3]) -> Split {
        Split::of_rows(order, parts)
    }

    fn rows(split: &Split, n_rows: usize) -> Result<SplitRows, DataError> {
        split.rows(&RowLabels { n_rows, classes: None, groups: None }, "f")
    }

    const RANDOM: RowOrder = RowOrder::Random { seed: 4, split_index: 0 };

    fn shares([training, validation, test]: [f64; 3]) -> Split {
        let [training, validation, test] = [training, validation, test].map(PartSize::Share);
        Split { training, validation, test, ..split(RANDOM, [0; 3]) }
    }

    fn sizes(rows: &SplitRows) -> [usize; 3] {
        [rows.training.len(), rows.validation.len(), rows.test.len()]
    }

    fn all(rows: &SplitRows) -> Vec<usize> {
        let mut all = [&rows.training[..], &rows.validation, &rows.test].concat();
        all.sort_unstable();
        all
    }

    #[test]
    fn file_order_counts_off() {
        let rows = rows(&split(RowOrder::File, [3, 2, 1]), 7).unwrap();
        let expected = SplitRows { training: vec![0, 1, 2], validation: vec![3, 4], test: vec![5] };
        assert_eq!(rows, expected);
    }

    #[test]
    fn a_seed_gives_a_partition_that_another_index_does_not_repeat() {
        let of = |split_index| {
            rows(&split(RowOrder::Random { seed: 4, split_index }, [70, 20, 10]), 100).unwrap()
        };
        assert_eq!(all(&of(0)), (0..100).collect::<Vec<_>>());
        assert_eq!(of(0), of(0));
        assert_ne!(of(0), of(1));
    }

    #[test]
    fn a_test_part_is_taken_from_the_same_held_out_rows() {
        let paper = rows(&split(RANDOM, [70, 30, 0]), 100).unwrap();
        let honest = rows(&split(RANDOM, [60, 10, 30]), 100).unwrap();
        assert_eq!(paper.validation, honest.test);
    }

    #[test]
    fn every_row_is_drawn_evenly() {
        // Row 0 of 10 in the first place: a tenth of 10000 splits; standard deviation 30, five of them.
        let n_first = (0..10_000)
            .filter(|&split_index| {
                let order = RowOrder::Random { seed: 9, split_index };
                rows(&split(order, [1, 0, 0]), 10).unwrap().training == [0]
            })
            .count();
        assert!(n_first.abs_diff(1000) < 150, "{n_first}");
    }

    #[test]
    fn counts_beyond_the_rows_and_none_for_training_are_refused() {
        let error = rows(&split(RowOrder::File, [5, 3, 0]), 7).unwrap_err();
        assert!(error.message.contains("5 + 3 + 0") && error.message.contains("found 7"));
        let error = rows(&split(RowOrder::File, [usize::MAX, 1, 0]), 7).unwrap_err();
        assert_eq!(error.kind, DataErrorKind::Split);
        assert!(rows(&split(RowOrder::File, [0, 3, 0]), 7).is_err());
    }

    #[test]
    fn shares_that_sum_to_one_use_all_rows() {
        for n_rows in [7, 10, 101, 150, 569] {
            let found = rows(&shares([0.6, 0.15, 0.25]), n_rows).unwrap();
            assert_eq!(all(&found), (0..n_rows).collect::<Vec<_>>());
        }
        assert_eq!(sizes(&rows(&shares([0.6, 0.15, 0.25]), 150).unwrap()), [90, 23, 37]);
        // The same rows as by counts.
        let by_counts = rows(&split(RANDOM, [90, 23, 37]), 150).unwrap();
        assert_eq!(rows(&shares([0.6, 0.15, 0.25]), 150).unwrap(), by_counts);
        let mixed = Split { test: PartSize::Rows(10), ..shares([0.5, 0.1, 0.0]) };
        assert_eq!(sizes(&rows(&mixed, 40).unwrap()), [20, 4, 10]);
        let error = rows(&shares([0.9, 0.01, 0.09]), 10).unwrap_err();
        assert!(error.message.contains("no row is for validation"), "{error}");
    }

    #[test]
    fn each_class_has_its_share_in_each_part_and_fold() {
        // 200 rows: 140, 40 and 20 of three classes.
        let classes: Vec<usize> =
            (0..200).map(|row| [0, 0, 0, 0, 0, 0, 0, 1, 1, 2][row % 10]).collect();
        let labels = RowLabels { n_rows: 200, classes: Some(classes.clone()), groups: None };
        let count =
            |rows: &[usize], class| rows.iter().filter(|&&row| classes[row] == class).count();
        let stratified = Split { is_stratified: true, ..shares([0.6, 0.15, 0.25]) };
        let found = stratified.rows(&labels, "f").unwrap();
        assert_eq!(sizes(&found), [120, 30, 50]);
        for (rows, share) in
            [(&found.training, 0.6), (&found.validation, 0.15), (&found.test, 0.25)]
        {
            for (class, n) in [(0, 140.0), (1, 40.0), (2, 20.0)] {
                let off = (count(rows, class) as f64 - share * n).abs();
                assert!(off <= 1.0, "{off} rows of class {class} off");
            }
        }
        let mut tested = Vec::new();
        for index in 0..5 {
            let split = Split { fold: Some(Fold { index, of: 5 }), ..stratified.clone() };
            let found = split.rows(&labels, "f").unwrap();
            assert_eq!(sizes(&found), [128, 32, 40]);
            assert_eq!(all(&found), (0..200).collect::<Vec<_>>());
            assert_eq!([0, 1, 2].map(|class| count(&found.test, class)), [28, 8, 4]);
            tested.extend(found.test);
        }
        tested.sort_unstable();
        assert_eq!(tested, (0..200).collect::<Vec<_>>(), "each row is tested once");
    }

    #[test]
    fn many_small_classes_leave_the_large_one_its_share() {
        // 120 rows of class 0, and 40 classes of a row each, or of three.
        for n_each in [1, 3] {
            let small = (0..40 * n_each).map(|row| 1 + row / n_each);
            let classes: Vec<usize> = std::iter::repeat_n(0, 120).chain(small).collect();
            let n_rows = classes.len();
            let labels = RowLabels { n_rows, classes: Some(classes.clone()), groups: None };
            for index in 0..5 {
                let fold = Some(Fold { index, of: 5 });
                let split = Split { is_stratified: true, fold, ..shares([0.8, 0.2, 0.0]) };
                let found = split.rows(&labels, "f").unwrap();
                let n_large = found.test.iter().filter(|&&row| classes[row] == 0).count();
                assert!(n_large.abs_diff(24) <= 2, "{n_large} of fold {index}, {n_each}");
            }
        }
    }

    #[test]
    fn groups_are_never_cut() {
        let groups: Vec<usize> = (0..100).map(|row| row * 7 % 100 / 5).collect();
        let classes: Vec<usize> = groups.iter().map(|group| group % 2).collect();
        for is_stratified in [false, true] {
            let labels = RowLabels {
                n_rows: 100,
                classes: Some(classes.clone()),
                groups: Some(groups.clone()),
            };
            let column = Some(ColumnChoice::Number(1));
            let split = Split { is_stratified, grouped_by: column, ..shares([0.6, 0.2, 0.2]) };
            let found = split.rows(&labels, "f").unwrap();
            assert_eq!(sizes(&found), [60, 20, 20]);
            let of = |rows: &[usize]| -> std::collections::BTreeSet<usize> {
                rows.iter().map(|&row| groups[row]).collect()
            };
            let [a, b, c] = [of(&found.training), of(&found.validation), of(&found.test)];
            assert!(a.is_disjoint(&b) && b.is_disjoint(&c) && a.is_disjoint(&c));
            assert_eq!((a.len(), b.len(), c.len()), (12, 4, 4));
            if is_stratified {
                assert_eq!(b.iter().filter(|group| *group % 2 == 0).count(), 2);
            }
            let split = Split { fold: Some(Fold { index: 1, of: 4 }), ..split };
            let found = split.rows(&labels, "f").unwrap();
            assert_eq!((of(&found.test).len(), sizes(&found)), (5, [55, 20, 25]));
        }
        let one = RowLabels { n_rows: 10, classes: None, groups: Some(vec![0; 10]) };
        let column = Some(ColumnChoice::Number(1));
        let error =
            Split { grouped_by: column, ..shares([0.6, 0.2, 0.2]) }.rows(&one, "f").unwrap_err();
        assert!(error.message.contains("no row is for validation"), "{error}");
        assert!(error.hint.unwrap().contains("another column"));
    }
}
