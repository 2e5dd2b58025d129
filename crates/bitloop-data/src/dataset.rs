//! [`Dataset`]: examples of a file or a formula, encoded and split by a [`DataSpec`].

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use crate::class_weights::ClassWeights;
use crate::column_choice::ColumnChoice;
use crate::columns::{Columns, Scaling};
use crate::encoding::Encoding;
use crate::error::{DataError, DataErrorKind, quoted};
use crate::examples::Examples;
use crate::format::Format;
use crate::missing::Missing;
use crate::read::Limits;
use crate::row_digest::{PartDigests, RowDigest};
use crate::row_labels::{RowLabels, group_position};
use crate::spirals::Spirals;
use crate::split::{Split, SplitRows};
use crate::table::Table;

/// The source of a data set, and how examples are made from it.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSpec {
    /// Where the rows come from.
    pub source: DataSource,
    /// Files that hold the rows of a part alone.
    pub own_files: OwnFiles,
    /// Which columns are inputs, which targets.
    pub columns: Columns,
    /// What numbers are scaled to.
    pub scaling: Scaling,
    /// What becomes of cells without a value.
    pub missing: Missing,
    /// How much a row of each class counts.
    pub class_weights: ClassWeights,
    /// Which rows of the source are for training, validation and test.
    pub split: Split,
    /// How large the data may be.
    pub limits: Limits,
}

/// Files that hold the rows of a part alone, read as the source is; their columns are found by their names.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnFiles {
    /// The validation rows.
    pub validation: Option<PathBuf>,
    /// The test rows.
    pub test: Option<PathBuf>,
}

/// Where rows come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DataSource {
    /// A file, which may be packed with gzip.
    File {
        /// Its path.
        path: PathBuf,
        /// How its lines are cut into cells.
        format: Format,
        /// Whether its first line names the columns.
        has_header: bool,
    },
    /// The two spirals, with the columns `x`, `y` and `class`.
    Spirals(Spirals),
}

/// Examples by their use, and how they were encoded.
#[derive(Clone, Debug, PartialEq)]
pub struct Dataset {
    /// What is trained on.
    pub training: Examples,
    /// What selects among networks; may be empty.
    pub validation: Examples,
    /// What is used once, at the end; may be empty.
    pub test: Examples,
    /// How rows became examples; its scaling is that of the training part.
    pub encoding: Encoding,
    /// Which rows the parts are.
    pub digests: PartDigests,
}

impl DataSource {
    /// The rows as text.
    ///
    /// # Errors
    /// [`DataError`] where a file cannot be read as a table.
    pub fn table(&self, limits: &Limits) -> Result<Table, DataError> {
        match self {
            Self::File { path, format, has_header } => {
                Table::read(path, *format, *has_header, limits)
            }
            Self::Spirals(spirals) => Ok(spirals.table()),
        }
    }

    /// The same source at another path; points from a formula stay as they are.
    fn at(&self, path: &Path) -> Self {
        match self {
            Self::File { format, has_header, .. } => {
                Self::File { path: path.to_owned(), format: *format, has_header: *has_header }
            }
            Self::Spirals(spirals) => Self::Spirals(*spirals),
        }
    }
}

/// Refuses rows of one group in two files, of which one is for another part.
fn refuse_groups_in_two_files(table: &Table, column: &ColumnChoice) -> Result<(), DataError> {
    let at = group_position(table, column)?;
    let mut file_of = HashMap::new();
    for row in 0..table.n_rows() {
        let group = table.cell(row, at);
        if *file_of.entry(group).or_insert(table.file_of(row)) != table.file_of(row) {
            let message = format!("rows of group {} are in two files", quoted(group));
            return Err(DataError::new(DataErrorKind::Split, table.file(), message)
                .hint("rows with the same value have to be in the same part"));
        }
    }
    Ok(())
}

impl DataSpec {
    /// The rows that are used, and the part that each is in.
    fn rows(&self) -> Result<(Table, SplitRows), DataError> {
        let mut table = self.source.table(&self.limits)?;
        let mut append = |path: &Option<PathBuf>| -> Result<Option<usize>, DataError> {
            let Some(path) = path else { return Ok(None) };
            table.append(&self.source.at(path).table(&self.limits)?).map(Some)
        };
        let validation = append(&self.own_files.validation)?;
        let test = append(&self.own_files.test)?;
        let grouped_by = self.split.grouped_by.as_ref();
        let table = self.missing.used(table, &self.columns, grouped_by)?;
        let rows_of = |file: usize| -> Vec<usize> {
            (0..table.n_rows()).filter(|&row| table.file_of(row) == file).collect()
        };
        if let Some(column) = grouped_by {
            refuse_groups_in_two_files(&table, column)?;
        }
        let by = (self.split.is_stratified, grouped_by);
        // Those of the source come first.
        let labels = RowLabels::of(&table, rows_of(0).len(), by, &self.columns)?;
        let mut rows = self.split.rows(&labels, table.file())?;
        let own = &self.own_files;
        for (part, file, path) in
            [(&mut rows.validation, validation, &own.validation), (&mut rows.test, test, &own.test)]
        {
            if let (Some(file), Some(path)) = (file, path) {
                *part = rows_of(file);
                if part.is_empty() {
                    let message = "each row of this file lacks a value in some column".to_owned();
                    let file = path.display().to_string();
                    return Err(DataError::new(DataErrorKind::Missing, &file, message)
                        .hint("fill in values, choose fewer columns, or use `missing: Mean`"));
                }
            }
        }
        Ok((table, rows))
    }

    /// Reads or generates the rows, and makes examples of them.
    ///
    /// # Errors
    /// [`DataError`] where the file cannot be read, the columns or the split do not fit it, or a value is missing or of
    /// another kind than expected.
    pub fn load(&self) -> Result<Dataset, DataError> {
        let (table, rows) = self.rows()?;
        let mut encoding =
            Encoding::learn(&table, &self.columns, self.scaling, self.missing, &rows.training)?;
        encoding.class_weights =
            self.class_weights.of_classes(&encoding, &table, &rows.training)?;
        let all = encoding.examples(&table)?;
        let digests = encoding.row_digests(&table)?;
        let digest = |rows: &[usize]| -> Option<RowDigest> {
            (!rows.is_empty()).then(|| rows.iter().map(|&row| digests[row]).collect())
        };
        Ok(Dataset {
            digests: PartDigests {
                training: digest(&rows.training),
                validation: digest(&rows.validation),
                test: digest(&rows.test),
            },
            training: all.subset(&rows.training),
            validation: all.subset(&rows.validation),
            test: all.subset(&rows.test),
            encoding,
        })
    }
}
