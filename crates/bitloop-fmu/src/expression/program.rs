//! [`Program`]: a compiled expression.

use bitloop_plant::Real;

/// What an expression gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A number.
    Number,
    /// Yes or no.
    Truth,
}

/// An operation on a stack of numbers; a truth value is 1 or 0.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Op {
    Constant(f64),
    /// The value of a name, by its position.
    Load(usize),
    Unary(Unary),
    Binary(Binary),
    /// The number to a whole power from 1 on, by multiplication.
    Power(u32),
    /// Of a truth value and two numbers, the first number where it holds.
    Select,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unary {
    Negate,
    Not,
    Abs,
    Sqrt,
    Sin,
    Cos,
    Tan,
    Exp,
    Ln,
    Tanh,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Binary {
    Add,
    Subtract,
    Multiply,
    Divide,
    Power,
    Min,
    Max,
    Atan2,
    Less,
    LessOrEqual,
    Equal,
    NotEqual,
    And,
    Or,
}

/// A compiled expression.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Program {
    pub(super) ops: Vec<Op>,
}

impl Program {
    /// A value that is always the same.
    #[must_use]
    pub fn constant(value: f64) -> Self {
        Self { ops: vec![Op::Constant(value)] }
    }

    /// The value of one name, by its position.
    #[must_use]
    pub fn of_name(index: usize) -> Self {
        Self { ops: vec![Op::Load(index)] }
    }

    /// The positions of the names that it reads, in rising order.
    #[must_use]
    pub fn names(&self) -> Vec<usize> {
        let load = |op: &Op| if let Op::Load(index) = op { Some(*index) } else { None };
        let mut all: Vec<usize> = self.ops.iter().filter_map(load).collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Its value, given those of the names. `stack` is working memory.
    #[must_use]
    pub fn value(&self, values: &[f64], stack: &mut Vec<f64>) -> f64 {
        stack.clear();
        for op in &self.ops {
            let result = match *op {
                Op::Constant(value) => value,
                Op::Load(index) => values[index],
                Op::Unary(unary) => unary.of(pop(stack)),
                Op::Binary(binary) => {
                    let right = pop(stack);
                    binary.of(pop(stack), right)
                }
                Op::Power(exponent) => {
                    let base = pop(stack);
                    (1..exponent).fold(base, |power, _| power * base)
                }
                Op::Select => {
                    let [otherwise, then] = [pop(stack), pop(stack)];
                    if pop(stack) == 0.0 { otherwise } else { then }
                }
            };
            stack.push(result);
        }
        pop(stack)
    }
}

/// Compiled programs never take more than there is; NaN would show it.
fn pop(stack: &mut Vec<f64>) -> f64 {
    stack.pop().unwrap_or(f64::NAN)
}

impl Unary {
    fn of(self, value: f64) -> f64 {
        match self {
            Self::Negate => -value,
            Self::Not => truth(value == 0.0),
            Self::Abs => Real::abs(value),
            Self::Sqrt => Real::sqrt(value),
            Self::Sin => Real::sin(value),
            Self::Cos => Real::cos(value),
            Self::Tan => Real::tan(value),
            Self::Exp => Real::exp(value),
            Self::Ln => Real::ln(value),
            Self::Tanh => Real::tanh(value),
        }
    }
}

impl Binary {
    fn of(self, left: f64, right: f64) -> f64 {
        match self {
            Self::Add => left + right,
            Self::Subtract => left - right,
            Self::Multiply => left * right,
            Self::Divide => left / right,
            Self::Power => Real::pow(left, right),
            // A NaN stays one on either side, so that it is noticed.
            Self::Min | Self::Max if left.is_nan() => left,
            Self::Min => Real::min(left, right),
            Self::Max => Real::max(left, right),
            Self::Atan2 => Real::atan2(left, right),
            Self::Less => truth(left < right),
            Self::LessOrEqual => truth(left <= right),
            Self::Equal => truth(left == right),
            Self::NotEqual => truth(left != right),
            Self::And => truth(left != 0.0 && right != 0.0),
            Self::Or => truth(left != 0.0 || right != 0.0),
        }
    }
}

fn truth(holds: bool) -> f64 {
    f64::from(u8::from(holds))
}
