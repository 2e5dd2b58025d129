//! [`Profile`]: values of a signal over time, in the scenario or in a table beside it.

use std::fs::File;
use std::io::Read as _;
use std::path::Path;

use bitloop_sim::{Distribution, MAX_POINTS};
use bitloop_text::{Checked, Problem};
use serde::{Deserialize, Serialize};

use crate::check::check_distribution;
use crate::distribution::{is_unity, one, unity};

/// The largest table that is read, in bytes.
const LIMIT_BYTES: u64 = 4 << 20;

/// Given values over time, with straight lines between them. Before the first, the signal is as it is without; the last one stays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Profile {
    /// A table of comma-separated values, whose first line names its columns: the time in seconds first. Default: none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// The column of the table that has the values. Default: the second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub column: Option<String>,
    /// The values themselves, `(time in seconds, value)`, in place of a file. Default: none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub points: Vec<(f64, f64)>,
    /// A factor of all values. Default: 1.
    #[serde(default = "unity", with = "one", skip_serializing_if = "is_unity")]
    pub gain: Distribution,
}

impl Profile {
    pub(crate) fn check(&self) -> Checked {
        check_distribution("gain", &self.gain)?;
        let hint = "for instance file: \"wind.csv\", or points: [(0, 0), (5, 1)]";
        match (&self.file, self.points.is_empty()) {
            (None, true) => {
                Err(Problem::new("", "a profile has a file or points, and here is none", hint))
            }
            (Some(_), false) => {
                Err(Problem::new("points", "a profile has a file or points, not both", hint))
            }
            (Some(file), true) if file.is_empty() || file.contains('\0') => {
                Err(Problem::new("file", "this is no path", hint))
            }
            (None, false) if self.column.is_some() => {
                Err(Problem::new("column", "points have no columns", "leave it out"))
            }
            (None, false) if self.points.len() > MAX_POINTS => {
                let message =
                    format!("a profile has {} points, more than {MAX_POINTS}", self.points.len());
                Err(Problem::new("points", message, "leave some of them out"))
            }
            _ => match bitloop_sim::Profile::new(self.points.clone()) {
                Err(position) if self.file.is_none() => {
                    let path = format!("points.{}", position.min(self.points.len() - 1));
                    let message = "the times of a profile are 0 or more, each is after the one before, and all its numbers are finite";
                    Err(Problem::new(&path, message, "sort the points by their times"))
                }
                _ => Ok(()),
            },
        }
    }

    /// The profile; a file is found from `folder`.
    ///
    /// # Errors
    /// What is wrong with the file, in words and with its line.
    pub fn values(&self, folder: &Path) -> Result<bitloop_sim::Profile, String> {
        let (points, lines) = match &self.file {
            None => (self.points.clone(), None),
            Some(file) => {
                let path = folder.join(file);
                let name = path.display().to_string();
                let of_file = |message: String| format!("{name}: {message}");
                let bytes = read(&path).map_err(of_file)?;
                let (points, lines) = table(&bytes, self.column.as_deref()).map_err(of_file)?;
                (points, Some((name, lines)))
            }
        };
        let n_points = points.len();
        bitloop_sim::Profile::new(points).map_err(|position| match lines {
            None => "its points are no profile".to_owned(),
            Some((name, _)) if n_points == 0 => format!("{name}: it has no values"),
            Some((name, _)) if n_points > MAX_POINTS => {
                format!("{name}: it has {n_points} values, more than {MAX_POINTS}")
            }
            Some((name, lines)) => {
                let line = lines.get(position).copied().unwrap_or_default();
                format!(
                    "{name}, line {line}: the time is not after that of the line before, or below 0"
                )
            }
        })
    }

    /// Takes the values of the file into the scenario, which then needs the file no more.
    pub(crate) fn embed(&mut self, folder: &Path) -> Result<(), String> {
        if self.file.is_some() {
            self.points = self.values(folder)?.points().to_vec();
            (self.file, self.column) = (None, None);
        }
        Ok(())
    }
}

fn read(path: &Path) -> Result<String, String> {
    // What is no regular file may have no end.
    if !std::fs::metadata(path).map_err(|error| error.to_string())?.is_file() {
        return Err("it is no regular file".to_owned());
    }
    let mut text = String::new();
    let file = File::open(path).map_err(|error| error.to_string())?;
    file.take(LIMIT_BYTES + 1).read_to_string(&mut text).map_err(|error| error.to_string())?;
    if text.len() as u64 > LIMIT_BYTES {
        return Err(format!(
            "it has more than {LIMIT_BYTES} bytes, which are the most that are read"
        ));
    }
    // The mark of byte order that some programs begin a table with.
    Ok(text.strip_prefix('\u{feff}').map(str::to_owned).unwrap_or(text))
}

/// Points, and the line of each.
type Table = (Vec<(f64, f64)>, Vec<usize>);

fn table(text: &str, column: Option<&str>) -> Result<Table, String> {
    let mut lines = (1..).zip(text.lines()).filter(|(_, line)| !line.trim().is_empty());
    let (_, header) = lines.next().ok_or("it is empty")?;
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    if names[0].parse::<f64>().is_ok() {
        return Err("line 1: it is a row of numbers, where the columns are named".to_owned());
    }
    if names.len() < 2 {
        return Err("line 1: it names one column, and there are times and values".to_owned());
    }
    let at = match column {
        None => 1,
        Some(column) => {
            let at = names.iter().position(|name| *name == column);
            at.ok_or_else(|| format!("line 1: no column `{column}`, it has {}", names.join(", ")))?
        }
    };
    let mut found = (Vec::new(), Vec::new());
    for (line, text) in lines {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |at: usize| match cells.get(at).copied().unwrap_or_default() {
            "" => Err(format!("line {line}: column `{}` has a gap", names[at])),
            cell => match cell.parse::<f64>() {
                Ok(number) if number.is_finite() => Ok(number),
                _ => Err(format!("line {line}: `{}` is no number", bitloop_text::printable(cell))),
            },
        };
        found.0.push((number(0)?, number(at)?));
        found.1.push(line);
    }
    Ok(found)
}
