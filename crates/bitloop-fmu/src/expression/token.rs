//! The words of an expression.

use std::ops::Range;

use super::ExpressionError;

/// A word and its bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Token {
    pub kind: TokenKind,
    pub span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    Number(f64),
    /// The name of a variable, a constant or a function, and whether it was quoted: then it is a variable.
    Name {
        text: String,
        is_quoted: bool,
    },
    Symbol(&'static str),
    End,
}

/// Longer ones come first.
const SYMBOLS: [&str; 18] = [
    "<=", ">=", "==", "!=", "&&", "||", "<", ">", "+", "-", "*", "/", "^", "(", ")", ",", "!", "=",
];

/// Splits an expression into its words; the last one is its end.
pub(super) fn tokens(text: &str) -> Result<Vec<Token>, ExpressionError> {
    let mut all = Vec::new();
    let mut at = 0;
    while let Some(c) = text[at..].chars().next() {
        if c.is_whitespace() {
            at += c.len_utf8();
            continue;
        }
        let rest = &text[at..];
        let (kind, length) = if c.is_ascii_digit() || (c == '.' && starts_number(rest)) {
            number(rest, at)?
        } else if c.is_alphabetic() || c == '_' {
            let length = name_length(rest);
            (TokenKind::Name { text: rest[..length].to_owned(), is_quoted: false }, length)
        } else if c == '\'' {
            quoted(rest, at)?
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            (TokenKind::Symbol(symbol), symbol.len())
        } else {
            return Err(ExpressionError::new(
                at..at + c.len_utf8(),
                format!("`{}` has no meaning here", c.escape_debug()),
                "names with other signs than letters, digits, `_` and `.` are put between '...'",
            ));
        };
        all.push(Token { kind, span: at..at + length });
        at += length;
    }
    all.push(Token { kind: TokenKind::End, span: text.len()..text.len() });
    Ok(all)
}

fn starts_number(rest: &str) -> bool {
    rest.as_bytes().get(1).is_some_and(u8::is_ascii_digit)
}

fn number(rest: &str, at: usize) -> Result<(TokenKind, usize), ExpressionError> {
    let bytes = rest.as_bytes();
    let digits = |mut end: usize| {
        while bytes.get(end).is_some_and(u8::is_ascii_digit) {
            end += 1;
        }
        end
    };
    let mut end = digits(0);
    if bytes.get(end) == Some(&b'.') {
        end = digits(end + 1);
    }
    if matches!(bytes.get(end), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(bytes.get(end + 1), Some(b'+' | b'-')));
        let exponent = digits(end + 1 + sign);
        if exponent > end + 1 + sign {
            end = exponent;
        }
    }
    let value = rest[..end].parse().ok().filter(|value: &f64| value.is_finite());
    let value = value.ok_or_else(|| {
        ExpressionError::new(at..at + end, "this is no finite number", "write it as 1.5 or 1e-3")
    })?;
    Ok((TokenKind::Number(value), end))
}

/// The bytes of a name as models have it: words joined by dots, with indices in brackets, or `der(...)` around such a name.
fn name_length(rest: &str) -> usize {
    const DERIVATIVE: &str = "der(";
    let mut inner = rest;
    while let Some(name) = inner.strip_prefix(DERIVATIVE) {
        inner = name;
    }
    let n_derivatives = (rest.len() - inner.len()) / DERIVATIVE.len();
    let length = word_length(inner);
    let closed = inner[length..].bytes().take(n_derivatives).take_while(|&byte| byte == b')');
    if length > 0 && closed.count() == n_derivatives {
        return rest.len() - inner.len() + length + n_derivatives;
    }
    word_length(rest)
}

/// The bytes of words joined by dots, with indices in brackets.
fn word_length(rest: &str) -> usize {
    let mut end = 0;
    let mut is_index = false;
    for (at, c) in rest.char_indices() {
        let is_part = if is_index {
            c.is_ascii_digit() || matches!(c, ',' | ' ' | ']')
        } else {
            c.is_alphanumeric() || matches!(c, '_' | '.') || (c == '[' && at > 0)
        };
        if !is_part {
            break;
        }
        is_index = if is_index { c != ']' } else { c == '[' };
        end = at + c.len_utf8();
    }
    end
}

/// A name between quotes, where two of them stand for one that is part of it.
fn quoted(rest: &str, at: usize) -> Result<(TokenKind, usize), ExpressionError> {
    let mut text = String::new();
    let mut characters = rest.char_indices().skip(1).peekable();
    while let Some((place, c)) = characters.next() {
        if c == '\'' && characters.next_if(|(_, next)| *next == '\'').is_none() {
            return Ok((TokenKind::Name { text, is_quoted: true }, place + 1));
        }
        text.push(c);
    }
    let message = "the name that begins here has no end";
    Err(ExpressionError::new(at..at + rest.len(), message, "close it by '"))
}

/// A variable's name as it is written in an expression.
#[must_use]
pub fn quoted_name(name: &str) -> String {
    let is_plain = tokens(name).is_ok_and(|tokens| {
        let is_name = |token: &Token| matches!(&token.kind, TokenKind::Name { text, is_quoted: false } if text == name);
        matches!(&tokens[..], [token, _] if is_name(token)) && !super::parse::is_word(name)
    });
    if is_plain { name.to_owned() } else { format!("'{}'", name.replace('\'', "''")) }
}
