//! [`TargetScore`]: how good answers are, target by target, in the terms of the file.

use serde::Serialize;

use crate::cells::Cells;
use crate::encoding::{Answer, EncodedColumn, Encoding, Values};
use crate::error::DataError;
use crate::table::Table;

/// How good the answers for a target column are.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum TargetScore {
    /// Of a column of numbers.
    Numbers(NumberScore),
    /// Of a column of classes.
    Classes(ClassScore),
}

/// How good answers for a column of numbers are, in its own unit.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NumberScore {
    /// The column's name, or its number.
    pub target: String,
    /// Root of the mean squared error.
    pub rmse: f64,
    /// Mean absolute error.
    pub mae: f64,
    /// The share of the variance that is explained, 1 - (rmse / `mean_rmse`)^2; none where all values are the same.
    pub r2: Option<f64>,
    /// The RMSE of the best constant, which is the mean of these rows.
    pub mean_rmse: f64,
}

/// How good answers for a column of classes are.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassScore {
    /// The column's name, or its number.
    pub target: String,
    /// The classes.
    pub classes: Vec<String>,
    /// How many rows of each class were answered as each: `[class][answer]`.
    pub confusion: Vec<Vec<u64>>,
    /// The share of each class that is right; none of a class that has no row.
    pub recall: Vec<Option<f64>>,
    /// The mean of these shares.
    pub balanced_accuracy: f64,
}

impl Encoding {
    /// How good outputs of a network are, `[n_outputs][n_rows]`, for the rows of a table that holds targets.
    ///
    /// # Errors
    /// [`DataError`] where a column is not there, or a value is missing or of another kind.
    pub fn target_scores(
        &self,
        table: &Table,
        outputs: &[Vec<f64>],
    ) -> Result<Vec<TargetScore>, DataError> {
        let mut first = 0;
        let mut scores = Vec::with_capacity(self.targets.len());
        for column in &self.targets {
            let of_column = &outputs[first..first + column.n_variables()];
            first += column.n_variables();
            let row = |row: usize| of_column.iter().map(move |output| output[row]).collect();
            let answers = (0..table.n_rows()).map(|at| -> Vec<f64> { row(at) });
            let cells = column.cells(table)?;
            let answers = answers.map(|outputs| self.answer_of(&column.values, &outputs));
            scores.push(match &column.values {
                Values::Number(_) => TargetScore::Numbers(numbers(column, &cells, answers)?),
                Values::Words(words) | Values::Classes(words) => {
                    TargetScore::Classes(classes((column, words), &cells, answers)?)
                }
            });
        }
        Ok(scores)
    }
}

fn numbers<'a>(
    column: &EncodedColumn,
    cells: &Cells<'_>,
    answers: impl Iterator<Item = Answer<'a>>,
) -> Result<NumberScore, DataError> {
    let (mut values, mut squares, mut absolute) = (Vec::new(), 0.0, 0.0);
    for (row, answer) in answers.enumerate() {
        let value = cells.number(row)?;
        if let Answer::Number(answer) = answer {
            squares += (answer - value) * (answer - value);
            absolute += (answer - value).abs();
        }
        values.push(value);
    }
    let n = values.len() as f64;
    let mean = values.iter().sum::<f64>() / n;
    // The mean of equal values is rounded, and differs from them.
    let is_constant = values.windows(2).all(|pair| pair[0] == pair[1]);
    let deviation = |value: &f64| if is_constant { 0.0 } else { value - mean };
    let spread: f64 = values.iter().map(|value| deviation(value) * deviation(value)).sum();
    Ok(NumberScore {
        target: column.shown_name(),
        rmse: (squares / n).sqrt(),
        mae: absolute / n,
        r2: (spread > 0.0).then(|| 1.0 - squares / spread),
        mean_rmse: (spread / n).sqrt(),
    })
}

