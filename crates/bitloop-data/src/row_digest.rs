//! [`RowDigest`]: which rows, in whatever order.
//!
//! It is a sum of digests of single rows, so that it depends on no order, and that of several sets is the sum of theirs. A row is what
//! stands in its columns of inputs and targets: numbers by their value, words as they are; no scaling and no list of words enters it.

use std::fmt;
use std::str::FromStr;

use crate::cells::Cells;
use crate::encoding::{EncodedColumn, Encoding, Values};
use crate::error::DataError;
use crate::table::Table;

/// Bytes of a row's digest that are summed.
const N_BYTES: usize = 16;

/// Which rows, in whatever order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RowDigest {
    n_rows: u64,
    sum: u128,
}

/// Which rows each part of a data set has; none where there are no rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PartDigests {
    /// Rows for training.
    pub training: Option<RowDigest>,
    /// Rows for validation.
    pub validation: Option<RowDigest>,
    /// Rows for the test.
    pub test: Option<RowDigest>,
}

impl PartDigests {
    /// The parts with their names, in order.
    #[must_use]
    pub const fn named(&self) -> [(&'static str, Option<RowDigest>); 3] {
        [("training", self.training), ("validation", self.validation), ("test", self.test)]
    }

    /// The names of the parts whose rows, together, these are; the fewest parts, if there are any.
    #[must_use]
    pub fn parts_of(&self, rows: RowDigest) -> Option<Vec<&'static str>> {
        let known: Vec<(&str, RowDigest)> =
            self.named().into_iter().filter_map(|(name, digest)| Some((name, digest?))).collect();
        let chosen =
            |set: usize| known.iter().enumerate().filter(move |(at, _)| set >> at & 1 == 1);
        let sum = |set| chosen(set).fold(RowDigest::default(), |sum, (_, part)| sum.and(part.1));
        let sets = (1..1_usize << known.len()).filter(|&set| sum(set) == rows);
        let fewest = sets.min_by_key(|set| set.count_ones())?;
        Some(chosen(fewest).map(|(_, part)| part.0).collect())
    }
}

impl RowDigest {
    /// These rows and others.
    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self { n_rows: self.n_rows + other.n_rows, sum: self.sum.wrapping_add(other.sum) }
    }

    /// How many rows there are.
    #[must_use]
    pub const fn n_rows(self) -> u64 {
        self.n_rows
    }
}

/// Of single rows.
impl FromIterator<Self> for RowDigest {
    fn from_iter<I: IntoIterator<Item = Self>>(rows: I) -> Self {
        rows.into_iter().fold(Self::default(), Self::and)
    }
}

/// `150-0123456789abcdef0123456789abcdef`: the number of rows, and the sum.
impl fmt::Display for RowDigest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}-{:032x}", self.n_rows, self.sum)
    }
}

impl FromStr for RowDigest {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let parts = text.split_once('-').and_then(|(n_rows, sum)| {
            Some(Self { n_rows: n_rows.parse().ok()?, sum: u128::from_str_radix(sum, 16).ok()? })
        });
        let digest = parts.filter(|digest| digest.to_string() == text);
        digest.ok_or_else(|| format!("`{text}` is no digest of rows"))
    }
}

