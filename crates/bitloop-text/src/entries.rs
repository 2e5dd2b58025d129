//! The values of a RON text in reading order, each with its depth and key.
//!
//! Owns the nesting: `a: (b: [1])` is a value `a` at depth 1, `b` at depth 2 and `0` at depth 3.
//! Both users walk the same entries: the check before parsing, and the search for a path. An
//! explicit counter per open bracket replaces recursion, so depth cannot overflow the stack, and
//! nothing is stored per value, so a long list costs no memory.

use std::{borrow::Cow, ops::Range};

use crate::tokens::{Kind, Token, Tokens};

/// One value of the text.
#[derive(Debug)]
pub(crate) struct Entry {
    /// Number of brackets around it.
    pub depth: usize,
    /// Position within its bracket, counted from 0.
    pub index: usize,
    /// Its field name or map key, as bytes of the text.
    pub key: Option<Range<usize>>,
    /// Its first token: a name, a number, a string or an opening bracket.
    pub token: Token,
}

impl Entry {
    /// The key as the reader of the file sees it: without quotes, escapes or `r#`.
    pub(crate) fn key_text<'a>(&self, text: &'a str) -> Option<Cow<'a, str>> {
        let raw = &text[self.key.clone()?];
        if raw.contains(['\\', '#'])
            && let Ok(unescaped) = ron::from_str::<String>(raw)
        {
            return Some(Cow::Owned(unescaped));
        }
        let raw = raw.strip_prefix("r#").unwrap_or(raw);
        Some(Cow::Borrowed(raw.trim_matches('"')))
    }
}

pub(crate) struct Entries<'a> {
    tokens: std::iter::Peekable<Tokens<'a>>,
    /// For each open bracket, how many values it has shown so far.
    counts: Vec<usize>,
    key: Option<Range<usize>>,
    /// The last token was the name of a value: a bracket right after it belongs to it.
    named: bool,
}

impl<'a> Entries<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Entries {
            tokens: Tokens::new(text).peekable(),
            counts: Vec::new(),
            key: None,
            named: false,
        }
    }

    fn entry(&mut self, token: Token) -> Entry {
        let depth = self.counts.len();
        let index = self.counts.last_mut().map_or(0, |count| {
            *count += 1;
            *count - 1
        });
        Entry { depth, index, key: self.key.take(), token }
    }
}

impl Iterator for Entries<'_> {
    type Item = Entry;

    fn next(&mut self) -> Option<Entry> {
        loop {
            let token = self.tokens.next()?;
            let named = std::mem::take(&mut self.named);
            match token.kind {
                Kind::Open => {
                    let entry = (!named).then(|| self.entry(token));
                    self.counts.push(0);
                    if entry.is_some() {
                        return entry;
                    }
                }
                Kind::Close => {
                    self.counts.pop();
                    self.key = None;
                }
                Kind::Comma => self.key = None,
                Kind::Colon => {}
                Kind::Text | Kind::Identifier | Kind::Number | Kind::Other => {
                    if self.tokens.peek().is_some_and(|next| next.kind == Kind::Colon) {
                        self.key = Some(token.span);
                    } else {
                        self.named = token.kind == Kind::Identifier;
                        return Some(self.entry(token));
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_know_their_keys_and_depths() {
        let text = r#"S(a: B(c: [1, "x"]), "m\u{6e}": {r#k: -2}, (3))"#;
        let entries: Vec<_> = Entries::new(text)
            .map(|entry| {
                let key = entry.key_text(text).map(Cow::into_owned).unwrap_or_default();
                (entry.depth, entry.index, key, &text[entry.token.span])
            })
            .collect();
        let expected = [
            (0, 0, "", "S"),
            (1, 0, "a", "B"),
            (2, 0, "c", "["),
            (3, 0, "", "1"),
            (3, 1, "", "\"x\""),
            (1, 1, "mn", "{"),
            (2, 0, "k", "-2"),
            (1, 2, "", "("),
            (2, 0, "", "3"),
        ];
        assert_eq!(entries.len(), expected.len());
        for (found, (depth, index, key, token)) in entries.into_iter().zip(expected) {
            assert_eq!(found, (depth, index, key.to_owned(), token));
        }
    }
}
