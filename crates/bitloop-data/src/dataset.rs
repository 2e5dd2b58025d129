//! [`Dataset`]: examples of a file or a formula, encoded and split by a [`DataSpec`].

use std::path::PathBuf;

use crate::class_weights::ClassWeights;
use crate::columns::{Columns, Scaling};
use crate::encoding::Encoding;
use crate::error::DataError;
use crate::examples::Examples;
use crate::format::Format;
use crate::missing::Missing;
use crate::read::Limits;
use crate::row_digest::{PartDigests, RowDigest};
use crate::spirals::Spirals;
use crate::split::Split;
use crate::table::Table;

/// The source of a data set, and how examples are made from it.
#[derive(Clone, Debug, PartialEq)]
pub struct DataSpec {
    /// Where the rows come from.
    pub source: DataSource,
    /// Which columns are inputs, which targets.
    pub columns: Columns,
    /// What numbers are scaled to.
    pub scaling: Scaling,
    /// What becomes of cells without a value.
    pub missing: Missing,
    /// How much a row of each class counts.
    pub class_weights: ClassWeights,
    /// Which rows are for training, validation and test.
    pub split: Split,
    /// How large the data may be.
    pub limits: Limits,
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
}

impl DataSpec {
    /// Reads or generates the rows, and makes examples of them.
    ///
    /// # Errors
    /// [`DataError`] where the file cannot be read, the columns or the split do not fit it, or a value is missing or of
    /// another kind than expected.
    pub fn load(&self) -> Result<Dataset, DataError> {
        let table = self.missing.used(self.source.table(&self.limits)?, &self.columns)?;
        let rows = self.split.rows(table.n_rows(), table.file())?;
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
