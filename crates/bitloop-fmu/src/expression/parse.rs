//! From text to a [`Program`].

use std::ops::Range;

use super::ExpressionError;
use super::program::{Binary, Kind, Op, Program, Unary};
use super::token::{Token, TokenKind, tokens};

/// The longest expression, in bytes.
const MAX_BYTES: usize = 16 << 10;

/// The deepest nesting.
const MAX_DEPTH: usize = 100;

/// The largest whole exponent that is multiplied out.
const MAX_WHOLE_POWER: f64 = 16.0;

/// Finds the position of a name, or says in a message and a hint why it cannot be used.
pub type Names<'a> = dyn FnMut(&str) -> Result<usize, (String, String)> + 'a;

/// A function and how many arguments it takes at least and at most.
struct Function {
    name: &'static str,
    arguments: (usize, usize),
    ops: FunctionOps,
}

enum FunctionOps {
    Unary(Unary),
    Binary(Binary),
    /// A truth value and two numbers.
    If,
}

const FUNCTIONS: [Function; 13] = [
    unary("abs", Unary::Abs),
    unary("sqrt", Unary::Sqrt),
    unary("sin", Unary::Sin),
    unary("cos", Unary::Cos),
    unary("tan", Unary::Tan),
    unary("exp", Unary::Exp),
    unary("ln", Unary::Ln),
    unary("log", Unary::Ln),
    unary("tanh", Unary::Tanh),
    Function { name: "min", arguments: (2, 32), ops: FunctionOps::Binary(Binary::Min) },
    Function { name: "max", arguments: (2, 32), ops: FunctionOps::Binary(Binary::Max) },
    Function { name: "atan2", arguments: (2, 2), ops: FunctionOps::Binary(Binary::Atan2) },
    Function { name: "if", arguments: (3, 3), ops: FunctionOps::If },
];

const fn unary(name: &'static str, unary: Unary) -> Function {
    Function { name, arguments: (1, 1), ops: FunctionOps::Unary(unary) }
}

/// Words that are no names of variables unless they are quoted.
const WORDS: [&str; 4] = ["and", "or", "not", "pi"];

/// Whether a name has a meaning of its own in expressions.
pub(super) fn is_word(name: &str) -> bool {
    WORDS.contains(&name) || FUNCTIONS.iter().any(|function| function.name == name)
}

/// Compiles an expression that gives a value of this kind.
///
/// # Errors
/// [`ExpressionError`] for the first mistake in the text.
pub fn compile(text: &str, kind: Kind, names: &mut Names<'_>) -> Result<Program, ExpressionError> {
    if text.len() > MAX_BYTES {
        let message = format!("the expression is longer than {MAX_BYTES} bytes");
        return Err(ExpressionError::new(0..text.len(), message, "shorten it"));
    }
    let tokens = tokens(text)?;
    let mut parser = Parser { tokens, at: 0, depth: 0, names, ops: Vec::new() };
    let value = parser.expression(0)?;
    let next = parser.next();
    if next.kind != TokenKind::End {
        let hint = "put an operator before it";
        return Err(ExpressionError::new(
            next.span.clone(),
            "the expression ends before this",
            hint,
        ));
    }
    demand(&value, kind)?;
    Ok(Program { ops: parser.ops })
}

struct Parser<'a, 'b> {
    tokens: Vec<Token>,
    at: usize,
    depth: usize,
    names: &'a mut Names<'b>,
    ops: Vec<Op>,
}

/// A part of the text that was compiled.
struct Value {
    kind: Kind,
    span: Range<usize>,
    /// Where its operations begin.
    first_op: usize,
}

/// A binary operator: how strongly it binds, what it takes and gives.
struct Operator {
    binding: u8,
    takes: Kind,
    gives: Kind,
    op: Binary,
    is_swapped: bool,
}

const fn arithmetic(binding: u8, op: Binary) -> Operator {
    Operator { binding, takes: Kind::Number, gives: Kind::Number, op, is_swapped: false }
}

const fn comparison(op: Binary, is_swapped: bool) -> Operator {
    Operator { binding: 3, takes: Kind::Number, gives: Kind::Truth, op, is_swapped }
}

const fn logic(binding: u8, op: Binary) -> Operator {
    Operator { binding, takes: Kind::Truth, gives: Kind::Truth, op, is_swapped: false }
}

/// How strongly `not` binds, and a sign.
const NOT: u8 = 3;
const SIGN: u8 = 6;
const POWER: u8 = 7;

