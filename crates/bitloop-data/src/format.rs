//! [`Format`]: how a line is cut into cells, and which format a text looks like.

use serde::{Deserialize, Serialize};

/// Lines that are looked at to find out which format fits.
const N_LOOKED_AT: usize = 20;

/// How a line is cut into cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Format {
    /// By commas; a cell may stand in double quotes (RFC 4180). Blanks around cells do not count.
    #[default]
    Csv,
    /// By tabs, otherwise as [`Format::Csv`].
    Tsv,
    /// By semicolons, otherwise as [`Format::Csv`]; numbers may have a decimal comma.
    Semicolon,
    /// By blanks and tabs, any number of them.
    Whitespace,
}

impl Format {
    /// All formats, those first that are hard to take for another one.
    const ALL: [Self; 4] = [Self::Semicolon, Self::Tsv, Self::Csv, Self::Whitespace];

    /// What stands between two cells, except for [`Format::Whitespace`].
    pub(crate) const fn delimiter(self) -> Option<char> {
        match self {
            Self::Csv => Some(','),
            Self::Tsv => Some('\t'),
            Self::Semicolon => Some(';'),
            Self::Whitespace => None,
        }
    }

    /// A number as the format writes it.
    pub(crate) fn number(self, cell: &str) -> Option<f64> {
        let has_comma = self == Self::Semicolon && cell.contains(',');
        if has_comma { cell.replace(',', ".").parse().ok() } else { cell.parse().ok() }
    }

    /// The other format by which the first lines of a text have the same number of cells, two or more, where by this one
    /// they have not.
    pub(crate) fn better(self, text: &str) -> Option<Self> {
        let lines: Vec<&str> =
            text.lines().filter(|line| !line.trim().is_empty()).take(N_LOOKED_AT).collect();
        let fits = |format: &Self| {
            let mut counts = lines.iter().map(|line| format.n_cells(line));
            let first = counts.next().unwrap_or(0);
            first >= 2 && counts.all(|count| count == first)
        };
        if fits(&self) { None } else { Self::ALL.into_iter().find(fits) }
    }

    /// What to do about a text that looks like this format and was read as another one.
    pub(crate) const fn hint(self) -> &'static str {
        match self {
            Self::Csv => "the lines look like `format: Csv`, cut by commas",
            Self::Tsv => "the lines look like `format: Tsv`, cut by tabs",
            Self::Semicolon => "the lines look like `format: Semicolon`, cut by semicolons",
            Self::Whitespace => "the lines look like `format: Whitespace`, cut by blanks",
        }
    }

    /// Cells of a line, where no delimiter stands in quotes.
    fn n_cells(self, line: &str) -> usize {
        match self.delimiter() {
            None => line.split_whitespace().count(),
            Some(delimiter) => {
                let pieces = line.split('"').step_by(2);
                1 + pieces.map(|piece| piece.matches(delimiter).count()).sum::<usize>()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_format_that_fits_is_found() {
        let cases = [
            (Format::Csv, "a;b\n1,5;2\n3;4,5\n", Some(Format::Semicolon)),
            (Format::Csv, "a\tb\n1\t2\n", Some(Format::Tsv)),
            (Format::Csv, "1 2\n3  4\n", Some(Format::Whitespace)),
            (Format::Semicolon, "a,b\n1,2\n", Some(Format::Csv)),
            (Format::Csv, "a,\"b;c\"\n1,2\n", None),
            (Format::Csv, "a\n1\n", None),
        ];
        for (read_as, text, expected) in cases {
            assert_eq!(read_as.better(text), expected, "{text}");
        }
    }

    #[test]
    fn only_semicolons_leave_commas_to_numbers() {
        assert_eq!(Format::Semicolon.number("-1,5e3"), Some(-1500.0));
        assert_eq!(Format::Semicolon.number("1.5"), Some(1.5));
        assert_eq!(Format::Semicolon.number("1,000,000"), None);
        assert_eq!(Format::Tsv.number("1,5"), None);
    }
}
