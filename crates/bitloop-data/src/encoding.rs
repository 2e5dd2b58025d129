//! [`Encoding`]: how the cells of chosen columns become inputs and targets, learnt from the training rows.

use bitloop_net::TargetKind;
use serde::{Deserialize, Deserializer, Serialize, de::Error as _};

use crate::affine::Affine;
use crate::cells::Cells;
use crate::column_choice::ColumnChoice;
use crate::columns::{Chosen, Columns, Scaling};
use crate::error::{DataError, DataErrorKind};
use crate::examples::Examples;
use crate::missing::Missing;
use crate::table::Table;
use crate::threshold::HALF;
use crate::unknown_words::UnknownWords;

/// The word that stands for a missing one, where it has one of its own.
const MISSING_WORD: &str = "missing";

/// How cells become inputs and targets. It is learnt from the training rows and saved beside a network, so that the
/// network can be applied to new files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Encoding {
    /// The columns that become inputs, in order.
    pub inputs: Vec<EncodedColumn>,
    /// The columns that become targets, in order.
    pub targets: Vec<EncodedColumn>,
    /// How much a row of each class counts in a loss; empty where all count alike.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub class_weights: Vec<f64>,
    /// The output from which on the second of two classes is answered; 0.5 if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub threshold: Option<f64>,
    /// What becomes of words of inputs that are not known.
    #[serde(skip)]
    pub unknown_words: UnknownWords,
}

/// A column, and how its cells are encoded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EncodedColumn {
    /// Its name, by which it is found in a file with a header.
    pub name: Option<String>,
    /// Its number, from 1, by which it is found in a file without.
    pub number: usize,
    /// How its cells are encoded.
    pub values: Values,
    /// What stands for a missing value, as a cell would say it; none if one is refused.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fill: Option<String>,
}

