//! Tables of text, each column as wide as its widest cell.

use std::fmt::Write as _;

/// A table with a line of headings.
#[derive(Debug)]
pub struct Table {
    rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(headings: &[&str]) -> Self {
        Self { rows: vec![headings.iter().map(ToString::to_string).collect()] }
    }

    /// Adds a row.
    pub fn row(&mut self, cells: Vec<String>) {
        self.rows.push(cells);
    }

    /// The headings and the rows, cell by cell.
    pub fn into_rows(self) -> Vec<Vec<String>> {
        self.rows
    }

    /// The lines of the table, each indented by two spaces.
    pub fn text(&self) -> String {
        let n_columns = self.rows.iter().map(Vec::len).max().unwrap_or(0);
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..n_columns).map(width).collect();
        let mut text = String::new();
        for row in &self.rows {
            let mut line = String::new();
            for (cell, width) in row.iter().zip(&widths) {
                let _ = write!(line, "  {cell:<width$}");
            }
            text.push_str(line.trim_end());
            text.push('\n');
        }
        text
    }
}

/// Lines of a name and what it stands for.
#[derive(Debug, Default)]
pub struct Facts {
    lines: Vec<(&'static str, String)>,
}

impl Facts {
    /// Adds a line.
    pub fn add(&mut self, name: &'static str, value: impl Into<String>) {
        self.lines.push((name, value.into()));
    }

    /// The lines themselves.
    pub fn into_lines(self) -> Vec<(&'static str, String)> {
        self.lines
    }

    /// The lines, each indented by two spaces.
    pub fn text(&self) -> String {
        let width = self.lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
        let mut text = String::new();
        for (name, value) in &self.lines {
            let _ = writeln!(text, "  {name:<width$}  {value}");
        }
        text
    }
}
