//! [`Cells`]: a column as numbers and words, and the scalings and lists of words learnt from it.

use crate::affine::Affine;
use crate::columns::ScalingMethod;
use crate::error::{DataError, DataErrorKind, quoted};
use crate::table::{Table, some_of};

/// Up to so many different numbers are classes, whatever numbers they are.
const MOST_MEASURED_CLASSES: usize = 10;

/// Cells that stand for a missing value, in upper or lower case.
const MISSING: [&str; 6] = ["", "?", "na", "n/a", "nan", "null"];

/// Whether a cell stands for a missing value.
pub(crate) fn is_missing(cell: &str) -> bool {
    MISSING.iter().any(|missing| cell.eq_ignore_ascii_case(missing))
}

/// Whether a cell may be a date or a time: numbers with two separators or more between them.
fn is_date(cell: &str) -> bool {
    let is_separator = |c: char| matches!(c, '-' | '/' | ':' | '.' | ' ' | 'T' | 'Z' | '+');
    let parts = cell.split(is_separator).filter(|part| !part.is_empty());
    cell.chars().all(|c| c.is_ascii_digit() || is_separator(c)) && parts.count() >= 3
}

/// A column of a table.
#[derive(Clone, Copy)]
pub(crate) struct Cells<'a> {
    pub table: &'a Table,
    pub column: usize,
    /// What stands for a missing value; none if one is refused.
    pub fill: Option<&'a str>,
    /// Whether it is one that the network is to answer.
    pub is_target: bool,
}

