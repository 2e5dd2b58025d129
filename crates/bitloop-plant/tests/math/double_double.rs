//! Numbers as unevaluated sums of two doubles, about 104 bits (T. J. Dekker, 1971; error bounds in Joldes, Muller,
//! Popescu, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic", 2017).

use std::ops::{Add, Div, Mul, Neg, Sub};

/// `high + low`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Double {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl Double {
    pub(crate) const fn new(high: f64, low: f64) -> Self {
        Self { high, low }
    }

    /// `a + b`, exactly.
    pub(crate) fn sum(a: f64, b: f64) -> Self {
        let high = a + b;
        let b_taken = high - a;
        Self { high, low: (a - (high - b_taken)) + (b - b_taken) }
    }

    /// `a * b`, exactly.
    pub(crate) fn product(a: f64, b: f64) -> Self {
        let high = a * b;
        Self { high, low: a.mul_add(b, -high) }
    }

    /// `a + b` where `a` is not the smaller, exactly.
    fn ordered_sum(a: f64, b: f64) -> Self {
        let high = a + b;
        Self { high, low: b - (high - a) }
    }

    /// Times a power of two.
    pub(crate) fn scaled(self, power: f64) -> Self {
        Self { high: self.high * power, low: self.low * power }
    }
}

impl From<f64> for Double {
    fn from(value: f64) -> Self {
        Self::new(value, 0.0)
    }
}

impl Neg for Double {
    type Output = Self;
    fn neg(self) -> Self {
        Self::new(-self.high, -self.low)
    }
}

impl Add for Double {
    type Output = Self;
    fn add(self, other: Self) -> Self {
        let high = Self::sum(self.high, other.high);
        let low = Self::sum(self.low, other.low);
        let first = Self::ordered_sum(high.high, high.low + low.high);
        Self::ordered_sum(first.high, first.low + low.low)
    }
}

impl Sub for Double {
    type Output = Self;
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}

impl Mul for Double {
    type Output = Self;
    fn mul(self, other: Self) -> Self {
        let product = Self::product(self.high, other.high);
        let cross = self.high.mul_add(other.low, self.low * other.high);
        Self::ordered_sum(product.high, product.low + cross)
    }
}

impl Div for Double {
    type Output = Self;
    fn div(self, other: Self) -> Self {
        let first = self.high / other.high;
        let rest = self - other * Self::from(first);
        let second = rest.high / other.high;
        let rest = rest - other * Self::from(second);
        Self::ordered_sum(first, second) + Self::from(rest.high / other.high)
    }
}
