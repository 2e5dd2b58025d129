//! Pieces of source text that several targets share.

use std::fmt::Write as _;

/// A text for a comment: nothing in it ends the comment, continues its line, or turns the direction of writing.
pub(crate) fn comment(text: &str) -> String {
    let is_odd = |c: char| {
        c.is_control()
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    let text: String = text.chars().map(|c| if is_odd(c) { ' ' } else { c }).collect();
    text.replace('\\', "/").replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?")
}

/// A finite number as C, Rust and Python read it, to the same bits.
pub(crate) fn number(value: f64) -> String {
    format!("{value:?}")
}

/// Items in lines of at most 96 characters, each after `indent`.
pub(crate) fn wrapped(items: impl Iterator<Item = String>, indent: &str) -> String {
    let mut text = String::new();
    let mut width = 0;
    for item in items {
        if width == 0 || width + item.len() + 2 > 96 {
            if width > 0 {
                text.push('\n');
            }
            text.push_str(indent);
            width = indent.len();
        } else {
            text.push(' ');
            width += 1;
        }
        let _ = write!(text, "{item},");
        width += item.len() + 1;
    }
    text.push('\n');
    text
}
