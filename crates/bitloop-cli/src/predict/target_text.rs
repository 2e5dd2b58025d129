//! How good answers are, target by target, as text.

use bitloop_data::{ClassScore, NumberScore, TargetScore};
use bitloop_train::Importance;

use crate::output::number::error;
use crate::output::table::Table;

/// The most classes whose answers are shown as a table.
const MOST_SHOWN: usize = 12;

/// One target.
pub fn of(score: &TargetScore) -> String {
    match score {
        TargetScore::Numbers(score) => of_numbers(score),
        TargetScore::Classes(score) => of_classes(score),
    }
}

/// A column of numbers, in a line.
pub fn of_numbers(score: &NumberScore) -> String {
    let NumberScore { target, rmse, mae, r2, mean_rmse } = score;
    let r2 =
        r2.map_or("unknown, since all values are the same".to_owned(), |r2| format!("{r2:.4}"));
    format!(
        "{target}: RMSE {}, mean absolute error {}, R2 {r2}; the mean of these rows has RMSE {}\n",
        error(*rmse),
        error(*mae),
        error(*mean_rmse)
    )
}

fn of_classes(score: &ClassScore) -> String {
    format!("{}: {}\n{}", score.target, accuracy(score), confusion(score).text())
}

/// How good the answers are over all classes.
pub fn accuracy(score: &ClassScore) -> String {
    format!("balanced accuracy {}", percent(score.balanced_accuracy))
}

/// How many rows of each class were answered as each.
pub fn confusion(score: &ClassScore) -> Table {
    let ClassScore { classes, confusion, recall, .. } = score;
    // Of many classes, only their shares.
    let answers = if classes.len() <= MOST_SHOWN { classes.as_slice() } else { &[] };
    let headings: Vec<String> = ["class".to_owned(), "rows".to_owned(), "recall".to_owned()]
        .into_iter()
        .chain(answers.iter().map(|class| format!("as {class}")))
        .collect();
    let headings: Vec<&str> = headings.iter().map(String::as_str).collect();
    let mut table = Table::new(&headings);
    for ((class, of_class), share) in classes.iter().zip(confusion).zip(recall) {
        let n: u64 = of_class.iter().sum();
        let shown = share.map_or("-".to_owned(), percent);
        let counts = of_class.iter().take(answers.len()).map(u64::to_string);
        table.row([class.clone(), n.to_string(), shown].into_iter().chain(counts).collect());
    }
    table
}

fn percent(share: f64) -> String {
    format!("{:.2} %", 100.0 * share)
}

/// The input columns, the most important first.
pub fn of_importance(importance: &[Importance], is_loss: bool) -> String {
    let figure = if is_loss { "cross-entropy rises by" } else { "RMSE rises by" };
    let mut table = Table::new(&["input dealt out anew", figure]);
    for Importance { input, increase } in importance {
        table.row(vec![input.clone(), error(*increase)]);
    }
    table.text()
}