fn operator(kind: &TokenKind) -> Option<Operator> {
    Some(match kind {
        TokenKind::Symbol("||") => logic(1, Binary::Or),
        TokenKind::Symbol("&&") => logic(2, Binary::And),
        TokenKind::Name { text, is_quoted: false } if text == "or" => logic(1, Binary::Or),
        TokenKind::Name { text, is_quoted: false } if text == "and" => logic(2, Binary::And),
        TokenKind::Symbol("<") => comparison(Binary::Less, false),
        TokenKind::Symbol("<=") => comparison(Binary::LessOrEqual, false),
        TokenKind::Symbol(">") => comparison(Binary::Less, true),
        TokenKind::Symbol(">=") => comparison(Binary::LessOrEqual, true),
        TokenKind::Symbol("==") => comparison(Binary::Equal, false),
        TokenKind::Symbol("!=") => comparison(Binary::NotEqual, false),
        TokenKind::Symbol("+") => arithmetic(4, Binary::Add),
        TokenKind::Symbol("-") => arithmetic(4, Binary::Subtract),
        TokenKind::Symbol("*") => arithmetic(5, Binary::Multiply),
        TokenKind::Symbol("/") => arithmetic(5, Binary::Divide),
        TokenKind::Symbol("^") => arithmetic(POWER, Binary::Power),
        _ => return None,
    })
}

/// Refuses a value of another kind.
fn demand(value: &Value, kind: Kind) -> Result<(), ExpressionError> {
    if value.kind == kind {
        return Ok(());
    }
    let (message, hint) = match kind {
        Kind::Number => ("this is true or false, and no number", "if(..., 1, 0) makes it one"),
        Kind::Truth => ("this is a number, and not true or false", "compare it, as in abs(x) > 1"),
    };
    Err(ExpressionError::new(value.span.clone(), message, hint))
}

impl Parser<'_, '_> {
    fn next(&self) -> &Token {
        &self.tokens[self.at.min(self.tokens.len() - 1)]
    }

    fn take(&mut self) -> Token {
        let token = self.next().clone();
        self.at += 1;
        token
    }

    fn takes(&mut self, symbol: &str) -> bool {
        let is_next = matches!(self.next().kind, TokenKind::Symbol(next) if next == symbol);
        self.at += usize::from(is_next);
        is_next
    }