impl Encoding {
    /// The digest of each row of a table.
    ///
    /// # Errors
    /// [`DataError`] where a column is not there, or a value is missing or of another kind.
    pub fn row_digests(&self, table: &Table) -> Result<Vec<RowDigest>, DataError> {
        let columns = self.inputs.iter().chain(&self.targets);
        let columns: Vec<(Cells<'_>, bool)> = columns
            .map(|column| Ok((column.cells(table)?, matches!(column.values, Values::Number(_)))))
            .collect::<Result<_, DataError>>()?;
        let digest = |row| {
            let mut hasher = blake3::Hasher::new();
            for (cells, is_number) in &columns {
                if *is_number {
                    // One zero for both.
                    hasher.update(&(cells.number(row)? + 0.0).to_bits().to_le_bytes());
                } else {
                    let word = cells.text(row)?;
                    hasher.update(&(word.len() as u64).to_le_bytes()).update(word.as_bytes());
                }
            }
            let mut bytes = [0; N_BYTES];
            hasher.finalize_xof().fill(&mut bytes);
            Ok(RowDigest { n_rows: 1, sum: u128::from_le_bytes(bytes) })
        };
        (0..table.n_rows()).map(digest).collect()
    }
}

impl EncodedColumn {
    /// Its cells in a table.
    pub(crate) fn cells<'a>(&'a self, table: &'a Table) -> Result<Cells<'a>, DataError> {
        let column = table.position(&self.choice_in(table))?;
        Ok(Cells { table, column, fill: self.fill.as_deref(), is_target: false })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Columns, Scaling, Targets};
    use crate::{ColumnChoice, Format, Limits, Missing};

    const TEXT: &str = "a,b,c\n1,x,0.5\n2,y,1.5\n1,x,0.5\n4,y,-0\n";

    fn table(text: &str) -> Table {
        Table::parse("f", text, Format::Csv, true, &Limits::default()).unwrap()
    }

    /// Learned from the first rows of the table.
    fn encoding(n_rows: usize) -> Encoding {
        let name = |name: &str| ColumnChoice::Name(name.to_owned());
        let (nominal, targets) = (vec![name("b")], Targets::Numbers(vec![name("c")]));
        let columns = Columns { inputs: None, ignored: vec![], nominal, targets };
        let rows: Vec<usize> = (0..n_rows).collect();
        Encoding::learn(&table(TEXT), &columns, Scaling::default(), Missing::Refuse, &rows).unwrap()
    }

    fn digests(text: &str) -> Vec<RowDigest> {
        encoding(2).row_digests(&table(text)).unwrap()
    }

    #[test]
    fn rows_are_known_in_any_order_and_spelling() {
        let rows = digests(TEXT);
        assert_eq!(rows[0], rows[2]);
        assert_ne!(rows[0], rows[1]);
        let all: RowDigest = rows.iter().copied().collect();
        let other = "c,a,b\n0,4.0,y\n5e-1,1,x\n0.50,1e0,x\n1.5,2,y\n";
        assert_eq!(digests(other).into_iter().collect::<RowDigest>(), all);
        assert_eq!(
            encoding(4).row_digests(&table(TEXT)).unwrap(),
            rows,
            "scaling is no part of it"
        );
        for changed in ["1,x,0.5\n2,y,1.5\n1,x,0.5\n4,y,1", "1,x,0.5\n2,x,1.5\n1,x,0.5\n4,y,0"] {
            let changed: RowDigest = digests(&format!("a,b,c\n{changed}\n")).into_iter().collect();
            assert_ne!(changed, all);
            assert_eq!(changed.n_rows(), 4);
        }
        assert_eq!(all.to_string().parse(), Ok(all));
        for text in ["", "4", "4-0", "04-00000000000000000000000000000000", "4-x"] {
            assert!(text.parse::<RowDigest>().is_err(), "{text}");
        }
    }

    #[test]
    fn several_parts_are_known_together() {
        let rows = digests(TEXT);
        let parts = PartDigests {
            training: Some(rows[0].and(rows[1])),
            validation: None,
            test: Some(rows[3]),
        };
        assert_eq!(parts.parts_of(rows[1].and(rows[0])), Some(vec!["training"]));
        assert_eq!(parts.parts_of(rows[3]), Some(vec!["test"]));
        let both = [rows[3], rows[1], rows[2]].into_iter().collect();
        assert_eq!(parts.parts_of(both), Some(vec!["training", "test"]));
        assert_eq!(parts.parts_of(rows[0]), None);
        assert_eq!(parts.parts_of(RowDigest::default()), None);
        assert_eq!(PartDigests::default().parts_of(RowDigest::default()), None);
    }
}
