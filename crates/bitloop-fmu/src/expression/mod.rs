//! Expressions over named variables: costs, failures and observations in words of the model.
//!
//! An expression is parsed and compiled in one pass, to a list of operations on a stack. Elementary functions are those of
//! [`bitloop_plant::Real`], so that an expression has the same bits on any machine. Numbers and truth values are kept apart,
//! so that `a < b < c` is refused and not misread.

mod parse;
mod program;
mod token;

use std::ops::Range;

pub use parse::{Names, compile};
pub use program::{Kind, Program};
pub use token::quoted_name;

/// What is wrong with an expression, and where in its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExpressionError {
    /// Bytes of the expression.
    pub span: Range<usize>,
    /// A lower-case fragment without a period.
    pub message: String,
    /// What to do about it.
    pub hint: String,
}

impl ExpressionError {
    fn new(span: Range<usize>, message: impl Into<String>, hint: impl Into<String>) -> Self {
        Self { span, message: message.into(), hint: hint.into() }
    }
}
