//! [`Affine`]: a number of a picture, `offset + sum of factor * value`.

use std::ops::{Add, Mul, Neg, Sub};

/// `offset + sum of factor * value`, over a few values of the plant. It is built as it is written:
/// `state(0) * 0.5 + parameter(2) - 1.0`.
#[derive(Clone, Debug, PartialEq)]
pub struct Affine {
    /// The number where all values are 0.
    pub offset: f64,
    /// At most [`MAX_PICTURE_TERMS`](super::MAX_PICTURE_TERMS).
    pub terms: Vec<Term>,
}

/// A value of the plant, times a factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Term {
    /// What the value is multiplied by.
    pub factor: f64,
    /// The vector that has the value.
    pub kind: Kind,
    /// Its position there.
    pub index: usize,
}

/// A vector of the plant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// x
    State,
    /// y
    Observation,
    /// u
    Control,
    /// p
    Parameter,
}

impl Kind {
    /// All kinds, in the order of their codes, which count from 1.
    pub const ALL: [Self; 4] = [Self::State, Self::Observation, Self::Control, Self::Parameter];

    /// As the plant contract has it.
    #[must_use]
    pub const fn code(self) -> u32 {
        self as u32 + 1
    }

    /// The kind with a code.
    #[must_use]
    pub fn from_code(code: u32) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.code() == code)
    }
}

/// State `index`.
#[must_use]
pub fn state(index: usize) -> Affine {
    Affine::value(Kind::State, index)
}

/// Observation `index`.
#[must_use]
pub fn observation(index: usize) -> Affine {
    Affine::value(Kind::Observation, index)
}

/// Control `index`, as the plant gets it.
#[must_use]
pub fn control(index: usize) -> Affine {
    Affine::value(Kind::Control, index)
}

/// Parameter `index`.
#[must_use]
pub fn parameter(index: usize) -> Affine {
    Affine::value(Kind::Parameter, index)
}

impl Affine {
    fn value(kind: Kind, index: usize) -> Self {
        Self { offset: 0.0, terms: vec![Term { factor: 1.0, kind, index }] }
    }
}

impl From<f64> for Affine {
    fn from(offset: f64) -> Self {
        Self { offset, terms: Vec::new() }
    }
}

impl<A: Into<Self>> Add<A> for Affine {
    type Output = Self;

    fn add(mut self, other: A) -> Self {
        let other = other.into();
        self.offset += other.offset;
        self.terms.extend(other.terms);
        self
    }
}

impl<A: Into<Self>> Sub<A> for Affine {
    type Output = Self;

    fn sub(self, other: A) -> Self {
        self + -other.into()
    }
}

impl Mul<f64> for Affine {
    type Output = Self;

    fn mul(mut self, factor: f64) -> Self {
        self.offset *= factor;
        self.terms.iter_mut().for_each(|term| term.factor *= factor);
        self
    }
}

impl Neg for Affine {
    type Output = Self;

    fn neg(self) -> Self {
        self * -1.0
    }
}