    /// An expression of operators that bind at least so strongly.
    fn expression(&mut self, least: u8) -> Result<Value, ExpressionError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            let span = self.next().span.clone();
            return Err(ExpressionError::new(
                span,
                format!("the expression nests deeper than {MAX_DEPTH}"),
                "split it",
            ));
        }
        let mut left = self.operand()?;
        while let Some(operator) = operator(&self.next().kind) {
            if operator.binding < least {
                break;
            }
            let symbol = self.take();
            // A power binds to the right, all others to the left.
            let right_least = operator.binding + u8::from(operator.binding != POWER);
            let right = self.expression(right_least)?;
            demand(&left, operator.takes)?;
            demand(&right, operator.takes)?;
            self.emit(&operator, &left, &right, &symbol)?;
            left = Value {
                kind: operator.gives,
                span: left.span.start..right.span.end,
                first_op: left.first_op,
            };
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Both sides are compiled already.
    fn emit(
        &mut self,
        operator: &Operator,
        left: &Value,
        right: &Value,
        symbol: &Token,
    ) -> Result<(), ExpressionError> {
        let constant = match self.ops[right.first_op..] {
            [Op::Constant(value)] => Some(value),
            _ => None,
        };
        match (operator.op, constant) {
            (Binary::Divide, Some(0.0)) => {
                let span = symbol.span.start..right.span.end;
                let hint = "the divisor is 0 for every state";
                return Err(ExpressionError::new(span, "division by zero", hint));
            }
            (Binary::Power, Some(exponent))
                if (1.0..=MAX_WHOLE_POWER).contains(&exponent) && exponent == exponent.trunc() =>
            {
                self.ops.pop();
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "1 to 16"
                )]
                self.ops.push(Op::Power(exponent as u32));
            }
            _ if operator.is_swapped => {
                // `a > b` is `b < a`: the sides change places.
                self.ops[left.first_op..].rotate_left(right.first_op - left.first_op);
                self.ops.push(Op::Binary(operator.op));
            }
            _ => self.ops.push(Op::Binary(operator.op)),
        }
        Ok(())
    }

    fn operand(&mut self) -> Result<Value, ExpressionError> {
        let first_op = self.ops.len();
        let token = self.take();
        let span = token.span.clone();
        let value = |kind, span| Ok(Value { kind, span, first_op });
        match token.kind {
            TokenKind::Number(number) => {
                self.ops.push(Op::Constant(number));
                value(Kind::Number, span)
            }
            TokenKind::Symbol("(") => {
                let inner = self.expression(0)?;
                let end = self.close(&span)?;
                value(inner.kind, span.start..end)
            }
            TokenKind::Symbol(sign @ ("-" | "+")) => {
                let of = self.expression(SIGN)?;
                demand(&of, Kind::Number)?;
                if sign == "-" {
                    self.negate(first_op);
                }
                value(Kind::Number, span.start..of.span.end)
            }
            TokenKind::Symbol("!") => self.not(span, first_op),
            TokenKind::Name { ref text, is_quoted: false } if text == "not" => {
                self.not(span, first_op)
            }
            TokenKind::Name { ref text, is_quoted: false } if text == "pi" => {
                self.ops.push(Op::Constant(std::f64::consts::PI));
                value(Kind::Number, span)
            }
            TokenKind::Name { text, is_quoted } => {
                if !is_quoted && self.takes("(") {
                    return self.call(&text, span, first_op);
                }
                let index = (self.names)(&text)
                    .map_err(|(message, hint)| ExpressionError::new(span.clone(), message, hint))?;
                self.ops.push(Op::Load(index));
                value(Kind::Number, span)
            }
            TokenKind::Symbol("=") => {
                let hint = "two values are compared by ==";
                Err(ExpressionError::new(span, "a single = has no meaning", hint))
            }
            TokenKind::Symbol(_) | TokenKind::End => {
                let hint = "for instance x^2 + 0.1*u^2";
                Err(ExpressionError::new(span, "a value is missing here", hint))
            }
        }
    }

    /// A constant is negated at once, so that `-1` is one.
    fn negate(&mut self, first_op: usize) {
        if let [Op::Constant(number)] = &mut self.ops[first_op..] {
            *number = -*number;
        } else {
            self.ops.push(Op::Unary(Unary::Negate));
        }
    }

    fn not(&mut self, span: Range<usize>, first_op: usize) -> Result<Value, ExpressionError> {
        let of = self.expression(NOT)?;
        demand(&of, Kind::Truth)?;
        self.ops.push(Op::Unary(Unary::Not));
        Ok(Value { kind: Kind::Truth, span: span.start..of.span.end, first_op })
    }

    /// A call, whose opening bracket was taken.
    fn call(
        &mut self,
        name: &str,
        span: Range<usize>,
        first_op: usize,
    ) -> Result<Value, ExpressionError> {
        let Some(function) = FUNCTIONS.iter().find(|function| function.name == name) else {
            let names: Vec<&str> = FUNCTIONS.iter().map(|function| function.name).collect();
            let all = format!("functions are {}", names.join(", "));
            let hint = bitloop_text::suggestion(name, &names, &all);
            let message = format!("there is no function `{name}`");
            return Err(ExpressionError::new(span, message, hint));
        };
        let mut n_arguments = 0;
        loop {
            let argument = self.expression(0)?;
            let is_condition = matches!(function.ops, FunctionOps::If) && n_arguments == 0;
            let kind = if is_condition { Kind::Truth } else { Kind::Number };
            demand(&argument, kind)?;
            n_arguments += 1;
            if let FunctionOps::Binary(op) = function.ops
                && n_arguments > 1
            {
                self.ops.push(Op::Binary(op));
            }
            if !self.takes(",") {
                break;
            }
        }
        let end = self.close(&span)?;
        let span = span.start..end;
        let (least, most) = function.arguments;
        if !(least..=most).contains(&n_arguments) {
            let count = if least == most { least.to_string() } else { format!("{least} or more") };
            let message = format!("`{name}` takes {count} arguments, and not {n_arguments}");
            return Err(ExpressionError::new(span, message, "arguments are separated by commas"));
        }
        match function.ops {
            FunctionOps::Unary(op) => self.ops.push(Op::Unary(op)),
            FunctionOps::If => self.ops.push(Op::Select),
            FunctionOps::Binary(_) => {}
        }
        Ok(Value { kind: Kind::Number, span, first_op })
    }

    /// The end of the bracket that was opened at `open`.
    fn close(&mut self, open: &Range<usize>) -> Result<usize, ExpressionError> {
        let token = self.take();
        if token.kind == TokenKind::Symbol(")") {
            return Ok(token.span.end);
        }
        let what = if token.kind == TokenKind::End { "the end" } else { "this" };
        let message = format!("a closing bracket is missing before {what}");
        let span = if token.span.is_empty() { open.clone() } else { token.span };
        Err(ExpressionError::new(span, message, "each ( needs a )"))
    }
}
