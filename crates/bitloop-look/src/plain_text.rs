//! Texts of plants and files, without what could make a picture or a page say something else.

/// Whether a mark reorders the text around it.
pub(crate) const fn reorders(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// A line of text without control characters and marks that reorder.
pub(crate) fn shown(text: &str) -> String {
    text.chars().filter(|letter| !letter.is_control() && !reorders(*letter)).collect()
}
