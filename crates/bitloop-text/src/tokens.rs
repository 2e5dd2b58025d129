//! RON text as a flat run of tokens, comments and white space skipped.
//!
//! Owns only where tokens begin and end; what is legal RON is for `ron` to say, so this never
//! fails: an unclosed string reaches to the end of the text, an odd character is a token of its
//! own. Each step moves forward, so the whole is linear in the text, whatever the text.

use std::ops::Range;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `(`, `[` or `{`.
    Open,
    /// `)`, `]` or `}`.
    Close,
    Comma,
    Colon,
    /// A string, quotes included.
    Text,
    Identifier,
    /// A number, with its sign, exponent and suffix; also `-inf`.
    Number,
    /// Anything else, one character.
    Other,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Token {
    pub kind: Kind,
    /// Bytes of the text.
    pub span: Range<usize>,
}

pub(crate) struct Tokens<'a> {
    text: &'a str,
    position: usize,
}

impl<'a> Tokens<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        let mut tokens = Tokens { text, position: 0 };
        // `#![enable(...)]`: extensions do not change where values are.
        tokens.skip_blank();
        while tokens.rest().starts_with("#!") {
            tokens.position += tokens.rest().find(']').map_or(tokens.rest().len(), |at| at + 1);
            tokens.skip_blank();
        }
        tokens
    }

    fn rest(&self) -> &'a str {
        &self.text[self.position..]
    }

    fn skip_blank(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches(is_blank).len();
            self.position += blank;
            let rest = self.rest();
            if rest.starts_with("//") {
                self.position += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("/*") {
                self.position += block_comment(rest);
            } else {
                return;
            }
        }
    }
}

impl Iterator for Tokens<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_blank();
        let rest = self.rest();
        let first = rest.chars().next()?;
        let (kind, length) = match first {
            '(' | '[' | '{' => (Kind::Open, 1),
            ')' | ']' | '}' => (Kind::Close, 1),
            ',' => (Kind::Comma, 1),
            ':' => (Kind::Colon, 1),
            '"' => (Kind::Text, quoted(rest)),
            '\'' => (Kind::Other, character(rest)),
            'r' | 'b' if string_prefix(rest).is_some() => {
                let prefix = string_prefix(rest).unwrap_or(0);
                (Kind::Text, prefixed_string(rest, prefix))
            }
            '0'..='9' => (Kind::Number, number(rest)),
            '+' | '-' | '.' if number_follows(rest) => (Kind::Number, number(rest)),
            _ if is_identifier(first) => {
                let raw = if rest.starts_with("r#") { 2 } else { 0 };
                let name = &rest[raw..];
                let length = name.find(|c| !is_identifier(c)).unwrap_or(name.len());
                (Kind::Identifier, raw + length)
            }
            _ => (Kind::Other, first.len_utf8()),
        };
        let start = self.position;
        self.position += length;
        Some(Token { kind, span: start..self.position })
    }
}

fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{200e}' | '\u{200f}')
}

fn is_identifier(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// Length of a block comment; these nest.
fn block_comment(text: &str) -> usize {
    let bytes = text.as_bytes();
    let mut depth = 0usize;
    let mut at = 0;
    while at < bytes.len() {
        match &bytes[at..bytes.len().min(at + 2)] {
            b"/*" => {
                depth += 1;
                at += 2;
            }
            b"*/" => {
                depth -= 1;
                at += 2;
                if depth == 0 {
                    return at;
                }
            }
            _ => at += 1,
        }
    }
    text.len()
}

/// Length of `"..."` with backslash escapes.
fn quoted(text: &str) -> usize {
    let mut escaped = false;
    for (at, byte) in text.bytes().enumerate().skip(1) {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

/// Length of `'x'` or `'\n'`, or 1 if no character literal is here.
fn character(text: &str) -> usize {
    let closing = text.char_indices().skip(2).take(10).find(|&(at, c)| {
        // In '\'' the second quote is the character.
        c == '\'' && !(at == 2 && text[1..].starts_with('\\'))
    });
    closing.map_or(1, |(at, _)| at + 1)
}

/// Length of `r`, `b` or `br` with its `#` signs, where a quote follows.
fn string_prefix(text: &str) -> Option<usize> {
    let after_b = text.strip_prefix('b').unwrap_or(text);
    let after_r = after_b.strip_prefix('r');
    let hashes = after_r.map_or(after_b, |rest| rest.trim_start_matches('#'));
    hashes.starts_with('"').then(|| text.len() - hashes.len())
}

fn prefixed_string(text: &str, prefix: usize) -> usize {
    let body = &text[prefix..];
    if !text[..prefix].contains('r') {
        return prefix + quoted(body);
    }
    let n_hashes = text[..prefix].matches('#').count();
    let closing = format!("\"{}", "#".repeat(n_hashes));
    body[1..].find(&closing).map_or(text.len(), |at| prefix + 1 + at + closing.len())
}

fn number_follows(text: &str) -> bool {
    let rest = text[1..].strip_prefix('.').unwrap_or(&text[1..]);
    rest.starts_with(|c: char| c.is_ascii_digit())
        || (!text.starts_with('.') && (rest.starts_with("inf") || rest.starts_with("NaN")))
}

fn number(text: &str) -> usize {
    let bytes = text.as_bytes();
    let unsigned = text.strip_prefix(['+', '-']).unwrap_or(text);
    let hexadecimal = unsigned.starts_with("0x");
    let mut at = 1;
    while at < bytes.len() {
        let exponent_sign = matches!(bytes[at], b'+' | b'-')
            && matches!(bytes[at - 1], b'e' | b'E')
            && !hexadecimal;
        if !(exponent_sign || bytes[at].is_ascii_alphanumeric() || matches!(bytes[at], b'_' | b'.'))
        {
            break;
        }
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;

    fn split(text: &str) -> Vec<&str> {
        Tokens::new(text).map(|token| &text[token.span]).collect()
    }

    #[test]
    fn tokens_are_split_and_comments_skipped() {
        assert_eq!(
            split(
                "#![enable(implicit_some)] // c\n A(b: -1.5e-3, /* /* n */ */ r#x: [\"q\\\"\", 'c'])"
            ),
            [
                "A",
                "(",
                "b",
                ":",
                "-1.5e-3",
                ",",
                "r#x",
                ":",
                "[",
                "\"q\\\"\"",
                ",",
                "'c'",
                "]",
                ")"
            ]
        );
        assert_eq!(
            split(r##"r#"a "b" c"# '\'' br"x" -inf 1e999"##),
            [r##"r#"a "b" c"#"##, r"'\''", r#"br"x""#, "-inf", "1e999"]
        );
    }

    #[test]
    fn unclosed_things_reach_to_the_end() {
        for text in ["\"abc", "/* a", "r#\"x\"", "'", "'\\", "#![", "\"\\"] {
            assert!(Tokens::new(text).all(|token| token.span.end <= text.len()));
        }
    }
}