impl<'a> Cells<'a> {
    /// The text of a cell that has a value, or what stands for it.
    pub fn text(&self, row: usize) -> Result<&'a str, DataError> {
        let cell = self.table.cell(row, self.column);
        if !is_missing(cell) {
            return Ok(cell);
        }
        self.fill.ok_or_else(|| {
            let message = format!("a value is missing here: found {}", quoted(cell));
            self.error(DataErrorKind::Missing, row, message).hint(
                "leave out the column, fill in a value, or use `missing: Mean`, `Word` or `Drop`",
            )
        })
    }

    /// Whether it is a column of words: it has values, and none of them is a number or begins like one.
    pub fn are_words(&self) -> bool {
        let begins_like_number = |cell: &str| {
            cell.starts_with(|c: char| c.is_ascii_digit() || matches!(c, '+' | '-' | '.' | ','))
        };
        let is_word = |row: usize| {
            let cell = self.table.cell(row, self.column);
            !begins_like_number(cell) && self.table.number(row, self.column).is_none()
        };
        let mut known = (0..self.table.n_rows()).filter(|&row| !self.lacks_value(row)).peekable();
        known.peek().is_some() && known.all(is_word)
    }

    /// Whether a value is missing.
    fn lacks_value(&self, row: usize) -> bool {
        is_missing(self.table.cell(row, self.column))
    }

    /// The number in a cell, or in what stands for a missing one.
    pub fn number(&self, row: usize) -> Result<f64, DataError> {
        let cell = self.text(row)?;
        let is_filled = self.lacks_value(row);
        let number =
            if is_filled { cell.parse().ok() } else { self.table.number(row, self.column) };
        number.filter(|number: &f64| number.is_finite()).ok_or_else(|| {
            let message = format!("expected a finite number, found {}", quoted(cell));
            let hint = if row == 0 && self.table.names().is_none() {
                "is this line a header? then write `header: true`; a column of words must be called nominal"
            } else if is_date(cell) {
                "dates and times are no numbers: leave the column out with `ignored`, or make it one, such as days since the first"
            } else if self.is_target {
                "a column of words has classes: write `targets: Classes(...)` with its name or number"
            } else {
                "name a column of words in `nominal`, or leave it out with `ignored`"
            };
            self.error(DataErrorKind::Value, row, message).hint(hint)
        })
    }

    /// The number in a cell, scaled.
    pub fn scaled(&self, row: usize, affine: Option<&Affine>) -> Result<f64, DataError> {
        let x = self.number(row)?;
        let y = affine.map_or(x, |affine| affine.apply(x));
        if y.is_finite() {
            return Ok(y);
        }
        let message = format!("{x:e} is too far from the training part to be scaled");
        Err(self
            .error(DataErrorKind::Value, row, message)
            .hint("is the value, or the scaling, of another file?"))
    }

    /// The scaling of a column of numbers, to `range` where the method has one.
    pub fn scaling(
        &self,
        training_rows: &[usize],
        method: ScalingMethod,
        range: Option<[f64; 2]>,
    ) -> Result<Option<Affine>, DataError> {
        match (method, range) {
            (_, None) => Ok(None),
            (ScalingMethod::Range, Some(range)) => {
                let numbers = self.numbers(training_rows)?;
                let min = numbers.iter().fold(f64::INFINITY, |min, &x| min.min(x));
                let max = numbers.iter().fold(f64::NEG_INFINITY, |max, &x| max.max(x));
                self.affine([min, max], range).map(Some)
            }
            (ScalingMethod::Standard, Some(_)) => {
                let numbers = self.numbers(training_rows)?;
                let n = numbers.len() as f64;
                let mean = numbers.iter().sum::<f64>() / n;
                let variance = numbers.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / n;
                // The mean of equal numbers may be rounded to another one.
                let is_constant = numbers.iter().all(|x| *x == numbers[0]);
                let (mean, deviation) =
                    if is_constant { (numbers[0], 0.0) } else { (mean, variance.sqrt()) };
                self.affine([mean - deviation, mean + deviation], [-1.0, 1.0]).map(Some)
            }
        }
    }

    /// The numbers of some rows.
    fn numbers(&self, rows: &[usize]) -> Result<Vec<f64>, DataError> {
        // Of several faults the first one in the file is named, whatever the order of the rows.
        let first_fault = |fault| {
            (0..self.table.n_rows()).find_map(|row| self.number(row).err()).unwrap_or(fault)
        };
        rows.iter().map(|&row| self.number(row).map_err(first_fault)).collect()
    }

    /// The map of what training rows hold onto a range.
    fn affine(&self, [min, max]: [f64; 2], range: [f64; 2]) -> Result<Affine, DataError> {
        Affine::new([min, max], range).ok_or_else(|| {
            let [low, high] = range;
            let message = format!("{min:e} to {max:e} cannot be scaled to {low:e} to {high:e}");
            DataError::new(DataErrorKind::Value, self.table.file(), message)
                .in_column(self.table.column_name(self.column))
                .hint("scaling needs a training part of finite width, and a range whose low end is below its high one")
        })
    }

    /// What stands for missing values, if there are any: the mean over the training rows that have one, or the most
    /// frequent word there, the first in alphabetic order of equally frequent ones.
    pub fn fill(
        &self,
        training_rows: &[usize],
        is_nominal: bool,
    ) -> Result<Option<String>, DataError> {
        if !(0..self.table.n_rows()).any(|row| self.lacks_value(row)) {
            return Ok(None);
        }
        let known: Vec<usize> =
            training_rows.iter().copied().filter(|&row| !self.lacks_value(row)).collect();
        if known.is_empty() {
            let message = "no training row has a value here".to_owned();
            return Err(DataError::new(DataErrorKind::Missing, self.table.file(), message)
                .in_column(self.table.column_name(self.column))
                .hint("leave out the column"));
        }
        if is_nominal {
            let mut words: Vec<&str> =
                known.iter().map(|&row| self.table.cell(row, self.column)).collect();
            words.sort_unstable();
            let groups = words.chunk_by(|a, b| a == b);
            // The last of equal maxima is the first of the reversed order.
            let most = groups.rev().max_by_key(|group| group.len()).and_then(|group| group.first());
            return Ok(most.map(|word| (*word).to_owned()));
        }
        let n_known = known.len() as f64;
        let mut mean = 0.0;
        for row in known {
            mean += self.number(row)? / n_known;
        }
        // The shortest text that reads back as the same bits.
        Ok(Some(format!("{mean:?}")))
    }

    /// The different words of a column, in alphabetic order.
    pub fn words(&self) -> Result<Vec<String>, DataError> {
        let mut words: Vec<&str> = Vec::new();
        for row in 0..self.table.n_rows() {
            let word = self.text(row)?;
            if let Err(at) = words.binary_search(&word) {
                if words.len() == self.table.limits().n_words {
                    let message = format!("more than {} different words, the limit", words.len());
                    return Err(self
                        .error(DataErrorKind::TooLarge, row, message)
                        .hint("a column of names is no input: ignore it"));
                }
                words.insert(at, word);
            }
        }
        Ok(words.into_iter().map(str::to_owned).collect())
    }

    /// The words of a nominal input that was not named as one: names, of which hardly one comes twice, are refused.
    pub fn recognized_words(&self) -> Result<Vec<String>, DataError> {
        let words = self.words()?;
        let n_rows = self.table.n_rows();
        if words.len() <= MOST_MEASURED_CLASSES || 2 * words.len() <= n_rows {
            return Ok(words);
        }
        let message = format!("{} different words in {n_rows} rows are no input", words.len());
        Err(DataError::new(DataErrorKind::Column, self.table.file(), message)
            .in_column(self.table.column_name(self.column))
            .hint("leave a column of names out with `ignored`, or name a column of words in `nominal`"))
    }

    /// The words of a column of classes, two or more.
    pub fn classes(&self) -> Result<Vec<String>, DataError> {
        let words = self.words()?;
        if words.len() < 2 {
            let message = format!("expected two classes or more, found {} only", quoted(&words[0]));
            return Err(DataError::new(DataErrorKind::Value, self.table.file(), message)
                .in_column(self.table.column_name(self.column)));
        }
        if self.is_continuous(&words) {
            let message = format!(
                "{} different numbers in {} rows are no classes, which have an output each",
                words.len(),
                self.table.n_rows()
            );
            return Err(DataError::new(DataErrorKind::Column, self.table.file(), message)
                .in_column(self.table.column_name(self.column))
                .hint("write `targets: Numbers([...])` for a column of measured values"));
        }
        Ok(words)
    }

    /// Whether the words of a column are measured values: many numbers, with fractions or hardly one of them twice.
    fn is_continuous(&self, words: &[String]) -> bool {
        let numbers: Vec<f64> = words.iter().filter_map(|word| word.parse().ok()).collect();
        let has_fractions = numbers.iter().any(|number| number.fract() != 0.0);
        let are_rare = 2 * words.len() > self.table.n_rows();
        words.len() > MOST_MEASURED_CLASSES
            && numbers.len() == words.len()
            && (has_fractions || are_rare)
    }

    /// Which of `words` stands in each row.
    pub fn positions(&self, words: &[String]) -> Result<Vec<usize>, DataError> {
        let position = |row| self.position(words, row)?.ok_or_else(|| self.unknown(words, row));
        (0..self.table.n_rows()).map(position).collect()
    }

    /// Which of `words` stands in a row; none if it is another one.
    pub fn position(&self, words: &[String], row: usize) -> Result<Option<usize>, DataError> {
        let cell = self.text(row)?;
        Ok(words.iter().position(|word| word == cell))
    }

    /// The refusal of a word.
    pub fn unknown(&self, words: &[String], row: usize) -> DataError {
        let known: Vec<String> = words.iter().map(|word| quoted(word)).collect();
        let cell = self.table.cell(row, self.column);
        let message = format!("expected {}, found {}", some_of(&known), quoted(cell));
        let error = self.error(DataErrorKind::Value, row, message);
        if self.is_target {
            error
        } else {
            error.hint("`predict --unknown-words` takes it as none of these words")
        }
    }

    fn error(&self, kind: DataErrorKind, row: usize, message: String) -> DataError {
        self.table.error_at(kind, row, self.column, message)
    }
}