fn classes<'a>(
    (column, words): (&EncodedColumn, &[String]),
    cells: &Cells<'_>,
    answers: impl Iterator<Item = Answer<'a>>,
) -> Result<ClassScore, DataError> {
    let mut confusion = vec![vec![0_u64; words.len()]; words.len()];
    for (answer, own) in answers.zip(cells.positions(words)?) {
        let answer = match answer {
            Answer::Class(class) => words.iter().position(|word| word == class),
            Answer::Number(_) => None,
        };
        if let Some(answer) = answer {
            confusion[own][answer] += 1;
        }
    }
    let recall: Vec<Option<f64>> = confusion
        .iter()
        .enumerate()
        .map(|(class, answers)| {
            let n: u64 = answers.iter().sum();
            (n > 0).then(|| answers[class] as f64 / n as f64)
        })
        .collect();
    let known: Vec<f64> = recall.iter().flatten().copied().collect();
    Ok(ClassScore {
        target: column.shown_name(),
        classes: words.to_vec(),
        confusion,
        balanced_accuracy: known.iter().sum::<f64>() / known.len() as f64,
        recall,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::{Columns, Scaling, Targets};
    use crate::{ColumnChoice, Format, Limits, Missing};

    fn encoded(text: &str, targets: Targets) -> (Table, Encoding) {
        let table = Table::parse("f", text, Format::Csv, true, &Limits::default()).unwrap();
        let columns = Columns { inputs: None, ignored: vec![], nominal: vec![], targets };
        let rows: Vec<usize> = (0..table.n_rows()).collect();
        let scaling = Scaling::default();
        let encoding = Encoding::learn(&table, &columns, scaling, Missing::Refuse, &rows).unwrap();
        (table, encoding)
    }

    #[test]
    fn numbers_are_scored_in_their_unit() {
        let targets = Targets::Numbers(vec![ColumnChoice::Name("y".to_owned())]);
        let (table, encoding) = encoded("x,y\n1,100\n2,200\n3,300\n", targets);
        // 100 becomes 0, and 300 becomes 1: the answers are 100, 300 and 200.
        let scores = encoding.target_scores(&table, &[vec![0.0, 1.0, 0.5]]).unwrap();
        let [TargetScore::Numbers(score)] = &scores[..] else { panic!("{scores:?}") };
        let third = |sum: f64| sum / 3.0;
        assert_eq!((score.target.as_str(), score.mae), ("y", third(200.0)));
        assert_eq!((score.rmse, score.mean_rmse), (third(2e4).sqrt(), third(2e4).sqrt()));
        assert_eq!(score.r2, Some(0.0));
        let (table, _) =
            encoded("x,y\n1,1\n2,2\n", Targets::Numbers(vec![ColumnChoice::Number(2)]));
        let same = table.subset(&[0, 0]);
        let scores = encoding.target_scores(&same, &[vec![0.0, 0.0]]).unwrap();
        assert!(matches!(&scores[..], [TargetScore::Numbers(NumberScore { r2: None, .. })]));
    }

    #[test]
    fn classes_have_their_recall_and_answers() {
        let targets = Targets::Classes(ColumnChoice::Name("y".to_owned()));
        let (table, encoding) = encoded("x,y\n1,a\n2,a\n3,b\n4,c\n5,a\n6,b\n", targets);
        let sure = |class: usize, wanted: usize| if class == wanted { 1.0 } else { 0.0 };
        let answers = [0, 1, 1, 0, 0, 1];
        let outputs = |class| answers.iter().map(move |&answer| sure(class, answer)).collect();
        let scores = encoding.target_scores(&table, &[0, 1, 2].map(outputs)).unwrap();
        let [TargetScore::Classes(score)] = &scores[..] else { panic!("{scores:?}") };
        assert_eq!(score.confusion, [[2, 1, 0], [0, 2, 0], [1, 0, 0]]);
        assert_eq!(score.recall, [Some(2.0 / 3.0), Some(1.0), Some(0.0)]);
        assert_eq!(score.balanced_accuracy, (2.0 / 3.0 + 1.0) / 3.0);
        // A class without rows counts for nothing.
        let some = table.subset(&[0, 2]);
        let outputs = [vec![1.0, 0.0], vec![0.0, 1.0], vec![0.0, 0.0]];
        let scores = encoding.target_scores(&some, &outputs).unwrap();
        let [TargetScore::Classes(score)] = &scores[..] else { panic!("{scores:?}") };
        assert_eq!((score.recall[2], score.balanced_accuracy), (None, 1.0));
    }
}
