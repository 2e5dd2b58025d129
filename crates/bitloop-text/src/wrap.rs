//! Long lists in lines that people can read.

use std::fmt::Write as _;

/// Longest line, in characters.
const LINE: usize = 100;

/// The text with long lines broken after commas outside of strings; each line ends in a line end.
#[must_use]
pub fn wrap_long_lines(text: &str) -> String {
    let mut wrapped = String::with_capacity(text.len() + text.len() / 16);
    for line in text.lines() {
        push_wrapped(&mut wrapped, line);
    }
    wrapped
}

/// Breaks a long line after commas outside of strings.
fn push_wrapped(text: &mut String, line: &str) {
    if line.chars().count() <= LINE {
        let _ = writeln!(text, "{line}");
        return;
    }
    let indent = line.len() - line.trim_start().len();
    let mut width = 0;
    for (index, part) in split_after_commas(line).enumerate() {
        let part_width = part.trim_end().chars().count();
        if index > 0 && width + part_width > LINE {
            text.truncate(text.trim_end().len());
            let _ = write!(text, "\n{}", " ".repeat(indent + 4));
            width = indent + 4;
        }
        text.push_str(part);
        width += part.chars().count();
    }
    text.push('\n');
}

fn split_after_commas(line: &str) -> impl Iterator<Item = &str> {
    let mut quoted = false;
    let mut escaped = false;
    line.split_inclusive(move |c: char| {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = quoted,
            '"' => quoted = !quoted,
            _ => {}
        }
        c == ' ' && !quoted
    })
}