/// How the cells of a column are encoded.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Values {
    /// A number, scaled.
    Number(Option<Affine>),
    /// A variable for each of these words, 1 where the word stands, else -1: a nominal input.
    Words(#[serde(deserialize_with = "word_list::<1, _>")] Vec<String>),
    /// A variable for each of these words, 1 where the word stands, else 0; for two words one variable, 0 for the first,
    /// 1 for the second: a class.
    Classes(#[serde(deserialize_with = "word_list::<2, _>")] Vec<String>),
}

/// A saved list of words, `MIN` of them at least.
fn word_list<'de, const MIN: usize, D: Deserializer<'de>>(d: D) -> Result<Vec<String>, D::Error> {
    let words = Vec::<String>::deserialize(d)?;
    if words.len() >= MIN {
        return Ok(words);
    }
    Err(D::Error::invalid_length(words.len(), &format!("{MIN} words or more").as_str()))
}

impl EncodedColumn {
    /// What people call it: its name, or its number.
    #[must_use]
    pub fn shown_name(&self) -> String {
        self.name.clone().unwrap_or_else(|| format!("column {}", self.number))
    }

    /// How many variables the column becomes.
    #[must_use]
    pub fn n_variables(&self) -> usize {
        match &self.values {
            Values::Number(_) => 1,
            Values::Classes(words) if words.len() == 2 => 1,
            Values::Words(words) | Values::Classes(words) => words.len(),
        }
    }

    /// Its variables at every row of `table`.
    fn variables(
        &self,
        table: &Table,
        unknown_words: UnknownWords,
    ) -> Result<Vec<Vec<f64>>, DataError> {
        let rows = 0..table.n_rows();
        let cells = self.cells(table)?;
        match &self.values {
            Values::Number(affine) => {
                let scaled = |row| cells.scaled(row, affine.as_ref());
                Ok(vec![rows.map(scaled).collect::<Result<_, _>>()?])
            }
            Values::Words(words) => {
                let position = |row| match (cells.position(words, row)?, unknown_words) {
                    (None, UnknownWords::Refuse) => Err(cells.unknown(words, row)),
                    (found, _) => Ok(found),
                };
                let found: Vec<Option<usize>> = rows.map(position).collect::<Result<_, _>>()?;
                let of =
                    |word| found.iter().map(move |&at| if at == Some(word) { 1.0 } else { -1.0 });
                Ok((0..words.len()).map(|word| of(word).collect()).collect())
            }
            Values::Classes(words) => {
                let found = cells.positions(words)?;
                let of = |word| found.iter().map(move |&at| f64::from(u8::from(at == word)));
                let first = usize::from(words.len() == 2);
                Ok((first..words.len()).map(|word| of(word).collect()).collect())
            }
        }
    }

    pub(crate) fn choice_in(&self, table: &Table) -> ColumnChoice {
        match (&self.name, table.names()) {
            (Some(name), Some(_)) => ColumnChoice::Name(name.clone()),
            _ => ColumnChoice::Number(self.number),
        }
    }
}

impl Encoding {
    /// Learns the encoding of `columns` of a table. Inputs that hold nothing but words are nominal, whether they are named so or not.
    /// Scaling is learnt from `training_rows` alone, words from all rows, in
    /// alphabetic order, since a rare class may be missing in the training part.
    ///
    /// # Errors
    /// [`DataError`] where a column is not there, is chosen twice, lacks a value or holds another kind than expected, or
    /// where a column of classes has one class.
    ///
    /// # Panics
    /// If a training row is not in the table.
    pub fn learn(
        table: &Table,
        columns: &Columns,
        scaling: Scaling,
        missing: Missing,
        training_rows: &[usize],
    ) -> Result<Self, DataError> {
        let Chosen { inputs, nominal, targets, is_class } = columns.choose(table)?;
        let encoded = |column: usize, values, fill| EncodedColumn {
            name: table.own_name(column).map(str::to_owned),
            number: column + 1,
            values,
            fill,
        };
        let input = |&column: &usize| {
            let whole = Cells { table, column, fill: None, is_target: false };
            let is_named = nominal.contains(&column);
            let is_nominal = is_named || whole.are_words();
            let fill = match missing {
                Missing::Refuse | Missing::Drop => None,
                // For rows to come, too, where no value was missing before.
                Missing::Word if is_nominal => Some(MISSING_WORD.to_owned()),
                Missing::Word | Missing::Mean => whole.fill(training_rows, is_nominal)?,
            };
            let cells = Cells { fill: fill.as_deref(), ..whole };
            let values = if is_named {
                Values::Words(cells.words()?)
            } else if is_nominal {
                Values::Words(cells.recognized_words()?)
            } else {
                Values::Number(cells.scaling(training_rows, scaling.method, scaling.inputs)?)
            };
            Ok(encoded(column, values, fill))
        };
        let target = |&column: &usize| {
            let cells = Cells { table, column, fill: None, is_target: true };
            let values = if is_class {
                Values::Classes(cells.classes()?)
            } else {
                Values::Number(cells.scaling(training_rows, scaling.method, scaling.targets)?)
            };
            Ok(encoded(column, values, None))
        };
        let encoding = Self {
            inputs: inputs.iter().map(input).collect::<Result<_, _>>()?,
            targets: targets.iter().map(target).collect::<Result<_, _>>()?,
            class_weights: Vec::new(),
            threshold: None,
            unknown_words: UnknownWords::Refuse,
        };
        encoding.check_size(table)?;
        Ok(encoding)
    }

    /// Inputs and targets of every row, with their weights.
    ///
    /// # Errors
    /// [`DataError`] where a column is not there, a value is missing or of another kind, or a word is not known.
    pub fn examples(&self, table: &Table) -> Result<Examples, DataError> {
        let targets = self.targets(table)?;
        let weights = self.row_weights(table)?;
        Ok(Examples { n_samples: table.n_rows(), inputs: self.inputs(table)?, targets, weights })
    }

    /// Inputs of every row, `[n_inputs][n_rows]`, of a file that need not hold targets.
    ///
    /// # Errors
    /// As [`Encoding::examples`].
    pub fn inputs(&self, table: &Table) -> Result<Vec<Vec<f64>>, DataError> {
        self.check_size(table)?;
        variables(&self.inputs, table, self.unknown_words)
    }

    /// Targets of every row, `[n_outputs][n_rows]`.
    ///
    /// # Errors
    /// As [`Encoding::examples`].
    pub fn targets(&self, table: &Table) -> Result<Vec<Vec<f64>>, DataError> {
        self.check_size(table)?;
        variables(&self.targets, table, UnknownWords::Refuse)
    }

    /// How many cells of nominal inputs hold words that the training has not seen.
    ///
    /// # Errors
    /// [`DataError`] where a column is not there, or a value is missing.
    pub fn n_unknown_words(&self, table: &Table) -> Result<usize, DataError> {
        let mut n_unknown = 0;
        for column in &self.inputs {
            let EncodedColumn { values: Values::Words(words), .. } = column else { continue };
            let cells = column.cells(table)?;
            for row in 0..table.n_rows() {
                n_unknown += usize::from(cells.position(words, row)?.is_none());
            }
        }
        Ok(n_unknown)
    }

    /// How many inputs there are.
    #[must_use]
    pub fn n_inputs(&self) -> usize {
        self.inputs.iter().map(EncodedColumn::n_variables).sum()
    }

    /// How many outputs there are.
    #[must_use]
    pub fn n_outputs(&self) -> usize {
        self.targets.iter().map(EncodedColumn::n_variables).sum()
    }

    /// What 1 of the scaled targets is in their own unit, where they are numbers that all have one scale.
    #[must_use]
    pub fn target_unit(&self) -> Option<f64> {
        let unit = |column: &EncodedColumn| match &column.values {
            Values::Number(affine) => Some(affine.map_or(1.0, |affine| {
                let ([min, max], [low, high]) = affine.ranges();
                (max - min) / (high - low)
            })),
            Values::Words(_) | Values::Classes(_) => None,
        };
        let first = unit(self.targets.first()?)?;
        self.targets.iter().all(|column| unit(column) == Some(first)).then_some(first)
    }

    /// Whether the targets are numbers or classes, which decides how answers are scored.
    #[must_use]
    pub fn target_kind(&self) -> TargetKind {
        match (self.class_column(), self.threshold) {
            (Some((_, [_, _])), Some(threshold)) => TargetKind::TwoClasses { threshold },
            (Some(_), _) => TargetKind::Classes,
            (None, _) => TargetKind::Numbers,
        }
    }

    /// The answer of a network in the file's own terms: the numbers of the target columns, or the class.
    ///
    /// # Panics
    /// If `outputs: [n_outputs]` has another length.
    #[must_use]
    pub fn answer(&self, outputs: &[f64]) -> Vec<Answer<'_>> {
        assert_eq!(outputs.len(), self.n_outputs(), "outputs of another encoding");
        let mut rest = outputs;
        let mut answers = Vec::with_capacity(self.targets.len());
        for column in &self.targets {
            let (of_column, others) = rest.split_at(column.n_variables());
            answers.push(self.answer_of(&column.values, of_column));
            rest = others;
        }
        answers
    }

    /// The answer of the outputs of a column.
    pub(crate) fn answer_of<'a>(&self, values: &'a Values, outputs: &[f64]) -> Answer<'a> {
        match values {
            Values::Number(affine) => {
                Answer::Number(affine.map_or(outputs[0], |affine| affine.invert(outputs[0])))
            }
            Values::Words(words) | Values::Classes(words) => {
                Answer::Class(&words[class_of(outputs, self.threshold.unwrap_or(HALF))])
            }
        }
    }

    /// Whether the variables of all rows are within the limit of cells.
    fn check_size(&self, table: &Table) -> Result<(), DataError> {
        let n_variables = self.n_inputs() + self.n_outputs();
        let limit = table.limits().n_cells;
        if n_variables.checked_mul(table.n_rows()).is_some_and(|n| n <= limit) {
            return Ok(());
        }
        let message = format!(
            "{n_variables} inputs and targets of {} rows are more than {limit} numbers, the limit",
            table.n_rows()
        );
        Err(DataError::new(DataErrorKind::TooLarge, table.file(), message)
            .hint("choose fewer columns or rows"))
    }
}

/// The prediction of a target column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Answer<'a> {
    /// A number, in the column's unit.
    Number(f64),
    /// A class.
    Class(&'a str),
}

/// The class that outputs stand for: of one output, 1 from `threshold` on; of several, the largest, the first of equals.
fn class_of(outputs: &[f64], threshold: f64) -> usize {
    if let [output] = outputs {
        return usize::from(*output >= threshold);
    }
    let mut largest = (0, f64::NEG_INFINITY);
    for (class, &y) in outputs.iter().enumerate() {
        if y > largest.1 {
            largest = (class, y);
        }
    }
    largest.0
}

fn variables(
    columns: &[EncodedColumn],
    table: &Table,
    unknown_words: UnknownWords,
) -> Result<Vec<Vec<f64>>, DataError> {
    let mut all = Vec::new();
    for column in columns {
        all.extend(column.variables(table, unknown_words)?);
    }
    Ok(all)
}
